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
  private let context: (any ContextTaker)?
  private var numbers = RecordCount()
  /// Whether the feed ended at a fault, behind which no record can be read.
  private(set) var endedAtFault = false
  /// Whether the last step that was no record's was a fault: no more input was asked for.
  private(set) var isBehindFault = false

  init(_ reader: FeedReader, context: (any ContextTaker)? = nil) {
    self.reader = reader
    self.context = context
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

  /// Goes on where another reader was.
  ///
  /// - Throws: ``MappingError`` where none can have been there.
  func restore(_ position: FeedPosition) throws(MappingError) {
    try reader.restore(position)
    try context?.restore(position.context)
    numbers = RecordCount(position.recordCount)
  }

  /// Where another reader can go on: see ``FeedReader/position()``.
  private func position() -> FeedPosition? {
    var position = reader.position()
    position?.recordCount = numbers.count
    position?.context = context?.saved
    return position
  }

  /// Adds to a batch until it is full, or the input is used up.
  func fill(_ batch: RecordBatch) -> Step {
    if batch.isEmpty { batch.start = offset }
    let step = fill(&batch.contents, since: batch.start)
    batch.end = offset
    batch.pathsSeen = reader.pathsSeen
    batch.position = step == .batch ? position() : nil
    return step
  }

  private func fill(_ contents: inout RecordBatch.Contents, since start: Int) -> Step {
    while true {
      switch reader.next() {
      case .input:
        isBehindFault = false
        return .input
      case .end: return .end
      case .chunk:
        if context != nil, note(&contents, isWhole: false) { continue }
        contents.add(.part, number: numbers.take(isWhole: false), from: reader)
      case .record:
        if context != nil, note(&contents, isWhole: true) { continue }
        contents.add(.record, number: numbers.take(isWhole: true), from: reader)
      case .fault:
        let number = numbers.fault(isInRecord: reader.isFaultInRecord)
        let fault = reader.fault(record: number)
        endedAtFault = fault.isFinal
        isBehindFault = true
        context?.abandon()
        contents.add(fault, number: number ?? 0)
      }
      if contents.isFull || offset - start >= RecordBatch.Bounds.span { return .batch }
    }
  }

  /// Whether what is handed over is for the records to come, and no part of one.
  private func note(_ contents: inout RecordBatch.Contents, isWhole: Bool) -> Bool {
    guard let context else { return false }
    context.enter(documentAt: reader.textStart)
    guard reader.contextIndex != nil else {
      contents.enter(context.values)
      return false
    }
    if let fault = context.take(from: reader, isWhole: isWhole) { contents.add(fault, number: 0) }
    return true
  }
}

/// Makes values from outside the records of what reading hands over.
protocol ContextTaker: AnyObject {
  /// Those that records have from here on.
  var values: ContextValues { get }
  /// Another document has values of its own.
  func enter(documentAt start: UInt64)
  /// Takes a part of a value; what is wrong with it, if something is.
  func take(from reader: FeedReader, isWhole: Bool) -> FeedReader.Fault?
  /// The feed is malformed here.
  func abandon()
  /// What there is, to be stored.
  var saved: FeedPosition.Context { get }
  /// Goes on with what was stored.
  ///
  /// - Throws: ``MappingError`` where it is not of these values.
  func restore(_ context: FeedPosition.Context?) throws(MappingError)
}
