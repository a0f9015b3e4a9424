#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts between a UUID and its 36 characters (RFC 9562, section 4).
enum UUIDText {
  /// The number of bytes in the text of a UUID.
  static let count = 36

  /// The UUID, or nil if the text is not 8-4-4-4-12 hexadecimal digits, in any case.
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
    let hyphen = UInt8(ascii: "-")
    guard text.count == count, text[8] == hyphen, text[13] == hyphen, text[18] == hyphen,
      text[23] == hyphen
    else { return nil }
    let raw = UnsafeRawBufferPointer(text)
    func eight(_ index: Int) -> UInt64 {
      UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }
    func four(_ index: Int) -> UInt64 {
      UInt64(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt32.self)))
    }
    // The digits between the hyphens, eight at a time.
    guard let first = fourBytes(eight(0)), let second = fourBytes(four(9) | four(14) &<< 32),
      let third = fourBytes(four(19) | four(24) &<< 32), let fourth = fourBytes(eight(28))
    else { return nil }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) {
      $0.storeBytes(of: (first | second &<< 32).littleEndian, as: UInt64.self)
      $0.storeBytes(
        of: (third | fourth &<< 32).littleEndian, toByteOffset: 8, as: UInt64.self)
    }
    return UUID(uuid: bytes)
  }

  /// The four bytes that eight hexadecimal digits spell, or nil if one is not such a digit.
  ///
  /// The first digit is in the lowest byte, and so is the first byte of the result.
  @inline(__always)
  private static func fourBytes(_ digits: UInt64) -> UInt64? {
    let high: UInt64 = 0x8080_8080_8080_8080
    let ones: UInt64 = 0x0101_0101_0101_0101
    // In every byte below 0x80, x + (0x80 - n) has its high bit set exactly if x >= n.
    guard digits & high == 0 else { return nil }
    let lower = digits | ones &* 0x20
    let isDecimal = (digits &+ ones &* (0x80 - 0x30)) & ~(digits &+ ones &* (0x80 - 0x3A)) & high
    let isLetter = (lower &+ ones &* (0x80 - 0x61)) & ~(lower &+ ones &* (0x80 - 0x67)) & high
    guard isDecimal | isLetter == high else { return nil }
    let values = (digits & (ones &* 0x0F)) &+ (isLetter &>> 7) &* 9
    // Join neighbours in every second byte, then move the results together.
    let joined = (values &<< 4 | values &>> 8) & 0x00FF_00FF_00FF_00FF
    let pairs = (joined | joined &>> 8) & 0x0000_FFFF_0000_FFFF
    return (pairs | pairs &>> 16) & 0x0000_0000_FFFF_FFFF
  }

  /// Writes the 36 characters, in upper case as Foundation does.
  static func write(_ uuid: UUID, into buffer: UnsafeMutablePointer<UInt8>) -> Int {
    let digits: StaticString = "0123456789ABCDEF"
    var index = 0
    withUnsafeBytes(of: uuid.uuid) { bytes in
      for (position, byte) in bytes.enumerated() {
        if position == 4 || position == 6 || position == 8 || position == 10 {
          buffer[index] = UInt8(ascii: "-")
          index &+= 1
        }
        buffer[index] = digits.utf8Start[Int(byte >> 4)]
        buffer[index &+ 1] = digits.utf8Start[Int(byte & 0x0F)]
        index &+= 2
      }
    }
    return index
  }
}
