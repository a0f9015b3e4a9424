/// The index as a source of events: the table of tokens that reading made; their texts stay where they were read.
final class IndexSource: EventSource {
  private let sink: EventSink
  private let decoder = StringDecoder(largest: .max)

  init(sink: EventSink) {
    self.sink = sink
  }

  func send(_ chunk: RecordChunk.Index) throws(Refusal) {
    guard var next = chunk.tokens.baseAddress else { return }
    let end = next + chunk.tokens.count
    if !chunk.joined.isEmpty, next < end {
      sink.address = next.pointee
      try sendOther(next.pointee, chunk.joined)
      next += 1
    }
    while true {
      next = Self.sendPlain(from: next, to: end, chunk.origin, to: sink)
      if next == end { return }
      sink.address = next.pointee
      try sendOther(next.pointee, next.pointee.text(from: chunk.origin))
      next += 1
    }
  }

  /// Sends a chunk of what is not a feed: its tokens have no addresses in one.
  func send(withoutAddresses chunk: RecordChunk.Index) throws(Refusal) {
    for (place, token) in chunk.tokens.enumerated() {
      let isJoined = place == 0 && !chunk.joined.isEmpty
      try sendOther(token, isJoined ? chunk.joined : token.text(from: chunk.origin))
    }
  }

  // There is nothing to reset: the sink has the value that is not whole.
  func reset() {}

  /// Sends tokens up to the first that is not plain; returns where that is.
  private static func sendPlain(
    from first: UnsafePointer<FeedToken>, to end: UnsafePointer<FeedToken>,
    _ origin: UInt, to sink: EventSink
  ) -> UnsafePointer<FeedToken> {
    // The index may continue inside an array.
    var next = sink.takeAhead(first, to: end, from: origin)
    while next < end {
      let token = next.pointee
      if !token.isPlain { return next }
      let text = token.text(from: origin)
      if text.first == UInt8(ascii: "[") {
        let after = sink.takeAhead(next, to: end, from: origin)
        if after > next {
          next = after
          continue
        }
      }
      next += 1
      sink.address = token
      send(token, text, to: sink)
      if text.first == UInt8(ascii: "[") { next = sink.takeAhead(next, to: end, from: origin) }
    }
    return end
  }

  @inline(__always)
  private static func send(
    _ token: FeedToken, _ text: UnsafeBufferPointer<UInt8>, to sink: EventSink
  ) {
    if token.isKey { return sink.key(Token.inside(text)) }
    switch text.first {
    case UInt8(ascii: "\""): sink.string(Token.inside(text))
    case UInt8(ascii: "["): sink.beginArray()
    case UInt8(ascii: "]"): sink.endArray()
    case UInt8(ascii: "{"): sink.beginObject()
    case UInt8(ascii: "}"): sink.endObject()
    case UInt8(ascii: "t"): sink.bool(true)
    case UInt8(ascii: "f"): sink.bool(false)
    case UInt8(ascii: "n"): sink.null()
    default: sink.number(text)
    }
  }

  /// Sends any token: one that has escapes, stands for a skipped element, or has its text elsewhere.
  @inline(never)
  private func sendOther(
    _ token: FeedToken, _ text: UnsafeBufferPointer<UInt8>
  ) throws(Refusal) {
    if token.hasEscapes {
      let quote = UInt8(ascii: "\"")
      guard text.count > 1, text.first == quote, text.last == quote,
        let string = decoder.decoded(Token.inside(text))
      else { throw Refusal(message: "a wrong escape") }
      defer { decoder.trim() }
      if token.isKey { sink.key(string) } else { sink.string(string) }
    } else if token.isAbsent {
      sink.null()
    } else {
      Self.send(token, text, to: sink)
    }
  }
}
