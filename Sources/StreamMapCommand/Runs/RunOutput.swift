import StreamMap
import StreamMapCompression

/// Where the output records of a run go: a file, or rows of a table.
protocol RunOutput: AnyObject {
  /// The bytes that were written; of a table, those of its records' text.
  var bytesWritten: Int { get }
  /// Whether writing is so much work that another thread does it, even with one job.
  var needsThread: Bool { get }
  /// Whether writing may wait for a reader, as at a pipe: then no thread that maps should write.
  var waits: Bool { get }
  /// The gates that have to be shut before the process can be ended from outside.
  var gates: [WriteGate] { get }
  /// Where incomplete output is, if it is not in its final place.
  var partialName: String? { get }
  /// After so many bytes of text a checkpoint is due, whatever the time; nil if there need not be one.
  var batchSize: Int? { get }
  /// Whether there are records that other processes cannot see yet, and that may be shown before the end.
  var hasUncommitted: Bool { get }
  /// Whether others can take each batch of records as soon as it is written.
  var showsBatches: Bool { get }
  /// Whether the output of a run that ends early gets an end, and can be read then.
  var hasEnd: Bool { get }
  /// How pieces can be prepared for writing by several threads at a time; nil if that is not much work.
  var preparation: OutputPreparation? { get }

  /// Writes complete records.
  func write(_ piece: OutputPiece) throws
  /// Nothing more is written for a while.
  func rest() throws
  /// The output is complete.
  func commit() throws
  /// The run ends before its output is complete.
  func leave()
  /// What is there of a run that ended early, with its checkpoint, if one is written; nil if that goes without saying.
  func remains(checkpoint: String?) -> String?

  /// Whether the output is still as an earlier run left it.
  func has(_ beginning: Fingerprint?, extending whole: inout WholeDigest?) throws(SystemError)
    -> Bool
  /// Keeps what an earlier run wrote up to its checkpoint, and continues after it.
  func start(after earlier: Checkpoint?) throws(SystemError)
  /// The fingerprint of everything that was written, after it is on the disk; nil if the checkpoint is stored with it.
  func savedFingerprint(extending whole: inout WholeDigest?) throws(SystemError) -> Fingerprint?
}

/// How pieces of output are compressed before it is their turn to be written.
struct OutputPreparation {
  /// Makes a compressor, for one thread at a time.
  let makeCompressor: () throws -> Compressor
  /// Writes a piece that is compressed.
  let writeCompressed: (UnsafeRawBufferPointer) throws -> Void
}

/// Where a run is asked to write.
enum RunTarget {
  /// A file by its path; standard output for `-`.
  case file(String)
  /// Several files.
  case files(OutputFiles)
  /// A table, which is open.
  case table(SQLiteOutput)
  /// A file of columns.
  case columns(ColumnFile)
}

extension OutputFile: RunOutput {
  var needsThread: Bool { isCompressed }
  var preparation: OutputPreparation? {
    guard let compressor else { return nil }
    let format = compressor.format
    return OutputPreparation(
      makeCompressor: { try Compressor(format) }, writeCompressed: writePiece)
  }
  var gates: [WriteGate] { [gate] }
  var batchSize: Int? { nil }
  var hasUncommitted: Bool { false }
  var showsBatches: Bool { false }
  var hasEnd: Bool { false }

  func write(_ piece: OutputPiece) throws { try write(UnsafeRawBufferPointer(piece.bytes)) }
  func rest() {}
  func leave() {}

  func remains(checkpoint: String?) -> String? {
    partialName.map { ForcedEnd.message(partial: $0, checkpoint: checkpoint) }
  }

  func start(after earlier: Checkpoint?) throws(SystemError) {
    try start(after: earlier?.output?.bytes ?? 0)
  }

  func savedFingerprint(extending whole: inout WholeDigest?) throws(SystemError) -> Fingerprint? {
    .some(try fingerprint(extending: &whole))
  }
}
