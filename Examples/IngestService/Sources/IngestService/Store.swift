import Foundation
import GRDB
import StreamMap

/// A feed that comes in one request or in several.
struct Upload: Decodable, Sendable, FetchableRecord {
  let id: Int64
  /// What the client calls it.
  let name: String
  let mapping: String
  /// Bytes of the feed whose records are stored: the client goes on here.
  var offset: Int
  var position: FeedPosition?
  var isComplete: Bool
  var records: Int
  var mapped: Int
  var rejected: Int
  /// How the last request ended.
  var summary: FeedSummary?
}

/// The database: uploads, their rows and their rejects.
///
/// The rows of a batch and the position after them are stored in one transaction. So there is no moment, and no way to die, at
/// which one is there without the other.
final class Store: Sendable {
  /// Somebody else has written to the upload.
  struct Conflict: Error {}

  private let database: DatabasePool
  private let turns = WriteTurns()

  init(path: String) throws {
    // Readers are asked for a row now and then: one is enough, and each has a thread.
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    database = try DatabasePool(path: path, configuration: configuration)
    try database.writeWithoutTransaction { db in
      // What is answered with 200 is on the disk, also when the power fails.
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { try $0.execute(sql: Self.schema) }
    try migrator.migrate(database)
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
    -- Where each rejected record is, and why; none of its values.
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

  /// Fails where the database cannot be read.
  func check() async throws {
    _ = try await database.read { try Int.fetchOne($0, sql: "SELECT 1") }
  }

  func upload(_ name: String, of tenant: String) async throws -> Upload? {
    try await database.read { db in
      try Upload.fetchOne(
        db, sql: "SELECT * FROM uploads WHERE tenant = ? AND name = ?", arguments: [tenant, name])
    }
  }

  func makeUpload(_ name: String, of tenant: String, for mapping: String) async throws -> Upload {
    try await turns.write(after: 0) {
      try await database.write { db in
        try db.execute(
          sql: "INSERT INTO uploads (tenant, name, mapping) VALUES (?, ?, ?)",
          arguments: [tenant, name, mapping])
        return Upload(
          id: db.lastInsertedRowID, name: name, mapping: mapping, offset: 0, position: nil,
          isComplete: false, records: 0, mapped: 0, rejected: 0, summary: nil)
      }
    }
  }

  /// Stores the rows and the rejects of batches together with the place after them, and with how the request ended, if it did.
  ///
  /// - Throws: ``Conflict`` where the upload is not at the place any more that the batches were read from.
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
    try await turns.write(after: before.offset) {
      try await database.write { db in
        try db.execute(
          sql: """
            UPDATE uploads SET offset = ?, position = ?, isComplete = ?, records = ?, mapped = ?, rejected = ?, summary = ?,
              changed = CURRENT_TIMESTAMP
            WHERE id = ? AND offset = ? AND records = ? AND NOT isComplete
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
    }
    upload = after
  }

  private static func insert(_ reject: Reject, of upload: Int64, _ db: Database) throws {
    let place = reject.error.position ?? reject.position
    try db.execute(
      sql: "INSERT INTO rejects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        upload, reject.record, place?.line, place?.column, place?.bytes.lowerBound,
        place?.bytes.upperBound, reject.error.code.rawValue, "\(reject.error.path)",
        reject.error.message,
      ])
  }

  private static func text(_ value: (some Encodable)?) throws -> String? {
    try value.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
  }
}
