/// Tells whether bytes are the same as before: 64 bits, by the steps of xxHash, against accidents and not against malice.
///
/// Any single change within eight bytes is always noticed: each step is one-to-one.
package struct Digest: Equatable {
  private static let first: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let second: UInt64 = 0xC2B2_AE3D_27D4_EB4F

  private var state = second
  /// The last bytes, while there are fewer than eight.
  private var word: UInt64 = 0
  private var count: UInt64 = 0

  package init() {}

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index < bytes.count {
      if count & 7 == 0, bytes.count - index >= 8 {
        let whole = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        state = Self.step(state, UInt64(littleEndian: whole))
        count &+= 8
        index += 8
      } else {
        word |= UInt64(bytes[index]) << (8 * (count & 7))
        count &+= 1
        index += 1
        if count & 7 == 0 {
          state = Self.step(state, word)
          word = 0
        }
      }
    }
  }

  package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

  /// Adds bytes in a way that separates them from the next ones.
  package mutating func add(part bytes: [UInt8]) {
    add(Array("\(bytes.count):".utf8))
    add(bytes)
  }

  /// Adds a text in a way that separates it from the next one.
  package mutating func add(_ text: String) { add(part: Array(text.utf8)) }

  package var text: String {
    var last = Self.step(state ^ count, word)
    last = (last ^ last >> 33) &* Self.second
    return String(last ^ last >> 29, radix: 16)
  }

  private static func step(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let sum = state &+ word &* second
    return (sum << 31 | sum >> 33) &* first
  }
}
