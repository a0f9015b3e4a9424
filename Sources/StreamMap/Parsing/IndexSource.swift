/// The index as a source of events: the table of tokens that reading made; their texts stay where they were read.
///
/// A string with escapes is treated as text: yajl is given it, as a chunk of one token.
final class IndexSource: EventSource {
  private let sink: EventSink
  private lazy var strings = YajlSource(sink: StringReceiver(sink))

  init(sink: EventSink) {
    self.sink = sink
  }

  func send(_ chunk: RecordChunk.Index) throws(Refusal) {
    guard var next = chunk.tokens.baseAddress else { return }
    let end = next + chunk.tokens.count
    if !chunk.joined.isEmpty, next < end {
      try sendOther(next, chunk.joined)
      next += 1
    }
    while true {
      next = Self.sendPlain(from: next, to: end, chunk.origin, to: sink)
      if next == end { return }
      try sendOther(next, next.pointee.text(from: chunk.origin))
      next += 1
    }
  }

  // There is nothing to reset: the sink has the value that is not whole.
  func reset() {}

  /// Sends tokens up to the first that is not plain; returns where that is.
  private static func sendPlain(
    from first: UnsafePointer<FeedToken>, to end: UnsafePointer<FeedToken>,
    _ origin: UInt, to sink: EventSink
  ) -> UnsafePointer<FeedToken> {
    // The index may go on inside an array.
    var next = sink.takeAhead(first, to: end, from: origin)
    while next < end {
      let token = next.pointee
      if !token.isPlain { return next }
      let text = token.text(from: origin)
      // One bit tells the two opening brackets apart.
      if text.first.map({ $0 | 0x20 }) == UInt8(ascii: "{") {
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

  /// Sends a token that has escapes, stands for a skipped element, or has its text elsewhere.
  @inline(never)
  private func sendOther(
    _ token: UnsafePointer<FeedToken>, _ text: UnsafeBufferPointer<UInt8>
  ) throws(Refusal) {
    if token.pointee.hasEscapes {
      let tokens = UnsafeBufferPointer(start: token, count: 1)
      // yajl keeps a buffer as large as its largest string.
      defer { if text.count > 1 << 20 { strings.reset() } }
      return try strings.send(RecordChunk.Text(json: text, tokens: tokens))
    }
    sink.address = token.pointee
    if token.pointee.isAbsent { sink.null() } else { Self.send(token.pointee, text, to: sink) }
  }
}

/// Takes a decoded string as what its token says that it is: yajl is given the string alone, and cannot tell a key from a string.
private final class StringReceiver: EventSink {
  private let sink: EventSink

  init(_ sink: EventSink) {
    self.sink = sink
  }

  override func string(_ text: UnsafeBufferPointer<UInt8>) {
    sink.address = address
    if address.isKey { sink.key(text) } else { sink.string(text) }
  }
}
