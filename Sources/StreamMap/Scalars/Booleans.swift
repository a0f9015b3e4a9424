extension Bool: Scalar {
  static var kind: JSONKind? { .boolean }
  static var expected: String { "true or false" }

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
