/// Any JSON value, for parts of a feed whose shape is not known beforehand.
///
/// Numbers keep their text. Objects keep the order of their keys, and of equal keys the last one. Use it as a leaf: a whole feed
/// mapped to `JSONValue` is the tree that this engine exists to avoid.
///
/// ```swift
/// struct Event { let id: Int; let payload: JSONValue }
/// let event = Mapping.object(Event.self) { field in
///   field.make(Event.init, field("id", \.id), field("payload", \.payload))
/// }
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

  /// The member of an object with this key; nil if there is none or this is not an object.
  ///
  /// Keys are the same if their Unicode scalars are. Setting it replaces the member in its place, or adds it at the end.
  /// Setting nil removes it, and `JSONValue.null` sets `null`. If this is `null`, it becomes an object. If it is another value
  /// that is not an object, nothing happens.
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
      return members.last { ExactText($0.key) == ExactText(key) }?.value
    }
    set {
      var members: [Member] = []
      switch self {
      case .object(let own): members = own
      case .null: if newValue == nil { return }
      default: return
      }
      // Release the old value, so that the members are changed in place.
      self = .null
      defer { self = .object(members) }
      guard let newValue else {
        return members.removeAll { ExactText($0.key) == ExactText(key) }
      }
      if let index = members.lastIndex(where: { ExactText($0.key) == ExactText(key) }) {
        members[index].value = newValue
      } else {
        members.append(Member(key, newValue))
      }
    }
  }

  /// The element of an array with this index; nil if there is none or this is not an array.
  ///
  /// Setting it replaces the element; at the index after the last, it adds one. Setting nil removes it, so that those after it
  /// move up, and `JSONValue.null` sets `null`. If this is `null`, it becomes an array for the index 0. In all other cases,
  /// and for an index further out, nothing happens.
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

// Comparing, hashing and sending need no stack for depth: they go down with a list, not with recursion.

extension JSONValue {
  /// The most levels that a value made from a feed can have, whatever ``Limits/depth`` is: 512.
  ///
  /// A value is a tree, and Swift releases a tree level by level on the stack. A much deeper one would end the process on a
  /// thread with a small stack (512 KiB on Apple's systems). So a part of a feed is an error (``ErrorCode/limitExceeded``) if
  /// it is deeper and is mapped to a `JSONValue`, is collected, or is read by a rule, a condition or a function. A
  /// ``RawJSON`` is text and has no such bound. Values that a program makes itself are not checked.
  public static let maximumDepth = 512

  /// As in “expected at most 512 levels of nesting in a value that is a tree (JSONValue.maximumDepth)”.
  package static var depthMessage: String {
    "at most \(maximumDepth) levels of nesting in a value that is a tree (JSONValue.maximumDepth)"
  }

  /// Whether two values are the same: members in their order, texts by their code points, numbers as they are written.
  public static func == (a: JSONValue, b: JSONValue) -> Bool {
    var pairs: [(JSONValue, JSONValue)] = []
    guard isSame(a, b, &pairs) else { return false }
    while let (a, b) = pairs.popLast() {
      switch (a, b) {
      case (.array(let a), .array(let b)):
        guard a.count == b.count, zip(a, b).allSatisfy({ isSame($0, $1, &pairs) }) else {
          return false
        }
      case (.object(let a), .object(let b)):
        guard a.count == b.count,
          zip(a, b).allSatisfy({ $0.key == $1.key && isSame($0.value, $1.value, &pairs) })
        else { return false }
      default: return false
      }
    }
    return true
  }

  /// Compares two values as far as they contain no other values; those that do are added to the list.
  private static func isSame(
    _ a: JSONValue, _ b: JSONValue, _ pairs: inout [(JSONValue, JSONValue)]
  ) -> Bool {
    switch (a, b) {
    case (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.number(let a), .number(let b)), (.string(let a), .string(let b)): return a == b
    case (.array, .array), (.object, .object):
      pairs.append((a, b))
      return true
    default: return false
    }
  }

  public func hash(into hasher: inout Hasher) {
    var left = [self]
    while let value = left.popLast() {
      switch value {
      case .null: hasher.combine(0)
      case .bool(let value):
        hasher.combine(1)
        hasher.combine(value)
      case .number(let text):
        hasher.combine(2)
        hasher.combine(text)
      case .string(let text):
        hasher.combine(3)
        hasher.combine(text)
      case .array(let elements):
        hasher.combine(4)
        hasher.combine(elements.count)
        left += elements
      case .object(let members):
        hasher.combine(5)
        hasher.combine(members.count)
        for member in members {
          hasher.combine(member.key)
          left.append(member.value)
        }
      }
    }
  }

  /// A container that is being sent.
  private struct Open {
    let isObject: Bool
    var elements = [JSONValue]().makeIterator()
    var members = [Member]().makeIterator()

    /// The next value in it; its key is sent first.
    mutating func next(_ sink: EventSink) -> JSONValue? {
      guard isObject else { return elements.next() }
      guard let member = members.next() else { return nil }
      sink.key(member.key)
      return member.value
    }
  }

  /// Sends the value's events.
  func emit(to sink: EventSink) {
    var open: [Open] = []
    var next: JSONValue? = self
    while true {
      switch next {
      case nil: if open.removeLast().isObject { sink.endObject() } else { sink.endArray() }
      case .null?: sink.null()
      case .bool(let value)?: sink.bool(value)
      case .number(let text)?: sink.number(text)
      case .string(let text)?: sink.string(text)
      case .array(let elements)?:
        sink.beginArray()
        open.append(Open(isObject: false, elements: elements.makeIterator()))
      case .object(let members)?:
        sink.beginObject()
        open.append(Open(isObject: true, members: members.makeIterator()))
      }
      guard let last = open.indices.last else { return }
      next = open[last].next(sink)
    }
  }
}

/// Builds a ``JSONValue`` from events.
final class JSONValueBuilder: EventSink {
  private let depthLimit: Int
  private let sortsKeys: Bool
  private let numberText: ((UnsafeBufferPointer<UInt8>) -> String?)?

  /// A builder of a value with at most this many levels.
  ///
  /// With sorted keys, members are in the order of their keys' Unicode scalars. Numbers have the text that a function gives
  /// them; without one, and where it gives none, their own.
  init(
    depthLimit: Int = .max, sortsKeys: Bool = false,
    numberText: ((UnsafeBufferPointer<UInt8>) -> String?)? = nil
  ) {
    self.depthLimit = depthLimit
    self.sortsKeys = sortsKeys
    self.numberText = numberText
  }

  /// Whether there are more levels than that: then there is no value.
  private(set) var isTooDeep = false

  // A class, so that a growing array is changed in place and never copied.
  private final class Container {
    var elements: [JSONValue] = []
    var members: [JSONValue.Member] = []
    var indices: [ExactText: Int] = [:]
    var key: String?
  }

  private var open: [Container] = []
  override var size: Int { bytes }
  private var bytes = 0
  /// The value, once it is whole.
  var value: JSONValue? { isTooDeep ? nil : whole }
  private var whole: JSONValue?

  override func null() { add(.null) }
  override func bool(_ value: Bool) { add(.bool(value)) }
  override func number(_ text: UnsafeBufferPointer<UInt8>) {
    bytes += text.count
    add(.number(numberText?(text) ?? String(decoding: text, as: UTF8.self)))
  }
  override func string(_ text: UnsafeBufferPointer<UInt8>) {
    bytes += text.count
    add(.string(String(decoding: text, as: UTF8.self)))
  }
  override func key(_ text: UnsafeBufferPointer<UInt8>) {
    bytes += text.count
    open.last?.key = String(decoding: text, as: UTF8.self)
  }
  override func beginObject() { begin() }
  override func beginArray() { begin() }

  private func begin() {
    if open.count < depthLimit, !isTooDeep { return open.append(Container()) }
    isTooDeep = true
    open.removeAll()
  }

  override func endObject() {
    guard let container = open.popLast() else { return }
    if sortsKeys {
      container.members.sort { $0.key < $1.key }
    }
    add(.object(container.members))
  }
  override func endArray() {
    if let container = open.popLast() { add(.array(container.elements)) }
  }

  private func add(_ new: JSONValue) {
    bytes += MemoryLayout<JSONValue>.stride
    guard let container = open.last else {
      whole = new
      return
    }
    guard let key = container.key else {
      container.elements.append(new)
      return
    }
    container.key = nil
    if let index = container.indices[ExactText(key)] {
      container.members[index].value = new
    } else {
      container.indices[ExactText(key)] = container.members.count
      container.members.append(JSONValue.Member(key, new))
    }
  }
}

/// A part of a feed as its JSON text: it is passed through without being interpreted.
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
