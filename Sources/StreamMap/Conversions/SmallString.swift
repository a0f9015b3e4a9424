import CText

/// Makes Strings of up to fifteen bytes, which hold their text themselves, without a call of the standard library.
///
/// Such a String is sixteen bytes: its text, zeros after it, and in the last byte the count and whether all text is ASCII. Nothing
/// promises this layout. So it is compared once with the Strings that the standard library makes; where it is another, this makes
/// none.
///
/// PERF: 8 ns less for a word. Most strings of feeds are that short: levels, methods, tags, languages.
enum SmallString {
  static let mostBytes = 15

  private typealias Words = (low: UInt64, high: UInt64)

  /// The String of well-formed UTF-8; nil if it is too long, or the layout is not known.
  @inline(__always)
  static func make(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.count <= mostBytes,
      sm_get_small_strings() == SM_SMALL_STRINGS_KNOWN || isKnownNow()
    else { return nil }
    return unsafeBitCast(words(of: UnsafeRawBufferPointer(bytes)), to: String.self)
  }

  /// Whether Strings have this layout here; the first call looks at it.
  @inline(never)
  private static func isKnownNow() -> Bool {
    if sm_get_small_strings() == SM_SMALL_STRINGS_UNSEEN {
      sm_set_small_strings(isLayoutOfStrings ? SM_SMALL_STRINGS_KNOWN : SM_SMALL_STRINGS_OTHER)
    }
    return sm_get_small_strings() == SM_SMALL_STRINGS_KNOWN
  }

  /// Whether the standard library makes the same of all samples.
  private static var isLayoutOfStrings: Bool {
    guard MemoryLayout<String>.size == MemoryLayout<Words>.size, 1.littleEndian == 1 else {
      return false
    }
    return samples.allSatisfy { sample in
      let made = unsafeBitCast(String(decoding: sample, as: UTF8.self), to: Words.self)
      return sample.withUnsafeBytes { words(of: $0) } == made
    }
  }

  /// Texts of each length, with letters outside ASCII and without.
  private static var samples: [[UInt8]] {
    (0...mostBytes).map { (1...UInt8(16)).prefix($0).map { $0 &* 7 } }
      + (2...mostBytes).map { [UInt8](repeating: 0x7F, count: $0 - 2) + [0xC3, 0xA9] }
  }

  @inline(__always)
  private static func words(of bytes: UnsafeRawBufferPointer) -> Words {
    let count = bytes.count
    var text: Words = (0, 0)
    // Loads that overlap: each byte that is read is of the text.
    if count >= 8 {
      text.low = bytes.loadUnaligned(as: UInt64.self)
      let last = bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      text.high = (last >> 8) &>> UInt64(truncatingIfNeeded: 8 &* (15 &- count))
    } else if count >= 4 {
      let last = UInt64(bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      text.low = UInt64(bytes.loadUnaligned(as: UInt32.self)) | last &<< shift(count &- 4)
    } else if count > 0 {
      let middle = count / 2
      text.low =
        UInt64(bytes[0]) | UInt64(bytes[middle]) &<< shift(middle)
        | UInt64(bytes[count &- 1]) &<< shift(count &- 1)
    }
    let isASCII = (text.low | text.high) & 0x8080_8080_8080_8080 == 0
    text.high |= (UInt64(truncatingIfNeeded: count) | (isASCII ? 0xE0 : 0xA0)) &<< 56
    return text
  }

  /// By how many bits a byte at this place is moved.
  @inline(__always)
  private static func shift(_ place: Int) -> UInt64 { UInt64(truncatingIfNeeded: place &* 8) }
}
