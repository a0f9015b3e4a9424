/// Output records as text, one after the other.
final class TextOutput: PendingOutput {
  private(set) var buffer = OutputBuffer(capacity: 1 << 18)
  let form: BatchWorker<OutputStretch>.Form
  let taking: Taking
  private let layout: OutputLayout
  private let appender: OutputAppender
  private var isFirst = true

  init(_ plan: OutputPlan, _ layout: OutputLayout) {
    var layout = layout
    layout.hasRows = plan.hasRows
    self.layout = layout
    appender = OutputAppender(layout, plan.splitter)
    form = layout.ends.map { .text($0) } ?? .single
    let owned = layout
    taking = { batch in
      let appender = OutputAppender(owned, plan.splitter)
      return { text in
        var failure: RowFailure?
        let range = batch.append { failure = appender.append(text, to: $0) }
        return OutputStretch(mapped: 1, range: range, failure: failure)
      }
    }
  }

  var count: Int { buffer.count }
  var text: OutputBuffer? { buffer }

  func hasPiece(of size: Int) -> Bool { buffer.count >= size }

  func begin(_ engine: FeedEngine) {}

  func add(_ text: UnsafeBufferPointer<UInt8>) -> RowFailure? {
    guard isFirst, !layout.isFramed else { return appender.append(text, to: buffer) }
    let start = buffer.count
    buffer.append(layout.opening)
    let first = buffer.count
    if let failure = appender.append(text, to: buffer) {
      buffer.truncate(to: start)
      return failure
    }
    // Nothing is before it.
    buffer.remove(first, first + layout.separatorLength)
    isFirst = false
    return nil
  }

  func add(_ stretch: OutputStretch, of engine: ParallelEngine<OutputStretch>) -> RowFailure? {
    // PERF: where nothing is before them, all records of a batch are not copied.
    if stretch.range.start == 0, stretch.range.end == engine.text.count, buffer.count == 0,
      !isFirst || layout.isFramed
    {
      swap(&buffer, &engine.text)
    } else {
      add(appended: engine.text.slice(stretch.range.start, stretch.range.end))
    }
    return nil
  }

  /// Adds records that were appended to others.
  private func add(appended text: UnsafeBufferPointer<UInt8>) {
    if text.isEmpty { return }
    guard isFirst, !layout.isFramed else { return buffer.append(text) }
    buffer.append(layout.opening)
    buffer.append(UnsafeBufferPointer(rebasing: text.dropFirst(layout.separatorLength)))
    isFirst = false
  }

  func addRecords(of engine: FeedEngine, enough: Int) -> FeedEngine.WrittenRecords {
    // The first element of an array begins in another way.
    guard let ends = layout.ends, !isFirst || layout.separatorLength == 0 else {
      return FeedEngine.WrittenRecords()
    }
    let start = buffer.count
    if isFirst { buffer.append(layout.opening) }
    let written = engine.writeRecords(to: buffer, ends, enough: enough)
    if written.mapped > 0 { isFirst = false } else { buffer.truncate(to: start) }
    return written
  }

  func take(leaving empty: OutputPiece) -> OutputPiece {
    // PERF: new memory for as much as there is now need not grow.
    defer { buffer = empty.buffer ?? OutputBuffer(capacity: buffer.count) }
    return OutputPiece(buffer)
  }

  func resume(afterRecords hasRecords: Bool) { isFirst = !hasRecords }

  func end() {
    // Each file ends by itself.
    if layout.isFramed { return }
    if isFirst { buffer.append(layout.opening) }
    buffer.append(layout.closing(isEmpty: isFirst))
  }
}
