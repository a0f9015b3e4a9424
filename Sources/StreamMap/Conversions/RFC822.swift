/// The optional parts of a date by RFC 822, `Tue, 14 Jan 2014 14:35:32 GMT`.
///
/// ```swift
/// let short: Conversion<String, Date> = .rfc822([])                             // 14 Jan 2014 14:35
/// let http: Conversion<String, Date> = .rfc822([.weekday, .seconds, .zone])     // Tue, 14 Jan 2014 14:35:32 GMT
/// ```
public struct RFC822Parts: OptionSet, Sendable, Hashable {
  /// The parts as bits.
  public let rawValue: UInt8

  /// Parts from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The day of the week, `Tue,`.
  public static let weekday = RFC822Parts(rawValue: 1)
  /// The seconds.
  public static let seconds = RFC822Parts(rawValue: 2)
  /// The time zone, `GMT` or `+0100`.
  public static let zone = RFC822Parts(rawValue: 4)
}

/// Converts between an instant and its text by RFC 822 and its successors 1123, 2822 and 5322.
enum RFC822 {
  static let weekdays: [StaticString] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  static let months: [StaticString] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// The instant that the text means; nil if it is not a date with all `required` parts and otherwise only `allowed`
  /// parts.
  ///
  /// Names are accepted in any case. The day has one or two digits. The year has four digits, or two that mean 1950 to
  /// 2049 (RFC 5322, section 4.3). A zone is `±hhmm`, `GMT`, `UT`, `UTC`, `Z` or one of the North American names of RFC
  /// 822; without a zone the time is UTC. A weekday must match the date.
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>, required: RFC822Parts, allowed: RFC822Parts
  ) -> Instant? {
    var cursor = ByteCursor(text)
    var parts: RFC822Parts = []
    var time = CivilTime()
    let weekday = packed(&cursor, in: weekdays)
    if weekday != nil {
      guard cursor.take(","), cursor.take(" ") else { return nil }
      parts.insert(.weekday)
    }
    guard let day = cursor.number(1, 2), cursor.take(" "),
      let month = packed(&cursor, in: months), cursor.take(" ")
    else { return nil }
    let yearStart = cursor.index
    guard let year = cursor.number(2, 4) else { return nil }
    switch cursor.index &- yearStart {
    case 2: time.year = year < 50 ? 2000 &+ year : 1900 &+ year
    case 4: time.year = year
    default: return nil
    }
    guard cursor.take(" "), let hour = cursor.number(2, 2), cursor.take(":"),
      let minute = cursor.number(2, 2)
    else { return nil }
    (time.month, time.day, time.hour, time.minute) = (month &+ 1, day, hour, minute)
    if cursor.take(":") {
      guard let second = cursor.number(2, 2) else { return nil }
      time.second = second
      parts.insert(.seconds)
    }
    var offset = 0
    if cursor.take(" ") {
      guard let zone = zone(&cursor) else { return nil }
      offset = zone
      parts.insert(.zone)
    }
    guard cursor.isAtEnd, parts.isSuperset(of: required), parts.isSubset(of: allowed),
      let instant = time.instant(offset: offset)
    else { return nil }
    if let weekday, weekday != time.weekday { return nil }
    return instant
  }

  /// The position of a three-letter name.
  @inline(__always)
  private static func packed(_ cursor: inout ByteCursor, in names: [StaticString]) -> Int? {
    guard let first = cursor.next, ASCIIText.lowercase(first) &- UInt8(ascii: "a") < 26 else {
      return nil
    }
    return cursor.position(in: names)
  }

  /// The number of seconds by which the next zone is ahead of UTC.
  static func zone(_ cursor: inout ByteCursor) -> Int? {
    if cursor.next == UInt8(ascii: "+") || cursor.next == UInt8(ascii: "-") {
      return cursor.offset(colon: false)
    }
    return cursor.position(in: zoneNames).map { zoneHours[$0] &* 3600 }
  }

  // Longer names come first: they are tried in this order.
  private static let zoneNames: [StaticString] = [
    "gmt", "utc", "ut", "z", "est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt",
  ]
  private static let zoneHours = [0, 0, 0, 0, -5, -4, -6, -5, -7, -6, -8, -7]

  /// The most bytes that are written.
  static var capacity: Int { 29 }

  /// Writes the instant in UTC, and returns the number of bytes.
  ///
  /// The clock shows whole seconds: the fraction of one is cut off.
  static func write(
    _ instant: Instant, _ parts: RFC822Parts, into buffer: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let time = CivilTime(instant)
    var count = 0
    func append(_ byte: UInt8) {
      buffer[count] = byte
      count &+= 1
    }
    func append(name: StaticString) {
      append(name.utf8Start[0] & 0xDF)
      for index in 1..<name.utf8CodeUnitCount { append(name.utf8Start[index]) }
    }
    func append(_ value: Int, digits: Int, after separator: Unicode.Scalar? = nil) {
      if let separator { append(UInt8(ascii: separator)) }
      NumberToText.write(
        digitsOf: UInt64(truncatingIfNeeded: value), count: digits, into: buffer + count)
      count &+= digits
    }
    if parts.contains(.weekday) {
      append(name: weekdays[time.weekday])
      append(UInt8(ascii: ","))
      append(UInt8(ascii: " "))
    }
    append(time.day, digits: time.day < 10 ? 1 : 2)
    append(UInt8(ascii: " "))
    append(name: months[time.month &- 1])
    append(time.year, digits: 4, after: " ")
    append(time.hour, digits: 2, after: " ")
    append(time.minute, digits: 2, after: ":")
    if parts.contains(.seconds) { append(time.second, digits: 2, after: ":") }
    if parts.contains(.zone) {
      append(UInt8(ascii: " "))
      for byte in "GMT".utf8 { append(byte) }
    }
    return count
  }
}
