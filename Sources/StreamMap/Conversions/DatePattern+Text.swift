// Reading and writing by a compiled pattern.

extension DatePattern {
  private static let longMonths: [StaticString] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let longWeekdays: [StaticString] = [
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

  /// The instant in the format, whose clock shows no more than it has digits for; nil outside the years 0 to 9999 of the zone.
  func text(_ instant: Instant, in zone: some LocalClock) -> String? {
    let offset = zone.offset(at: instant.seconds)
    guard let time = CivilTime(instant, offset: offset) else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(40)
    for element in elements { append(element, time, offset: Int(offset), to: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  private func append(_ element: Element, _ time: CivilTime, offset: Int, to text: inout [UInt8]) {
    switch element {
    case .literal(let bytes): text += bytes
    case .year(let digits): append(time.year, digits, to: &text)
    case .twoDigitYear: append(time.year % 100, 2, to: &text)
    case .month(let digits): append(time.month, digits, to: &text)
    case .day(let digits): append(time.day, digits, to: &text)
    case .hour(let digits): append(time.hour, digits, to: &text)
    case .halfDayHour(let digits): append((time.hour &+ 11) % 12 &+ 1, digits, to: &text)
    case .minute(let digits): append(time.minute, digits, to: &text)
    case .second(let digits): append(time.second, digits, to: &text)
    case .fraction(let digits):
      append(time.nanosecond / CivilTime.powerOfTen(9 &- digits), digits, to: &text)
    case .monthName(let isShort):
      append((isShort ? RFC822.months : Self.longMonths)[time.month &- 1], to: &text)
    case .weekdayName(let isShort):
      append((isShort ? RFC822.weekdays : Self.longWeekdays)[time.weekday], to: &text)
    case .halfDay: text += Array((time.hour < 12 ? "AM" : "PM").utf8)
    case .zoneName where offset == 0: text += Array("GMT".utf8)
    case .zoneName:
      append(offset, Offset(hasZ: false, hasColon: false, minutes: .required), to: &text)
    case .offset(let form): append(offset, form, to: &text)
    }
  }

  private func append(_ offset: Int, _ form: Offset, to text: inout [UInt8]) {
    let minutes = Int(offset.magnitude / 60)
    if minutes == 0, form.hasZ {
      text.append(UInt8(ascii: "Z"))
      return
    }
    text.append(UInt8(ascii: offset < 0 ? "-" : "+"))
    append(minutes / 60, 2, to: &text)
    if form.minutes == .optional, minutes % 60 == 0 { return }
    if form.hasColon { text.append(UInt8(ascii: ":")) }
    append(minutes % 60, 2, to: &text)
  }

  /// Appends a number with at least this many digits.
  private func append(_ value: Int, _ digits: Int, to text: inout [UInt8]) {
    let plain = String(value).utf8
    text += Array(repeating: UInt8(ascii: "0"), count: max(0, digits - plain.count))
    text += plain
  }

  /// Appends a name, with its first letter in upper case.
  private func append(_ name: StaticString, to text: inout [UInt8]) {
    text.append(name.utf8Start[0] & 0xDF)
    for index in 1..<name.utf8CodeUnitCount { text.append(name.utf8Start[index]) }
  }
}

extension DatePattern.Element {
  fileprivate var isHalfDayHour: Bool {
    if case .halfDayHour = self { true } else { false }
  }
}
