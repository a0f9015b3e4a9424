import Foundation
import StreamMap
import Tracing

/// A feed that comes in one request or in several.
struct Upload: Sendable {
  let id: Int64
  /// What the client calls it.
  let name: String
  let mapping: String
  /// Bytes of the feed whose records are stored: the client continues here.
  var offset: Int
  var position: FeedPosition?
  var isComplete: Bool
  var records: Int
  var mapped: Int
  var rejected: Int
  /// How the last request ended.
  var summary: FeedSummary?
  /// Which request writes to it: the number of those that have begun to.
  let claim: Int
  /// When it was made, a request began to continue it, or a batch of it was stored.
  var changed: Date
  /// Whether the request that has it here is the one that writes to it.
  var isClaimed = false
}

/// The database: uploads, their rows and their rejects.
///
/// The rows of a batch and the position after them are stored in one transaction. So there is no moment, and no way to die, at
/// which one is there without the other. It is in SQLite or in PostgreSQL; what is written here holds for both.
final class Store: Sendable {
  /// Another request has written to the upload, or it is removed.
  struct Conflict: Error {}

  let database: any SQLDatabase
  private let turns: Turns
  private let patience: Duration

  /// Opens the database, and makes its tables.
  ///
  /// - Parameters:
  ///   - name: A file of SQLite, or an address of PostgreSQL.
  ///   - patience: How long a writer waits where another program holds the database.
  /// - Throws: ``StartFailure``.
  init(_ name: String, patience: Duration) async throws {
    self.patience = patience
    do {
      database = try await Self.patiently(until: .now + patience) {
        if let address = PostgresAddress(name) {
          try await PostgresDatabase(address, patience: patience)
        } else {
          try SQLiteDatabase(path: name)
        }
      }
    } catch let fault as DatabaseFault {
      throw StartFailure("cannot open the database \(name): \(fault.cause)")
    }
    turns = Turns(atOnce: database.writers)
  }

  /// Tries again while another program holds the database, or it is just not there, until a moment; no thread waits.
  private static func patiently<Result>(
    until deadline: ContinuousClock.Instant, _ work: () async throws -> Result
  ) async throws -> Result {
    while true {
      do {
        return try await work()
      } catch let fault as DatabaseFault where fault.isPassing && .now < deadline {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Changes the database in one transaction, when the turn comes.
  func write<Result: Sendable>(
    after stored: Int, _ change: @escaping @Sendable (any SQLTransaction) throws -> Result
  ) async throws -> Result {
    // Counted from here: of many that wait, each gives up in its own time.
    let deadline = ContinuousClock.now + patience
    // The span has the wait for the turn, and for the database.
    return try await withSpan("write to the database", ofKind: .client) { _ in
      try await turns.take(after: stored) {
        try await Self.patiently(until: deadline) {
          try await database.write(within: max(deadline - .now, .zero), change)
        }
      }
    }
  }

  /// Reads from the database.
  func read<Result: Sendable>(
    _ work: @escaping @Sendable (any SQLTransaction) throws -> Result
  ) async throws -> Result {
    try await Self.patiently(until: .now + patience) { try await database.read(work) }
  }

  /// Fails where the database cannot be written.
  func check() async throws {
    try await write(after: 0) { transaction in
      _ = try transaction.change("UPDATE readiness SET checked = CURRENT_TIMESTAMP", [])
    }
  }

  /// What `Upload.init` reads.
  private var columns: String {
    """
    id, name, mapping, "offset", position, isComplete, records, mapped, rejected, summary, claim, \
    \(database.seconds(of: "changed"))
    """
  }

  func upload(_ name: String, of tenant: String) async throws -> Upload? {
    let columns = columns
    return try await read { transaction in
      try transaction.rows(
        "SELECT \(columns) FROM uploads WHERE tenant = ?1 AND name = ?2 AND NOT isRemoved",
        [.text(tenant), .text(name)]
      ).first.map { try Upload($0) }
    }
  }

  /// The uploads of a tenant, the newest first.
  ///
  /// - Parameters:
  ///   - tenant: Whose they are.
  ///   - before: The number of the last one that was shown; nil if none was.
  ///   - most: How many there may be.
  /// - Returns: The uploads.
  /// - Throws: An error of the database.
  func uploads(of tenant: String, before: Int64?, most: Int) async throws -> [Upload] {
    let columns = columns
    return try await read { transaction in
      try transaction.rows(
        """
        SELECT \(columns) FROM uploads
        WHERE tenant = ?1 AND id < ?2 AND NOT isRemoved ORDER BY id DESC LIMIT ?3
        """, [.text(tenant), .integer(before ?? .max), SQLValue(most)]
      ).map { try Upload($0) }
    }
  }

  /// The rejected records of an upload after one of them, and whether these are all of the rest.
  func rejects(of upload: Upload, after record: Int64, most: Int) async throws -> (
    rejects: [RejectList.Record], isAll: Bool
  ) {
    try await read { transaction in
      let records = try transaction.rows(
        """
        SELECT DISTINCT record FROM rejects WHERE upload = ?1 AND record > ?2 ORDER BY record LIMIT ?3
        """, [.integer(upload.id), .integer(record), SQLValue(most + 1)]
      ).map { try $0.number(0) }
      let rows = try transaction.rows(
        """
        SELECT record, line, "column", start, "end", path, code, message FROM rejects
        WHERE upload = ?1 AND record > ?2 AND record <= ?3 ORDER BY record, rowid
        """,
        [.integer(upload.id), .integer(record), .integer(records.prefix(most).last ?? record)])
      var found: [RejectList.Record] = []
      for row in rows {
        let fault = RejectList.Fault(
          line: try row.optionalNumber(1), column: try row.optionalNumber(2),
          offset: try row.optionalNumber(3), end: try row.optionalNumber(4),
          path: try row.text(5), code: try row.text(6), message: try row.text(7))
        let number = Int(try row.number(0))
        if found.last?.record != number { found.append(.init(record: number, errors: [])) }
        found[found.count - 1].errors.append(fault)
      }
      return (found, records.count <= most)
    }
  }

  /// Makes an upload, for the request that begins it.
  ///
  /// - Throws: ``Conflict`` if another request has just made it.
  func makeUpload(_ name: String, of tenant: String, for mapping: String) async throws -> Upload {
    try await write(after: 0) { transaction in
      let made = try transaction.rows(
        """
        INSERT INTO uploads (tenant, name, mapping, claim) VALUES (?1, ?2, ?3, 1)
        ON CONFLICT DO NOTHING RETURNING id
        """, [.text(tenant), .text(name), .text(mapping)])
      guard let id = try made.first?.number(0) else { throw Conflict() }
      return Upload(
        id: id, name: name, mapping: mapping, offset: 0, position: nil, isComplete: false,
        records: 0, mapped: 0, rejected: 0, summary: nil, claim: 1, changed: .now, isClaimed: true)
    }
  }

  /// Makes a request the only one that may write to an upload.
  ///
  /// Within one service there is only one anyway. Another service over the same database may still read a request whose client is gone;
  /// that one can store nothing any more.
  ///
  /// - Throws: ``Conflict`` if the upload is not as it was when it was looked up.
  func claim(_ upload: Upload) async throws -> Upload {
    if upload.isClaimed { return upload }
    let columns = columns
    return try await write(after: upload.offset) { transaction in
      let claimed = try transaction.rows(
        """
        UPDATE uploads SET claim = claim + 1, changed = CURRENT_TIMESTAMP
        WHERE id = ?1 AND claim = ?2 AND "offset" = ?3 AND records = ?4 AND NOT isComplete AND NOT isRemoved
        RETURNING \(columns)
        """,
        [
          .integer(upload.id), SQLValue(upload.claim), SQLValue(upload.offset),
          SQLValue(upload.records),
        ])
      guard var upload = try claimed.first.map({ try Upload($0) }) else { throw Conflict() }
      upload.isClaimed = true
      return upload
    }
  }

  /// Puts an upload back to where it was when a request began to write to it, because what that stored cannot be trusted.
  ///
  /// If another request writes to it now, that one began after what was stored, and nothing changes.
  func putBack(_ upload: Upload) async throws {
    let position = try Self.text(upload.position)
    try await write(after: upload.offset) { transaction in
      let changes = try transaction.change(
        """
        UPDATE uploads SET "offset" = ?1, position = ?2, records = ?3, mapped = ?4, rejected = ?5, summary = NULL
        WHERE id = ?6 AND claim = ?7 AND NOT isRemoved
        """,
        [
          SQLValue(upload.offset), SQLValue(position), SQLValue(upload.records),
          SQLValue(upload.mapped), SQLValue(upload.rejected), .integer(upload.id),
          SQLValue(upload.claim),
        ])
      if changes == 0 { return }
      try transaction.change(
        "DELETE FROM records WHERE upload = ?1 AND number > ?2",
        [.integer(upload.id), SQLValue(upload.mapped)])
      try transaction.change(
        "DELETE FROM rejects WHERE upload = ?1 AND record > ?2",
        [.integer(upload.id), SQLValue(upload.records)])
    }
  }

  /// Stores the rows and the rejects of batches together with the place after them, and with how the request ended, if it did.
  ///
  /// - Throws: ``Conflict`` if the upload is not at the place any more that the batches were read from, or another request writes to it.
  func add(
    _ batches: [FeedBatch<RawJSON>], to upload: inout Upload, until position: FeedPosition?,
    offset: Int, _ summary: FeedSummary? = nil
  ) async throws {
    let before = upload
    var after = upload
    after.isComplete = summary?.verdict == .complete
    after.position = position
    after.offset = offset
    after.records += batches.reduce(0) { $0 + $1.records }
    after.mapped += batches.reduce(0) { $0 + $1.values.count }
    after.rejected += batches.reduce(0) { $0 + $1.rejects.count }
    after.summary = summary
    let changes: [SQLValue] = [
      SQLValue(offset), SQLValue(try Self.text(position)), .flag(after.isComplete),
      SQLValue(after.records), SQLValue(after.mapped), SQLValue(after.rejected),
      SQLValue(try Self.text(summary)), .integer(before.id), SQLValue(before.claim),
      SQLValue(before.offset), SQLValue(before.records),
    ]
    try await write(after: before.offset) { transaction in
      let changed = try transaction.change(
        """
        UPDATE uploads SET "offset" = ?1, position = ?2, isComplete = ?3, records = ?4, mapped = ?5, rejected = ?6, summary = ?7,
          changed = CURRENT_TIMESTAMP
        WHERE id = ?8 AND claim = ?9 AND "offset" = ?10 AND records = ?11 AND NOT isComplete AND NOT isRemoved
        """, changes)
      guard changed == 1 else { throw Conflict() }
      try transaction.insert(
        batches.lazy.flatMap(\.values).enumerated().lazy.map { index, value in
          [
            .integer(before.id), SQLValue(before.mapped + index + 1),
            .text(String(decoding: value.bytes, as: UTF8.self)),
          ]
        }, into: "records", ["upload", "number", "json"])
      try transaction.insert(
        batches.lazy.flatMap(\.rejects).flatMap { Self.rows(of: $0, in: before.id) },
        into: "rejects",
        ["upload", "record", "line", #""column""#, "start", #""end""#, "code", "path", "message"])
    }
    upload = after
  }

  /// A row for each error of a record, with its own address.
  private static func rows(of reject: Reject, in upload: Int64) -> [[SQLValue]] {
    reject.error.leaves.map { error in
      let place = error.position ?? reject.position
      return [
        .integer(upload), SQLValue(reject.record), SQLValue(place?.line), SQLValue(place?.column),
        SQLValue(place?.bytes.lowerBound), SQLValue(place?.bytes.upperBound),
        .text(error.code.rawValue), .text("\(error.path)"), .text(error.message),
      ]
    }
  }

  private static func text(_ value: (some Encodable)?) throws -> String? {
    try value.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
  }
}

extension Upload {
  fileprivate init(_ row: SQLRow) throws {
    func value<Value: Decodable>(_ column: Int) throws -> Value? {
      try row.optionalText(column).map {
        try JSONDecoder().decode(Value.self, from: Data($0.utf8))
      }
    }
    self.init(
      id: try row.number(0), name: try row.text(1), mapping: try row.text(2),
      offset: Int(try row.number(3)), position: try value(4), isComplete: try row.flag(5),
      records: Int(try row.number(6)), mapped: Int(try row.number(7)),
      rejected: Int(try row.number(8)), summary: try value(9), claim: Int(try row.number(10)),
      changed: Date(timeIntervalSince1970: TimeInterval(try row.number(11))))
  }
}
