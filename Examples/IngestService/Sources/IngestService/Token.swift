import Sodium

/// What the settings keep of a token: its hash, as `sha256:` and 64 hexadecimal digits.
///
/// Who reads the settings, or a copy of them, cannot send feeds. SHA-256 is enough, without salt and many rounds, because ``Token/make()``
/// draws 256 random bits: they are too many to try. A password that a person made up would need a slow hash such as Argon2.
struct TokenHash: Sendable, Hashable {
  private let bytes: [UInt8]

  /// The hash of a token that a client sends.
  init(of token: some Sequence<UInt8>) {
    let token = Array(token)
    var bytes = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    // It has no failure: it answers 0 for any bytes.
    crypto_hash_sha256(&bytes, token, UInt64(token.count))
    self.bytes = bytes
  }

  /// The hash that the settings write; nil if it is none.
  init?(written text: String) {
    let digits = Array(text.utf8)
    guard digits.starts(with: Self.prefix.utf8), digits.count == Self.prefix.utf8.count + 64 else {
      return nil
    }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits.dropFirst(Self.prefix.utf8.count) {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    self.bytes = bytes
  }

  /// As the settings write it.
  var written: String { Self.prefix + hexadecimal(bytes) }

  /// Whether two hashes are equal; how long it takes tells nothing about them.
  func isSame(as other: TokenHash) -> Bool {
    sodium_memcmp(bytes, other.bytes, bytes.count) == 0
  }

  private static let prefix = "sha256:"
}

/// The sub-command `IngestService token`.
enum Token {
  /// A new token: 256 random bits, as 64 hexadecimal digits.
  static func make() -> String { randomHexadecimal(bytes: 32) }
}

/// Random bytes of the system, as hexadecimal digits.
func randomHexadecimal(bytes count: Int) -> String {
  var generator = SystemRandomNumberGenerator()
  return hexadecimal((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
