/// Finds which of a fixed set of keys a key is, without allocating, in constant time.
///
/// It uses open addressing at a load of at most a quarter, over one flat block. The plan's keys are few and known beforehand; the
/// feed does not choose them, so it cannot make the table slow. A guess comes first: feeds repeat the order of their keys, so the
/// key after the last one found is tried before anything is hashed.
final class KeyTable: Sendable {
  private struct Entry: BitwiseCopyable {
    var offset: UInt32 = 0
    var length: UInt32 = .max
    var value: Int32 = KeyTable.absent
    /// The index in the order of the keys, for the guess.
    var order: Int32 = -1
  }

  /// The result of a look-up for a key that is not in the table.
  static let absent: Int32 = -1

  // Invariant: the three blocks are written only in `init` and live as long as the table. `slots.count` is a power of two.
  // `ordered` holds the entries in the order given.
  private nonisolated(unsafe) let slots: UnsafeMutableBufferPointer<Entry>
  private nonisolated(unsafe) let ordered: UnsafeMutableBufferPointer<Entry>
  private nonisolated(unsafe) let bytes: UnsafeMutableBufferPointer<UInt8>

  /// A table of these keys (each once), with the number that each stands for.
  init(_ keys: [(key: String, value: Int32)]) {
    var size = 4
    while size < keys.count * 4 { size *= 2 }
    slots = .allocate(capacity: size)
    slots.initialize(repeating: Entry())
    ordered = .allocate(capacity: keys.count)
    bytes = .allocate(capacity: keys.reduce(0) { $0 + $1.key.utf8.count })
    var end = 0
    for (order, item) in keys.enumerated() {
      let start = end
      for byte in item.key.utf8 {
        bytes.initializeElement(at: end, to: byte)
        end += 1
      }
      let entry = Entry(
        offset: UInt32(start), length: UInt32(end - start), value: item.value, order: Int32(order))
      ordered.initializeElement(at: order, to: entry)
      var slot = Self.hash(UnsafeBufferPointer(rebasing: bytes[start..<end])) & (size - 1)
      while slots[slot].length != .max { slot = (slot + 1) & (size - 1) }
      slots[slot] = entry
    }
  }

  deinit {
    slots.deallocate()
    ordered.deallocate()
    bytes.deallocate()
  }

  /// The number the key stands for, or ``absent``.
  ///
  /// - Parameters:
  ///   - key: The key after unescaping.
  ///   - guess: The place in the order of the keys to try first; it is set to the place after the key found.
  /// - Returns: Its number, or ``absent``.
  func find(_ key: UnsafeBufferPointer<UInt8>, guess: inout Int32) -> Int32 {
    if guess < ordered.count, matches(ordered[Int(guess)], key) {
      let value = ordered[Int(guess)].value
      guess += 1
      return value
    }
    let mask = slots.count - 1
    var slot = Self.hash(key) & mask
    while slots[slot].length != .max {
      if matches(slots[slot], key) {
        guess = slots[slot].order + 1
        return slots[slot].value
      }
      slot = (slot + 1) & mask
    }
    return Self.absent
  }

  private func matches(_ entry: Entry, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    guard Int(entry.length) == key.count, let given = key.baseAddress, let own = bytes.baseAddress
    else {
      return Int(entry.length) == key.count
    }
    return Self.areEqual(own + Int(entry.offset), given, key.count)
  }

  private static func areEqual(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int)
    -> Bool
  {
    let a = UnsafeRawPointer(a)
    let b = UnsafeRawPointer(b)
    if count >= 8 {
      var offset = 0
      while offset + 8 <= count {
        if word(a, offset) != word(b, offset) { return false }
        offset += 8
      }
      return word(a, count - 8) == word(b, count - 8)
    }
    for offset in 0..<count
    where a.load(fromByteOffset: offset, as: UInt8.self)
      != b.load(fromByteOffset: offset, as: UInt8.self)
    {
      return false
    }
    return true
  }

  private static func word(_ pointer: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    pointer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// Length, first eight and last eight bytes.
  private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> Int {
    guard let base = key.baseAddress else { return 0 }
    let raw = UnsafeRawPointer(base)
    var first: UInt64 = 0
    var last: UInt64 = 0
    if key.count >= 8 {
      first = word(raw, 0)
      last = word(raw, key.count - 8)
    } else {
      for byte in key { first = first << 8 | UInt64(byte) }
    }
    let mixed =
      (first ^ (last &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(key.count)) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 33)
  }
}
