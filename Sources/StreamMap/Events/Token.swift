/// A scalar as it arrived.
struct Token {
  let kind: JSONKind
  let text: UnsafeBufferPointer<UInt8>
  let isTrue: Bool

  static var null: Token { Token(kind: .null) }

  init(
    kind: JSONKind, text: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0),
    isTrue: Bool = false
  ) {
    self.kind = kind
    self.text = text
    self.isTrue = isTrue
  }

  func emit(to sink: EventSink) {
    switch kind {
    case .number: sink.number(text)
    case .string: sink.string(text)
    case .boolean: sink.bool(isTrue)
    case .null, .object, .array: sink.null()
    }
  }
}
