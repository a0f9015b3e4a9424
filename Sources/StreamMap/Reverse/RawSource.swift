/// Sends the events of JSON text that is not from a feed: of raw values that are encoded.
///
/// The text is read as strictly as a feed, and the reader's memory is kept for the next value. Not thread-safe.
final class RawSource {
  private let source: IndexSource
  private var reader: FeedReader?

  init(sink: EventSink) {
    source = IndexSource(sink: sink)
  }

  /// Sends the events of a text; they have no addresses.
  ///
  /// - Throws: ``Refusal`` if it is not one JSON value; then events may have been sent.
  func send(_ json: UnsafeBufferPointer<UInt8>) throws(Refusal) {
    let reader = try ready()
    reader.input(json, isFinal: true)
    while true {
      switch reader.next() {
      case .chunk, .record:
        if case .index(let chunk) = reader.chunk { try source.send(withoutAddresses: chunk) }
      case .fault:
        let error = reader.fault(record: nil).error
        let place = error.position.map { " at its byte \($0.bytes.lowerBound)" } ?? ""
        throw Refusal(message: "text that is not JSON\(place)")
      case .end, .input, .row, .innerRows: return
      }
    }
  }

  private func ready() throws(Refusal) -> FeedReader {
    if let reader {
      reader.reset(format: .json)
      return reader
    }
    // The walk has looked at the depth. The rest was bounded where the text came from.
    var limits = Limits()
    (limits.depth, limits.string, limits.number, limits.key) = (.max, .max, .max, .max)
    do {
      let made = try FeedReader.make(
        FeedSelection(.everything, at: []), format: .json, limits: limits, form: .index)
      reader = made
      return made
    } catch {
      throw Refusal(message: "text, and no memory to read it")
    }
  }
}
