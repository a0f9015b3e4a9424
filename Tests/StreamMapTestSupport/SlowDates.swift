@testable import StreamMap

/// Dates by counting: years, months and days one after the other, and fractions digit by digit.
///
/// It shares nothing with what it is held against but `Instant` itself.
struct SlowDates {
  struct Parts {
    var year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0
    /// Nine digits.
    var fraction = ""
  }

  /// The days from 0000-01-01 to the beginning of each year.
  private let years: [Int]
  private let months = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  /// The days from 0000-01-01 to 1970-01-01.
  private let epoch: Int

  init() {
    var days = 0
    var years: [Int] = []
    for year in 0...10_000 {
      years.append(days)
      days += Self.isLeap(year) ? 366 : 365
    }
    self.years = years
    epoch = years[1970]
  }

  private static func isLeap(_ year: Int) -> Bool {
    if year % 400 == 0 { return true }
    return year % 4 == 0 && year % 100 != 0
  }

  func parts(_ instant: Instant) -> Parts {
    var parts = Parts()
    // From the year 0 on, nothing is negative.
    let seconds = Int(instant.seconds) + epoch * 86400
    var days = seconds / 86400
    let year = (0...9999).partitioningIndex { years[$0 + 1] > days }
    days -= years[year]
    var month = 0
    while true {
      let length = months[month] + (month == 1 && Self.isLeap(year) ? 1 : 0)
      if days < length { break }
      days -= length
      month += 1
    }
    (parts.year, parts.month, parts.day) = (year, month + 1, days + 1)
    (parts.hour, parts.minute, parts.second) = (
      seconds % 86400 / 3600, seconds % 3600 / 60, seconds % 60
    )
    parts.fraction = Self.padded(Int(instant.nanosecond), 9)
    return parts
  }

  static func padded(_ number: Int, _ count: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  /// `2001-02-03T04:05:06.789Z` with the fewest of 0, 3, 6 and 9 digits.
  func rfc3339(_ instant: Instant) -> String {
    let parts = parts(instant)
    var fraction = parts.fraction
    while fraction.hasSuffix("000") { fraction.removeLast(3) }
    return day(parts) + "T" + time(parts) + (fraction.isEmpty ? "Z" : "." + fraction + "Z")
  }

  func day(_ parts: Parts) -> String {
    [Self.padded(parts.year, 4), Self.padded(parts.month, 2), Self.padded(parts.day, 2)]
      .joined(separator: "-")
  }

  func time(_ parts: Parts) -> String {
    [parts.hour, parts.minute, parts.second].map { Self.padded($0, 2) }.joined(separator: ":")
  }

  /// As a number of units of so many nanoseconds, as a pair: the digits, and how many of them are after the point.
  ///
  /// It is the number with the fewest digits that is not before the instant, and less than a nanosecond after it.
  func number(_ instant: Instant, unit: Int) -> String {
    let total = Int128(instant.seconds) * 1_000_000_000 + Int128(instant.nanosecond)
    let unit = Int128(unit)
    var scale: Int128 = 1
    var places = 0
    while true {
      // Upwards: Swift's division goes towards zero.
      let scaled = total * scale
      var digits = scaled / unit
      if digits * unit < scaled { digits += 1 }
      if digits * unit < (total + 1) * scale { return Self.text(digits, places) }
      scale *= 10
      places += 1
    }
  }

  private static func text(_ digits: Int128, _ places: Int) -> String {
    var text = "\(digits.magnitude)"
    if places > 0 {
      while text.count <= places { text = "0" + text }
      text.insert(".", at: text.index(text.endIndex, offsetBy: -places))
    }
    return (digits < 0 ? "-" : "") + text
  }
}

extension ClosedRange<Int> {
  /// The first number for which the rest holds.
  fileprivate func partitioningIndex(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
