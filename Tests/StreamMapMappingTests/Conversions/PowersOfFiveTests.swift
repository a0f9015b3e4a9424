import CText
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct PowersOfFiveTests {
  @Test func `every entry is the exact power of five, cut off`() {
    let smallest = Int(SM_SMALLEST_POWER)
    let largest = Int(SM_LARGEST_POWER)

    func entry(_ power: Int, minus less: UInt64 = 0) -> Natural {
      let words = sm_power_of_five(Int64(power))
      let (low, borrow) = words?[1].subtractingReportingOverflow(less) ?? (0, false)
      var value = Natural((words?[0] ?? 0) - (borrow ? 1 : 0))
      for _ in 0..<2 { value.multiply(by: 1 << 31) }
      value.multiply(by: 4)
      return value.plus(Natural(low))
    }

    var power = Natural(1)
    for exponent in 0...largest {
      let value = entry(exponent)
      let top = power.bitCount
      #expect(
        (0..<128).allSatisfy { value.bit(127 - $0) == power.bit(top - 1 - $0) }, "5^\(exponent)")
      power.multiply(by: 5)
    }

    power = Natural(1)
    for exponent in 1...(-smallest) {
      power.multiply(by: 5)
      // c × 5^n < 2^(127 + bits of 5^n) < (c + 1) × 5^n
      let value = entry(-exponent, minus: exponent <= 27 ? 1 : 0)
      let bits = 127 + power.bitCount
      #expect(value.bitCount == 128)
      #expect(value.times(power).bitCount <= bits, "5^-\(exponent)")
      #expect(value.plus(Natural(1)).times(power).bitCount > bits, "5^-\(exponent)")
    }
  }
}
