import Foundation
import StreamMap

/// Builds a value of Foundation's types from events: `[String: Any]`, `[Any]`, `String`, `NSNumber` and `NSNull`, as
/// `JSONSerialization` does; at most ``JSONValue/maximumDepth`` levels of them.
final class FoundationBuilder: EventReceiver {
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

  func null() { add(NSNull()) }
  func bool(_ value: Bool) { add(NSNumber(value: value)) }
  func string(_ text: UnsafeBufferPointer<UInt8>) {
    add(String(decoding: text, as: UTF8.self))
  }
  func number(_ text: UnsafeBufferPointer<UInt8>) {
    if let number = Self.number(text) {
      add(number)
    } else {
      fail(
        .numberOutOfRange, expected: "a number that Int64, UInt64, Double or Decimal hold exactly",
        found: "a number beyond their range or precision")
    }
  }
  func key(_ text: UnsafeBufferPointer<UInt8>) {
    open.last?.key = String(decoding: text, as: UTF8.self)
  }
  func beginObject() { begin(isObject: true) }
  func beginArray() { begin(isObject: false) }

  private func begin(isObject: Bool) {
    if open.count == JSONValue.maximumDepth {
      fail(.limitExceeded, expected: JSONValue.depthMessage, found: "more")
    }
    open.append(Container(isObject: isObject))
  }

  func endObject() { if let container = open.popLast() { add(container.members) } }
  func endArray() { if let container = open.popLast() { add(container.elements) } }

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

  /// The number with its value unchanged; nil if no type holds it.
  private static func number(_ text: UnsafeBufferPointer<UInt8>) -> NSNumber? {
    switch HeldNumber(text) {
    case .int64(let value): NSNumber(value: value)
    case .uint64(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case nil: nil
    }
  }
}
