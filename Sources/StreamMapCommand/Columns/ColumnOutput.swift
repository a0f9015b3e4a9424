import StreamMap
import StreamMapPlatform

/// Output that is a file of columns.
///
/// Records come in batches of columns, and each goes to the file. A file says at its end what is in it, so what is left of a run that ends
/// early gets an end, too.
final class ColumnOutput: RunOutput {
  /// How many records a batch has.
  ///
  /// A batch is a page of each column in Parquet, and is in memory twice while that is made.
  static let size = {
    var size = ColumnBatchSize()
    size.bytes = 8 << 20
    return size
  }()

  private let file: OutputFile
  private let title: String
  private let isStream: Bool
  private let writer: ColumnFileWriter
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
      writer = try ColumnFileWriter(target.form, of: target.columns)
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
  var hasUncommitted: Bool { false }
  /// A reader takes a stream while it is written.
  var showsBatches: Bool { isStream && !hasFailed }
  var hasEnd: Bool { true }

  func write(_ piece: OutputPiece) throws {
    if let columns = piece.columns { try write { try writer.add(columns, $0) } }
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

  private func end() throws { try write { try writer.end($0) } }

  /// What could not be done, in words.
  private static func error(_ title: String, _ error: any Error) -> any Error {
    switch error {
    case ColumnFileWriter.Failure.memory: SystemError("write \(title)", "out of memory")
    case ColumnFileWriter.Failure.size:
      SystemError("write \(title)", "a column of \(size.rows) records has more than 2 GiB")
    case ColumnFileWriter.Failure.type:
      SystemError("write \(title)", "such a file does not have a column's type here")
    case let error as MappingError: SystemError("write \(title)", error.message)
    default: error
    }
  }

  func rest() {}

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
