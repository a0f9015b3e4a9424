// Reading and writing by a compiled pattern.

extension DatePattern {
  fileprivate static let longMonths: [StaticString] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  fileprivate static let longWeekdays: [StaticString] = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// The instant that the text means; nil if the whole text is not in the format.
  func instant(_ text: UnsafeBufferPointer<UInt8>, in zone: some LocalClock) -> Instant? {
    var cursor = ByteCursor(text)
    var time = CivilTime()
    var weekday: Int?
    var isAfternoon: Bool?
    var offset: Int?
    for element in elements {
      switch element {
      case .literal(let bytes): guard cursor.take(bytes) else { return nil }
      case .year(let minimum):
        guard let value = cursor.number(minimum, 4) else { return nil }
        time.year = value
      case .twoDigitYear:
        guard let value = cursor.number(2, 2) else { return nil }
        time.year = value < 50 ? 2000 &+ value : 1900 &+ value
      case .month(let minimum):
        guard let value = cursor.number(minimum, 2) else { return nil }
        time.month = value
      case .day(let minimum):
        guard let value = cursor.number(minimum, 2) else { return nil }
        time.day = value
      case .hour(let minimum):
        guard let value = cursor.number(minimum, 2) else { return nil }
        time.hour = value
      case .halfDayHour(let minimum):
        guard let value = cursor.number(minimum, 2), value >= 1, value <= 12 else { return nil }
        time.hour = value % 12
      case .minute(let minimum):
        guard let value = cursor.number(minimum, 2) else { return nil }
        time.minute = value
      case .second(let minimum):
        guard let value = cursor.number(minimum, 2) else { return nil }
        time.second = value
      case .fraction(let digits):
        guard let value = cursor.number(digits, digits) else { return nil }
        time.nanosecond = value &* CivilTime.powerOfTen(9 &- digits)
      case .monthName(let isShort):
        guard let value = cursor.position(in: isShort ? RFC822.months : Self.longMonths) else {
          return nil
        }
        time.month = value &+ 1
      case .weekdayName(let isShort):
        guard let value = cursor.position(in: isShort ? RFC822.weekdays : Self.longWeekdays) else {
          return nil
        }
        weekday = value
      case .halfDay:
        guard let value = cursor.position(in: ["am", "pm"]) else { return nil }
        isAfternoon = value == 1
      case .offset(let form):
        if form.hasZ, cursor.take(letters: "z") {
          offset = 0
        } else {
          guard let value = cursor.offset(colon: form.hasColon, minutes: form.minutes) else {
            return nil
          }
          offset = value
        }
      case .zoneName:
        guard let value = RFC822.zone(&cursor) else { return nil }
        offset = value
      }
    }
    guard cursor.isAtEnd else { return nil }
    if let isAfternoon, elements.contains(where: \.isHalfDayHour) {
      time.hour &+= isAfternoon ? 12 : 0
    } else if let isAfternoon, isAfternoon != (time.hour >= 12) {
      return nil
    }
    guard let instant = offset.map({ time.instant(offset: $0) }) ?? time.instant(in: zone) else {
      return nil
    }
    if let weekday, weekday != time.weekday { return nil }
    return instant
  }

  /// The most bytes of a text.
  var capacity: Int { elements.reduce(0) { $0 + $1.capacity } }

  /// Whether a text may stand between quotes as it is.
  var isPlain: Bool {
    elements.allSatisfy { element in
      guard case .literal(let bytes) = element else { return true }
      return bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
  }

  /// Writes the instant in the format, whose clock shows no more than it has digits for.
  ///
  /// - Returns: The number of bytes; nil outside the years 0 to 9999 of the zone.
  func write(
    _ instant: Instant, in zone: some LocalClock, into buffer: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    let offset = zone.offset(at: instant.seconds)
    guard let time = CivilTime(instant, offset: offset) else { return nil }
    var text = DateText(buffer)
    for element in elements { text.append(element, time, offset: Int(offset)) }
    return text.count
  }
}

/// The text of a date that is being written.
private struct DateText {
  // Invariant: there is room for `DatePattern.capacity` bytes.
  private let buffer: UnsafeMutablePointer<UInt8>
  private(set) var count = 0

  init(_ buffer: UnsafeMutablePointer<UInt8>) {
    self.buffer = buffer
  }

  mutating func append(_ element: DatePattern.Element, _ time: CivilTime, offset: Int) {
    switch element {
    case .literal(let bytes): for byte in bytes { append(byte) }
    case .year(let digits): append(time.year, digits)
    case .twoDigitYear: append(time.year % 100, 2)
    case .month(let digits): append(time.month, digits)
    case .day(let digits): append(time.day, digits)
    case .hour(let digits): append(time.hour, digits)
    case .halfDayHour(let digits): append((time.hour &+ 11) % 12 &+ 1, digits)
    case .minute(let digits): append(time.minute, digits)
    case .second(let digits): append(time.second, digits)
    case .fraction(let digits):
      append(time.nanosecond / CivilTime.powerOfTen(9 &- digits), digits)
    case .monthName(let isShort):
      append((isShort ? RFC822.months : DatePattern.longMonths)[time.month &- 1])
    case .weekdayName(let isShort):
      append((isShort ? RFC822.weekdays : DatePattern.longWeekdays)[time.weekday])
    case .halfDay:
      append(UInt8(ascii: time.hour < 12 ? "A" : "P"))
      append(UInt8(ascii: "M"))
    case .zoneName where offset == 0: for byte in "GMT".utf8 { append(byte) }
    case .zoneName:
      append(offset, DatePattern.Offset(hasZ: false, hasColon: false, minutes: .required))
    case .offset(let form): append(offset, form)
    }
  }

  private mutating func append(_ byte: UInt8) {
    buffer[count] = byte
    count &+= 1
  }

  private mutating func append(_ offset: Int, _ form: DatePattern.Offset) {
    let minutes = Int(offset.magnitude / 60)
    if minutes == 0, form.hasZ { return append(UInt8(ascii: "Z")) }
    append(UInt8(ascii: offset < 0 ? "-" : "+"))
    append(minutes / 60, 2)
    if form.minutes == .optional, minutes % 60 == 0 { return }
    if form.hasColon { append(UInt8(ascii: ":")) }
    append(minutes % 60, 2)
  }

  /// Appends a number, which is not negative, with at least this many digits.
  private mutating func append(_ value: Int, _ digits: Int) {
    let value = UInt64(truncatingIfNeeded: value)
    let digits = max(digits, NumberToText.digitCount(value))
    NumberToText.write(digitsOf: value, count: digits, into: buffer + count)
    count &+= digits
  }

  /// Appends a name, with its first letter in upper case.
  private mutating func append(_ name: StaticString) {
    append(name.utf8Start[0] & 0xDF)
    for index in 1..<name.utf8CodeUnitCount { append(name.utf8Start[index]) }
  }
}

extension DatePattern.Element {
  /// The most bytes that are written.
  fileprivate var capacity: Int {
    switch self {
    case .literal(let bytes): bytes.count
    case .year(let digits): max(digits, 4)
    case .twoDigitYear, .halfDay: 2
    case .month(let digits), .day(let digits), .hour(let digits), .halfDayHour(let digits),
      .minute(let digits), .second(let digits):
      max(digits, 2)
    case .fraction(let digits): digits
    // September, Wednesday; a sign, two numbers and a colon.
    case .monthName, .weekdayName: 9
    case .offset, .zoneName: 6
    }
  }

  fileprivate var isHalfDayHour: Bool {
    if case .halfDayHour = self { true } else { false }
  }
}
