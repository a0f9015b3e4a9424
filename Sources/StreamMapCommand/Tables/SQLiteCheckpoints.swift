import StreamMap

/// The checkpoints of runs into a database, in a table beside their rows: each commits in one transaction with the rows before it.
final class SQLiteCheckpoints: CheckpointStore {
  /// For people who look into the database.
  static let table = "stream_map_checkpoint"

  let name: String
  let advice: String
  private let database: SQLiteDatabase
  /// What identifies the run: the table that it writes, and what it reads.
  private let key: (table: String, inputs: String)

  init(_ database: SQLiteDatabase, table: String, inputs: [String]) throws(SystemError) {
    self.database = database
    key = (table, JSONValue.array(inputs.map { .string($0) }).description)
    name = "the checkpoint in \(database.path)"
    advice =
      "to start from the beginning, delete the rows that it wrote and the run's row in the table '\(Self.table)'"
    try database.run(
      """
      CREATE TABLE IF NOT EXISTS \(Self.table) (
        written_table TEXT NOT NULL, inputs TEXT NOT NULL, checkpoint TEXT NOT NULL,
        PRIMARY KEY (written_table, inputs)
      ) STRICT
      """)
  }

  func stored() throws(SystemError) -> [UInt8]? {
    let rows = try database.rows(
      "SELECT checkpoint FROM \(Self.table) WHERE written_table = ? AND inputs = ?", key.table,
      key.inputs)
    return rows.first?.first.flatMap { $0 }.map { Array($0.utf8) }
  }

  /// Stores the checkpoint, and commits it with the rows.
  func store(_ bytes: [UInt8]) throws(SystemError) {
    if !database.isInTransaction { try database.run("BEGIN IMMEDIATE") }
    _ = try database.rows(
      "INSERT OR REPLACE INTO \(Self.table) VALUES (?, ?, ?)", key.table, key.inputs,
      String(decoding: bytes, as: UTF8.self))
    try database.run("COMMIT")
  }

  /// It stays: the same command does not write the same rows again.
  func remove() {}
}
