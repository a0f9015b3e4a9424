#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A date pattern by Unicode (UTS #35, part 4), compiled into elements that read and write UTF-8 without a formatter.
///
/// It knows the letters that stand for numbers, English names, offsets and literal text. `compile` reports what it does
/// not know.
struct DatePattern: Sendable {
  enum Compiled {
    case pattern(DatePattern)
    /// Well-formed, but only a `DateFormatter` reads and writes it, for this reason.
    case foreign(String)
    case mistake(String)
  }

  enum Element: Sendable, Equatable {
    case literal([UInt8])
    /// A year of at least this many digits, at most four.
    case year(Int)
    case twoDigitYear
    /// A number of at least this many digits, at most two.
    case month(Int)
    case day(Int)
    case hour(Int)
    case halfDayHour(Int)
    case minute(Int)
    case second(Int)
    case fraction(Int)
    case monthName(isShort: Bool)
    case weekdayName(isShort: Bool)
    case halfDay
    case offset(Offset)
    case zoneName
  }

  /// How an offset from UTC is written.
  struct Offset: Sendable, Equatable {
    /// Whether the offset of UTC is written as `Z`.
    let hasZ: Bool
    let hasColon: Bool
    let minutes: ByteCursor.OffsetMinutes
  }

  let elements: [Element]
  /// How many digits of a second it has.
  var fractionDigits: Int {
    for case .fraction(let count) in elements { return count }
    return 0
  }

  // MARK: Compiling

  /// Compiles a pattern.
  ///
  /// One by which texts are read (`isRead`), and not only written, needs a year: there is no telling which one is
  /// meant.
  static func compile(_ pattern: String, locale: Locale?, isRead: Bool = true) -> Compiled {
    guard let runs = runs(of: pattern) else { return .mistake("a quote ' is not closed") }
    let letters = Set(runs.compactMap(\.letter))
    if letters.isEmpty { return .mistake("it has no part of a date, such as yyyy, MM or dd") }
    if let reason = confusion(letters) { return .mistake(reason) }
    if isRead, letters.isDisjoint(with: years) {
      return .mistake("it has no year (y), and a date that is read needs one")
    }
    var elements: [Element] = []
    for run in runs {
      guard let letter = run.letter else {
        elements.append(.literal(run.literal))
        continue
      }
      guard let element = element(letter, run.count) else {
        return .foreign(
          "'\(String(repeating: letter, count: run.count))' is not one of its parts, whose letters are "
            + "y M d E H h a m s S Z X x z")
      }
      elements.append(element)
    }
    if let reason = ambiguity(runs, elements) { return .foreign(reason) }
    guard knows(locale, elements) else {
      return .foreign("its names or digits are of another language")
    }
    return .pattern(DatePattern(elements: elements))
  }

  /// The letters that say which year it is.
  private static let years: Set<Character> = ["y", "Y", "u", "U", "r", "g"]

  /// A run of one pattern letter, or of literal text.
  private struct Run {
    var letter: Character?
    var count = 0
    var literal: [UInt8] = []
  }

  /// Nil if a quote is not closed.
  private static func runs(of pattern: String) -> [Run]? {
    var runs: [Run] = []
    func append(literal text: Character) {
      if runs.last?.letter != nil || runs.isEmpty { runs.append(Run()) }
      runs[runs.count - 1].literal += Array(String(text).utf8)
    }
    var rest = pattern[...]
    while let next = rest.popFirst() {
      if next == "'" {
        if rest.first == "'" {
          append(literal: rest.removeFirst())
          continue
        }
        while true {
          guard let quoted = rest.popFirst() else { return nil }
          if quoted == "'" {
            guard rest.first == "'" else { break }
            rest.removeFirst()
          }
          append(literal: quoted)
        }
      } else if next.isASCII, next.isLetter {
        if runs.last?.letter != next { runs.append(Run(letter: next)) }
        runs[runs.count - 1].count += 1
      } else {
        append(literal: next)
      }
    }
    return runs
  }

  /// The letters that stand for something, by Unicode.
  private static let known = Set("GyYuUrQqMLlwWdDFgEecabBhHKkjJCmsSAzZOvVXx")

  /// The reason why a well-formed pattern makes no sense.
  private static func confusion(_ letters: Set<Character>) -> String? {
    if let letter = letters.subtracting(known).min() {
      return "\(letter) is not part of a date; quote a letter that stands for itself, as in 'T'"
    }
    if letters.contains("Y"), letters.isDisjoint(with: ["w"]) {
      return "Y is the year of a week; for the calendar year write y"
    }
    if letters.contains("D"), !letters.isDisjoint(with: ["M", "L"]) {
      return "D is the day of the year; for the day of the month write d"
    }
    if letters.contains("m"), letters.isDisjoint(with: ["H", "h", "K", "k"]) {
      return "m is the minute, and the pattern has no hour; for the month write M"
    }
    if !letters.isDisjoint(with: ["h", "K"]), letters.isDisjoint(with: ["a", "b", "B"]) {
      return
        "h is the hour of a 12-hour clock and needs a (AM or PM); for the 24-hour clock write H"
    }
    return nil
  }

  private static func element(_ letter: Character, _ count: Int) -> Element? {
    switch (letter, count) {
    case ("y", 2): .twoDigitYear
    case ("y", 1...4): .year(count)
    case ("M", 1...2), ("L", 1...2): .month(count)
    case ("M", 3): .monthName(isShort: true)
    case ("M", 4): .monthName(isShort: false)
    case ("d", 1...2): .day(count)
    case ("E", 1...3): .weekdayName(isShort: true)
    case ("E", 4): .weekdayName(isShort: false)
    case ("H", 1...2): .hour(count)
    case ("h", 1...2): .halfDayHour(count)
    case ("a", 1...3): .halfDay
    case ("m", 1...2): .minute(count)
    case ("s", 1...2): .second(count)
    case ("S", 1...9): .fraction(count)
    case ("Z", 1...3): .offset(Offset(hasZ: false, hasColon: false, minutes: .required))
    case ("Z", 5), ("X", 3): .offset(Offset(hasZ: true, hasColon: true, minutes: .required))
    case ("X", 1): .offset(Offset(hasZ: true, hasColon: false, minutes: .optional))
    case ("X", 2): .offset(Offset(hasZ: true, hasColon: false, minutes: .required))
    case ("x", 1): .offset(Offset(hasZ: false, hasColon: false, minutes: .optional))
    case ("x", 2): .offset(Offset(hasZ: false, hasColon: false, minutes: .required))
    case ("x", 3): .offset(Offset(hasZ: false, hasColon: true, minutes: .required))
    case ("z", 1...3): .zoneName
    default: nil
    }
  }

  /// Why texts may be read in two ways: a part occurs twice, or one of variable length comes directly before another number.
  private static func ambiguity(_ runs: [Run], _ elements: [Element]) -> String? {
    let letters = runs.compactMap(\.letter)
    func count(_ equivalent: String) -> Int { letters.count { equivalent.contains($0) } }
    guard Set(letters).count == letters.count, count("ZXxz") <= 1, count("Hh") <= 1,
      count("ML") <= 1
    else { return "it has the same part of a date twice" }
    let isOpen = zip(elements, elements.dropFirst()).contains {
      $0.hasOpenLength && $1.startsWithDigit
    }
    return isOpen
      ? "it does not tell where a number ends: write two letters, as in dd, or something between them"
      : nil
  }

  /// Whether the names and digits of a language are those that are known; nil is English.
  private static func knows(_ locale: Locale?, _ elements: [Element]) -> Bool {
    // Without ICU Foundation makes one and the same locale of every identifier: so English is not asked for by one.
    guard let locale, !["en_US_POSIX", "en_US"].contains(locale.identifier) else { return true }
    return locale.numberingSystem.identifier == "latn" && locale.calendar.identifier == .gregorian
      && !elements.contains { element in
        switch element {
        case .monthName, .weekdayName, .halfDay, .zoneName: true
        default: false
        }
      }
  }
}

extension DatePattern.Element {
  fileprivate var hasOpenLength: Bool {
    switch self {
    case .year(let minimum): minimum < 4
    case .month(1), .day(1), .hour(1), .halfDayHour(1), .minute(1), .second(1): true
    case .offset(let offset): offset.minutes == .optional
    default: false
    }
  }

  fileprivate var startsWithDigit: Bool {
    switch self {
    case .literal(let bytes): bytes.first.map { $0 &- 0x30 < 10 } ?? false
    case .year, .twoDigitYear, .month, .day, .hour, .halfDayHour, .minute, .second, .fraction: true
    case .monthName, .weekdayName, .halfDay, .offset, .zoneName: false
    }
  }
}
