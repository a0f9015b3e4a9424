import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct NumberToTextTests {
  @Test func `integers of every size are written in plain digits`() {
    func check<Value: FixedWidthInteger>(_ value: Value) {
      #expect(written { NumberToText.write(value, into: $0) } == "\(value)")
    }
    check(Int8.min)
    check(UInt8.max)
    check(Int64.min)
    check(Int64.max)
    check(UInt64.max)
    check(Int128.min)
    check(Int128.max)
    check(UInt128.max)
    check(UInt128(UInt64.max) + 1)
    var power: UInt128 = 1
    for _ in 0..<38 {
      check(power)
      check(power - 1)
      check(power + 1)
      power *= 10
    }
    var random = SeededGenerator(seed: 5)
    for _ in 0..<5000 {
      let shift = UInt64.random(in: 0...63, using: &random)
      check(Int64(bitPattern: random.next()) >> shift)
      check(random.next() >> shift)
      check(UInt128(random.next()) * UInt128(random.next()))
    }
  }

  @Test(arguments: [
    (0.0, "0.0"), (-0.0, "-0.0"), (5, "5.0"), (-5, "-5.0"), (0.1, "0.1"), (1e20, "1e+20"),
    (9_007_199_254_740_992, "9007199254740992.0"), (1e16, "1e+16"), (1.5e-7, "1.5e-07"),
    (Double.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
  ])
  func `a Double is written as its Swift description`(value: Double, text: String) {
    #expect(written { NumberToText.write(value, into: $0) } == text)
  }

  @Test func `NaN and the infinities have no text`() {
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(written { NumberToText.write(value, into: $0) } == nil)
      #expect(written { NumberToText.write(Float(value), into: $0) } == nil)
    }
  }

  @Test func `random Doubles and Floats come back from their text bit for bit`() throws {
    var random = SeededGenerator(seed: 6)
    for round in 0..<10_000 {
      let bits = random.next()
      let double =
        round % 2 == 0 ? Double(bitPattern: bits) : Double(Int64(bitPattern: bits) >> (bits & 63))
      if double.isFinite {
        let text = try #require(written { NumberToText.write(double, into: $0) })
        #expect(text == double.description)
        #expect(convert(text, NumberText.double)?.bitPattern == double.bitPattern)
      }
      let float =
        round % 2 == 0 ? Float(bitPattern: UInt32(truncatingIfNeeded: bits)) : Float(bits >> 40)
      if float.isFinite {
        let text = try #require(written { NumberToText.write(float, into: $0) })
        #expect(text == float.description)
        #expect(convert(text, NumberText.float)?.bitPattern == float.bitPattern)
      }
    }
  }
}
