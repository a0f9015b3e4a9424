import Testing

@testable import StreamMap

/// Keys are found by all their bytes, whatever is tried first.
@Suite struct KeyTableTests {
  private func find(_ key: String, in table: KeyTable, guess: Int32 = 0) -> Int32 {
    var guess = guess
    return Array(key.utf8).withUnsafeBufferPointer { table.find($0, guess: &guess) }
  }

  private func check(_ keys: [String], absent: [String]) {
    let table = KeyTable(keys.enumerated().map { ($1, Int32($0 * 3)) })
    for (order, key) in keys.enumerated() {
      for guess in [0, order, order + 1, keys.count, keys.count + 5] {
        #expect(find(key, in: table, guess: Int32(guess)) == Int32(order * 3), "\(key)")
      }
    }
    for key in absent where !keys.contains(key) {
      for guess in [0, keys.count / 2, keys.count] {
        #expect(find(key, in: table, guess: Int32(guess)) == KeyTable.absent, "\(key)")
      }
    }
  }

  @Test func `a table of few keys finds just its own`() {
    check([""], absent: ["a", " "])
    check(["a"], absent: ["", "b", "aa"])
    check(["a", "", "aa"], absent: ["aaa", "b"])
    check([], absent: ["", "a"])
  }

  @Test func `keys of every length are found and others are not`() {
    let keys = (0...40).map { String(repeating: "k", count: $0) }
    check(
      keys,
      absent: keys.map { $0 + "x" } + keys.map { "x" + $0 } + [String(repeating: "k", count: 41)])
  }

  /// One byte differs, at each place: in the middle of long keys, too, which the hash does not see.
  @Test func `keys that differ in a single byte are told apart`() {
    for length in [1, 7, 8, 9, 15, 16, 17, 24, 31] {
      let base = Array(repeating: UInt8(ascii: "m"), count: length)
      let keys = (0..<length).map { place -> String in
        var key = base
        key[place] = UInt8(ascii: "n")
        return String(decoding: key, as: UTF8.self)
      }
      check(
        keys,
        absent: [String(decoding: base, as: UTF8.self), String(repeating: "n", count: length)])
    }
  }

  @Test func `a table of two thousand similar keys finds each`() {
    let keys = (0..<2000).map { "key_\($0)_of_many_with_the_same_prefix_and_the_same_end" }
    check(
      keys, absent: (2000..<2100).map { "key_\($0)_of_many_with_the_same_prefix_and_the_same_end" })
  }

  @Test func `the guess follows the order of the keys found`() {
    let table = KeyTable([("a", 0), ("b", 1), ("c", 2)])
    var guess: Int32 = 0
    for (key, next) in [("a", 1), ("b", 2), ("x", 2), ("c", 3), ("a", 1), ("c", 3)]
      as [(String, Int32)]
    {
      _ = Array(key.utf8).withUnsafeBufferPointer { table.find($0, guess: &guess) }
      #expect(guess == next, "\(key)")
    }
  }

  @Test func `keys beyond ASCII are compared by their bytes`() {
    // Compared by bytes: the two forms of é are two keys.
    check(["é", "e\u{301}x", "日本語", "😀😀😀"], absent: ["e\u{301}", "日本", "😀😀"])
  }
}
