import CCases

/// One input for all parsers.
struct Case {
  var bytes: [UInt8]
  var format: StreamFormat
  /// The number from which it can be made again, together with the seed.
  let round: UInt64
}

/// SplitMix64, as in the C generator.
struct Random: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64, _ round: UInt64) {
    state = seed
    state = next() ^ round
    state = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func one<Element>(of list: [Element]) -> Element { list[below(list.count)] }
}

/// Makes inputs: from the grammar, from pieces of real feeds, and from random tokens, intact and damaged.
struct CaseMaker {
  let seed: UInt64
  /// Small values of real feeds.
  let pieces: [[UInt8]]

  static let room = 4096

  /// Tokens whose random combinations come close to valid text: numbers, escapes, UTF-8, structure.
  private static let soups: [(open: String, close: String, tokens: [[UInt8]])] = [
    ("", "", texts("0 1 9 - + . e E 00 12 0.5 1e5 -0 E+ e- x 123456789012345678901234567890")),
    ("[", "]", texts("0 1 9 - + . e E 00 12 0.5 1e5 -0 , 1e400 -1e-400 NaN Infinity")),
    (
      "\"", "\"",
      texts(#"\ u d8 dc 00 3d \ud83d \ude00 \u \n \\ \" / x 0 F g \u0000 \uD800 \uDFFF \uFFFF é"#)
    ),
    (
      "\"", "\"",
      [0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xA0, 0x9F, 0xED, 0xEE, 0xEF, 0xF0, 0x90, 0x8F]
        .map { [$0] } + [[0xF4], [0xF5], [0xFF], [0x61], [0xC3, 0xA9], [0xE2, 0x82, 0xAC]]
        + [[0xF0, 0x9F, 0x98, 0x80], [0xEF, 0xBF, 0xBD], [0xEF, 0xBB, 0xBF], [0x1F], [0x7F]]
    ),
    (
      "", "",
      texts(#"{ } [ ] : , "a" "b" "" 1 true false null nul tru "a":1 {} [] // /* */ '"#)
        // Keys that are two, though Swift takes them for one.
        + texts(#""\#u{E9}" "e\#u{301}" "K" "\#u{212A}" "\#u{E9}":1, "e\#u{301}":2,"#)
        + [[0x20], [0x0A], [0x09], [0x0D], [0x1E], [0x0C], [0x00], [0xEF, 0xBB, 0xBF]]
    ),
    ("{\"a\":", "}", texts(#"{ } [ ] : , "a" "a": 1 true "" null {"a":1} [1] "items":[ "id":{"#)),
  ]

  private static func texts(_ words: String) -> [[UInt8]] {
    words.split(separator: " ").map { Array($0.utf8) }
  }

  func make(_ round: UInt64) -> Case {
    var random = Random(seed, round)
    let format = random.below(2) == 0 ? .json : random.one(of: StreamFormat.allCases)
    let bytes: [UInt8] =
      switch random.below(16) {
      case 0...4: feed(&random, format, isValid: random.below(3) == 0, size: 4 + random.below(16))
      case 5, 6: damaged(&random, piece(&random))
      case 7: Array(piece(&random).prefix(random.below(200)))
      case 8: truncated(&random, feed(&random, format, isValid: true, size: 10))
      case 9: joined(&random)
      case 10 where random.below(20) == 0: nested(&random)
      default: soup(&random)
      }
    return Case(bytes: bytes, format: format, round: round)
  }

  private func feed(_ random: inout Random, _ format: StreamFormat, isValid: Bool, size: Int)
    -> [UInt8]
  {
    [UInt8](unsafeUninitializedCapacity: Self.room) { buffer, count in
      count = cases_feed(
        &random.state, format.framing, isValid, Int32(size), buffer.baseAddress, Self.room)
    }
  }

  private func piece(_ random: inout Random) -> [UInt8] {
    pieces.isEmpty ? Array("{}".utf8) : random.one(of: pieces)
  }

  private func damaged(_ random: inout Random, _ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.room) { buffer, count in
      let length = min(bytes.count, Self.room)
      _ = buffer.update(fromContentsOf: bytes.prefix(length))
      count = cases_damage(&random.state, buffer.baseAddress, length, Self.room)
    }
  }

  private func truncated(_ random: inout Random, _ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.prefix(random.below(bytes.count + 1)))
  }

  private func joined(_ random: inout Random) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<1 + random.below(4) {
      bytes +=
        random.below(4) > 0
        ? feed(&random, .json, isValid: true, size: 5) : soup(&random)
      bytes += random.one(of: [[], [0x20], [0x0A], [0x0D, 0x0A], [0x1E], [0x0A, 0x1E], [0x2C]])
    }
    return bytes
  }

  private func soup(_ random: inout Random) -> [UInt8] {
    let soup = random.one(of: Self.soups)
    var bytes = random.below(8) == 0 ? [] : Array(soup.open.utf8)
    // Vector code works on blocks of 64 bytes.
    if random.below(6) == 0 { bytes += [UInt8](repeating: 0x20, count: random.below(70)) }
    for _ in 0..<1 + random.below(random.below(8) == 0 ? 40 : 7) {
      bytes += random.one(of: soup.tokens)
    }
    return bytes + (random.below(8) == 0 ? [] : Array(soup.close.utf8))
  }

  /// A value whose depth is around the limit.
  private func nested(_ random: inout Random) -> [UInt8] {
    let depth = 505 + random.below(15)
    var opened: [UInt8] = []
    var closed: [UInt8] = []
    for _ in 0..<depth {
      let isObject = random.below(4) == 0
      opened += isObject ? Array("{\"a\":".utf8) : [0x5B]
      closed.append(isObject ? 0x7D : 0x5D)
    }
    return opened + [0x31] + closed.reversed().dropFirst(random.below(8) == 0 ? 1 : 0)
  }
}
