import GRDB

// How uploads are removed.

extension Store {
  /// An upload that was kept long enough.
  struct Expired: Decodable, Sendable, FetchableRecord {
    let id: Int64
    let tenant: String
    let name: String
  }

  /// How many rows are removed in one transaction, so that no feed waits long.
  private static let rows = 10_000

  /// The uploads that did not change for so long: those that changed first, a bounded number of them.
  func uploads(isComplete: Bool, unchangedFor time: Duration) async throws -> [Expired] {
    try await database.read { db in
      try Expired.fetchAll(
        db,
        sql: """
          SELECT id, tenant, name FROM uploads WHERE NOT isRemoved AND isComplete = ? AND changed < datetime('now', ?)
          ORDER BY changed LIMIT 1000
          """, arguments: [isComplete, Self.ago(time)])
    }
  }

  /// Removes an upload with its records and its rejects.
  ///
  /// First it is marked: from then on no request finds it, and its name is free. Then its rows go, some at a time. If the service ends
  /// meanwhile, ``finishRemovals()`` continues.
  ///
  /// - Parameters:
  ///   - upload: Its number; the caller sees to it that no request writes to it.
  ///   - time: If not nil, it is only removed if it did not change for so long.
  /// - Returns: Whether it was there, and is removed.
  /// - Throws: An error of the database; the removal may have begun.
  func remove(_ upload: Int64, unchangedFor time: Duration? = nil) async throws -> Bool {
    let isMarked = try await write(after: 0) { db in
      // No client can give a name with a slash.
      try db.execute(
        sql: """
          UPDATE uploads SET isRemoved = 1, name = name || '/' || id
          WHERE id = ?1 AND NOT isRemoved AND (?2 IS NULL OR changed < datetime('now', ?2))
          """, arguments: [upload, time.map(Self.ago)])
      return db.changesCount == 1
    }
    if isMarked { try await removeRows(of: upload) }
    return isMarked
  }

  /// Removes the rows of uploads that are marked, but were not removed to their end.
  func finishRemovals() async throws {
    let marked = try await database.read { db in
      try Int64.fetchAll(db, sql: "SELECT id FROM uploads WHERE isRemoved")
    }
    for upload in marked { try await removeRows(of: upload) }
  }

  /// Removes the rows of an upload that is marked, and the upload after them.
  private func removeRows(of upload: Int64) async throws {
    var isDone = false
    while !isDone {
      // Feeds have their turns first.
      isDone = try await write(after: .max) { db in
        try db.execute(
          sql: """
            DELETE FROM records
            WHERE upload = ?1 AND number < (SELECT min(number) + ?2 FROM records WHERE upload = ?1)
            """, arguments: [upload, Self.rows])
        if db.changesCount > 0 { return false }
        try db.execute(
          sql: """
            DELETE FROM rejects
            WHERE rowid IN (SELECT rowid FROM rejects WHERE upload = ? LIMIT ?)
            """, arguments: [upload, Self.rows])
        if db.changesCount > 0 { return false }
        try db.execute(sql: "DELETE FROM uploads WHERE id = ? AND isRemoved", arguments: [upload])
        return true
      }
    }
  }

  private static func ago(_ time: Duration) -> String { "-\(time / .seconds(1)) seconds" }
}
