/// Reads a feed into batches.
///
/// Not thread-safe.
final class BatchReader {
  /// What the reader has, or needs.
  enum Step {
    /// Another piece of the feed.
    case input
    /// The batch is full.
    case batch
    /// The feed is over.
    case end
  }

  private let reader: FeedReader
  private var numbers = RecordCount()
  /// Whether the feed ended at a fault, behind which no record can be read.
  private(set) var endedAtFault = false
  /// Whether the last step that was no record's was a fault: no more input was asked for.
  private(set) var isBehindFault = false

  init(_ reader: FeedReader) {
    self.reader = reader
  }

  /// Bytes that are behind the reader.
  var offset: Int { reader.offset }

  /// The record paths that occurred, as bits in their order.
  var pathsSeen: UInt64 { reader.pathsSeen }

  /// The record paths that are not among those seen.
  func unseenPaths(_ seen: UInt64) -> [PathPattern] { reader.unseenPaths(seen) }

  /// Gives the next piece: see ``FeedReader/input(_:isFinal:)``.
  func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    reader.input(bytes, isFinal: isFinal)
  }

  /// Adds to a batch until it is full, or the input is used up.
  func fill(_ batch: RecordBatch) -> Step {
    if batch.isEmpty { batch.start = offset }
    let step = fill(&batch.contents, since: batch.start)
    batch.end = offset
    batch.pathsSeen = reader.pathsSeen
    return step
  }

  private func fill(_ contents: inout RecordBatch.Contents, since start: Int) -> Step {
    while true {
      switch reader.next() {
      case .input:
        isBehindFault = false
        return .input
      case .end: return .end
      case .chunk: contents.add(.part, number: numbers.take(isWhole: false), from: reader)
      case .record: contents.add(.record, number: numbers.take(isWhole: true), from: reader)
      case .fault:
        let number = numbers.fault(isInRecord: reader.isFaultInRecord)
        let fault = reader.fault(record: number)
        endedAtFault = fault.isFinal
        isBehindFault = true
        contents.add(fault, number: number ?? 0)
      }
      if contents.isFull || offset - start >= RecordBatch.Bounds.span { return .batch }
    }
  }
}
