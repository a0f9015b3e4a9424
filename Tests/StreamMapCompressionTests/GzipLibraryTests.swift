import CCompression
import Testing

/// gzip has two libraries: what one writes the other reads, and a feed is the same by either.
@Suite("gzip by ISA-L and by zlib", .enabled(if: smc_has_isal(), "ISA-L is not on this system"))
struct GzipLibraryTests {
  @Test(arguments: 0..<60 as Range<UInt64>)
  func `random members give the same bytes by both, cut anywhere`(seed: UInt64) {
    var random = Random(state: seed)
    var text: [UInt8] = []
    var stream: [UInt8] = []
    for _ in 0..<random.below(4) {
      let part = random.text()
      text += part
      stream += Self.compressed(part, by: random.below(2) == 0 ? SMC_ISAL : SMC_ZLIB)
      if random.below(4) == 0 { stream += [UInt8](repeating: 0, count: random.below(9)) }
    }
    let pieces = (0..<10).map { _ in 1 + random.below(5000) }
    let room = 1 + random.below(70_000)
    for library in [SMC_ISAL, SMC_ZLIB] {
      let made = Self.decompressed(stream, by: library, pieces: pieces, room: room)
      #expect(made.bytes == text)
      #expect(made.status == SMC_FINE && made.read == stream.count)
      #expect(made.mayEnd == !stream.isEmpty)
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `all that zlib makes before damage, ISA-L makes, too, and neither takes it for sound`(
    seed: UInt64
  ) {
    var random = Random(state: seed)
    let text = random.text() + [1]
    var stream = Self.compressed(text, by: random.below(2) == 0 ? SMC_ISAL : SMC_ZLIB)
    // The header's flags and time say nothing of the text.
    stream[10 + random.below(stream.count - 10)] ^= 1 << random.below(8)
    let pieces = (0..<10).map { _ in 1 + random.below(5000) }
    let room = 1 + random.below(70_000)
    let slow = Self.decompressed(stream, by: SMC_ZLIB, pieces: pieces, room: room)
    let fast = Self.decompressed(stream, by: SMC_ISAL, pieces: pieces, room: room)
    #expect(fast.bytes.starts(with: slow.bytes.dropLast(3)))
    for made in [slow, fast] { #expect(made.status == SMC_DAMAGED || !made.mayEnd) }
  }

  @Test func `a member that is cut off is not at its end`() {
    let stream = Self.compressed(Array("a short text".utf8), by: SMC_ISAL)
    for count in 1..<stream.count {
      let made = Self.decompressed(
        Array(stream.prefix(count)), by: SMC_ISAL, pieces: [3], room: 100)
      #expect(made.status == SMC_FINE && !made.mayEnd)
    }
  }

  private static func compressed(_ text: [UInt8], by library: smc_library) -> [UInt8] {
    guard let encoder = smc_encoder_make(library) else { return [] }
    defer { smc_encoder_free(encoder) }
    let most = smc_encoder_bound(encoder, text.count)
    return [UInt8](unsafeUninitializedCapacity: most) { room, count in
      count = text.withUnsafeBufferPointer {
        smc_encode(encoder, $0.baseAddress, $0.count, room.baseAddress, most)
      }
    }
  }

  private struct Made {
    var bytes: [UInt8] = []
    var status = SMC_FINE
    var read = 0
    var mayEnd = false
  }

  private static func decompressed(
    _ stream: [UInt8], by library: smc_library, pieces: [Int], room: Int
  ) -> Made {
    var made = Made()
    guard let decoder = smc_decoder_make(library) else { return made }
    defer { smc_decoder_free(decoder) }
    var output = [UInt8](repeating: 0, count: room)
    var turn = 0
    while made.read < stream.count, made.status == SMC_FINE {
      let piece = Array(stream[made.read...].prefix(pieces[turn % pieces.count]))
      turn += 1
      var taken = 0
      var isFull = true
      while isFull || taken < piece.count, made.status == SMC_FINE {
        var (left, count) = (piece.count - taken, 0)
        made.status = piece.withUnsafeBufferPointer { piece in
          var next = piece.baseAddress.map { $0 + taken }
          return smc_decode(decoder, &next, &left, &output, room, &count)
        }
        made.bytes += output[..<count]
        taken = piece.count - left
        isFull = count == room
      }
      made.read += taken
    }
    made.mayEnd = smc_decoder_may_end(decoder)
    return made
  }

  /// Numbers that a seed decides on.
  private struct Random {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }

    /// A text that repeats itself much, little, or not at all.
    mutating func text() -> [UInt8] {
      let count = below(3) == 0 ? below(150_000) : below(2000)
      let symbols = [256, 2, 12][below(3)]
      return (0..<count).map { _ in UInt8(below(symbols)) }
    }
  }
}
