// Scalars of output records that stay as they are written. They have no Swift type, and so no values.

/// Any scalar.
enum WrittenScalar: Scalar {
  @inline(__always)
  static var family: ScalarFamily { .any }
  static var expected: String { "a string, number or boolean" }
  @inline(__always)
  static var numbers: NumberFacts {
    NumberFacts(form: .written, sureDigits: .max, takesDecimals: true)
  }
  static var facts: ScalarFacts {
    ScalarFacts(
      swift: "JSONValue", integers: nil, row: .any, column: .kind(.json),
      sql: SQLTypes(postgres: "text", sqlite: "ANY", duckdb: "VARCHAR"),
      schema: ScalarSchema("string", "number", "boolean"))
  }

  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<Self> {
    .invalid
  }

  @inline(__always)
  static func check(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> Verdict { .made }

  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    switch self {}
  }
}

/// Any number.
enum WrittenNumber: Scalar {
  @inline(__always)
  static var family: ScalarFamily { .number }
  static var expected: String { "a number" }
  @inline(__always)
  static var numbers: NumberFacts {
    NumberFacts(form: .written, sureDigits: .max, takesDecimals: true)
  }
  // DuckDB has no exact numbers with any number of digits and places.
  static var facts: ScalarFacts {
    ScalarFacts(
      swift: "JSONValue", integers: nil, row: .number, column: .kind(.json),
      sql: SQLTypes(postgres: "numeric", sqlite: "ANY", duckdb: "VARCHAR"),
      schema: ScalarSchema("number"))
  }

  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<Self> {
    .invalid
  }

  @inline(__always)
  static func check(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> Verdict { .made }

  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    switch self {}
  }
}
