import Foundation
import StreamMap

/// Sends the events of a value made of Foundation's types, such as one from `JSONSerialization`.
///
/// - Members come in the order of their keys' Unicode scalars, because dictionaries have no order.
/// - The open containers are a list, not recursion: no depth can exhaust the stack.
struct FoundationSource {
  /// A container that is being sent.
  private struct Open {
    /// For a dictionary: as many keys as there are values.
    let keys: [String]?
    let values: [Any]
    /// How many values have begun.
    var count = 0

    /// The path step of the last value that has begun.
    var component: JSONPath.Component {
      if let keys { .key(keys[count - 1]) } else { .index(count - 1) }
    }
  }

  private let sink: EventPort
  private let depthLimit: Int
  private var open: [Open] = []

  private init(_ sink: EventPort, depthLimit: Int) {
    self.sink = sink
    self.depthLimit = depthLimit
  }

  /// Sends the events of a value.
  ///
  /// - Throws: ``MappingError`` at the first part that has no JSON. The caller must discard everything that was sent
  ///   until then.
  static func send(_ value: Any, to sink: EventPort, depthLimit: Int) throws(MappingError) {
    var source = FoundationSource(sink, depthLimit: depthLimit)
    try source.send(value)
    while let last = source.open.indices.last {
      if source.open[last].count < source.open[last].values.count {
        try source.sendNext(of: last)
      } else {
        source.close()
      }
    }
  }

  private mutating func sendNext(of last: Int) throws(MappingError) {
    let index = open[last].count
    open[last].count += 1
    if let keys = open[last].keys { sink.key(keys[index]) }
    try send(open[last].values[index])
  }

  private mutating func close() {
    if open.removeLast().keys == nil { sink.endArray() } else { sink.endObject() }
  }

  private mutating func send(_ value: Any) throws(MappingError) {
    // Classes are recognised by their type: asking whether a Swift array is one would convert all of it to an NSArray.
    if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
      try send(number)
    } else if let text = value as? String {
      sink.string(text)
    } else if let bool = value as? Bool {
      sink.bool(bool)
    } else if let integer = value as? any BinaryInteger {
      sink.number(integer)
    } else if let number = value as? Double {
      try check(sink.number(number))
    } else if type(of: value) is NSNull.Type {
      sink.null()
    } else if let optional = value as? any AnyOptional {
      if let inside = optional.inside { try send(inside) } else { sink.null() }
    } else if let members = value as? [String: Any] {
      if type(of: value) is NSDictionary.Type, let whole = value as? NSDictionary,
        whole.count != members.count
      {
        throw error(
          .duplicateKey, expected: "keys that a dictionary tells apart",
          found: "two that are canonically equivalent")
      }
      try begin(members)
    } else if let elements = value as? [Any] {
      try begin(Open(keys: nil, values: elements))
    } else {
      try sendOther(value)
    }
  }

  private func sendOther(_ value: Any) throws(MappingError) {
    if let number = value as? Decimal {
      try check(sink.number(number))
    } else if let number = value as? Float {
      try check(sink.number(number))
    } else if let number = value as? CGFloat {
      try check(sink.number(Double(number)))
    } else if let text = value as? any StringProtocol {
      sink.string(String(text))
    } else if let members = value as? [AnyHashable: Any] {
      let key = members.keys.first { !($0.base is String) }
      throw error(
        .wrongType, expected: "a dictionary whose keys are strings",
        found: key.map { "a key of type \(typeName(type(of: $0.base)))" })
    } else {
      throw error(
        .wrongType, expected: "null, a boolean, a number, a string, an array or a dictionary",
        found: "a value of type \(typeName(type(of: value)))")
    }
  }

  // MARK: Containers

  private mutating func begin(_ members: [String: Any]) throws(MappingError) {
    let sorted = members.sorted { $0.key < $1.key }
    try begin(Open(keys: sorted.map(\.key), values: sorted.map(\.value)))
  }

  private mutating func begin(_ container: Open) throws(MappingError) {
    guard open.count < depthLimit else {
      throw error(.limitExceeded, expected: Limits.message(.depth, depthLimit))
    }
    if container.keys == nil { sink.beginArray() } else { sink.beginObject() }
    open.append(container)
  }

  // MARK: Scalars

  private func send(_ number: NSNumber) throws(MappingError) {
    // The two booleans are separate objects.
    if number === NSNumber(value: true) {
      sink.bool(true)
    } else if number === NSNumber(value: false) {
      sink.bool(false)
    } else if let decimal = number as? NSDecimalNumber {
      let value = decimal.decimalValue
      try check(sink.number(value))
    } else {
      switch UInt8(bitPattern: number.objCType.pointee) {
      case UInt8(ascii: "d"):
        let value = number.doubleValue
        try check(sink.number(value))
      case UInt8(ascii: "f"):
        let value = number.floatValue
        try check(sink.number(value))
      case UInt8(ascii: "Q"): sink.number(number.uint64Value)
      default: sink.number(number.int64Value)
      }
    }
  }

  private func check(_ isSent: Bool) throws(MappingError) {
    guard isSent else {
      throw error(
        .invalidValue, expected: "a finite number", found: "a value that JSON cannot write")
    }
  }

  private func error(_ code: ErrorCode, expected: String, found: String? = nil) -> MappingError {
    MappingError(
      code, path: JSONPath(open.map(\.component)), expected: expected, found: found)
  }
}

/// An Optional whose type is not known.
private protocol AnyOptional {
  /// The value; nil if there is none.
  var inside: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var inside: Any? { self }
}
