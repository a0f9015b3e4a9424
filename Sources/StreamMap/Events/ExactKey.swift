/// A JSON key that is equal only to a key of the same code points.
///
/// Swift strings are equal where they are canonically equivalent; JSON keys are not (RFC 8259, section 8.3): "é" may be one code
/// point or two, and an object may have both.
struct ExactKey: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (a: ExactKey, b: ExactKey) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
