import GRDB

/// The store in a file of SQLite, by GRDB.
final class SQLiteDatabase: SQLDatabase {
  let writers = 1
  private let pool: DatabasePool

  /// Opens the file, and makes its tables.
  init(path: String) throws {
    pool = try Self.translated {
      // Readers are asked for a row now and then: one is enough, and each has a thread.
      var configuration = Configuration()
      configuration.maximumReaderCount = 1
      let pool = try DatabasePool(path: path, configuration: configuration)
      try pool.writeWithoutTransaction { db in
        // A feed that is answered with 200 is on the disk, also when the power fails.
        try db.execute(sql: "PRAGMA synchronous = FULL")
      }
      var migrator = DatabaseMigrator()
      for (index, sql) in Self.migrations.enumerated() {
        migrator.registerMigration("\(index + 1)") { try $0.execute(sql: sql) }
      }
      try migrator.migrate(pool)
      return pool
    }
  }

  func ago(_ value: String) -> String { "datetime('now', '-' || \(value) || ' seconds')" }

  func seconds(of column: String) -> String { "CAST(strftime('%s', \(column)) AS INTEGER)" }

  func read<Result: Sendable>(
    _ work: @escaping @Sendable (any SQLTransaction) throws -> Result
  ) async throws -> Result {
    do {
      return try await pool.read { try work(Transaction(db: $0)) }
    } catch let error as DatabaseError {
      throw DatabaseFault(error)
    }
  }

  func write<Result: Sendable>(
    within patience: Duration, _ work: @escaping @Sendable (any SQLTransaction) throws -> Result
  ) async throws -> Result {
    do {
      return try await pool.write { try work(Transaction(db: $0)) }
    } catch let error as DatabaseError {
      throw DatabaseFault(error)
    }
  }

  private static func translated<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as DatabaseError {
      throw DatabaseFault(error)
    }
  }

  private struct Transaction: SQLTransaction {
    let db: Database

    func rows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] {
      let statement = try db.cachedStatement(sql: sql)
      return try Row.fetchAll(statement, arguments: Self.arguments(values)).map { row in
        SQLRow(
          values: row.databaseValues.map { value in
            switch value.storage {
            case .null: .null
            case .int64(let number): .integer(number)
            case .string(let text): .text(text)
            // The tables have neither; a reader that expects something else says so.
            case .double, .blob: .null
            }
          })
      }
    }

    func change(_ sql: String, _ values: [SQLValue]) throws -> Int {
      try db.cachedStatement(sql: sql).execute(arguments: Self.arguments(values))
      return db.changesCount
    }

    func insert(
      _ rows: some Sequence<[SQLValue]>, into table: String, _ columns: [String]
    ) throws {
      let values = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
      let statement = try db.cachedStatement(
        sql: "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values))")
      for row in rows {
        statement.setUncheckedArguments(Self.arguments(row))
        try statement.execute()
      }
    }

    private static func arguments(_ values: [SQLValue]) -> StatementArguments {
      StatementArguments(
        values.map { value -> (any DatabaseValueConvertible)? in
          switch value {
          case .null: nil
          case .integer(let number): number
          case .text(let text): text
          case .flag(let flag): flag
          }
        })
    }
  }

  /// Each is run once; what was released stays as it is.
  private static let migrations = [
    """
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
    """,
    """
    CREATE TABLE readiness (checked TEXT NOT NULL) STRICT;
    INSERT INTO readiness VALUES (CURRENT_TIMESTAMP);
    """,
    """
    -- No request finds such an upload. It goes when its records and rejects are gone.
    ALTER TABLE uploads ADD COLUMN isRemoved INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX removedUploads ON uploads (id) WHERE isRemoved;
    CREATE INDEX uploadsByAge ON uploads (isComplete, changed);
    CREATE INDEX uploadsOfTenant ON uploads (tenant, id);
    """,
    """
    -- How many requests have begun to write to it: only the last one of them may.
    ALTER TABLE uploads ADD COLUMN claim INTEGER NOT NULL DEFAULT 0;
    """,
  ]
}

extension DatabaseFault {
  fileprivate init(_ error: DatabaseError) {
    let kind: Kind =
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
      case .SQLITE_FULL: .full
      case .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN: .unavailable
      default: .other
      }
    self.init(
      kind: kind,
      cause: "SQLite \(error.resultCode.rawValue): \(error.message ?? "no reason is given")",
      isPassing: error.resultCode == .SQLITE_BUSY)
  }
}
