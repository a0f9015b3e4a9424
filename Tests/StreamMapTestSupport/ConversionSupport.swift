@testable import StreamMap

/// A small generator with a seed (SplitMix64), so that every run sees the same cases.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func digits(_ count: Int) -> String {
    String((0..<count).map { _ in Character(String(Int.random(in: 0...9, using: &self))) })
  }
}

/// A conversion of text that is given as a String.
func convert<Result>(
  _ text: String, _ conversion: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
  Array(text.utf8).withUnsafeBufferPointer(conversion)
}

/// The text that a conversion writes, or nil.
func written(_ write: (UnsafeMutablePointer<UInt8>) -> Int?) -> String? {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberToText.capacity) { buffer in
    guard let base = buffer.baseAddress, let count = write(base) else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}

/// A large natural number, slow and obvious.
struct Natural {
  /// Least significant first.
  private(set) var limbs: [UInt32]

  init(_ value: UInt64) { limbs = [UInt32(truncatingIfNeeded: value), UInt32(value >> 32)] }

  mutating func multiply(by factor: UInt32) {
    var carry: UInt64 = 0
    for index in limbs.indices {
      let product = UInt64(limbs[index]) * UInt64(factor) + carry
      limbs[index] = UInt32(truncatingIfNeeded: product)
      carry = product >> 32
    }
    if carry > 0 { limbs.append(UInt32(carry)) }
  }

  mutating func divide(by divisor: UInt32) -> UInt32 {
    var rest: UInt64 = 0
    for index in limbs.indices.reversed() {
      let value = rest << 32 | UInt64(limbs[index])
      limbs[index] = UInt32(value / UInt64(divisor))
      rest = value % UInt64(divisor)
    }
    while limbs.count > 1, limbs.last == 0 { limbs.removeLast() }
    return UInt32(rest)
  }

  func plus(_ other: Natural) -> Natural {
    var result = Natural(0)
    result.limbs = []
    var carry: UInt64 = 0
    for index in 0...max(limbs.count, other.limbs.count) {
      let a = index < limbs.count ? UInt64(limbs[index]) : 0
      let b = index < other.limbs.count ? UInt64(other.limbs[index]) : 0
      result.limbs.append(UInt32(truncatingIfNeeded: a + b + carry))
      carry = (a + b + carry) >> 32
    }
    return result
  }

  func times(_ other: Natural) -> Natural {
    var result = Natural(0)
    result.limbs = Array(repeating: 0, count: limbs.count + other.limbs.count + 1)
    for (index, limb) in limbs.enumerated() {
      var carry: UInt64 = 0
      for (offset, factor) in other.limbs.enumerated() {
        let sum = UInt64(limb) * UInt64(factor) + UInt64(result.limbs[index + offset]) + carry
        result.limbs[index + offset] = UInt32(truncatingIfNeeded: sum)
        carry = sum >> 32
      }
      result.limbs[index + other.limbs.count] = UInt32(carry)
    }
    return result
  }

  var bitCount: Int {
    guard let top = limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
    return top * 32 + 32 - limbs[top].leadingZeroBitCount
  }

  func bit(_ index: Int) -> Bool {
    index >= 0 && index / 32 < limbs.count && limbs[index / 32] >> UInt32(index % 32) & 1 == 1
  }

  var decimal: String {
    var rest = self
    var parts: [String] = []
    repeat {
      let part = String(rest.divide(by: 1_000_000_000))
      parts.append(String(repeating: "0", count: 9 - part.count) + part)
    } while rest.limbs != [0]
    let text = parts.reversed().joined().drop { $0 == "0" }
    return text.isEmpty ? "0" : String(text)
  }
}
