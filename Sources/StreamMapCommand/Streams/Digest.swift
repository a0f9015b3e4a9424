/// Tells whether bytes are the same as before: FNV-1a in 64 bits, against accidents and not against malice.
struct Digest: Equatable {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  /// Adds a text so that it does not run into the next one.
  mutating func add(_ text: String) {
    add("\(text.utf8.count):".utf8)
    add(text.utf8)
  }

  var text: String { String(state, radix: 16) }
}
