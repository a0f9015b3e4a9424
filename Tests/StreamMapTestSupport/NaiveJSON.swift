import StreamMap

/// A JSON value with its addresses, read by the simplest possible parser: the tests' own truth.
///
/// Only for valid JSON.
struct NaiveJSON {
  indirect enum Value {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([NaiveJSON])
    case object([Member])

  }

  struct Member {
    let key: String
    let keyPosition: SourcePosition
    let value: NaiveJSON

    var exactKey: ExactText { ExactText(key) }
  }

  let value: Value
  let position: SourcePosition

  init?(_ text: [UInt8], from start: Int = 0) {
    var parser = Parser(bytes: text, index: start)
    parser.space()
    guard let value = parser.value() else { return nil }
    self = value
  }

  init(_ value: Value, _ position: SourcePosition) {
    self.value = value
    self.position = position
  }

  private struct Parser {
    let bytes: [UInt8]
    var index: Int

    mutating func space() {
      while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    func position(_ start: Int) -> SourcePosition {
      let before = bytes[..<start]
      let line = before.count { $0 == 0x0A } + 1
      let lineStart = (before.lastIndex(of: 0x0A) ?? -1) + 1
      return SourcePosition(bytes: start..<index, line: line, column: start - lineStart + 1)
    }

    mutating func value() -> NaiveJSON? {
      let start = index
      guard index < bytes.count else { return nil }
      switch bytes[index] {
      case UInt8(ascii: "{"):
        index += 1
        var members: [Member] = []
        space()
        while index < bytes.count, bytes[index] != UInt8(ascii: "}") {
          let keyStart = index
          guard let key = string() else { return nil }
          let keyPosition = position(keyStart)
          space()
          index += 1
          space()
          guard let member = value() else { return nil }
          members.append(Member(key: key, keyPosition: keyPosition, value: member))
          space()
          if index < bytes.count, bytes[index] == UInt8(ascii: ",") { index += 1 }
          space()
        }
        index += 1
        return NaiveJSON(.object(members), position(start))
      case UInt8(ascii: "["):
        index += 1
        var elements: [NaiveJSON] = []
        space()
        while index < bytes.count, bytes[index] != UInt8(ascii: "]") {
          guard let element = value() else { return nil }
          elements.append(element)
          space()
          if index < bytes.count, bytes[index] == UInt8(ascii: ",") { index += 1 }
          space()
        }
        index += 1
        return NaiveJSON(.array(elements), position(start))
      case UInt8(ascii: "\""):
        guard let text = string() else { return nil }
        return NaiveJSON(.string(text), position(start))
      default:
        while index < bytes.count, !Array(" \t\r\n,]}".utf8).contains(bytes[index]) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        switch text {
        case "null": return NaiveJSON(.null, position(start))
        case "true": return NaiveJSON(.bool(true), position(start))
        case "false": return NaiveJSON(.bool(false), position(start))
        default: return NaiveJSON(.number(text), position(start))
        }
      }
    }

    mutating func string() -> String? {
      index += 1
      var units: [UInt16] = []
      var raw: [UInt8] = []
      func flushed() -> [UInt16] { Array(String(decoding: raw, as: UTF8.self).utf16) }
      while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
        guard bytes[index] == UInt8(ascii: "\\") else {
          raw.append(bytes[index])
          index += 1
          continue
        }
        units += flushed()
        raw = []
        index += 1
        switch bytes[index] {
        case UInt8(ascii: "u"):
          let digits = String(decoding: bytes[index + 1...index + 4], as: UTF8.self)
          units.append(UInt16(digits, radix: 16) ?? 0)
          index += 4
        case UInt8(ascii: "b"): units.append(8)
        case UInt8(ascii: "f"): units.append(12)
        case UInt8(ascii: "n"): units.append(10)
        case UInt8(ascii: "r"): units.append(13)
        case UInt8(ascii: "t"): units.append(9)
        default: units.append(UInt16(bytes[index]))
        }
        index += 1
      }
      index += 1
      return String(decoding: units + flushed(), as: UTF16.self)
    }
  }
}

extension NaiveJSON {
  var isNull: Bool { if case .null = value { true } else { false } }

  /// The value without its addresses; of equal keys, the last one counts.
  var json: JSONValue {
    switch value {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .number(let text): return .number(text)
    case .string(let text): return .string(text)
    case .array(let elements): return .array(elements.map(\.json))
    case .object(let members): return .object(Self.distinct(members))
    }
  }

  /// Members whose key did not come before.
  static func first(_ members: [Member]) -> [Member] {
    var seen: Set<ExactText> = []
    return members.filter { seen.insert(ExactText($0.key)).inserted }
  }

  /// Members whose key came before.
  static func repeated(_ members: [Member]) -> [Member] {
    var seen: Set<ExactText> = []
    return members.filter { !seen.insert(ExactText($0.key)).inserted }
  }

  /// Members without those that a later one replaces; each is where its key came first.
  static func distinct(_ members: [Member]) -> [JSONValue.Member] {
    var indices: [ExactText: Int] = [:]
    var distinct: [JSONValue.Member] = []
    for member in members {
      if let index = indices[ExactText(member.key)] {
        distinct[index].value = member.value.json
      } else {
        indices[ExactText(member.key)] = distinct.count
        distinct.append(JSONValue.Member(member.key, member.value.json))
      }
    }
    return distinct
  }
}
