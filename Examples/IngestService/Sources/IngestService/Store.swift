import Foundation
import GRDB
import StreamMap

/// A feed that comes in one request or in several.
struct Upload: Decodable, Sendable, FetchableRecord {
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
  /// When it was made, or a batch of it was stored last.
  var changed: Date
}

/// The database: uploads, their rows and their rejects.
///
/// The rows of a batch and the position after them are stored in one transaction. So there is no moment, and no way to die, at
/// which one is there without the other.
final class Store: Sendable {
  /// Another request has written to the upload.
  struct Conflict: Error {}

  let database: DatabasePool
  private let turns = WriteTurns()
  private let patience: Duration

  /// Opens the database, and makes its tables.
  ///
  /// - Parameters:
  ///   - path: The database's file.
  ///   - patience: How long a writer waits where another program holds the database.
  /// - Throws: ``StartFailure``.
  init(path: String, patience: Duration) async throws {
    self.patience = patience
    do {
      database = try await Self.patiently(until: .now + patience) { try Self.open(path) }
    } catch let error as DatabaseError {
      throw StartFailure("cannot open the database \(path): \(error.message ?? "SQLite failed")")
    }
  }

  private static func open(_ path: String) throws -> DatabasePool {
    // Readers are asked for a row now and then: one is enough, and each has a thread.
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    let database = try DatabasePool(path: path, configuration: configuration)
    try database.writeWithoutTransaction { db in
      // A feed that is answered with 200 is on the disk, also when the power fails.
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { try $0.execute(sql: schema) }
    migrator.registerMigration("2") {
      try $0.execute(sql: "CREATE TABLE readiness (checked TEXT NOT NULL) STRICT")
      try $0.execute(sql: "INSERT INTO readiness VALUES (CURRENT_TIMESTAMP)")
    }
    migrator.registerMigration("3") { try $0.execute(sql: removal) }
    try migrator.migrate(database)
    return database
  }

  /// Tries again while another program holds the database, until a moment; no thread waits.
  private static func patiently<Result>(
    until deadline: ContinuousClock.Instant, _ work: () async throws -> Result
  ) async throws -> Result {
    while true {
      do {
        return try await work()
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && .now < deadline
      {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Changes the database in one transaction, when the turn comes.
  func write<Result: Sendable>(
    after stored: Int, _ change: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    // Counted from here: of many that wait, each gives up in its own time.
    let deadline = ContinuousClock.now + patience
    return try await turns.write(after: stored) {
      try await Self.patiently(until: deadline) { try await database.write(change) }
    }
  }

  private static let schema = """
    CREATE TABLE uploads (
      id INTEGER PRIMARY KEY,
      tenant TEXT NOT NULL,
      name TEXT NOT NULL,
      mapping TEXT NOT NULL,
      offset INTEGER NOT NULL DEFAULT 0,
      position TEXT,
      isComplete INTEGER NOT NULL DEFAULT 0,
      records INTEGER NOT NULL DEFAULT 0,
      mapped INTEGER NOT NULL DEFAULT 0,
      rejected INTEGER NOT NULL DEFAULT 0,
      summary TEXT,
      changed TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
      UNIQUE (tenant, name)
    ) STRICT;
    CREATE TABLE records (
      upload INTEGER NOT NULL REFERENCES uploads,
      number INTEGER NOT NULL,
      json TEXT NOT NULL,
      PRIMARY KEY (upload, number)
    ) STRICT, WITHOUT ROWID;
    -- Where each error of a rejected record is, and why; none of its values. A record with three errors has three rows.
    CREATE TABLE rejects (
      upload INTEGER NOT NULL REFERENCES uploads,
      record INTEGER NOT NULL,
      line INTEGER,
      "column" INTEGER,
      start INTEGER,
      "end" INTEGER,
      code TEXT NOT NULL,
      path TEXT NOT NULL,
      message TEXT NOT NULL
    ) STRICT;
    CREATE INDEX rejectsOfUpload ON rejects (upload, record);
    """

  private static let removal = """
    -- No request finds such an upload. It goes when its records and rejects are gone.
    ALTER TABLE uploads ADD COLUMN isRemoved INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX removedUploads ON uploads (id) WHERE isRemoved;
    CREATE INDEX uploadsByAge ON uploads (isComplete, changed);
    CREATE INDEX uploadsOfTenant ON uploads (tenant, id);
    """

  /// Fails where the database cannot be written.
  func check() async throws {
    try await write(after: 0) { db in
      try db.execute(sql: "UPDATE readiness SET checked = CURRENT_TIMESTAMP")
    }
  }

  func upload(_ name: String, of tenant: String) async throws -> Upload? {
    try await database.read { db in
      try Upload.fetchOne(
        db, sql: "SELECT * FROM uploads WHERE tenant = ? AND name = ? AND NOT isRemoved",
        arguments: [tenant, name])
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
    try await database.read { db in
      try Upload.fetchAll(
        db,
        sql: """
          SELECT * FROM uploads WHERE tenant = ? AND id < ? AND NOT isRemoved ORDER BY id DESC LIMIT ?
          """, arguments: [tenant, before ?? .max, most])
    }
  }

  /// The rejected records of an upload after one of them, and whether these are all of the rest.
  func rejects(of upload: Upload, after record: Int64, most: Int) async throws -> (
    rejects: [RejectList.Record], isAll: Bool
  ) {
    try await database.read { db in
      let records = try Int64.fetchAll(
        db,
        sql:
          "SELECT DISTINCT record FROM rejects WHERE upload = ? AND record > ? ORDER BY record LIMIT ?",
        arguments: [upload.id, record, most + 1])
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT * FROM rejects WHERE upload = ? AND record > ? AND record <= ? ORDER BY record, rowid
          """, arguments: [upload.id, record, records.prefix(most).last ?? record])
      var found: [RejectList.Record] = []
      while let row = try rows.next() {
        let fault = RejectList.Fault(
          line: row["line"], column: row["column"], offset: row["start"], end: row["end"],
          path: row["path"], code: row["code"], message: row["message"])
        let number: Int = row["record"]
        if found.last?.record != number { found.append(.init(record: number, errors: [])) }
        found[found.count - 1].errors.append(fault)
      }
      return (found, records.count <= most)
    }
  }

  func makeUpload(_ name: String, of tenant: String, for mapping: String) async throws -> Upload {
    try await write(after: 0) { db in
      try db.execute(
        sql: "INSERT INTO uploads (tenant, name, mapping) VALUES (?, ?, ?)",
        arguments: [tenant, name, mapping])
      return Upload(
        id: db.lastInsertedRowID, name: name, mapping: mapping, offset: 0, position: nil,
        isComplete: false, records: 0, mapped: 0, rejected: 0, summary: nil, changed: .now)
    }
  }

  /// Puts an upload back to where it was, because what was stored since then cannot be trusted.
  func putBack(_ upload: Upload) async throws {
    let changes: StatementArguments = [
      upload.offset, try Self.text(upload.position), upload.records, upload.mapped,
      upload.rejected, upload.id,
    ]
    try await write(after: upload.offset) { db in
      try db.execute(
        sql: "DELETE FROM records WHERE upload = ? AND number > ?",
        arguments: [upload.id, upload.mapped])
      try db.execute(
        sql: "DELETE FROM rejects WHERE upload = ? AND record > ?",
        arguments: [upload.id, upload.records])
      try db.execute(
        sql: """
          UPDATE uploads SET offset = ?, position = ?, records = ?, mapped = ?, rejected = ?, summary = NULL WHERE id = ?
          """, arguments: changes)
    }
  }

  /// Stores the rows and the rejects of batches together with the place after them, and with how the request ended, if it did.
  ///
  /// - Throws: ``Conflict`` if the upload is not at the place any more that the batches were read from.
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
    let changes: StatementArguments = [
      offset, try Self.text(position), after.isComplete, after.records, after.mapped,
      after.rejected, try Self.text(summary), before.id, before.offset, before.records,
    ]
    try await write(after: before.offset) { db in
      try db.execute(
        sql: """
          UPDATE uploads SET offset = ?, position = ?, isComplete = ?, records = ?, mapped = ?, rejected = ?, summary = ?,
            changed = CURRENT_TIMESTAMP
          WHERE id = ? AND offset = ? AND records = ? AND NOT isComplete AND NOT isRemoved
          """, arguments: changes)
      guard db.changesCount == 1 else { throw Conflict() }
      let row = try db.cachedStatement(
        sql: "INSERT INTO records (upload, number, json) VALUES (?, ?, ?)")
      for (index, value) in batches.lazy.flatMap(\.values).enumerated() {
        row.setUncheckedArguments([
          before.id, before.mapped + index + 1, String(decoding: value.bytes, as: UTF8.self),
        ])
        try row.execute()
      }
      for reject in batches.flatMap(\.rejects) { try Self.insert(reject, of: before.id, db) }
    }
    upload = after
  }

  /// A row for each error of a record, with its own address.
  private static func insert(_ reject: Reject, of upload: Int64, _ db: Database) throws {
    for error in reject.error.leaves {
      let place = error.position ?? reject.position
      try db.execute(
        sql: "INSERT INTO rejects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          upload, reject.record, place?.line, place?.column, place?.bytes.lowerBound,
          place?.bytes.upperBound, error.code.rawValue, "\(error.path)", error.message,
        ])
    }
  }

  private static func text(_ value: (some Encodable)?) throws -> String? {
    try value.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
  }
}
