import Foundation
import Synchronization

/// The store in PostgreSQL: several services may use it at once.
final class PostgresDatabase: SQLDatabase {
  let writers = 8
  private let address: PostgresAddress
  /// Those that no transaction has just now.
  private let idle = Mutex<[Lane]>([])
  private let readers = Turns(atOnce: 2)

  /// Connects, and makes the tables.
  ///
  /// - Throws: ``DatabaseFault``.
  init(_ address: PostgresAddress, patience: Duration) async throws {
    self.address = address
    try await write(within: patience) { transaction in
      let encoding = try transaction.rows("SHOW server_encoding", []).first?.text(0)
      guard encoding == "UTF8" else {
        throw DatabaseFault(kind: .other, cause: "its encoding is not UTF8")
      }
      // If several services start at once, one makes the tables. The number is any, but always this one.
      _ = try transaction.rows("SELECT pg_advisory_xact_lock(5784033281)", [])
      try transaction.change(
        "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY)", [])
      let done = try transaction.rows("SELECT count(*) FROM migrations", []).first?.number(0) ?? 0
      for (index, sql) in Self.migrations.enumerated().dropFirst(Int(done)) {
        try transaction.change(sql, [])
        try transaction.change("INSERT INTO migrations VALUES (?1)", [SQLValue(index + 1)])
      }
    }
  }

  func ago(_ value: String) -> String {
    "CURRENT_TIMESTAMP - make_interval(secs => \(value))"
  }

  func seconds(of column: String) -> String { "floor(extract(epoch FROM \(column)))::bigint" }

  func read<Result: Sendable>(
    _ work: @escaping @Sendable (any SQLTransaction) throws -> Result
  ) async throws -> Result {
    try await readers.take(after: 0) {
      try await transact("BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ", Self.readPatience, work)
    }
  }

  func write<Result: Sendable>(
    within patience: Duration, _ work: @escaping @Sendable (any SQLTransaction) throws -> Result
  ) async throws -> Result {
    try await transact("BEGIN", patience, work)
  }

  /// Readers wait only for a change of the tables.
  private static let readPatience = Duration.seconds(1)

  private func transact<Result: Sendable>(
    _ begin: String, _ patience: Duration,
    _ work: @escaping @Sendable (any SQLTransaction) throws -> Result
  ) async throws -> Result {
    let (address, lane) = (address, idle.withLock { $0.popLast() } ?? Lane())
    defer { idle.withLock { $0.append(lane) } }
    return try await withCheckedThrowingContinuation { continuation in
      lane.queue.async {
        continuation.resume(
          with: Swift.Result {
            try Transaction(lane.connected(to: address), begin, patience).run(work)
          })
      }
    }
  }

  /// A connection, with a thread that waits for it.
  ///
  /// It is `Sendable` because its connection is used on its queue alone. The queue is a serial one: libdispatch runs these on threads beside
  /// those of tasks, which must not wait.
  private final class Lane: @unchecked Sendable {
    let queue = DispatchQueue(label: "postgres")
    private var connection: PostgresConnection?

    func connected(to address: PostgresAddress) throws -> PostgresConnection {
      if let connection, connection.isReady { return connection }
      // The old one is closed first.
      connection = nil
      let new = try PostgresConnection(to: address)
      connection = new
      return new
    }
  }

  private struct Transaction: SQLTransaction {
    let connection: PostgresConnection
    let patience: Duration

    /// Begins.
    ///
    /// All that it sets is for the transaction alone, so a pool of connections may be between the service and the server.
    init(_ connection: PostgresConnection, _ begin: String, _ patience: Duration) throws {
      // 0 would mean without an end.
      let lock = max(Int((patience / .milliseconds(1)).rounded(.up)), 10)
      let silence = Int(PostgresConnection.silence / .milliseconds(1))
      (self.connection, self.patience) = (connection, patience)
      _ = try connection.run(
        """
        \(begin);
        SET LOCAL lock_timeout = \(lock);
        SET LOCAL statement_timeout = \(lock + silence);
        SET LOCAL idle_in_transaction_session_timeout = \(6 * silence);
        SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'
        """)
    }

    func run<Result>(_ work: (any SQLTransaction) throws -> Result) throws -> Result {
      let result: Result
      do {
        result = try work(self)
      } catch {
        // Where that fails, the connection is not used again, and the server does it.
        _ = try? connection.run("ROLLBACK")
        throw error
      }
      do {
        _ = try connection.run("COMMIT")
      } catch var fault as DatabaseFault {
        // It may have been done: a client that asks what is stored learns it, and nothing is tried again.
        fault.isPassing = false
        throw fault
      }
      return result
    }

    func rows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] {
      try connection.run(sql, values, within: patience).rows
    }

    func change(_ sql: String, _ values: [SQLValue]) throws -> Int {
      try connection.run(sql, values, within: patience).changes
    }

    func insert(
      _ rows: some Sequence<[SQLValue]>, into table: String, _ columns: [String]
    ) throws {
      _ = try connection.run("COPY \(table) (\(columns.joined(separator: ", "))) FROM STDIN")
      try connection.copy(rows)
    }
  }

  /// Each is run once; what was released stays as it is.
  private static let migrations = [
    """
    CREATE TABLE uploads (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant TEXT NOT NULL,
      name TEXT NOT NULL,
      mapping TEXT NOT NULL,
      "offset" BIGINT NOT NULL DEFAULT 0,
      position TEXT,
      isComplete BOOLEAN NOT NULL DEFAULT FALSE,
      records BIGINT NOT NULL DEFAULT 0,
      mapped BIGINT NOT NULL DEFAULT 0,
      rejected BIGINT NOT NULL DEFAULT 0,
      summary TEXT,
      changed TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
      -- No request finds such an upload. It goes when its records and rejects are gone.
      isRemoved BOOLEAN NOT NULL DEFAULT FALSE,
      -- How many requests have begun to write to it: only the last one of them may.
      claim BIGINT NOT NULL DEFAULT 0,
      UNIQUE (tenant, name)
    );
    CREATE INDEX removedUploads ON uploads (id) WHERE isRemoved;
    CREATE INDEX uploadsByAge ON uploads (isComplete, changed);
    CREATE INDEX uploadsOfTenant ON uploads (tenant, id);
    -- The type is not json: what a mapping takes over as it is may have what PostgreSQL's own reader refuses, and that would end the feed.
    CREATE TABLE records (
      upload BIGINT NOT NULL REFERENCES uploads,
      number BIGINT NOT NULL,
      json TEXT NOT NULL,
      PRIMARY KEY (upload, number)
    );
    -- Where each error of a rejected record is, and why; none of its values. A record with three errors has three rows.
    CREATE TABLE rejects (
      rowid BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      upload BIGINT NOT NULL REFERENCES uploads,
      record BIGINT NOT NULL,
      line BIGINT,
      "column" BIGINT,
      start BIGINT,
      "end" BIGINT,
      code TEXT NOT NULL,
      path TEXT NOT NULL,
      message TEXT NOT NULL
    );
    CREATE INDEX rejectsOfUpload ON rejects (upload, record);
    CREATE TABLE readiness (checked TIMESTAMPTZ NOT NULL);
    INSERT INTO readiness VALUES (CURRENT_TIMESTAMP);
    """
  ]
}
