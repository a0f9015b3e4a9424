#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts between a date and its text in .NET's JSON serializers: `/Date(1390186634595+0800)/`.
enum DotNetDate {
  /// The date that the text means, or nil if it is not `/Date(ms)/` or `/Date(ms±hhmm)/`, in any case.
  ///
  /// The milliseconds since 1970 are in UTC: the offset tells where the text was written, and does not count.
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    var cursor = ByteCursor(text)
    guard cursor.take(letters: "/date(") else { return nil }
    let isNegative = cursor.take("-")
    guard let milliseconds = cursor.number(1, 18) else { return nil }
    if !cursor.take(")") {
      guard cursor.offset(colon: false) != nil, cursor.take(")") else { return nil }
    }
    guard cursor.take("/"), cursor.isAtEnd else { return nil }
    // Eighteen digits and the shifted origin fit into an Int.
    let since2001 = (isNegative ? 0 &- milliseconds : milliseconds) &- Int(millisecondsTo2001)
    return Date(timeIntervalSinceReferenceDate: Double(since2001) / 1000)
  }

  /// Writes the date to the nearest millisecond, with an offset of this many seconds unless it is 0, and returns the
  /// number of bytes, at most 33; nil if the milliseconds have more than 18 digits.
  static func write(
    _ date: Date, offset: Int, into buffer: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    let milliseconds =
      (date.timeIntervalSinceReferenceDate * 1000).rounded() + millisecondsTo2001
    guard abs(milliseconds) < 1e18 else { return nil }
    var count = 0
    func append(_ text: StaticString) {
      for index in 0..<text.utf8CodeUnitCount {
        buffer[count] = text.utf8Start[index]
        count &+= 1
      }
    }
    append("/Date(")
    count &+= NumberToText.write(Int(milliseconds), into: buffer + count)
    let minutes = UInt64(offset.magnitude / 60)
    if minutes != 0 {
      append(offset < 0 ? "-" : "+")
      NumberToText.write(
        digitsOf: minutes / 60 * 100 + minutes % 60, count: 4, into: buffer + count)
      count &+= 4
    }
    append(")/")
    return count
  }

  private static let millisecondsTo2001 = 978_307_200_000.0
}
