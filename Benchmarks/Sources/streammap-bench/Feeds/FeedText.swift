/// Writes compact JSON by hand: the generators must not depend on the code that they help to measure.
struct FeedText {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  // MARK: Members, and elements (without a key)

  mutating func object(_ key: String? = nil, _ members: (inout FeedText) -> Void) {
    container(key, "{", "}", members)
  }

  mutating func array(_ key: String? = nil, _ elements: (inout FeedText) -> Void) {
    container(key, "[", "]", elements)
  }

  mutating func put(_ key: String?, _ value: String?) {
    begin(key)
    if let value { string(value) } else { raw("null") }
  }

  mutating func put(_ key: String?, _ value: Int) {
    begin(key)
    raw("\(value)")
  }

  mutating func put(_ key: String?, _ value: Bool) {
    begin(key)
    raw(value ? "true" : "false")
  }

  mutating func put(_ key: String?, _ values: [Int]) {
    array(key) { for value in values { $0.put(nil, value) } }
  }

  /// A token written verbatim, such as a number with chosen digits or a string with chosen escapes.
  mutating func put(_ key: String? = nil, verbatim token: String) {
    begin(key)
    raw(token)
  }

  // MARK: Text

  private mutating func container(
    _ key: String?, _ opening: String, _ closing: String, _ content: (inout FeedText) -> Void
  ) {
    begin(key)
    raw(opening)
    needsComma = false
    content(&self)
    raw(closing)
    needsComma = true
  }

  private mutating func begin(_ key: String?) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    guard let key else { return }
    string(key)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case UInt8(ascii: "\n"): raw("\\n")
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
