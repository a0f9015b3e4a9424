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

  /// The scalar that a text without escapes stands for, null included; nil for a bracket.
  @inline(__always)
  init?(written text: UnsafeBufferPointer<UInt8>) {
    switch text.first {
    case UInt8(ascii: "\""): self.init(kind: .string, text: Self.inside(text))
    case UInt8(ascii: "t"): self.init(kind: .boolean, isTrue: true)
    case UInt8(ascii: "f"): self.init(kind: .boolean)
    case UInt8(ascii: "n"): self.init(kind: .null)
    case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), nil:
      return nil
    default: self.init(kind: .number, text: text)
    }
  }

  /// A string's text without its quotes.
  @inline(__always)
  static func inside(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard text.count > 1, let start = text.baseAddress else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: start + 1, count: text.count - 2)
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
