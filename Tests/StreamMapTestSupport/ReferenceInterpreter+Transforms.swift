import Foundation

@testable import StreamMap

/// What transforms of output records mean, on trees and strings.
extension OutputTransform {
  func meaning(of json: JSONValue) throws -> JSONValue {
    switch self {
    case let transform as FunctionTransform: return try transform.function(json)
    // Rules and changes are for what is there.
    case _ where json == .null: return .null
    case let transform as TextTransform: return try transform.textMeaning(of: json)
    case let transform as NumberTransform:
      guard case .number(let text) = json else { return json }
      return try NaiveDecimal.number(text, transform.decimal, transform.type)
    case let transform as ShapeTransform: return try transform.shape.meaning(of: json)
    case let transform as ListTransform:
      return try NaiveList.meaning(of: json, transform.operations)
    case let transform as SelectTransform:
      return .array(NaivePath.values(transform.pattern.steps, in: json))
    case let transform as ZipTransform: return try NaiveList.zip(json, by: transform.path)
    case let transform as GroupsTransform:
      guard case .string(let text) = json else { return json }
      let bytes = Array(text.utf8)
      guard let places = bytes.withUnsafeBufferPointer({ transform.find($0) }) else {
        throw ConversionFailure(expected: "a match")
      }
      return .object(
        zip(transform.groups, places).compactMap { group, place in
          place.map { .init(group, .string(String(decoding: bytes[$0], as: UTF8.self))) }
        })
    default: return json
    }
  }
}

extension TextTransform {
  fileprivate func textMeaning(of json: JSONValue) throws -> JSONValue {
    var text: String
    switch json {
    case .string(let string), .number(let string): text = string
    case .bool(let flag): text = "\(flag)"
    default: return json
    }
    for step in change.steps { text = try step.meaning(of: text) }
    if let extraction = change.extraction {
      let bytes = Array(text.utf8)
      guard let found = bytes.withUnsafeBufferPointer({ extraction.find($0) }) else {
        throw ConversionFailure(expected: "a match")
      }
      text = String(decoding: bytes[found], as: UTF8.self)
    }
    if let table = change.table {
      let found = Array(text.utf8).withUnsafeBufferPointer { table.find($0).map { Array($0) } }
      guard let found else {
        guard let otherwise = table.otherwise else { throw ConversionFailure(expected: "a key") }
        return otherwise
      }
      text = String(decoding: found, as: UTF8.self)
    }
    switch reading {
    case .text: return .string(text)
    case .number(let type, let decimal, nil): return try NaiveDecimal.number(text, decimal, type)
    case .number(let type, let decimal, let units?):
      // The table is tested by itself.
      let bytes = Array(text.utf8)
      let room = TextRoom()
      let number = try bytes.withUnsafeBufferPointer {
        String(decoding: try units.number(in: $0, room), as: UTF8.self)
      }
      return try NaiveDecimal.number(number, decimal, type)
    case .function(_, let read): return try read(text)
    case .json(_, let make):
      // The tables of mapping files have a meaning of their own in the oracle.
      let bytes = Array(text.utf8)
      let room = TextRoom()
      let json = try bytes.withUnsafeBufferPointer { Array(try make($0, room)) }
      return NaiveJSON(json)?.json ?? .null
    }
  }
}

extension TextStep {
  /// In lower case: a Σ after a letter, and before none, is the last of its word.
  ///
  /// What is ignored for case counts as neither.
  private static func lower(_ scalars: [Unicode.Scalar]) -> String {
    func isCased(_ rest: some Sequence<Unicode.Scalar>) -> Bool {
      rest.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
    }
    return scalars.indices.map { index in
      if scalars[index].value != 0x3A3 { return scalars[index].properties.lowercaseMapping }
      return isCased(scalars[..<index].reversed()) && !isCased(scalars[(index + 1)...]) ? "ς" : "σ"
    }.joined()
  }

  /// The step on an array of scalars.
  func meaning(of text: String) throws -> String {
    let scalars = Array(text.unicodeScalars)
    func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }
    func index(_ number: Int) -> Int {
      max(0, min(number < 0 ? scalars.count + number : number, scalars.count))
    }
    func parts(_ separator: String) -> [[Unicode.Scalar]] { Self.parts(of: text, separator) }
    switch self {
    case .trim:
      let start = scalars.drop { $0.properties.isWhitespace }
      return string(start.reversed().drop { $0.properties.isWhitespace }.reversed())
    case .lower: return Self.lower(scalars)
    case .upper: return scalars.map(\.properties.uppercaseMapping).joined()
    case .squeeze:
      var result: [Unicode.Scalar] = []
      for (number, scalar) in scalars.enumerated() {
        if !scalar.properties.isWhitespace {
          result.append(scalar)
        } else if number == 0 || !scalars[number - 1].properties.isWhitespace {
          result.append(" ")
        }
      }
      return string(result)
    case .replace(let old, let new):
      return string(parts(old).joined(separator: Array(new.unicodeScalars)))
    case .prefix(let prefix): return prefix + text
    case .suffix(let suffix): return text + suffix
    case .stripPrefix(let prefix):
      let count = prefix.unicodeScalars.count
      return scalars.starts(with: prefix.unicodeScalars) ? string(scalars.dropFirst(count)) : text
    case .stripSuffix(let suffix):
      let end = Array(suffix.unicodeScalars)
      return scalars.count >= end.count && Array(scalars.suffix(end.count)) == end
        ? string(scalars.dropLast(end.count)) : text
    case .slice(let start, let end):
      let (first, last) = (index(start), end.map { index($0) } ?? scalars.count)
      return first < last ? string(scalars[first..<last]) : ""
    case .part(let number, let separator):
      let parts = parts(separator)
      let index = number < 0 ? parts.count + number : number
      guard parts.indices.contains(index) else { throw ConversionFailure(expected: "a part") }
      return string(parts[index])
    case .pad(let width, let scalar):
      return string(Array(repeating: scalar, count: max(0, width - scalars.count))) + text
    case .padEnd(let width, let scalar):
      return text + string(Array(repeating: scalar, count: max(0, width - scalars.count)))
    case .function(let function):
      // What functions make is tested by itself, and by the oracle.
      let bytes = Array(text.utf8)
      let room = TextRoom()
      return try bytes.withUnsafeBufferPointer {
        String(decoding: try function.change($0, room), as: UTF8.self)
      }
    }
  }
}

extension TextStep {
  /// The parts of a text, by its scalars: a line feed after a carriage return is one, too.
  fileprivate static func parts(of text: String, _ separator: String) -> [[Unicode.Scalar]] {
    let scalars = Array(text.unicodeScalars)
    let separator = Array(separator.unicodeScalars)
    var parts: [[Unicode.Scalar]] = [[]]
    var index = 0
    while index < scalars.count {
      if scalars[index...].starts(with: separator) {
        parts.append([])
        index += separator.count
      } else {
        parts[parts.count - 1].append(scalars[index])
        index += 1
      }
    }
    return parts
  }
}

extension Shape {
  fileprivate static func text(of element: JSONValue) throws -> String {
    switch element {
    case .string(let text), .number(let text): return text
    case .bool(let flag): return "\(flag)"
    case .null, .array, .object: throw ConversionFailure(expected: "scalars")
    }
  }

  fileprivate func meaning(of json: JSONValue) throws -> JSONValue {
    switch (self, json) {
    case (.split(let separator), .string(let text)):
      if text.isEmpty { return .array([]) }
      return .array(
        TextStep.parts(of: text, separator).map { part in
          .string(part.reduce(into: "") { $0.unicodeScalars.append($1) })
        })
    case (.joined(let separator), .array(let elements)):
      return .string(try elements.map(Self.text(of:)).joined(separator: separator))
    case (.template(let template), .object(let members)):
      return .string(try template.meaning(of: members.map(\.value)))
    case (.query, .string(let text)):
      return .object(
        try text.split(separator: "&").map { member in
          let parts = member.split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false
          ).map { $0.replacing("+", with: " ").removingPercentEncoding }
          guard let name = parts[0], let value = parts.count > 1 ? parts[1] : "" else {
            throw ConversionFailure(expected: "a query")
          }
          return .init(name, .string(value))
        })
    case (.json, .string(let text)):
      // The one place where the tests ask the standard library what is JSON. It takes a text with a zero byte for another encoding.
      guard !text.utf8.contains(0),
        (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
          != nil, let json = NaiveJSON(Array(text.utf8))
      else { throw ConversionFailure(expected: "JSON") }
      return json.json
    case (.count, .array(let elements)): return .number("\(elements.count)")
    case (.count, .object(let members)): return .number("\(members.count)")
    case (.entries(let key, let value), .object(let members)):
      return .array(
        members.map { .object([.init(key, .string($0.key)), .init(value, $0.value)]) })
    case (.fromEntries(let key, let value), .array(let entries)):
      return .object(
        try entries.map { entry in
          switch entry[key] {
          case .string(let text)?, .number(let text)?: return .init(text, entry[value] ?? .null)
          case .bool(let flag)?: return .init("\(flag)", entry[value] ?? .null)
          default: throw ConversionFailure(expected: "entries")
          }
        })
    case (.unwrapped(let wrappers), _): return try wrappers.unwrapped(json)
    default: return json
    }
  }
}

extension TextTemplate {
  fileprivate func meaning(of values: [JSONValue]) throws -> String {
    func text(_ pieces: [Piece]) throws -> String {
      try pieces.map { piece in
        switch piece {
        case .text(let text): return text
        case .value(let number): return try Shape.text(of: values[number])
        case .optional(let inner):
          let isWhole = inner.allSatisfy {
            if case .value(let number) = $0 { values[number] != .null } else { true }
          }
          return isWhole ? try text(inner) : ""
        }
      }.joined()
    }
    return try text(pieces)
  }
}

/// Decimal numbers as lists of digits, by the rules of the school.
struct NaiveDecimal {
  /// The least significant first.
  var digits: [Int]
  var exponent: Int
  var isNegative: Bool

  init(_ text: String) {
    let parts = text.lowercased().split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    isNegative = text.hasPrefix("-")
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    digits = (mantissa[0] + fraction).filter(\.isNumber).reversed().compactMap(\.wholeNumberValue)
    exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.count
  }

  mutating func multiply(by other: NaiveDecimal) {
    var product = Array(repeating: 0, count: digits.count + other.digits.count + 1)
    for (i, a) in digits.enumerated() {
      for (j, b) in other.digits.enumerated() {
        var (index, carry) = (i + j, a * b)
        while carry > 0 {
          carry += product[index]
          product[index] = carry % 10
          carry /= 10
          index += 1
        }
      }
    }
    digits = product
    exponent += other.exponent
    isNegative = isNegative != other.isNegative
  }

  mutating func round(to places: Int) {
    while exponent < -places {
      let last = digits.isEmpty ? 0 : digits.removeFirst()
      exponent += 1
      guard exponent == -places, last >= 5 else { continue }
      var index = 0
      while index < digits.count, digits[index] == 9 {
        digits[index] = 0
        index += 1
      }
      if index < digits.count { digits[index] += 1 } else { digits.append(1) }
    }
  }

  /// Without an exponent, which the tests' numbers do not need.
  var text: String {
    var digits = digits
    var exponent = exponent
    while digits.last == 0 { digits.removeLast() }
    while digits.first == 0 {
      digits.removeFirst()
      exponent += 1
    }
    if digits.isEmpty { return "0" }
    var text = digits.reversed().map(String.init).joined()
    if exponent > 0 { text += String(repeating: "0", count: exponent) }
    if exponent < 0 {
      text = String(repeating: "0", count: max(0, 1 - exponent - text.count)) + text
      text.insert(".", at: text.index(text.endIndex, offsetBy: exponent))
    }
    return (isNegative ? "-" : "") + text
  }

  /// A number's text after its change, if it is of the type.
  static func number(_ text: String, _ change: DecimalChange?, _ type: ScalarType) throws
    -> JSONValue
  {
    guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) != nil else {
      throw ConversionFailure(expected: "a number")
    }
    var written = text
    if let change {
      var number = NaiveDecimal(text)
      if let factor = change.factor { number.multiply(by: NaiveDecimal(factor.description)) }
      if let places = change.places {
        let before = number.text
        number.round(to: places)
        let isPlain = text.lowercased().firstIndex(of: "e") == nil
        let fraction = text.split(separator: ".").dropFirst().first ?? ""
        if change.factor != nil || before != number.text
          || isPlain && fraction.count > max(places, 0)
        {
          written = number.text
        }
      } else if change.factor != nil {
        // What changes nothing keeps the text.
        written = number.text
      }
    }
    let json = NaiveJSON(.number(written), SourcePosition(bytes: 0..<0, line: 1, column: 1))
    if let code = ReferenceInterpreter.verdict(json, type, nil) {
      throw ConversionFailure(expected: "a number", code: code)
    }
    return .number(ReferenceInterpreter.written(json, type))
  }
}
