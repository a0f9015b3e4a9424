import CLinearPattern

/// A regular expression of a mapping file, matched in time linear in the text and in bounded memory, whatever the two are.
///
/// RE2 does it; its syntax is <https://github.com/google/re2/wiki/Syntax>. What cannot be matched in linear time it does
/// not have: references back, and looking around.
///
/// Invariant: what the pointer leads to is made once and not changed, and lives as long as this; RE2 may match with one
/// pattern on many threads.
final class LinearPattern: @unchecked Sendable {
  /// Why there is no pattern.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// For the program and for what is remembered between matches, in bytes.
  private static let memory = 8 << 20

  private let pattern: OpaquePointer

  /// Reads a pattern.
  init(_ text: String) throws(Fault) {
    var fault = sm_pattern_fault()
    var text = text
    let pattern = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sm_linear_pattern_make($0.baseAddress, $0.count, Self.memory, &fault)
      }
    }
    guard let pattern else { throw Fault(fault) }
    self.pattern = pattern
  }

  deinit {
    sm_linear_pattern_free(pattern)
  }

  /// Whether a text of UTF-8 matches: all of it, or any part.
  func matches(_ text: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> Bool {
    text.withMemoryRebound(to: CChar.self) {
      sm_linear_pattern_matches(pattern, $0.baseAddress, $0.count, isWhole)
    }
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
