/// Any JSON value, for parts of a feed whose shape is not known beforehand.
///
/// Numbers keep their text, objects the order of their keys (and of equal keys the last). Use it as a leaf; a whole
/// feed mapped to `JSONValue` is the tree that this engine exists to avoid.
///
/// ```swift
/// struct Event { let id: Int; let payload: JSONValue }
/// let event = Object(Event.init, Field("id", \.id), Field("payload", \.payload))
/// // {"id":1,"payload":{"x":[1.50,null]}}  →  payload == ["x": [.number("1.50"), nil]]
/// ```
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number as its text, as written.
  case number(String)
  /// A string, unescaped.
  case string(String)
  /// An array.
  indirect case array([JSONValue])
  /// An object's members in their order.
  indirect case object([Member])

  /// One member of an object.
  public struct Member: Sendable, Hashable {
    /// The key, unescaped.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// A member.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The member of an object with this key; nil where there is none or this is no object.
  ///
  /// Keys are the same where their Unicode scalars are. To set it replaces the member where it stands, or adds it at the end;
  /// nil takes it out, and `JSONValue.null` sets `null`. Where this is `null`, it becomes an object; where it is another value
  /// that is no object, nothing happens.
  ///
  /// ```swift
  /// var post: JSONValue = ["title": "A", "meta": ["likes": 3]]
  /// post["title"] = "B"
  /// post["meta"]?["likes"] = nil
  /// post["text"] = .null     // {"title":"B","meta":{},"text":null}
  /// ```
  ///
  /// - Complexity: O(*n*) in the number of members.
  public subscript(key: String) -> JSONValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.last { ExactKey($0.key) == ExactKey(key) }?.value
    }
    set {
      var members: [Member] = []
      switch self {
      case .object(let own): members = own
      case .null: if newValue == nil { return }
      default: return
      }
      // Let go, so that the members are changed in place.
      self = .null
      defer { self = .object(members) }
      guard let newValue else {
        return members.removeAll { ExactKey($0.key) == ExactKey(key) }
      }
      if let index = members.lastIndex(where: { ExactKey($0.key) == ExactKey(key) }) {
        members[index].value = newValue
      } else {
        members.append(Member(key, newValue))
      }
    }
  }

  /// The element of an array with this index; nil where there is none or this is no array.
  ///
  /// To set it replaces the element; at the index behind the last it adds one. Nil takes it out, so that those behind it move
  /// up, and `JSONValue.null` sets `null`. Where this is `null`, it becomes an array for the index 0; elsewhere, and for an
  /// index further out, nothing happens.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  public subscript(index: Int) -> JSONValue? {
    get {
      guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
      return elements[index]
    }
    set {
      var elements: [JSONValue] = []
      switch self {
      case .array(let own): elements = own
      case .null: if newValue == nil { return }
      default: return
      }
      guard elements.indices.contains(index) || (index == elements.count && newValue != nil) else {
        return
      }
      self = .null
      defer { self = .array(elements) }
      if index == elements.count {
        newValue.map { elements.append($0) }
      } else if let newValue {
        elements[index] = newValue
      } else {
        elements.remove(at: index)
      }
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .number("\(value)") }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object with these members, in their order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSONValue {
  /// Sends the value's events.
  func emit(to sink: EventSink) {
    switch self {
    case .null: sink.null()
    case .bool(let value): sink.bool(value)
    case .number(let text): Self.withBytes(text) { sink.number($0) }
    case .string(let text): Self.withBytes(text) { sink.string($0) }
    case .array(let elements):
      sink.beginArray()
      for element in elements { element.emit(to: sink) }
      sink.endArray()
    case .object(let members):
      sink.beginObject()
      for member in members {
        Self.withBytes(member.key) { sink.key($0) }
        member.value.emit(to: sink)
      }
      sink.endObject()
    }
  }

  /// The text of a number in it that is none by RFC 8259: values from a feed have none, but anyone may make one.
  var firstInvalidNumber: String? {
    switch self {
    case .null, .bool, .string: return nil
    case .number(let text):
      return Self.isNumber(text) ? nil : text
    case .array(let elements): return elements.lazy.compactMap(\.firstInvalidNumber).first
    case .object(let members): return members.lazy.compactMap(\.value.firstInvalidNumber).first
    }
  }

  /// Whether a text is a number by RFC 8259.
  // PERF: without a Regex, which is made anew for each text and takes longer than all else about it.
  package static func isNumber(_ text: String) -> Bool {
    var rest = text.utf8[...]
    func skip(_ bytes: String) -> Bool {
      guard let first = rest.first, bytes.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    func skipDigits() -> Bool {
      let count = rest.count
      rest = rest.drop { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      return rest.count < count
    }
    _ = skip("-")
    guard skip("0") || skipDigits() else { return false }
    if skip("."), !skipDigits() { return false }
    if skip("eE") {
      _ = skip("+-")
      guard skipDigits() else { return false }
    }
    return rest.isEmpty
  }

  private static func withBytes(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = text
    text.withUTF8(body)
  }
}

/// Builds a ``JSONValue`` from events.
final class JSONValueBuilder: EventSink {
  // A class, so that a growing array is changed in place and never copied.
  private final class Container {
    var elements: [JSONValue] = []
    var members: [JSONValue.Member] = []
    var indices: [ExactKey: Int] = [:]
    var key: String?
  }

  private var open: [Container] = []
  override var size: Int { bytes }
  private var bytes = 0
  /// The value, once it is whole.
  private(set) var value: JSONValue?

  override func null() { add(.null) }
  override func bool(_ value: Bool) { add(.bool(value)) }
  override func number(_ text: UnsafeBufferPointer<UInt8>) {
    bytes += text.count
    add(.number(String(decoding: text, as: UTF8.self)))
  }
  override func string(_ text: UnsafeBufferPointer<UInt8>) {
    bytes += text.count
    add(.string(String(decoding: text, as: UTF8.self)))
  }
  override func key(_ text: UnsafeBufferPointer<UInt8>) {
    bytes += text.count
    open.last?.key = String(decoding: text, as: UTF8.self)
  }
  override func beginObject() { open.append(Container()) }
  override func endObject() {
    if let container = open.popLast() { add(.object(container.members)) }
  }
  override func beginArray() { open.append(Container()) }
  override func endArray() {
    if let container = open.popLast() { add(.array(container.elements)) }
  }

  private func add(_ new: JSONValue) {
    bytes += MemoryLayout<JSONValue>.stride
    guard let container = open.last else {
      value = new
      return
    }
    guard let key = container.key else {
      container.elements.append(new)
      return
    }
    container.key = nil
    if let index = container.indices[ExactKey(key)] {
      container.members[index].value = new
    } else {
      container.indices[ExactKey(key)] = container.members.count
      container.members.append(JSONValue.Member(key, new))
    }
  }
}

/// A part of a feed as its JSON text: passed through without being understood.
///
/// The text has no white space between tokens; numbers keep their digits as written, strings have only the escapes they
/// need.
public struct RawJSON: Sendable, Hashable {
  /// The text, in UTF-8.
  public let bytes: [UInt8]

  init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }
}
