import StreamMap
import StreamMapPlatform

/// Output that is a file of columns.
///
/// Records come as lines, and fill columns up to a batch, which goes to the file. A file says at its end what is in it, so what is left of a
/// run that ends early gets an end, too.
final class ColumnOutput: RunOutput {
  /// How many records a batch has at most.
  ///
  /// A batch is a page of each column in Parquet, and is in memory twice while that is made.
  private static let mostRows = 65_536
  /// How many bytes of values a batch has at most, but for its last record.
  private static let mostBytes = 8 << 20

  private let file: OutputFile
  private let title: String
  private let isStream: Bool
  private let columns: RecordColumns
  private let writer: ColumnFileWriter
  /// The records that came.
  private var records = 0
  /// Whether something could not be written: then nothing more is.
  private var hasFailed = false

  /// Opens the file, and writes its beginning.
  ///
  /// - Throws: ``SystemError``.
  init(_ target: ColumnFile) throws {
    title = target.path == "-" ? "standard output" : target.path
    isStream = target.form == .arrowStream
    file = try OutputFile(path: target.path, isAtomic: true)
    do {
      columns = try target.columns.makeColumns()
      writer = try ColumnFileWriter(target.form, of: columns)
    } catch {
      throw Self.error(title, error)
    }
    try write { try writer.begin($0) }
  }

  var bytesWritten: Int { file.bytesWritten }
  var needsThread: Bool { true }
  var waits: Bool { file.waits }
  var preparation: OutputPreparation? { nil }
  var gates: [WriteGate] { file.gates }
  var partialName: String? { file.partialName }
  var batchSize: Int? { nil }
  /// A reader takes a stream while it is written.
  var hasUncommitted: Bool { isStream && !hasFailed && columns.rows > 0 }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard var start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let end = start + bytes.count
    // Each record ends with a line feed, and no other is in it.
    while let found = memchr(start, Int32(UInt8(ascii: "\n")), end - start) {
      let lineEnd = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
      try add(UnsafeBufferPointer(start: start, count: lineEnd - start))
      start = lineEnd + 1
    }
  }

  private func add(_ record: UnsafeBufferPointer<UInt8>) throws {
    var failure = columns.add(record)
    if failure == .full, columns.rows > 0 {
      try writeBatch()
      failure = columns.add(record)
    }
    records += 1
    if let failure {
      throw SystemError("write record \(records) to \(title)", failure.description)
    }
    if columns.rows >= Self.mostRows || columns.bytes >= Self.mostBytes { try writeBatch() }
  }

  private func writeBatch() throws {
    try write { try writer.add(columns, $0) }
  }

  private func write(_ make: (ColumnFileWriter.Taker) throws -> Void) throws {
    hasFailed = true
    do {
      try make { try file.write($0) }
    } catch {
      throw Self.error(title, error)
    }
    hasFailed = false
  }

  private func end() throws {
    if columns.rows > 0 { try writeBatch() }
    try write { try writer.end($0) }
  }

  /// What could not be done, in words.
  private static func error(_ title: String, _ error: any Error) -> any Error {
    switch error {
    case ColumnFileWriter.Failure.memory: SystemError("write \(title)", "out of memory")
    case ColumnFileWriter.Failure.size:
      SystemError("write \(title)", "a column of \(mostRows) records has more than 2 GiB")
    case ColumnFileWriter.Failure.type:
      SystemError("write \(title)", "such a file does not have a column's type here")
    case let error as MappingError: SystemError("write \(title)", error.message)
    default: error
    }
  }

  func rest() throws { try writeBatch() }

  func commit() throws {
    try end()
    try file.commit()
  }

  func leave() {
    if !hasFailed { try? end() }
  }

  func remains(checkpoint: String?) -> String? { file.remains(checkpoint: checkpoint) }

  // Runs with a checkpoint have text or tables.
  func has(_ beginning: Fingerprint?, extending whole: inout WholeDigest?) -> Bool { false }
  func start(after earlier: Checkpoint?) {}
  func savedFingerprint(extending whole: inout WholeDigest?) -> Fingerprint? { nil }
}
