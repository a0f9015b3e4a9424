import Foundation

@testable import StreamMap

/// Random JSON texts and mappings that have some keys in common.
struct RandomCases {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static let keys = [
    "a", "b", "c", "d.e", "\u{E9}", "e\u{301}", "K", "\u{212A}", "a longer key", "a longer kex", "",
  ]

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  mutating func one<Element>(of list: [Element]) -> Element { list[below(list.count)] }

  // MARK: Texts

  mutating func space() -> String {
    below(6) > 0 ? "" : one(of: [" ", "\n", "\t", "\r\n", "  ", " \n "])
  }

  mutating func text(depth: Int = 0) -> String {
    let kind = below(depth > 5 ? 6 : 12)
    let value =
      switch kind {
      case 0: "null"
      case 1: one(of: ["true", "false"])
      case 2, 3: number()
      case 4, 5: string()
      case 6, 7: array(depth)
      default: objectText(depth)
      }
    return space() + value + space()
  }

  private mutating func array(_ depth: Int) -> String {
    // Arrays of one kind are what mappings look for.
    let count = one(of: [0, 1, 2, 3, 5])
    let same = below(2) == 0 ? text(depth: depth + 1) : nil
    return "[" + (0..<count).map { _ in same ?? text(depth: depth + 1) }.joined(separator: ",")
      + (count == 0 ? space() : "") + "]"
  }

  private mutating func objectText(_ depth: Int) -> String {
    let count = one(of: [0, 1, 2, 3, 4, 6])
    let members = (0..<count).map { _ in "\(space())\(key())\(space()):\(text(depth: depth + 1))" }
    return "{" + members.joined(separator: ",") + (count == 0 ? space() : "") + "}"
  }

  private mutating func key() -> String {
    let key = one(of: Self.keys)
    guard below(5) == 0 else { return "\"\(key)\"" }
    return "\"" + key.unicodeScalars.map { below(2) == 0 ? escape($0.value) : "\($0)" }.joined()
      + "\""
  }

  private func escape(_ value: UInt32) -> String {
    if value > 0xFFFF {
      let offset = value - 0x10000
      return escape(0xD800 + offset >> 10) + escape(0xDC00 + offset & 0x3FF)
    }
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  mutating func number() -> String {
    let sign = below(4) == 0 ? "-" : ""
    let whole =
      below(3) == 0 ? "0" : one(of: ["1", "7", "9"]) + random.digits(one(of: [0, 1, 2, 4, 9, 18]))
    let fraction = below(3) == 0 ? "." + random.digits(one(of: [1, 2, 5])) : ""
    let exponent =
      below(4) == 0
      ? one(of: ["e", "E"]) + one(of: ["", "+", "-"]) + one(of: ["0", "1", "2", "05"]) : ""
    return sign + whole + fraction + exponent
  }

  mutating func string() -> String {
    let parts = (0..<one(of: [0, 1, 2, 4, 12])).map { _ in
      switch below(9) {
      case 0: one(of: ["\\n", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\r", "\\t"])
      case 1: escape(one(of: [0, 0x1F, 0x20, 0xE9, 0x20AC, 0xFFFF, 0x1F600, 0x10FFFF]))
      case 2: one(of: ["\u{E9}", "e\u{301}", "K", "\u{212A}", "Σ", "€", "😀", "\u{7F}", "\u{2028}"])
      case 3: one(of: ["{", "}", "[", "]", ":", ",", "'"])
      case 4:
        one(of: ["2026-11-21T09:30:00Z", "01234567-89ab-cdef-0123-456789abcdef", "https://a.b/c?d"])
      default: one(of: ["a", "x", "12", " ", "null", "word"])
      }
    }
    return "\"" + parts.joined() + "\""
  }

  // MARK: Mutations

  /// A valid text, some of its values and keys replaced by others.
  mutating func damaged(_ text: String) -> String {
    guard let json = NaiveJSON(Array(text.utf8)) else { return text }
    return damaged(json, depth: 0)
  }

  private mutating func damaged(_ json: NaiveJSON, depth: Int) -> String {
    if below(depth == 0 ? 40 : 12) == 0 { return text(depth: 3) }
    switch json.value {
    case .array(let elements):
      var parts = elements.map { damaged($0, depth: depth + 1) }
      if below(12) == 0 { parts.insert(text(depth: 3), at: below(parts.count + 1)) }
      if below(12) == 0, !parts.isEmpty { parts.remove(at: below(parts.count)) }
      return "[" + parts.joined(separator: "," + space()) + "]"
    case .object(let members):
      var parts = members.map { member in
        let key = below(24) == 0 ? one(of: Self.keys) : member.key
        return "\(JSONValue.string(key)):\(damaged(member.value, depth: depth + 1))"
      }
      if below(10) == 0, !parts.isEmpty { parts.append(one(of: parts)) }
      if below(10) == 0, !parts.isEmpty { parts.remove(at: below(parts.count)) }
      if below(6) == 0 { parts.shuffle(using: &random) }
      return "{" + parts.joined(separator: "," + space()) + "}"
    default: return json.json.description
    }
  }

  mutating func mutated(_ text: [UInt8]) -> [UInt8] {
    var bytes = text
    for _ in 0..<one(of: [1, 1, 1, 2, 4]) {
      if bytes.isEmpty { return bytes }
      let index = below(bytes.count)
      switch below(6) {
      case 0: bytes.removeSubrange(index...)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(one(of: Array("{}[]:,\"\\ \n0-.eu/tfn\u{1E}".utf8)), at: index)
      case 3: bytes[index] ^= 1 << UInt8(below(8))
      case 4: bytes[index] = UInt8(below(256))
      default:
        let end = min(index + below(8), bytes.count)
        bytes.insert(contentsOf: bytes[index..<end], at: below(bytes.count))
      }
    }
    return bytes
  }
}
