/// Converts between an instant and its text in .NET's JSON serializers: `/Date(1390186634595+0800)/`.
enum DotNetDate {
  /// The instant that the text means, or nil if it is not `/Date(ms)/` or `/Date(ms±hhmm)/`, in any case, of the years 0 to 9999.
  ///
  /// The milliseconds since 1970 are in UTC: the offset tells where the text was written, and does not count.
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
    var cursor = ByteCursor(text)
    guard cursor.take(letters: "/date(") else { return nil }
    let isNegative = cursor.take("-")
    guard let milliseconds = cursor.number(1, 18) else { return nil }
    if !cursor.take(")") {
      guard cursor.offset(colon: false) != nil, cursor.take(")") else { return nil }
    }
    guard cursor.take("/"), cursor.isAtEnd else { return nil }
    return Instant(milliseconds: Int64(isNegative ? 0 &- milliseconds : milliseconds))
  }

  /// The most bytes that are written.
  static var capacity: Int { NumberToText.capacity + 13 }

  /// Writes its text, with an offset of this many seconds unless it is 0, and returns the number of bytes; digits finer than a millisecond
  /// are cut off.
  static func write(
    _ instant: Instant, offset: Int64, into buffer: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var count = 0
    func append(_ text: StaticString) {
      (buffer + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
      count &+= text.utf8CodeUnitCount
    }
    append("/Date(")
    count &+= NumberToText.write(instant.milliseconds, into: buffer + count)
    let minutes = offset.magnitude / 60
    if minutes > 0 {
      append(offset < 0 ? "-" : "+")
      let clock = minutes / 60 * 100 + minutes % 60
      NumberToText.write(digitsOf: clock, count: 4, into: buffer + count)
      count &+= 4
    }
    append(")/")
    return count
  }
}
