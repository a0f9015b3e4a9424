@testable import StreamMap

/// What steps make of an array, in the slow and obvious way.
enum NaiveList {
  static func meaning(of json: JSONValue, _ operations: [ListOperation]) throws -> JSONValue {
    guard case .array(var elements) = json else { return json }
    for operation in operations {
      switch operation {
      case .filter(let test): elements = try elements.filter { try holds(test, $0) }
      case .values(let path):
        elements = elements.map { value(at: path, in: $0) }.filter { $0 != .null }
      case .numbers: elements = try elements.map(number(in:))
      case .flatten:
        elements = elements.flatMap { element in
          if case .array(let parts) = element { parts } else { [element] }
        }
      case .reverse: elements.reverse()
      case .slice(let first, let last):
        func place(_ index: Int) -> Int {
          max(0, min(index < 0 ? elements.count + index : index, elements.count))
        }
        let (start, end) = (place(first), last.map(place) ?? elements.count)
        elements = start < end ? Array(elements[start..<end]) : []
      case .sort(let path):
        let keys = elements.map { value(at: path, in: $0) }
        try check(keys)
        elements = try insertionSorted(Array(Swift.zip(keys, elements))).map(\.1)
      case .unique(let path):
        var kept: [JSONValue] = []
        for element in elements {
          let key = value(at: path, in: element)
          if !kept.contains(where: { areEqual(value(at: path, in: $0), key) }) {
            kept.append(element)
          }
        }
        elements = kept
      case .element(let index):
        let place = index < 0 ? elements.count + index : index
        return elements.indices.contains(place) ? elements[place] : .null
      case .count: return .number("\(elements.count)")
      case .sum: return .number(try written(sum(of: elements)))
      case .mean:
        let numbers = elements.filter { $0 != .null }
        if numbers.isEmpty { return .null }
        guard let mean = try sum(of: numbers).divided(by: ExactDecimal(numbers.count)) else {
          throw ConversionFailure(expected: "a mean", code: .numberOutOfRange)
        }
        return .number(written(mean))
      case .extreme(let isLeast):
        try check(elements)
        var best: JSONValue?
        for element in elements where element != .null {
          guard let other = best else {
            best = element
            continue
          }
          let order = try order(element, other)
          if isLeast ? order < 0 : order > 0 { best = element }
        }
        return best ?? .null
      case .utf8:
        let bytes = try elements.map { element -> UInt8 in
          guard case .number(let text) = element, let number = Double(text),
            let byte = UInt8(exactly: number)
          else { throw ConversionFailure(expected: "bytes") }
          return byte
        }
        return .string(String(decoding: bytes, as: UTF8.self))
      case .any(let test):
        return .bool(try elements.contains { try holds(test, $0) })
      case .all(let test):
        return .bool(try elements.allSatisfy { try holds(test, $0) })
      }
    }
    return .array(elements)
  }

  private static func json(_ value: JSONValue) throws -> NaiveJSON {
    guard let json = NaiveJSON(Array(value.description.utf8)) else {
      throw ConversionFailure(expected: "JSON")
    }
    return json
  }

  private static func holds(_ test: ElementTest, _ value: JSONValue) throws -> Bool {
    do {
      return try ReferenceInterpreter.holds(
        test.definition, try json(value), takesFirst: false)
    } catch is NaiveFormula.Fault {
      throw ConversionFailure(expected: "a condition that can be decided")
    }
  }

  private static func value(at path: ElementPath, in value: JSONValue) -> JSONValue {
    guard let json = try? json(value) else { return .null }
    return ReferenceInterpreter.operand(at: path.path, in: json, takesFirst: false)?.json ?? .null
  }

  private static func number(in value: JSONValue) throws -> JSONValue {
    switch value {
    case .null, .number: return value
    case .string(let text)
    where text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) != nil:
      return .number(text)
    default: throw ConversionFailure(expected: "numbers")
    }
  }

  private static func sum(of values: [JSONValue]) throws -> ExactDecimal {
    var sum = ExactDecimal.zero
    for value in values where value != .null {
      guard case .number(var text) = value else { throw ConversionFailure(expected: "numbers") }
      guard let number = text.withUTF8({ ExactDecimal($0) }), let next = sum.adding(number) else {
        throw ConversionFailure(expected: "numbers", code: .numberOutOfRange)
      }
      sum = next
    }
    return sum
  }

  private static func written(_ number: ExactDecimal) -> String {
    String(unsafeUninitializedCapacity: ExactDecimal.capacity) { buffer in
      buffer.baseAddress.map { number.write(into: $0) } ?? 0
    }
  }

  // MARK: Several lists

  /// The lists, or the objects, that are the members of an object, as one.
  static func zip(_ json: JSONValue, by path: ElementPath?) throws -> JSONValue {
    guard case .object(let members) = json else { return json }
    let lists = members.filter { $0.value != .null }
    if lists.isEmpty { return .null }
    let failure = ConversionFailure(expected: "lists alone, or objects alone")
    var rows: [(key: JSONValue, parts: [JSONValue.Member])] = []
    var kinds: Set<Bool> = []
    for list in lists {
      let found: [(key: JSONValue, value: JSONValue)]
      switch list.value {
      case .array(let elements):
        kinds.insert(false)
        found = elements.enumerated().map { index, element in
          (path.map { value(at: $0, in: element) } ?? .number("\(index)"), element)
        }
      case .object(let members) where path == nil:
        kinds.insert(true)
        found = members.map { (.string($0.key), $0.value) }
      default: throw failure
      }
      for (key, value) in found {
        switch key {
        case .string, .number, .bool: break
        case .null, .array, .object: throw failure
        }
        let row = rows.firstIndex { areEqual($0.key, key) } ?? rows.count
        if row == rows.count { rows.append((key, [])) }
        if rows[row].parts.last?.key == list.key {
          // The last one of equal keys of an object counts.
          if path != nil { throw failure }
          rows[row].parts.removeLast()
        }
        rows[row].parts.append(.init(list.key, value))
      }
    }
    if kinds.count > 1 { throw failure }
    if kinds.contains(false) { return .array(rows.map { .object($0.parts) }) }
    return .object(
      rows.map { row in
        guard case .string(let key) = row.key else { return .init("", .null) }
        return .init(key, .object(row.parts))
      })
  }

  // MARK: Order

  /// All numbers or all texts, but for null.
  private static func check(_ keys: [JSONValue]) throws {
    var (numbers, texts, others) = (0, 0, 0)
    for key in keys {
      switch key {
      case .null: break
      case .number: numbers += 1
      case .string: texts += 1
      case .bool, .array, .object: others += 1
      }
    }
    if others > 0 || numbers > 0 && texts > 0 {
      throw ConversionFailure(expected: "numbers or texts")
    }
  }

  private static func order(_ a: JSONValue, _ b: JSONValue) throws -> Int {
    switch (a, b) {
    case (.null, .null): return 0
    case (.null, _): return 1
    case (_, .null): return -1
    case (.number(let a), .number(let b)):
      guard let a = ExactNumber(a), let b = ExactNumber(b) else { return 0 }
      return a < b ? -1 : a == b ? 0 : 1
    case (.string(let a), .string(let b)):
      let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
      return a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    default: throw ConversionFailure(expected: "numbers or texts")
    }
  }

  private static func insertionSorted(_ pairs: [(JSONValue, JSONValue)]) throws -> [(
    JSONValue, JSONValue
  )] {
    var sorted: [(JSONValue, JSONValue)] = []
    for pair in pairs {
      let place = try sorted.firstIndex { try order(pair.0, $0.0) < 0 } ?? sorted.count
      sorted.insert(pair, at: place)
    }
    return sorted
  }

  /// By value: numbers whatever their form, objects whatever the order of their members.
  private static func areEqual(_ a: JSONValue, _ b: JSONValue) -> Bool {
    switch (a, b) {
    case (.number(let a), .number(let b)): return ExactNumber(a) == ExactNumber(b)
    case (.array(let a), .array(let b)):
      return a.count == b.count && Swift.zip(a, b).allSatisfy { areEqual($0, $1) }
    case (.object(let a), .object(let b)):
      // In an object that is read as it stands, keys may come twice.
      func last(_ members: [JSONValue.Member]) -> [ExactText: JSONValue] {
        Dictionary(members.map { (ExactText($0.key), $0.value) }) { _, last in last }
      }
      let (one, other) = (last(a), last(b))
      return a.count == b.count && one.count == other.count
        && one.allSatisfy { key, value in other[key].map { areEqual(value, $0) } ?? false }
    case (.string, _), (.bool, _), (.null, _), (.number, _), (.array, _), (.object, _):
      return a == b
    }
  }
}
