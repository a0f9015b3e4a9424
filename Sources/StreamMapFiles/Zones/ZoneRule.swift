import StreamMap

/// The rule by which clocks are set each year, as POSIX writes it in `TZ`: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Equatable, Sendable {
  private enum Day: Equatable {
    /// From 1 to 365; 29 February is never counted.
    case ofShortYear(Int)
    /// From 0 to 365.
    case ofYear(Int)
    /// A day of the week (0 for Sunday) in a week of a month (5 for the last one).
    case ofWeek(month: Int, week: Int, day: Int)
  }

  /// A day, and the seconds after its midnight, by the clocks that are then set.
  private struct Change: Equatable {
    let day: Day
    let seconds: Int64
  }

  private struct Summer: Equatable {
    let offset: Int64
    let start: Change
    let end: Change
  }

  private let standard: Int64
  /// Nil if the clocks are never set.
  private let summer: Summer?

  /// Nil if the text is no such rule.
  init?(_ text: ArraySlice<UInt8>) {
    var parser = Parser(rest: text)
    guard parser.takeName(), let west = parser.time(hours: 24) else { return nil }
    standard = -west
    if parser.rest.isEmpty {
      summer = nil
      return
    }
    guard parser.takeName() else { return nil }
    var offset = standard + 3600
    if parser.rest.first != Parser.comma {
      guard let west = parser.time(hours: 24) else { return nil }
      offset = -west
    }
    guard let start = parser.change(), let end = parser.change(), parser.rest.isEmpty else {
      return nil
    }
    summer = Summer(offset: offset, start: start, end: end)
  }

  /// The seconds by which the clocks are ahead of UTC, so many seconds after 1970.
  func offset(at seconds: Int64) -> Int64 {
    guard let summer else { return standard }
    let year = CivilTime.year(at: seconds + standard)
    // The last change before counts. It may be one of the year before, and one of the next year may come early.
    var last = Int64.min
    var offset = standard
    for year in year - 1...year + 1 {
      let end = Self.time(of: summer.end, in: year) - summer.offset
      if end <= seconds, end >= last { (last, offset) = (end, standard) }
      let start = Self.time(of: summer.start, in: year) - standard
      // Summer that ends when it starts again lasts the whole year.
      if start <= seconds, start >= last { (last, offset) = (start, summer.offset) }
    }
    return offset
  }

  /// The seconds from 1970 to a change, if the clocks that are then set were in UTC.
  private static func time(of change: Change, in year: Int) -> Int64 {
    Int64(number(of: change.day, in: year)) * 86_400 + change.seconds
  }

  /// The days from 1970-01-01 to a day.
  private static func number(of day: Day, in year: Int) -> Int {
    func days(_ month: Int) -> Int { CivilTime.daysSince1970(year: year, month: month, day: 1) }
    switch day {
    case .ofShortYear(let number):
      let isLeap = days(3) - days(2) == 29
      return days(1) + number - (isLeap && number >= 60 ? 0 : 1)
    case .ofYear(let number): return days(1) + number
    case .ofWeek(let month, let week, let weekday):
      let first = days(month)
      // 1970 began on a Thursday.
      let weekdayOfFirst = ((first + 4) % 7 + 7) % 7
      let found = first + (weekday - weekdayOfFirst + 7) % 7 + (week - 1) * 7
      let end = month == 12 ? first + 31 : days(month + 1)
      return found < end ? found : found - 7
    }
  }

  // MARK: Reading

  private struct Parser {
    static let comma = UInt8(ascii: ",")

    var rest: ArraySlice<UInt8>

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// Three letters or more, or signs and digits, too, in angle brackets.
    mutating func takeName() -> Bool {
      if take("<") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")), end > rest.startIndex else {
          return false
        }
        rest = rest[(end + 1)...]
        return true
      }
      let name = rest.prefix(while: Self.isLetter)
      rest = rest.dropFirst(name.count)
      return name.count >= 3
    }

    /// A number up to another one; nil if there is none.
    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix { $0 &- 0x30 < 10 }
      rest = rest.dropFirst(digits.count)
      guard (1...3).contains(digits.count) else { return nil }
      let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      return range.contains(number) ? number : nil
    }

    /// The seconds of hours with a sign, minutes and seconds.
    mutating func time(hours most: Int) -> Int64? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard let hours = number(0...most) else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] where take(":") {
        guard let more = number(0...59) else { return nil }
        seconds += more * unit
      }
      return Int64(isNegative ? -seconds : seconds)
    }

    /// A comma, a day, and the time of the day if it is not 2 o'clock.
    mutating func change() -> Change? {
      guard take(","), let day = day() else { return nil }
      guard take("/") else { return Change(day: day, seconds: 7200) }
      return time(hours: 167).map { Change(day: day, seconds: $0) }
    }

    private mutating func day() -> Day? {
      if take("J") { return number(1...365).map { .ofShortYear($0) } }
      guard take("M") else { return number(0...365).map { .ofYear($0) } }
      guard let month = number(1...12), take("."), let week = number(1...5), take("."),
        let day = number(0...6)
      else { return nil }
      return .ofWeek(month: month, week: week, day: day)
    }
  }
}
