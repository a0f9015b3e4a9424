extension Int: Scalar {
  static var facts: ScalarFacts {
    integerFacts(.int64, .int64)
  }
}

extension Int8: Scalar {
  static var facts: ScalarFacts {
    integerFacts(.int8, SQLTypes(postgres: "smallint", sqlite: "INTEGER", duckdb: "TINYINT"))
  }
}

extension Int16: Scalar {
  static var facts: ScalarFacts {
    integerFacts(.int16, SQLTypes(postgres: "smallint", sqlite: "INTEGER", duckdb: "SMALLINT"))
  }
}

extension Int32: Scalar {
  static var facts: ScalarFacts {
    integerFacts(.int32, SQLTypes(postgres: "integer", sqlite: "INTEGER", duckdb: "INTEGER"))
  }
}

extension Int64: Scalar {
  static var facts: ScalarFacts {
    integerFacts(.int64, .int64)
  }
}

extension UInt: Scalar {
  static var facts: ScalarFacts {
    integerFacts(.uint64, .uint64)
  }
}

extension UInt8: Scalar {
  static var facts: ScalarFacts {
    integerFacts(.uint8, SQLTypes(postgres: "smallint", sqlite: "INTEGER", duckdb: "UTINYINT"))
  }
}

extension UInt16: Scalar {
  static var facts: ScalarFacts {
    integerFacts(.uint16, SQLTypes(postgres: "integer", sqlite: "INTEGER", duckdb: "USMALLINT"))
  }
}

extension UInt32: Scalar {
  static var facts: ScalarFacts {
    integerFacts(.uint32, SQLTypes(postgres: "bigint", sqlite: "INTEGER", duckdb: "UINTEGER"))
  }
}

extension UInt64: Scalar {
  static var facts: ScalarFacts {
    integerFacts(.uint64, .uint64)
  }
}

extension SQLTypes {
  fileprivate static let int64 = SQLTypes(postgres: "bigint", sqlite: "INTEGER", duckdb: "BIGINT")
  /// More than SQLite's integers and PostgreSQL's `bigint` hold.
  fileprivate static let uint64 = SQLTypes(
    postgres: "numeric(20,0)", sqlite: "ANY", duckdb: "UBIGINT")
}

extension Scalar where Self: FixedWidthInteger {
  @inline(__always)
  static var family: ScalarFamily { .number }
  static var expected: String { "an integer (\(typeName(Self.self)))" }

  @inline(__always)
  static var numbers: NumberFacts {
    NumberFacts(form: .whole, sureDigits: sureDigits, takesDecimals: false)
  }

  /// So many digits, all of them nines, are below two to the power of one less than all bits.
  @inline(__always)
  private static var sureDigits: Int { (bitWidth &- 1) &* 30_103 / 100_000 }

  fileprivate static func integerFacts(_ column: ColumnLayout.Kind, _ sql: SQLTypes) -> ScalarFacts
  {
    ScalarFacts(
      swift: typeName(Self.self),
      integers: IntegerRange(bits: isSigned ? bitWidth - 1 : bitWidth, isSigned: isSigned),
      row: .integer(
        most: UInt8(sureDigits), last: sureDigits < 19 ? UInt64(clamping: Self.max) : 0,
        takesMinus: isSigned),
      column: .kind(column), sql: sql,
      schema: ScalarSchema("integer", range: ("\(min)", "\(max)")))
  }

  @inline(__always)
  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<Self> {
    NumberText.integer(token.text)
  }

  @inline(__always)
  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    let count = NumberToText.write(self, into: scratch)
    sink.number(UnsafeBufferPointer(start: scratch, count: count))
    return nil
  }
}
