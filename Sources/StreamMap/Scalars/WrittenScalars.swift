// Scalars of output records that stay as they are written. They have no Swift type, and so no values.

/// Any scalar.
enum WrittenScalar: Scalar {
  static var kind: JSONKind? { nil }
  static var expected: String { "a string, number or boolean" }

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
  static var kind: JSONKind? { .number }
  static var expected: String { "a number" }

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
