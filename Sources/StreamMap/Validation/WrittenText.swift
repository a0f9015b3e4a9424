/// JSON text that this engine wrote, token by token: without white space, and known to be complete.
///
/// The text is not checked; whatever it contains, nothing outside it is read.
struct WrittenText {
  private let text: UnsafeBufferPointer<UInt8>

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  /// A part of the text, cut to what is there.
  func slice(_ from: Int, _ to: Int) -> UnsafeBufferPointer<UInt8> {
    let end = min(to, text.count)
    return UnsafeBufferPointer(rebasing: text[min(from, end)..<end])
  }

  /// The byte at an index; nil if there is none.
  func byte(at index: Int) -> UInt8? { index < text.count ? text[index] : nil }

  // MARK: Ends

  /// The index after the value that starts here, however deep it is.
  ///
  /// A number or a name ends before a comma, or before the bracket of the container around it.
  func endOfValue(from start: Int) -> Int {
    guard start < text.count, let cells = JSONCells(text) else { return text.count }
    return cells.end(ofValueAt: start)
  }

  // MARK: Events

  /// Sends the events of the value.
  func emit(to sink: EventSink) {
    var index = 0
    while index < text.count {
      var end = index + 1
      switch text[index] {
      case UInt8(ascii: "{"): sink.beginObject()
      case UInt8(ascii: "}"): sink.endObject()
      case UInt8(ascii: "["): sink.beginArray()
      case UInt8(ascii: "]"): sink.endArray()
      case UInt8(ascii: ","), UInt8(ascii: ":"): break
      case UInt8(ascii: "\""):
        end = endOfValue(from: index)
        let isKey = end < text.count && text[end] == UInt8(ascii: ":")
        Self.withUnescaped(slice(index, end)) { isKey ? sink.key($0) : sink.string($0) }
      case let first:
        end = max(endOfValue(from: index), end)
        switch first {
        case UInt8(ascii: "t"): sink.bool(true)
        case UInt8(ascii: "f"): sink.bool(false)
        case UInt8(ascii: "n"): sink.null()
        default: sink.number(slice(index, end))
        }
      }
      index = end
    }
  }

  /// Calls `body` with the unescaped content of a quoted string.
  static func withUnescaped<Result>(
    _ quoted: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let inside = UnsafeBufferPointer(rebasing: quoted.dropFirst().dropLast())
    guard inside.contains(UInt8(ascii: "\\")) else { return try body(inside) }
    var text = EscapedText.decoded(inside)
    return try text.withUTF8(body)
  }
}
