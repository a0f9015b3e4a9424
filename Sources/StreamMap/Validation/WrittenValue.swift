/// A JSON value of an output record, for rules and conditions: its text is read in the place where it was written.
///
/// The text is what this engine writes: without white space, and in strings only the escapes that they need, so equal
/// strings have equal text.
///
/// Invariant: the text and the memory for the tree stay valid during the call that receives the value.
package struct WrittenValue {
  let text: UnsafeBufferPointer<UInt8>
  /// Where the tree is kept once it is made, so that all callers get the same one.
  private let tree: UnsafeMutablePointer<JSONValue?>?

  @inline(__always)
  init(_ text: UnsafeBufferPointer<UInt8>, tree: UnsafeMutablePointer<JSONValue?>? = nil) {
    self.text = text
    self.tree = tree
  }

  /// The value for absent values.
  package static var null: WrittenValue {
    let text: StaticString = "null"
    return WrittenValue(
      UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  // MARK: Its kind

  package var kind: JSONKind {
    switch text.first {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "n"): .null
    default: .number
    }
  }

  package var isNull: Bool { text.first == UInt8(ascii: "n") }
  package var isContainer: Bool {
    text.first == UInt8(ascii: "[") || text.first == UInt8(ascii: "{")
  }

  @inline(__always)
  var isNumber: Bool {
    guard let first = text.first else { return false }
    return first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-")
  }

  /// A string, unescaped; nil for anything else.
  package var string: String? {
    withString { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the unescaped bytes of a string; nil, without a call, for anything else.
  package func withString<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows
    -> Result?
  {
    guard kind == .string else { return nil }
    return try WrittenText.withUnescaped(text, body)
  }

  /// The value as a tree.
  ///
  /// - Complexity: O(*n*) in its text, the first time.
  package var json: JSONValue {
    if let value = tree?.pointee { return value }
    let builder = JSONValueBuilder()
    WrittenText(text).emit(to: builder)
    let value = builder.value ?? .null
    tree?.pointee = value
    return value
  }

  // MARK: Its contents

  /// The values in an array.
  ///
  /// - Complexity: O(*n*) in its text.
  @inline(__always)
  func forEachElement(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
    guard kind == .array, let cells = JSONCells(text) else { return }
    try cells.forEachElement(body)
  }

  /// The key, as it is written, and the value of each member of an object.
  ///
  /// - Complexity: O(*n*) in its text.
  @inline(__always)
  func forEachMember(
    _ body: (_ key: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) throws -> Void
  ) rethrows {
    guard kind == .object, let cells = JSONCells(text) else { return }
    try cells.forEachMember(body)
  }

  /// How many Unicode scalars a string has; nil for anything else.
  package var scalarCount: Int? {
    withString { $0.scalarCount }
  }

  /// How many elements or members a value has; nil for a scalar.
  package var partCount: Int? {
    if kind == .array { return elementCount }
    // A tree has one of equal keys.
    guard kind == .object, case .object(let members) = json else { return nil }
    return members.count
  }

  /// The number of values in an array.
  var elementCount: Int {
    var count = 0
    forEachElement { _ in count += 1 }
    return count
  }

  /// The element of an array with this index; null if there is none, or the value is not an array.
  package subscript(index: Int) -> WrittenValue {
    var left = index
    var found: UnsafeBufferPointer<UInt8>?
    forEachElement { element in
      if left == 0 { found = element }
      left -= 1
    }
    return found.map { WrittenValue($0) } ?? .null
  }

  /// The last member of an object with this key; null if there is none, or the value is not an object.
  ///
  /// - Complexity: O(*n*) in its text.
  package subscript(key: WrittenKey) -> WrittenValue {
    let value = key.quoted.withUnsafeBufferPointer { JSONCells(text)?.value(ofMember: $0) }
    return value.map { WrittenValue($0) } ?? .null
  }
}

/// A key as it is written, with its quotes.
package struct WrittenKey: Sendable {
  let quoted: [UInt8]

  package init(_ key: String) {
    quoted = Array(JSONValue.string(key).description.utf8)
  }
}
