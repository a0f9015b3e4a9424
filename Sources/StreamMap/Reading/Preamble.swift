/// What comes before the first value of a feed: it shows the encoding.
struct Preamble {
  /// What the first bytes say.
  enum Verdict: Equatable {
    /// More bytes are needed.
    case undecided
    /// UTF-8; this many bytes of a byte-order mark have to be passed over.
    case utf8(skip: Int)
    /// Another encoding, which has to be converted first.
    case other(String)
  }

  /// Finds the encoding by the first four bytes.
  ///
  /// JSON starts with an ASCII character, so a zero byte among the first four shows UTF-16 or UTF-32, with or without a
  /// byte-order mark.
  static func verdict(on bytes: some Collection<UInt8>, isFinal: Bool) -> Verdict {
    // Two bytes that are not zero and start no byte-order mark are enough: no record has to wait for more.
    var beginning = bytes.makeIterator()
    if let byte = beginning.next(), byte != 0, byte < 0xEF, let second = beginning.next(),
      second != 0
    {
      return .utf8(skip: 0)
    }
    let first = Array(bytes.prefix(4))
    guard first.count == 4 || isFinal else { return .undecided }
    if first.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8(skip: 3) }
    if first.starts(with: [0xFF, 0xFE, 0, 0]) { return .other("UTF-32 (little-endian)") }
    if first.starts(with: [0, 0, 0xFE, 0xFF]) { return .other("UTF-32 (big-endian)") }
    if first.starts(with: [0xFF, 0xFE]) { return .other("UTF-16 (little-endian)") }
    if first.starts(with: [0xFE, 0xFF]) { return .other("UTF-16 (big-endian)") }
    let zeros = first.map { $0 == 0 }
    if zeros.count >= 2 {
      if zeros == [true, true, true, false] { return .other("UTF-32 (big-endian)") }
      if zeros == [false, true, true, true] { return .other("UTF-32 (little-endian)") }
      if zeros[0] && !zeros[1] { return .other("UTF-16 (big-endian)") }
      if !zeros[0] && zeros[1] { return .other("UTF-16 (little-endian)") }
    }
    return .utf8(skip: 0)
  }
}
