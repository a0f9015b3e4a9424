extension Bool: Scalar {
  @inline(__always)
  static var family: ScalarFamily { .boolean }
  static var expected: String { "true or false" }
  @inline(__always)
  static var numbers: NumberFacts { .none }
  static var facts: ScalarFacts {
    ScalarFacts(
      swift: "Bool", integers: nil, row: .boolean, column: .kind(.bool),
      sql: SQLTypes(postgres: "boolean", sqlite: "INTEGER", duckdb: "BOOLEAN"),
      schema: ScalarSchema("boolean"))
  }

  @inline(__always)
  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<Bool> {
    .value(token.isTrue)
  }

  @inline(__always)
  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    sink.bool(self)
    return nil
  }
}
