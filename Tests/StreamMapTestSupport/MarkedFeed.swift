import StreamMap

/// A feed as a test writes it: «…» marks the part that an error is about, and U+E000 to U+E0FF stand for the single
/// bytes 00 to FF, so that ill-formed UTF-8 can also be written.
struct MarkedFeed {
  private(set) var bytes: [UInt8] = []
  /// The marked ranges, in their order.
  private(set) var marks: [Range<Int>] = []

  init(_ text: String) {
    var start = 0
    for scalar in text.unicodeScalars {
      switch scalar {
      case "«": start = bytes.count
      case "»": marks.append(start..<bytes.count)
      case "\u{E000}"..."\u{E0FF}": bytes.append(UInt8(scalar.value & 0xFF))
      default: bytes += Array(String(scalar).utf8)
      }
    }
  }

  /// The address of a range, by counting.
  func position(_ range: Range<Int>) -> SourcePosition {
    Self.position(range, in: bytes)
  }

  static func position(_ range: Range<Int>, in bytes: [UInt8]) -> SourcePosition {
    let before = bytes[..<range.lowerBound]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return SourcePosition(
      bytes: range, line: before.count { $0 == 0x0A } + 1, column: range.lowerBound - lineStart + 1)
  }
}
