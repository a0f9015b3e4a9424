// How uploads are removed.

extension Store {
  /// An upload that was kept long enough.
  struct Expired: Sendable {
    let id: Int64
    let tenant: String
    let name: String
  }

  /// How many rows are removed in one transaction, so that no feed waits long.
  private static let rows = 10_000

  /// The uploads that did not change for so long: those that changed first, a bounded number of them.
  func uploads(isComplete: Bool, unchangedFor time: Duration) async throws -> [Expired] {
    let ago = database.ago("?2")
    return try await read { transaction in
      try transaction.rows(
        """
        SELECT id, tenant, name FROM uploads WHERE NOT isRemoved AND isComplete = ?1 AND changed < \(ago)
        ORDER BY changed LIMIT 1000
        """, [.flag(isComplete), Self.seconds(time)]
      ).map { Expired(id: try $0.number(0), tenant: try $0.text(1), name: try $0.text(2)) }
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
    let condition = time == nil ? "" : "AND changed < \(database.ago("?2"))"
    let isMarked = try await write(after: 0) { transaction in
      // No client can give a name with a slash.
      try transaction.change(
        """
        UPDATE uploads SET isRemoved = TRUE, name = name || '/' || id
        WHERE id = ?1 AND NOT isRemoved \(condition)
        """, [.integer(upload)] + (time.map { [Self.seconds($0)] } ?? [])) == 1
    }
    if isMarked { try await removeRows(of: upload) }
    return isMarked
  }

  /// Removes the rows of uploads that are marked, but were not removed to their end.
  func finishRemovals() async throws {
    let marked = try await read { transaction in
      try transaction.rows("SELECT id FROM uploads WHERE isRemoved", []).map { try $0.number(0) }
    }
    for upload in marked { try await removeRows(of: upload) }
  }

  /// Removes the rows of an upload that is marked, and the upload after them.
  private func removeRows(of upload: Int64) async throws {
    var isDone = false
    while !isDone {
      // Feeds have their turns first.
      isDone = try await write(after: .max) { transaction in
        let some = [SQLValue.integer(upload), SQLValue(Self.rows)]
        let records = try transaction.change(
          """
          DELETE FROM records
          WHERE upload = ?1 AND number < (SELECT min(number) + ?2 FROM records WHERE upload = ?1)
          """, some)
        if records > 0 { return false }
        let rejects = try transaction.change(
          """
          DELETE FROM rejects
          WHERE rowid IN (SELECT rowid FROM rejects WHERE upload = ?1 LIMIT ?2)
          """, some)
        if rejects > 0 { return false }
        try transaction.change(
          "DELETE FROM uploads WHERE id = ?1 AND isRemoved", [.integer(upload)])
        return true
      }
    }
  }

  private static func seconds(_ time: Duration) -> SQLValue { .text("\(time / .seconds(1))") }
}
