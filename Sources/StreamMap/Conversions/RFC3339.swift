/// Converts between an RFC 3339 date-time and an instant, without a formatter, a calendar or a locale.
///
/// The calendar is the proleptic Gregorian one, as in RFC 3339 and ISO 8601.
enum RFC3339 {
  // MARK: Text to instant

  /// The instant that the text means, or nil if it is not a date-time of RFC 3339, section 5.6, of the years 0 to 9999 in UTC.
  ///
  /// `T` and `Z` may be in lower case. The first nine digits of a fraction count, the rest is cut off. A leap second is
  /// accepted where it can occur, at 23:59:60 UTC, and becomes the second after it.
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
    parse(text, takesBasicOffset: false)
  }

  /// Like `parse(_:)`, but also accepts offsets without a colon, `+0100`, as in the basic format of ISO 8601.
  static func parseLeniently(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
    parse(text, takesBasicOffset: true)
  }

  /// Like `parseLeniently(_:)`, but also accepts a text without an offset, which is on the clocks of a zone, and a space for the `T`.
  static func parse(_ text: UnsafeBufferPointer<UInt8>, local zone: some LocalClock) -> Instant? {
    guard text.count >= 19, text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
      let (time, index) = civilTime(text)
    else { return nil }
    if index == text.count { return time.instant(in: zone) }
    return offset(of: text, from: index, takesBasic: true).flatMap { time.instant(offset: $0) }
  }

  @inline(__always)
  private static func parse(
    _ text: UnsafeBufferPointer<UInt8>, takesBasicOffset: Bool
  ) -> Instant? {
    // The shortest is 2001-02-03T04:05:06Z.
    guard text.count >= 20, text[10] | 0x20 == UInt8(ascii: "t"),
      let (time, index) = civilTime(text),
      let offset = offset(of: text, from: index, takesBasic: takesBasicOffset)
    else { return nil }
    return time.instant(offset: offset)
  }

  /// The date and time that a text of at least 19 bytes begins with, whatever separates them, and where they end.
  @inline(__always)
  private static func civilTime(_ text: UnsafeBufferPointer<UInt8>) -> (CivilTime, Int)? {
    // Eight bytes at a time: `YYYY-MM-`, then `DD HH:MM`, whatever stands for the space, then `:SS`.
    let bytes = UnsafeRawBufferPointer(text)
    let date = word(at: 0, of: bytes) ^ 0x2D30_302D_3030_3030
    let clock = word(at: 8, of: bytes) & ~anything ^ 0x3030_3A30_3000_3030
    guard areDigits(date, add: 0x7F76_767F_7676_7676),
      areDigits(clock, add: 0x7676_7F76_767F_7676),
      text[16] == UInt8(ascii: ":")
    else { return nil }
    let (years, hours) = (pairs(date), pairs(clock))
    var time = CivilTime()
    time.year = pair(0, of: years) &* 100 &+ pair(2, of: years)
    time.month = pair(5, of: years)
    time.day = pair(0, of: hours)
    time.hour = pair(3, of: hours)
    time.minute = pair(6, of: hours)
    // If the bytes are not two digits, the value is larger than any limit.
    time.second = twoDigits(at: 17, of: text)

    var index = 19
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index &+= 1
      let start = index
      var nanoseconds = 0
      while index < text.count {
        let digit = text[index] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        if index &- start < 9 { nanoseconds = nanoseconds &* 10 &+ Int(digit) }
        index &+= 1
      }
      guard index > start else { return nil }
      time.nanosecond = nanoseconds &* CivilTime.powerOfTen(max(0, 9 &- (index &- start)))
    }
    return (time, index)
  }

  /// The number of seconds by which local time is ahead of UTC, from the end of the text.
  @inline(__always)
  private static func offset(
    of text: UnsafeBufferPointer<UInt8>, from index: Int, takesBasic: Bool
  ) -> Int? {
    guard index < text.count else { return nil }
    let sign = text[index]
    if sign | 0x20 == UInt8(ascii: "z") { return text.count == index &+ 1 ? 0 : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    var minuteIndex = index &+ 4
    if takesBasic, text.count == index &+ 5 {
      minuteIndex = index &+ 3
    } else {
      guard text.count == index &+ 6, text[index &+ 3] == UInt8(ascii: ":") else { return nil }
    }
    let hours = twoDigits(at: index &+ 1, of: text)
    let minutes = twoDigits(at: minuteIndex, of: text)
    guard hours <= 23, minutes <= 59 else { return nil }
    let offset = hours &* 3600 &+ minutes &* 60
    return sign == UInt8(ascii: "-") ? 0 &- offset : offset
  }

  // MARK: Digits

  /// The byte between date and time, in the second word.
  private static let anything: UInt64 = 0xFF << 16

  /// Eight bytes, the first one lowest.
  @inline(__always)
  private static func word(at index: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// Whether all bytes are small: below 10 for `0x76`, 0 for `0x7F`.
  ///
  /// The word is that of a text, exclusive-or the text `0` for its digits, and all else that it must have.
  @inline(__always)
  private static func areDigits(_ word: UInt64, add: UInt64) -> Bool {
    // Only a byte that is itself too large carries into the next one.
    ((word &+ add) | word) & 0x8080_8080_8080_8080 == 0
  }

  /// In each byte, the number whose digits are this byte and the next one.
  @inline(__always)
  private static func pairs(_ digits: UInt64) -> UInt64 { digits &* 10 &+ digits >> 8 }

  @inline(__always)
  private static func pair(_ byte: UInt64, of pairs: UInt64) -> Int {
    Int(truncatingIfNeeded: pairs >> (byte &* 8) & 0xFF)
  }

  /// The value of two digits, or more than 99 if they are not digits.
  @inline(__always)
  private static func twoDigits(at index: Int, of text: UnsafeBufferPointer<UInt8>) -> Int {
    let tens = text[index] &- UInt8(ascii: "0")
    let ones = text[index &+ 1] &- UInt8(ascii: "0")
    return tens < 10 && ones < 10 ? Int(tens) &* 10 &+ Int(ones) : 100
  }

  // MARK: Instant to text

  /// The most bytes that are written.
  static var capacity: Int { 30 }

  /// Writes the instant in UTC, `2001-02-03T04:05:06.789Z`, and returns the number of bytes.
  ///
  /// The fraction has so many digits (0 to 9), and the others are cut off; by default the fewest of 0, 3, 6 and 9 that cut nothing
  /// off.
  static func write(
    _ instant: Instant, digits: Int? = nil, into buffer: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let digits = digits ?? instant.fractionDigits
    let time = CivilTime(instant)
    func put(_ value: Int, digits: Int, at index: Int, then separator: Unicode.Scalar) {
      NumberToText.write(
        digitsOf: UInt64(truncatingIfNeeded: value), count: digits, into: buffer + index)
      buffer[index &+ digits] = UInt8(ascii: separator)
    }
    put(time.year, digits: 4, at: 0, then: "-")
    put(time.month, digits: 2, at: 5, then: "-")
    put(time.day, digits: 2, at: 8, then: "T")
    put(time.hour, digits: 2, at: 11, then: ":")
    put(time.minute, digits: 2, at: 14, then: ":")
    put(time.second, digits: 2, at: 17, then: digits == 0 ? "Z" : ".")
    guard digits > 0 else { return 20 }
    put(instant.fraction(digits: digits), digits: digits, at: 20, then: "Z")
    return 21 &+ digits
  }
}
