/// How numbers leave in output records.
///
/// A number leaves as it is written, digit by digit, with two exceptions, so that whatever reads the type takes it: one of a type that is
/// whole leaves as an integer (`7.0` and `70e-1` as `7`), and one that is too small for a binary type, which has zero for it, leaves as
/// that zero (`1e-400` as `0.0`).
enum NumberForm: BitwiseCopyable {
  case written, whole, float, double
}

extension ScalarType {
  /// Whether a number of the type surely leaves as it is written.
  // PERF: only the digits at the end are looked at; nearly all texts are nothing else before a point or the start.
  @inline(__always)
  func keeps(_ number: UnsafeBufferPointer<UInt8>) -> Bool {
    switch numbers.form {
    case .whole:
      let start = Self.startOfLastDigits(number)
      return start == 0
        || start == 1 && number[0] == UInt8(ascii: "-") && number.count > 1
          && number[1] != UInt8(ascii: "0")
    case .float, .double:
      // With so few places and no exponent, it is too large to become zero.
      if number.count > 40 { return false }
      let start = Self.startOfLastDigits(number)
      return start == 0 || number[start &- 1] == UInt8(ascii: ".")
        || start == 1 && number[0] == UInt8(ascii: "-")
    case .written: return true
    }
  }

  @inline(__always)
  private static func startOfLastDigits(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    var index = text.count
    while index > 0, text[index &- 1] &- UInt8(ascii: "0") < 10 { index &-= 1 }
    return index
  }

  /// How a number of the type is written.
  @inline(never)
  func form(of number: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    switch numbers.form {
    case .whole:
      if case .value(let value) = NumberText.integer(number, as: Int128.self) {
        return Array("\(value)".utf8)
      }
    case .float: if NumberText.float(number) == 0 { return Self.zero(number) }
    case .double: if NumberText.double(number) == 0 { return Self.zero(number) }
    case .written: break
    }
    return Array(number)
  }

  /// Zero, unless the number is one itself.
  private static func zero(_ number: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    if SignificantDigits(number)?.count == 0 { return Array(number) }
    return Array((number.first == UInt8(ascii: "-") ? "-0.0" : "0.0").utf8)
  }
}

extension OutputBuffer {
  /// Appends a number of a type as it leaves.
  @inline(__always)
  func append(_ number: UnsafeBufferPointer<UInt8>, as type: ScalarType) {
    if type.keeps(number) { append(number) } else { append(type.form(of: number)) }
  }
}
