import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct NumberTextDoubleTests {
  /// Compares with the standard library's parser, bit by bit; too large is nil or infinity.
  private func check(_ text: String) -> Bool {
    let double = Double(text).flatMap { $0.isFinite ? $0.bitPattern : nil }
    let float = Float(text).flatMap { $0.isFinite ? $0.bitPattern : nil }
    return convert(text, NumberText.double)?.bitPattern == double
      && convert(text, NumberText.float)?.bitPattern == float
  }

  @Test(arguments: [
    "0", "-0", "0.0", "-0.0", "0e0", "0e99999999", "-0e-99999999", "0.000e+5", "1", "-1", "1.5",
    "0.1", "12.345678", "1e3", "1E3", "1e+3", "1e-3", "1.0e00003", "123456789012345678",
    "1234567890123456789", "12345678901234567890", "18446744073709551615", "18446744073709551616",
    "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740994",
    "9007199254740993.0000000000000000000000001", "9007199254740992.9999999999999999999999",
    "0.5000000000000000000000000000001", "1.00000000000000011102230246251565404236316680908203125",
    "1.00000000000000011102230246251565404236316680908203124",
    "1.00000000000000011102230246251565404236316680908203126", "2.2250738585072011e-308",
    "2.2250738585072014e-308", "2.2250738585072012e-308", "4.9406564584124654e-324",
    "2.4703282292062327e-324", "2.4703282292062328e-324", "2.47032822920623272088e-324",
    "1e-323", "1e-324", "1e-400", "1e-99999999999999999999999", "1.7976931348623157e308",
    "1.7976931348623158e308", "1.7976931348623159e308", "179769313486231580793e289", "1e308",
    "1e309", "1e400", "-1e400", "1e99999999999999999999999", "3.4028234664e38", "3.4028235678e38",
    "1.4012984643e-45", "7.006492321624085e-46", "7.006492321624086e-46", "1.17549428e-38",
    "16777217", "16777216.99999999", "16777217.0000000001", "0.000000000000000000000000000001",
    "0.00000000000000000000000000000000000000000000001e47", "8.5899345921e9", "6.02214076e23",
    "7.2057594037927933e16", "1090544144181609348671888949248", "1090544144181609348835077142190",
    "9214843084008499", "30078505129381147446200", "1777820000000000000001",
  ])
  func `a text is the Double and Float of the standard library`(text: String) {
    #expect(check(text))
  }

  @Test func `thousands of zeros that undo the exponent leave the number exact`() {
    let zeros = String(repeating: "0", count: 5000)
    #expect(convert("0.\(zeros)125e5001", NumberText.double) == 1.25)
    #expect(convert("125\(zeros)e-5002", NumberText.double) == 1.25)
    #expect(convert("125\(zeros)e-5002", NumberText.float) == 1.25)
  }

  @Test(arguments: ["", "-", ".", "e", "1e", "1e+", "+1", "1x", "1.2.3", "--1", "NaN", "é", "1e5x"])
  func `any other text is not a floating-point number`(text: String) {
    #expect(convert(text, NumberText.double) == nil)
    #expect(convert(text, NumberText.float) == nil)
  }

  @Test func `random texts are read bit for bit as by the standard library`() {
    var random = SeededGenerator(seed: 1)
    var wrong: [String] = []
    for round in 0..<100_000 {
      let sign = Bool.random(using: &random) ? "-" : ""
      let text: String
      switch round % 8 {
      case 0:
        let value = Double(bitPattern: random.next())
        text = value.isFinite ? value.description : "0"
      case 1:
        let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
        text = value.isFinite ? value.description : "0"
      case 2:
        let digits = random.digits(Int.random(in: 17...25, using: &random))
        text = "\(sign)1.\(digits)e\(Int.random(in: -345...310, using: &random))"
      case 3:
        let digits = random.digits(Int.random(in: 1...19, using: &random))
        text = "\(sign)1\(digits)e\(Int.random(in: -60...40, using: &random))"
      case 4:
        let digits = random.digits(Int.random(in: 1...12, using: &random))
        text = "\(sign)\(Int.random(in: 0...99999, using: &random)).\(digits)"
      case 5:
        // Subnormal numbers.
        let value = Double(bitPattern: random.next() >> UInt64.random(in: 12...63, using: &random))
        text = "\(sign)\(value)"
      case 6:
        // Half-way between two Doubles from 2^53 to 2^64.
        let shift = UInt64.random(in: 0...10, using: &random)
        let middle = ((random.next() >> 11 | 1 << 52) << 1 | 1) << shift
        let off = Int.random(in: -1...1, using: &random)
        text = "\(sign)\(middle &+ UInt64(bitPattern: Int64(off)))"
      default:
        let digits = random.digits(Int.random(in: 1...60, using: &random))
        text = "\(sign)0.\(digits)e\(Int.random(in: -50...50, using: &random))"
      }
      if !check(text) { wrong.append(text) }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(10))")
  }

  /// The exact middle between two neighbours goes to the even one, and the smallest step from it to
  /// the nearer one: known without any other parser.
  @Test func `an exact middle goes to the even neighbour, others to the nearer`() {
    var random = SeededGenerator(seed: 2)
    for round in 0..<60 {
      // Every third one subnormal.
      let bits = round % 3 == 0 ? random.next() >> 13 : random.next() >> 1
      let below = Double(bitPattern: bits)
      let above = below.nextUp
      guard above.isFinite else { continue }
      let (digits, exponent) = middle(above: below)
      let even = below.significandBitPattern & 1 == 0 ? below : above
      #expect(digits.last == "5" || exponent >= 0)
      #expect(convert("\(digits)e\(exponent)", NumberText.double) == even)
      #expect(convert("\(digits)00000001e\(exponent - 8)", NumberText.double) == above)
      let zeros = String(repeating: "0", count: 900)
      #expect(convert("\(digits)\(zeros)1e\(exponent - 901)", NumberText.double) == above)
      if exponent < 0 {
        #expect(convert("\(digits.dropLast())49999e\(exponent - 4)", NumberText.double) == below)
      }
    }
  }

  /// below + half a unit in the last place = digits × 10^exponent.
  private func middle(above below: Double) -> (digits: String, exponent: Int) {
    let isNormal = below.exponentBitPattern > 0
    let mantissa = below.significandBitPattern | (isNormal ? 1 << 52 : 0)
    let power = Int(max(below.exponentBitPattern, 1)) - 1075 - 1
    var digits = Natural(mantissa << 1 | 1)
    // x × 2^-n = x × 5^n × 10^-n
    for _ in 0..<abs(power) { digits.multiply(by: power < 0 ? 5 : 2) }
    return (digits.decimal, min(power, 0))
  }
}
