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
    if batch.isEmpty { batch.begin(at: offset) }
    defer {
      batch.extend(to: offset)
      batch.pathsSeen = reader.pathsSeen
    }
    while true {
      switch reader.next() {
      case .input:
        isBehindFault = false
        return .input
      case .end: return .end
      case .chunk: batch.add(.part, number: numbers.take(isWhole: false), from: reader)
      case .record: batch.add(.record, number: numbers.take(isWhole: true), from: reader)
      case .fault:
        let number = numbers.fault(isInRecord: reader.isFaultInRecord)
        let fault = reader.fault(record: number)
        endedAtFault = fault.isFinal
        isBehindFault = true
        batch.add(fault, number: number ?? 0)
      }
      batch.extend(to: offset)
      if batch.isFull { return .batch }
    }
  }
}
