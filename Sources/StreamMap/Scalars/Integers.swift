extension Int: Scalar {}
extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension Int64: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}

extension Scalar where Self: FixedWidthInteger {
  static var kind: JSONKind? { .number }
  static var expected: String { "an integer (\(typeName(Self.self)))" }

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
