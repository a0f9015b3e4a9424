/// A text as a key of a dictionary or a member of a set: equal only to a text of the same code points.
package struct ExactText: Hashable, Comparable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package init(stringLiteral text: String) {
    self.text = text
  }

  package var description: String { text }

  /// A dictionary that a program gave, by code points.
  package static func keys<Value>(of dictionary: [String: Value]) -> [ExactText: Value] {
    Dictionary(uniqueKeysWithValues: dictionary.map { (ExactText($0), $1) })
  }

  package static func == (a: ExactText, b: ExactText) -> Bool { a.text == b.text }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Whether the first is earlier in the order of Unicode scalars.
  package static func < (a: ExactText, b: ExactText) -> Bool { a.text < b.text }
}
