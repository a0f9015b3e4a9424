// Parts of a text, by its bytes: well-formed UTF-8. What else is given is read as something, never beyond its end.

extension UnsafeBufferPointer<UInt8> {
  /// The bytes from one offset to another, cut to what is there.
  @inline(__always)
  func part(_ from: Int, _ to: Int) -> UnsafeBufferPointer<UInt8> {
    let to = Swift.min(Swift.max(to, 0), count)
    return UnsafeBufferPointer(rebasing: self[Swift.min(Swift.max(from, 0), to)..<to])
  }

  // MARK: White space

  /// The length of the white space (Unicode's White_Space) that stands at an offset; 0 if something else does.
  @inline(__always)
  func whiteSpace(at index: Int) -> Int {
    let byte = self[index]
    if byte == 0x20 || byte &- 0x09 < 5 { return 1 }
    return byte < 0xC2 ? 0 : longWhiteSpace(at: index)
  }

  /// That of a scalar outside ASCII.
  @inline(never)
  private func longWhiteSpace(at index: Int) -> Int {
    let first = self[index]
    guard index &+ 1 < count else { return 0 }
    let second = self[index &+ 1]
    if first == 0xC2 { return second == 0x85 || second == 0xA0 ? 2 : 0 }
    guard index &+ 2 < count else { return 0 }
    let third = self[index &+ 2]
    let isSpace =
      switch (first, second) {
      case (0xE1, 0x9A): third == 0x80
      case (0xE2, 0x80): third <= 0x8A || third == 0xA8 || third == 0xA9 || third == 0xAF
      case (0xE2, 0x81): third == 0x9F
      case (0xE3, 0x80): third == 0x80
      default: false
      }
    return isSpace ? 3 : 0
  }

  /// Without white space at either end.
  var trimmed: UnsafeBufferPointer<UInt8> {
    var start = 0
    while start < count {
      let space = whiteSpace(at: start)
      if space == 0 { break }
      start &+= space
    }
    var end = count
    trail: while end > start {
      // The scalar before the end has at most three bytes, if it is white space.
      for length in 1...3 where end &- length >= start {
        if whiteSpace(at: end &- length) == length {
          end &-= length
          continue trail
        }
      }
      break
    }
    return part(start, end)
  }

  // MARK: Scalars

  /// How many Unicode scalars there are.
  package var scalarCount: Int {
    var scalars = 0
    for byte in self where byte & 0xC0 != 0x80 { scalars &+= 1 }
    return scalars
  }

  /// Where a scalar starts, or the nearest end; a negative number counts from the end.
  package func offset(ofScalar number: Int) -> Int {
    if number >= 0 {
      // No scalar is shorter than a byte.
      if number >= count { return count }
      var left = number
      for index in indices where self[index] & 0xC0 != 0x80 {
        if left == 0 { return index }
        left &-= 1
      }
      return count
    }
    var left = number
    for index in indices.reversed() where self[index] & 0xC0 != 0x80 {
      left &+= 1
      if left == 0 { return index }
    }
    return 0
  }

  // MARK: Occurrences

  /// Where a byte is first, from an offset on; nil if it is not.
  @inline(__always)
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard let base = baseAddress else { return nil }
    let raw = UnsafeRawPointer(base)
    var index = start
    while count &- index >= 8 {
      let hits = EightBytes(at: raw + index).places(of: byte)
      if hits != 0 { return index &+ hits.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    while index < count {
      if self[index] == byte { return index }
      index &+= 1
    }
    return nil
  }

  /// Where some bytes occur first, from an offset on; nil if they do not, or there are none to look for.
  func firstOccurrence(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let first = bytes.first else { return nil }
    let last = count &- bytes.count
    var index = start
    while index <= last, let found = firstIndex(of: first, from: index), found <= last {
      var length = 1
      while length < bytes.count, self[found &+ length] == bytes[length] { length &+= 1 }
      if length == bytes.count { return found }
      index = found &+ 1
    }
    return nil
  }

  /// Calls `body` with each part between occurrences of some bytes, and whether it is the last, until it returns false.
  func forEachPart(
    between separator: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>, _ isLast: Bool) -> Bool
  ) {
    var start = 0
    while let next = firstOccurrence(of: separator, from: start) {
      guard body(part(start, next), false) else { return }
      start = next &+ separator.count
    }
    _ = body(part(start, count), true)
  }

  func firstOccurrence(of bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { firstOccurrence(of: $0, from: start) }
  }

  func forEachPart(
    between separator: [UInt8], _ body: (UnsafeBufferPointer<UInt8>, _ isLast: Bool) -> Bool
  ) {
    separator.withUnsafeBufferPointer { forEachPart(between: $0, body) }
  }
}

/// Eight bytes of a text at once, in one 64-bit word.
struct EightBytes {
  let word: UInt64

  /// The caller ensures that there are eight bytes.
  @inline(__always)
  init(at start: UnsafeRawPointer) {
    word = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
  }

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// The high bits of the bytes outside ASCII.
  var outsideASCII: UInt64 { word & Self.highBits }

  /// The high bits of the places where a byte is.
  @inline(__always)
  func places(of byte: UInt8) -> UInt64 {
    let other = word ^ (Self.ones &* UInt64(byte))
    // The sum has the high bit of a byte if one of its other bits is set; nothing is carried to the next byte.
    return ~(((other & ~Self.highBits) &+ ~Self.highBits) | other) & Self.highBits
  }

  /// The high bits of the places of 26 letters of ASCII that follow each other.
  @inline(__always)
  func places(ofLettersFrom first: UInt8) -> UInt64 {
    let low = word & ~Self.highBits
    let fromFirst = low &+ (Self.ones &* UInt64(0x80 &- first))
    let afterLast = low &+ (Self.ones &* UInt64(0x80 &- first &- 26))
    return fromFirst & ~afterLast & ~word & Self.highBits
  }
}
