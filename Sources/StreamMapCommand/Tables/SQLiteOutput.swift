import StreamMap
import StreamMapPlatform

/// Output that is rows of a table in a SQLite database.
///
/// What becomes of rows when a run ends early depends on what it reads: see ``Commits``.
///
/// SQLite's own journal brings the database back after a kill, so ``ForcedEnd`` has nothing to do here. The journal mode is the
/// database's own: a long transaction into the rollback journal keeps memory and disk flat; WAL lets others read during a run.
final class SQLiteOutput: RunOutput {
  /// When rows are committed.
  enum Commits {
    /// All at the end, or none: input can be read again.
    case atTheEnd
    /// Often: input that was read is gone.
    case often
    /// With the checkpoint, and only with it.
    case withCheckpoint
  }

  /// The most rows of a transaction, and the most bytes of their JSON.
  private static let mostRows = 100_000
  static let mostBytes = 32 << 20

  private(set) var bytesWritten = 0
  let needsThread = true
  let waits = false
  let showsBatches = false
  let hasEnd = false
  let preparation: OutputPreparation? = nil
  let gates: [WriteGate] = []
  let partialName: String? = nil
  let batchSize: Int?

  private let table: SQLiteTable
  private let commits: Commits
  private let database: SQLiteDatabase
  private var insertion: SQLiteStatement?
  private let row: TableRow
  /// The rows of this run, and those of them that are committed.
  private var rows = 0
  private var committedRows = 0
  private var batchBytes = 0

  /// Opens the database, and compares the table with the rows, or makes it.
  ///
  /// - Throws: ``SystemError``, ``ExitStatus``.
  init(_ table: SQLiteTable, commits: Commits) throws {
    self.table = table
    self.commits = commits
    batchSize = commits == .withCheckpoint ? Self.mostBytes : nil
    database = try SQLiteDatabase(table.path)
    row = TableRow(table.definition)
    try begin()
    try table.prepare(in: database)
    insertion = try database.prepare(table.insertion)
    // While nothing comes, others may write the database.
    if commits == .often { try commitRows() }
  }

  private func begin() throws(SystemError) {
    if !database.isInTransaction { try database.run("BEGIN IMMEDIATE") }
  }

  private func commitRows() throws(SystemError) {
    if database.isInTransaction { try database.run("COMMIT") }
    committedRows = rows
    batchBytes = 0
  }

  // MARK: Rows

  func write(_ piece: OutputPiece) throws {
    try begin()
    let bytes = piece.bytes
    var start = 0
    while start < bytes.count {
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) ?? bytes.count
      try write(UnsafeBufferPointer(rebasing: bytes[start..<end]))
      start = end + 1
    }
    bytesWritten += bytes.count
    batchBytes += bytes.count
    if commits == .often,
      rows - committedRows >= Self.mostRows || batchBytes >= Self.mostBytes
    {
      try commitRows()
    }
  }

  private func write(_ record: UnsafeBufferPointer<UInt8>) throws(SystemError) {
    guard let insertion else { return }
    row.bind(record, to: insertion)
    do throws(SystemError) {
      _ = try insertion.step()
    } catch {
      guard database.isConstraintBroken else { throw error }
      throw SystemError(
        "write row \(rows + 1) to the table '\(table.definition.name)' of \(table.path)",
        database.message + advice)
    }
    insertion.reset()
    rows += 1
  }

  private var advice: String {
    table.mode == .insert && !table.definition.key.isEmpty
      ? " (--mode upsert and --mode replace change rows that are there)" : ""
  }

  func rest() throws {
    if commits == .often { try commitRows() }
  }

  var hasUncommitted: Bool { commits == .often && rows > committedRows }

  func commit() throws {
    try commitRows()
  }

  func leave() {
    if commits == .often, (try? commitRows()) != nil { return }
    insertion?.reset()
    if database.isInTransaction { try? database.run("ROLLBACK") }
  }

  func remains(checkpoint: String?) -> String? {
    switch commits {
    case .atTheEnd: return "nothing of this run is in \(table.path)"
    case .often:
      let rows = "\(committedRows) \(committedRows == 1 ? "row" : "rows")"
      return "the table '\(table.definition.name)' of \(table.path) has \(rows) of this run"
    case .withCheckpoint:
      let goesOn = checkpoint == nil ? "starts from the beginning" : "continues"
      return "the table '\(table.definition.name)' of \(table.path) is as of its last checkpoint; "
        + "the same command \(goesOn)"
    }
  }

  // MARK: Checkpoints

  /// The checkpoints of a run, in the same database.
  func checkpoints(_ inputs: [String]) throws(SystemError) -> SQLiteCheckpoints {
    try SQLiteCheckpoints(database, table: table.definition.name, inputs: inputs)
  }

  /// The rows are what the checkpoint says: they are stored together.
  func has(_ beginning: Fingerprint?, extending whole: inout WholeDigest?) -> Bool { true }

  func start(after earlier: Checkpoint?) {
    bytesWritten = earlier?.statistics.outputBytes ?? 0
  }

  func savedFingerprint(extending whole: inout WholeDigest?) -> Fingerprint? { nil }

}
