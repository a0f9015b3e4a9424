import Foundation

/// Builds a value of Foundation's types from events: `[String: Any]`, `[Any]`, `String`, `NSNumber` and `NSNull`, as
/// `JSONSerialization` does; at most ``JSONValue/maximumDepth`` levels of them.
final class FoundationBuilder: EventSink {
  // A class, so that a growing container is changed in place and never copied.
  private final class Container {
    let isObject: Bool
    var elements: [Any] = []
    var members: [String: Any] = [:]
    var key = ""

    init(isObject: Bool) {
      self.isObject = isObject
    }
  }

  private var open: [Container] = []
  /// The value, once it is complete.
  private(set) var value: Any?
  /// The first part that Foundation's types cannot hold.
  private(set) var failure: MappingError?

  override func null() { add(NSNull()) }
  override func bool(_ value: Bool) { add(NSNumber(value: value)) }
  override func string(_ text: UnsafeBufferPointer<UInt8>) {
    add(String(decoding: text, as: UTF8.self))
  }
  override func number(_ text: UnsafeBufferPointer<UInt8>) {
    if let number = Self.number(text) {
      add(number)
    } else {
      fail(
        .numberOutOfRange, expected: "a number that Int64, UInt64, Double or Decimal hold exactly",
        found: "a number beyond their range or precision")
    }
  }
  override func key(_ text: UnsafeBufferPointer<UInt8>) {
    open.last?.key = String(decoding: text, as: UTF8.self)
  }
  override func beginObject() { begin(isObject: true) }
  override func beginArray() { begin(isObject: false) }

  private func begin(isObject: Bool) {
    if open.count == JSONValue.maximumDepth {
      fail(.limitExceeded, expected: JSONValue.depthMessage, found: "more")
    }
    open.append(Container(isObject: isObject))
  }

  override func endObject() { if let container = open.popLast() { add(container.members) } }
  override func endArray() { if let container = open.popLast() { add(container.elements) } }

  private func add(_ new: Any) {
    // Parts that are too deep must not become a tree, because it would have to be released.
    if failure != nil { return }
    guard let container = open.last else {
      value = new
      return
    }
    guard container.isObject else {
      container.elements.append(new)
      return
    }
    let key = container.key
    if let index = container.members.index(forKey: key),
      !container.members[index].key.utf8.elementsEqual(key.utf8)
    {
      fail(
        .duplicateKey, expected: "keys that a dictionary tells apart",
        found: "two that are canonically equivalent")
    }
    container.members[key] = new
  }

  private func fail(_ code: ErrorCode, expected: String, found: String) {
    guard failure == nil else { return }
    let path = open.map { container -> JSONPath.Component in
      container.isObject ? .key(container.key) : .index(container.elements.count)
    }
    failure = MappingError(code, path: JSONPath(path), expected: expected, found: found)
  }

  // MARK: Numbers

  /// The number with its value unchanged; nil if no type holds it.
  private static func number(_ text: UnsafeBufferPointer<UInt8>) -> NSNumber? {
    if isWhole(text) {
      if case .value(let integer) = NumberText.integer(text, as: Int64.self) {
        return NSNumber(value: integer)
      }
      if case .value(let integer) = NumberText.integer(text, as: UInt64.self) {
        return NSNumber(value: integer)
      }
    }
    if let double = NumberText.double(text), isShortest(double, text) {
      return NSNumber(value: double)
    }
    return NumberText.decimal(text).map { NSDecimalNumber(decimal: $0) }
  }

  /// Whether the text has neither a fraction nor an exponent, and is not a zero with a sign.
  private static func isWhole(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.allSatisfy {
      $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
      && !(text.count == 2 && text[0] == UInt8(ascii: "-") && text[1] == UInt8(ascii: "0"))
  }

  /// Whether a Double prints as the number in the text: 0.1 does, 0.1000000000000000055 does not.
  private static func isShortest(_ double: Double, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberToText.capacity) { room in
      guard let start = room.baseAddress, let count = NumberToText.write(double, into: start),
        let digits = SignificantDigits(text),
        let shown = SignificantDigits(UnsafeBufferPointer(start: start, count: count))
      else { return false }
      return digits.isSameNumber(as: shown)
    }
  }
}
