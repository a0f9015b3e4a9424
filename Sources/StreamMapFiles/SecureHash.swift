import CSodium
import StreamMap

/// What makes a text of 64 hexadecimal digits of a text of any length; by libsodium.
///
/// `sodium_init` is not called: it opens the source of random numbers and chooses the fastest of several functions. What is used
/// here has one function, and takes no random numbers.
package enum SecureHash: String, CaseIterable {
  /// FIPS 180-4.
  case sha256

  fileprivate typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The bytes of the hash.
  private static let size = 32

  /// The hash of a text, as digits.
  package func digits(of text: [UInt8]) -> String {
    text.withUnsafeBufferPointer { text in
      let room = TextRoom()
      return String(decoding: hash(text, room), as: UTF8.self)
    }
  }

  /// The step that makes the hash of a text.
  var step: TextStep {
    .function(TextFunction("hash \(rawValue)") { text, room in hash(text, room) })
  }

  /// The step that makes the hash of a text with a key (RFC 2104), which is told apart from others by its name.
  func step(key: [UInt8], named name: String) -> TextStep {
    let keyed = Self.keyed(key)
    return .function(
      TextFunction("hmac \(rawValue) with \(name)") { text, room in
        Self.write(room) { hash in
          var state = keyed
          crypto_auth_hmacsha256_update(&state, text.baseAddress, UInt64(text.count))
          crypto_auth_hmacsha256_final(&state, hash)
        }
      })
  }

  private func hash(_ text: Bytes, _ room: TextRoom) -> Bytes {
    Self.write(room) { crypto_hash_sha256($0, text.baseAddress, UInt64(text.count)) }
  }

  /// What the hash of each text begins with: the key is read once.
  private static func keyed(_ key: [UInt8]) -> crypto_auth_hmacsha256_state {
    var state = crypto_auth_hmacsha256_state()
    key.withUnsafeBufferPointer { key in
      if let base = key.baseAddress { crypto_auth_hmacsha256_init(&state, base, key.count) }
    }
    return state
  }

  private static func write(_ room: TextRoom, _ make: (UnsafeMutablePointer<UInt8>) -> Void)
    -> Bytes
  {
    let result = room.next()
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { hash in
      guard let base = hash.baseAddress else { return }
      make(base)
      result.append(hex: Bytes(hash))
    }
    return result.text
  }
}
