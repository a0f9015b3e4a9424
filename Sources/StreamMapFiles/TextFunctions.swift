import StreamMap
import StreamMapPlatform

/// Texts in other notations: base64 (RFC 4648), hexadecimal digits, percent-encoding (RFC 3986).
enum TextNotation: String, CaseIterable {
  case base64Encode = "base64_encode"
  case base64Decode = "base64_decode"
  case hexEncode = "hex_encode"
  case hexDecode = "hex_decode"
  case urlEncode = "url_encode"
  case urlDecode = "url_decode"

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  var step: TextStep {
    .function(
      TextFunction(rawValue) { text, room throws(ConversionFailure) in
        let result = room.next()
        switch self {
        case .base64Encode: Self.encodeBase64(text, result)
        case .hexEncode: result.append(hex: text)
        case .urlEncode: Self.encodePercent(text, result)
        case .base64Decode:
          try Self.append(Self.decodedBase64(text), result, "a text in base64 that is UTF-8")
        case .hexDecode:
          try Self.append(
            Self.decodedHex(text), result, "a text in hexadecimal digits that is UTF-8")
        case .urlDecode:
          try Self.append(
            PercentText.decoded(text, plusIsSpace: false), result,
            "a text in percent-encoding that is UTF-8")
        }
        return result.text
      })
  }

  private static func append(_ bytes: [UInt8]?, _ result: TextRoom.Bytes, _ expected: String)
    throws(ConversionFailure)
  {
    guard let bytes, String(validating: bytes, as: UTF8.self) != nil else {
      throw ConversionFailure(expected: expected)
    }
    result.append(bytes)
  }

  private static func encodeBase64(_ text: Bytes, _ result: TextRoom.Bytes) {
    result.append(Array(Data(text).base64EncodedString().utf8))
  }

  /// Either alphabet; that of URLs may be without padding.
  private static func decodedBase64(_ text: Bytes) -> [UInt8]? {
    let text = String(decoding: text, as: UTF8.self)
    let data =
      (try? Conversion<String, Data>.base64.forward(text))
      ?? (try? Conversion<String, Data>.base64URL.forward(text))
    return data.map { Array($0) }
  }

  // MARK: Digits

  private static func decodedHex(_ text: Bytes) -> [UInt8]? {
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = HexDigit.value(text[index]), let low = HexDigit.value(text[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func encodePercent(_ text: Bytes, _ result: TextRoom.Bytes) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.append(byte)
      default:
        result.append(UInt8(ascii: "%"))
        result.append(HexDigit.upper(byte >> 4))
        result.append(HexDigit.upper(byte & 15))
      }
    }
  }
}

/// The parts of a URL or a reference (RFC 3986, appendix B), as they are written.
enum URLPart: String, CaseIterable {
  case scheme, user, host, port, path, query, fragment

  var step: TextStep {
    let expected = "a URL with a \(rawValue)"
    return .function(
      TextFunction("\(rawValue) of a URL") { text, _ throws(ConversionFailure) in
        guard let part = self.part(of: text) else { throw ConversionFailure(expected: expected) }
        return UnsafeBufferPointer(rebasing: part)
      })
  }

  private typealias Part = Slice<UnsafeBufferPointer<UInt8>>

  private func part(of text: UnsafeBufferPointer<UInt8>) -> Part? {
    var rest = text[...]
    let fragment = Self.cut(&rest, at: "#")
    let query = Self.cut(&rest, at: "?")
    var scheme: Part?
    let stop = rest.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
    if let stop, rest[stop] == UInt8(ascii: ":"), stop > rest.startIndex {
      scheme = rest[..<stop]
      rest = rest[(stop + 1)...]
    }
    var authority: Part?
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = rest[..<end]
      rest = rest[end...]
    }
    switch self {
    case .scheme: return scheme
    case .path: return rest
    case .query: return query
    case .fragment: return fragment
    case .user, .host, .port: return authority.flatMap(inside)
    }
  }

  /// What is after a sign, which is taken off with it; nil if the sign is not there.
  private static func cut(_ text: inout Part, at sign: Unicode.Scalar) -> Part? {
    guard let place = text.firstIndex(of: UInt8(ascii: sign)) else { return nil }
    defer { text = text[..<place] }
    return text[(place + 1)...]
  }

  /// The user, the host or the port of an authority; an address of IPv6 is without its brackets.
  private func inside(_ authority: Part) -> Part? {
    var host = authority
    var user: Part?
    if let at = host.lastIndex(of: UInt8(ascii: "@")) {
      user = host[..<at]
      host = host[(at + 1)...]
    }
    var port: Part?
    let end = host.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex
    if let colon = host[end...].lastIndex(of: UInt8(ascii: ":")) {
      port = host[(colon + 1)...]
      host = host[..<colon]
    }
    if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
      host = host.dropFirst().dropLast()
    }
    switch self {
    case .user: return user
    case .port: return port?.isEmpty == true ? nil : port
    default: return host.isEmpty ? nil : host
    }
  }
}

extension TextStep {
  /// A text whose characters are replaced by `*`: all but so many at the end or, if the number is negative, at the start.
  static func mask(_ shown: Int) -> TextStep {
    .function(
      TextFunction("mask all but \(shown)") { text, room in
        let most = Int(clamping: shown.magnitude)
        let hidden = max(0, text.scalarCount - most)
        let result = room.next()
        if shown < 0 {
          let end = text.offset(ofScalar: most)
          result.append(UnsafeBufferPointer(rebasing: text[..<end]))
          result.append(UInt8(ascii: "*"), times: hidden)
        } else {
          // A negative number counts from the end.
          let start = shown == 0 ? text.count : text.offset(ofScalar: -most)
          result.append(UInt8(ascii: "*"), times: hidden)
          result.append(UnsafeBufferPointer(rebasing: text[start...]))
        }
        return result.text
      })
  }
}

/// What takes the place of each match of a pattern: texts, and groups.
struct PatternReplacement {
  private enum Piece {
    case text([UInt8])
    case group(Int)
    /// What a table has for a group; where it has nothing, the match stays.
    case entry(LookupTable, ofGroup: Int)
  }

  /// Why a text is no replacement.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private let pattern: LinearPattern
  private let pieces: [Piece]
  private let groups: [Int]
  private let name: String

  /// In the replacement `$0` is the match, `$1`, `${1}` or `${name}` a group, `$$` a dollar sign.
  ///
  /// - Throws: ``Fault`` for what stands after a dollar sign and is none of these.
  init(_ text: String, _ pattern: LinearPattern, _ replacement: String) throws(Fault) {
    self.pattern = pattern
    name = "replace matches of '\(text)' by '\(replacement)'"
    var pieces: [Piece] = []
    var rest = Array(replacement.utf8)[...]
    var plain: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "$") else {
        if byte == UInt8(ascii: "\\"), let digit = rest.first, digit &- UInt8(ascii: "0") < 10 {
          let number = digit - UInt8(ascii: "0")
          throw Fault(description: "a group is written $\(number), not \\\(number)")
        }
        plain.append(byte)
        continue
      }
      if rest.first == UInt8(ascii: "$") {
        rest.removeFirst()
        plain.append(byte)
        continue
      }
      pieces += [.text(plain), .group(try Self.group(&rest, pattern))]
      plain = []
    }
    self.pieces = pieces + [.text(plain)]
    groups = Array(0...pattern.groupCount)
    if pattern.groupCount > LinearPattern.mostGroups {
      throw Fault(description: "at most \(LinearPattern.mostGroups) groups can be taken")
    }
  }

  /// In the place of a match comes what a table has for its first group, or for the whole match if there is no group.
  ///
  init(_ text: String, _ pattern: LinearPattern, _ lookup: LookupSpec) {
    self.pattern = pattern
    name = "replace matches of '\(text)' by the table \(lookup.name)"
    pieces = [.entry(lookup.table, ofGroup: min(pattern.groupCount, 1))]
    groups = Array(0...min(pattern.groupCount, 1))
  }

  private static func group(_ rest: inout ArraySlice<UInt8>, _ pattern: LinearPattern) throws(Fault)
    -> Int
  {
    if let digit = rest.first, digit &- UInt8(ascii: "0") < 10 {
      rest.removeFirst()
      let number = Int(digit - UInt8(ascii: "0"))
      if number <= pattern.groupCount { return number }
      throw Fault(description: "the pattern has no group \(number)")
    }
    guard rest.first == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
      throw Fault(description: "'$' has to be followed by a digit or {name}; a dollar sign is '$$'")
    }
    let name = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
    rest = rest[(end + 1)...]
    // `${1}0` is the first group and a zero.
    if let number = Int(name), name.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) {
      if number <= pattern.groupCount { return number }
      throw Fault(description: "the pattern has no group \(number)")
    }
    let number = pattern.number(ofGroup: name)
    if number > 0 { return number }
    throw Fault(description: "the pattern has no group named '\(name)'")
  }

  /// Each match, from the start on, is replaced; an empty one not right after another.
  var step: TextStep {
    .function(
      TextFunction(name) { text, room in
        let result = room.next()
        var (rest, place, last) = (0, 0, -1)
        while place <= text.count, let found = pattern.parts(of: text, groups: groups, from: place),
          let match = found[0]
        {
          if match.isEmpty, match.lowerBound == last {
            place = Self.next(after: match.lowerBound, in: text)
            continue
          }
          result.append(UnsafeBufferPointer(rebasing: text[rest..<match.lowerBound]))
          for piece in pieces {
            switch piece {
            case .text(let bytes): result.append(bytes)
            case .group(let number):
              if let part = found[number] {
                result.append(UnsafeBufferPointer(rebasing: text[part]))
              }
            case .entry(let table, let number):
              let entry = found[number].flatMap {
                table.value(of: UnsafeBufferPointer(rebasing: text[$0]))
              }
              result.append(entry ?? UnsafeBufferPointer(rebasing: text[match]))
            }
          }
          rest = match.upperBound
          last = match.upperBound
          place = match.isEmpty ? Self.next(after: match.upperBound, in: text) : match.upperBound
          // What is that long is an error.
          if result.count > TextSteps.longest, result.count > text.count { break }
        }
        result.append(UnsafeBufferPointer(rebasing: text[rest...]))
        return result.text
      })
  }

  /// The start of the character after the one at a place.
  private static func next(after place: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var next = place + 1
    while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }
}
