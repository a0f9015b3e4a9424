import CLinearPattern

/// A regular expression, as of a mapping file, matched in time linear in the text and in bounded memory, whatever the two are.
///
/// RE2 does it; its syntax is <https://github.com/google/re2/wiki/Syntax>. It has nothing that cannot be matched in linear
/// time: no back-references, no look-around.
///
/// Invariant: what the pointer leads to is made once and not changed, and lives as long as this; RE2 may match with one
/// pattern on many threads.
package final class LinearPattern: @unchecked Sendable {
  /// Why there is no pattern.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// For the program and for what is remembered between matches, in bytes.
  private static let memory = 8 << 20

  private let pattern: OpaquePointer

  /// The names of its groups, in the order of the groups.
  let groups: [String]

  /// Reads a pattern.
  package init(_ text: String) throws(Fault) {
    var fault = sm_pattern_fault()
    var text = Self.withOldNames(text)
    let pattern = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sm_linear_pattern_make($0.baseAddress, $0.count, Self.memory, &fault)
      }
    }
    guard let pattern else { throw Fault(fault) }
    self.pattern = pattern
    groups = Self.names(of: pattern)
  }

  private static func names(of pattern: OpaquePointer) -> [String] {
    var names: [String] = []
    withUnsafeMutablePointer(to: &names) { names in
      sm_linear_pattern_names(pattern, names) { context, name in
        guard let context, let name else { return }
        context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
      }
    }
    return names
  }

  /// The pattern with `(?P<name>` for `(?<name>`: older versions of RE2 know only the first.
  private static func withOldNames(_ text: String) -> String {
    guard text.contains("(?<") else { return text }
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    var index = 0
    var isInClass = false
    while index < bytes.count {
      let byte = bytes[index]
      result.append(byte)
      index += 1
      switch byte {
      case UInt8(ascii: "\\") where index < bytes.count:
        result.append(bytes[index])
        index += 1
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "(") where !isInClass && index + 2 < bytes.count:
        let isNamed =
          bytes[index] == UInt8(ascii: "?") && bytes[index + 1] == UInt8(ascii: "<")
          && bytes[index + 2] != UInt8(ascii: "=") && bytes[index + 2] != UInt8(ascii: "!")
        if isNamed {
          result += Array("?P<".utf8)
          index += 2
        }
      default: break
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  deinit {
    sm_linear_pattern_free(pattern)
  }

  /// Whether a text of UTF-8 matches: all of it, or any part.
  package func matches(_ text: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> Bool {
    text.withMemoryRebound(to: CChar.self) {
      sm_linear_pattern_matches(pattern, $0.baseAddress, $0.count, isWhole)
    }
  }
}

extension LinearPattern {
  /// The most groups that can be asked for.
  static let mostGroups = 31

  /// How many groups there are, besides the whole match.
  var groupCount: Int { Int(sm_linear_pattern_group_count(pattern)) }

  /// Where the first match in a text of UTF-8 is: its first group, or all of it where there are no groups.
  ///
  /// Nil if there is no match, or the group took no part in it.
  func part(of text: UnsafeBufferPointer<UInt8>, group: Int) -> Range<Int>? {
    withUnsafeTemporaryAllocation(of: sm_pattern_span.self, capacity: 2) { spans in
      let isFound = text.withMemoryRebound(to: CChar.self) {
        sm_linear_pattern_find(
          pattern, $0.baseAddress, $0.count, 0, spans.baseAddress, Int32(group + 1))
      }
      return isFound ? Self.range(spans[group]) : nil
    }
  }

  /// The number of a group by its name; 0 if there is none.
  func number(ofGroup name: String) -> Int { Int(sm_linear_pattern_group(pattern, name)) }

  /// Where groups are in the first match that starts at a byte or later; nil if there is no match.
  func parts(of text: UnsafeBufferPointer<UInt8>, groups: [Int], from start: Int = 0) -> [Range<
    Int
  >?]? {
    let count = (groups.max() ?? 0) + 1
    return withUnsafeTemporaryAllocation(of: sm_pattern_span.self, capacity: count) { spans in
      let isFound = text.withMemoryRebound(to: CChar.self) {
        sm_linear_pattern_find(
          pattern, $0.baseAddress, $0.count, start, spans.baseAddress, Int32(count))
      }
      return isFound ? groups.map { Self.range(spans[$0]) } : nil
    }
  }

  /// The first match in a text, and after it its groups, nil for a group that took no part; nil if nothing matches.
  package func firstMatch(in text: String) -> [String?]? {
    var text = text
    return text.withUTF8 { text in
      parts(of: text, groups: Array(0...groupCount))?.map { range in
        range.map { String(decoding: text[$0], as: UTF8.self) }
      }
    }
  }

  private static func range(_ span: sm_pattern_span) -> Range<Int>? {
    span.start >= 0 && span.end >= span.start ? span.start..<span.end : nil
  }
}

extension LinearPattern.Fault {
  fileprivate init(_ fault: sm_pattern_fault) {
    var fault = fault
    let part = Self.text(&fault.part)
    let place = part.isEmpty ? "" : " at '\(part)'"
    description =
      switch fault.kind {
      case SM_PATTERN_REFERS_BACK:
        "it refers back to a group\(place), which cannot be matched in linear time"
      case SM_PATTERN_LOOKS_AROUND:
        "it looks ahead or behind\(place), which cannot be matched in linear time"
      case SM_PATTERN_TOO_LARGE: "it is too large: its repetitions multiply"
      default: Self.text(&fault.reason) + place
      }
  }

  /// The text in an array of C, which ends with a NUL.
  private static func text<Room>(_ room: inout Room) -> String {
    withUnsafeBytes(of: &room) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
