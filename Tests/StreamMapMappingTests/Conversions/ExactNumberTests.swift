import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Comparing numbers by their text, and their multiples, whatever their size and precision.
@Suite struct ExactNumberTests {
  private func order(_ text: String, _ limit: String) throws -> Int {
    let limit = try #require(ExactNumber(limit))
    var text = text
    return text.withUTF8 { limit.order(of: $0) }
  }

  private func isMultiple(_ text: String, of factor: String) throws -> Bool {
    let multiples = try #require(ExactNumber(factor).flatMap { NumberMultiples(of: $0) })
    var text = text
    return text.withUTF8 { multiples.contains($0) }
  }

  private static let zeros = String(repeating: "0", count: 998)

  /// From the least to the greatest; those of one row are the same number.
  private static let numbers = [
    ["-1e999999999", "-10e999999998"], ["-1" + zeros + "1"], ["-1" + zeros + "0.5"],
    ["-1" + zeros + "0", "-1e999"], ["-12.5", "-1.25e1", "-12.500"], ["-12"],
    ["-0.000001", "-1e-6"],
    ["-1e-999999999"], ["0", "-0", "0.0", "0e999999999", "-0.0e-7"], ["1e-999999999"],
    ["1e-7", "0.0000001", "0.1e-6"], ["1", "1.0", "10e-1", "1." + zeros], ["1." + zeros + "1"],
    ["1.5"], ["9007199254740992"], ["9007199254740993", "9007199254740993.0"],
    ["9999999999999999999"], ["10000000000000000000", "1e19"], ["10000000000000000001"],
    ["1e38"], ["1e38".replacing("e38", with: String(repeating: "0", count: 37) + "1")],
    ["1e999", "1" + zeros + "0"], ["1" + zeros + "1"], ["1e1000", "0.1e1001"],
    ["1e2000000"], ["1e3000000"], ["1e999999999"],
  ]

  @Test
  func `numbers are ordered by their values, however they are written`() throws {
    for (number, row) in Self.numbers.enumerated() {
      for (other, limits) in Self.numbers.enumerated() {
        for text in row {
          for limit in limits {
            let order = try order(text, limit)
            #expect(
              order.signum() == (number - other).signum(), "\(text.prefix(30)) \(limit.prefix(30))")
          }
        }
      }
    }
  }

  @Test
  func `numbers are equal with one hash where their values are the same`() throws {
    for row in Self.numbers {
      #expect(Set(row.compactMap { ExactNumber($0) }).count == 1)
      for text in row {
        var (text, other) = (text, row[0])
        #expect(text.withUTF8 { text in other.withUTF8 { ExactNumber.areEqual(text, $0) } })
      }
    }
    #expect(Set(Self.numbers.joined().compactMap { ExactNumber($0) }).count == Self.numbers.count)
    #expect(
      Self.numbers.joined().compactMap { ExactNumber($0) }.sorted().map(\.description).first
        == "-1e999999999")
  }

  @Test(arguments: ["", "-", "01", ".5", "1.", "1e", "0x1", "NaN", "1 "])
  func `a text that is not a number by RFC 8259 is refused`(_ text: String) {
    #expect(ExactNumber(text) == nil)
  }

  @Test(arguments: [
    ("0.3", "0.1", true), ("0.35", "0.1", false), ("-0.3", "0.1", true), ("0.3", "-0.1", true),
    ("0.30000000000000000000000000000000000000000000000000", "0.1", true),
    ("0.30000000000000000000000000000000000000000000000001", "0.1", false),
    ("0", "7", true), ("-0.0e5", "7", true), ("1e-999999999", "0.1", false),
    ("1e999999999", "8", true), ("1e999999999", "7", false), ("7e999999999", "7", true),
    ("3", "1e-999999999", true), ("3", "1e999999999", false), ("1e2", "8", false),
    ("1e3", "8", true),
    ("1000000000000000000000000000000000000000000000000", "1e48", true),
    ("1000000000000000000000000000000000000000000000001", "1e48", false),
    // 2^100, and 3 × 2^100.
    ("3802951800684688204490109616128", "1267650600228229401496703205376", true),
    ("3802951800684688204490109616127", "1267650600228229401496703205376", false),
    ("1e100", "1267650600228229401496703205376", true),
    ("1e99", "1267650600228229401496703205376", false),
    ("1e999999999", "1267650600228229401496703205376", true),
    ("1e999999999", "1267650600228229401496703205377", false),
    ("12345678901234567890123456789", "123456789012345678.90123456789", true),
    ("18446744073709551615", "4294967295", true), ("18446744073709551615", "4294967296", false),
  ])
  func `a multiple is recognised exactly, whatever its size and precision`(
    _ text: String, _ factor: String, _ isMultiple: Bool
  ) throws {
    #expect(try self.isMultiple(text, of: factor) == isMultiple)
  }

  @Test
  func `a product is a multiple of its factor, one more is not`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let a = UInt128.random(in: 2...(1 << 62), using: &random)
      let b = UInt128.random(in: 1...(1 << 62), using: &random)
      let shift = Int.random(in: -30...30, using: &random)
      #expect(try isMultiple("\(a * b)e\(shift)", of: "\(a)e\(shift)"))
      #expect(try !isMultiple("\(a * b + 1)e\(shift)", of: "\(a)e\(shift)"))
      #expect(try isMultiple("\(a * b)e\(shift + 3)", of: "\(a)e\(shift)"))
    }
  }

  @Test
  func `numbers of a thousand digits are divided by others as long`() throws {
    let factor = String(repeating: "9876543210", count: 100)
    #expect(try isMultiple(factor + String(repeating: "0", count: 500), of: factor))
    #expect(try isMultiple(factor + String(repeating: "0", count: 500) + "e999999999", of: factor))
    #expect(try !isMultiple(factor + String(repeating: "0", count: 499) + "1", of: factor))
    #expect(try isMultiple(factor + factor, of: "9876543210"))
    #expect(try !isMultiple(factor + factor + "1", of: "9876543210"))
  }
}
