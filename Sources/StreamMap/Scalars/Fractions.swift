#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Numbers that need not be whole.

extension Float: Scalar {
  @inline(__always)
  static var family: ScalarFamily { .number }
  static var expected: String { "a number (Float)" }
  @inline(__always)
  static var numbers: NumberFacts {
    NumberFacts(form: .float, sureDigits: 38, takesDecimals: false)
  }
  static var facts: ScalarFacts {
    ScalarFacts(
      swift: "Float", integers: nil, row: .decimal(most: 38, places: nil), column: .kind(.float),
      sql: SQLTypes(postgres: "real", sqlite: "REAL", duckdb: "FLOAT"),
      schema: ScalarSchema("number"))
  }

  @inline(__always)
  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<Float> {
    guard let value = NumberText.float(token.text) else { return .outOfRange }
    return .value(value)
  }

  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    sendNumber(to: sink, scratch, NumberToText.write(self, into: scratch))
  }
}

extension Double: Scalar {
  @inline(__always)
  static var family: ScalarFamily { .number }
  static var expected: String { "a number (Double)" }
  @inline(__always)
  static var numbers: NumberFacts {
    NumberFacts(form: .double, sureDigits: 255, takesDecimals: true)
  }
  static var facts: ScalarFacts {
    ScalarFacts(
      swift: "Double", integers: nil, row: .decimal(most: 255, places: nil), column: .kind(.double),
      sql: SQLTypes(postgres: "double precision", sqlite: "REAL", duckdb: "DOUBLE"),
      schema: ScalarSchema("number"))
  }

  @inline(__always)
  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<Double> {
    guard let value = NumberText.double(token.text) else { return .outOfRange }
    return .value(value)
  }

  @inline(__always)
  static func recognize(_ text: UnsafeBufferPointer<UInt8>) -> Double? { NumberText.fraction(text) }

  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    sendNumber(to: sink, scratch, NumberToText.write(self, into: scratch))
  }
}

extension Decimal: Scalar {
  @inline(__always)
  static var family: ScalarFamily { .number }
  static var expected: String { "a number (Decimal, at most 38 digits)" }
  @inline(__always)
  static var numbers: NumberFacts {
    NumberFacts(form: .written, sureDigits: 28, takesDecimals: true)
  }
  static var facts: ScalarFacts {
    ScalarFacts(
      swift: "Decimal", integers: nil, row: .decimal(most: 28, places: nil), column: .decimal,
      sql: SQLTypes(postgres: "numeric", sqlite: "TEXT", duckdb: "VARCHAR"),
      schema: ScalarSchema("number"))
  }

  @inline(__always)
  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<Decimal> {
    guard let value = NumberText.decimal(token.text) else { return .outOfRange }
    return .value(value)
  }

  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    sendNumber(to: sink, scratch, NumberToText.write(self, into: scratch))
  }
}

/// Sends the number that was written to `scratch`; without a count, the value is not finite and has no text.
@inline(__always)
private func sendNumber(
  to sink: EventSink, _ scratch: UnsafeMutablePointer<UInt8>, _ count: Int?
) -> ScalarRefusal? {
  guard let count else { return ScalarRefusal(expected: "a finite number") }
  sink.number(UnsafeBufferPointer(start: scratch, count: count))
  return nil
}
