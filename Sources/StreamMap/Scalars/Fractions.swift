import Foundation

// Numbers that need not be whole.

extension Float: Scalar {
  static var kind: JSONKind? { .number }
  static var expected: String { "a number (Float)" }

  @inline(__always)
  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<Float> {
    guard let value = NumberText.float(token.text) else { return .outOfRange }
    return .value(value)
  }

  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    guard let count = NumberToText.write(self, into: scratch) else {
      return ScalarRefusal(expected: "a finite number")
    }
    sink.number(UnsafeBufferPointer(start: scratch, count: count))
    return nil
  }
}

extension Double: Scalar {
  static var kind: JSONKind? { .number }
  static var expected: String { "a number (Double)" }

  @inline(__always)
  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<Double> {
    guard let value = NumberText.double(token.text) else { return .outOfRange }
    return .value(value)
  }

  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    guard let count = NumberToText.write(self, into: scratch) else {
      return ScalarRefusal(expected: "a finite number")
    }
    sink.number(UnsafeBufferPointer(start: scratch, count: count))
    return nil
  }
}

extension Decimal: Scalar {
  static var kind: JSONKind? { .number }
  static var expected: String { "a number (Decimal, at most 38 digits)" }

  @inline(__always)
  static func read(_ token: Token, _ options: Unmanaged<ScalarOptions>?) -> ScalarReading<Decimal> {
    guard let value = NumberText.decimal(token.text) else { return .outOfRange }
    return .value(value)
  }

  func send(
    to sink: EventSink, by scratch: UnsafeMutablePointer<UInt8>,
    _ options: Unmanaged<ScalarOptions>?
  ) -> ScalarRefusal? {
    guard let count = NumberToText.write(self, into: scratch) else {
      return ScalarRefusal(expected: "a finite number")
    }
    sink.number(UnsafeBufferPointer(start: scratch, count: count))
    return nil
  }
}
