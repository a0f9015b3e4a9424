import Foundation
import StreamMap

// Conversions with formatters.

extension Conversion where Source == String, Target: Sendable {
  /// A conversion that reads and writes with a `Formatter` of any kind.
  ///
  /// ```swift
  /// let lengths = Conversion<String, NSNumber>(formatter: NumberFormatter()) { $0.number(from: $1) }
  /// ```
  ///
  /// Formatters are not values: the conversion owns this one, and one thread at a time uses it.
  ///
  /// - Parameters:
  ///   - formatter: The formatter; it must not be used anywhere else afterwards.
  ///   - parse: Reads a text with it; nil is an error.
  public init<F: Formatter>(
    formatter: sending F, parse: @escaping @Sendable (F, String) throws -> Target?
  ) {
    let name = typeName(F.self)
    let locked = LockedFormatter(formatter)
    self.init(name) { text in
      guard let value = try locked.use({ try parse($0, text) }) else {
        throw ConversionFailure(expected: "a text that \(name) can read")
      }
      return value
    } reverse: { value in
      guard let text = locked.use({ $0.string(for: value) }) else {
        throw ConversionFailure(expected: "a value that \(name) can write")
      }
      return text
    }
  }
}

extension Conversion where Source == String, Target == Date {
  /// A conversion with a `DateFormatter`; a pattern is faster and stricter: `dateFormat(_:timeZone:locale:)`.
  public init(formatter: sending DateFormatter) {
    self.init(formatter: formatter) { $0.date(from: $1) }
  }

  /// A date in the format of a Unicode pattern (UTS #35) with any letters, in any language, in both directions.
  ///
  /// ```swift
  /// let day: Conversion<String, Date> = .localizedDateFormat("d. MMMM yyyy", locale: Locale(identifier: "de_DE"))
  /// ```
  ///
  /// Patterns of `dateFormat(_:timeZone:locale:)` work in the same way. All others use a `DateFormatter`, which is many times
  /// slower, may accept a little more than the pattern says, and is exact only to milliseconds.
  ///
  /// - Parameters:
  ///   - pattern: The format.
  ///   - timeZone: The zone of the texts, unless the pattern has an offset or a zone; the reverse always uses it.
  ///   - locale: For the names of months and days, and for digits.
  /// - Returns: The conversion.
  public static func localizedDateFormat(
    _ pattern: String, timeZone: TimeZone = .gmt, locale: Locale = Locale(identifier: "en_US_POSIX")
  ) -> Conversion {
    knownDateFormat(pattern, timeZone: timeZone, locale: locale)
      ?? Conversion<String, Instant>.formatterFormat(
        pattern, timeZone: timeZone, locale: locale
      ).dates(digits: 3)
  }
}

extension Conversion where Source == String, Target == Instant {
  /// A pattern by Unicode with a `DateFormatter`, which is exact to the millisecond.
  fileprivate static func formatterFormat(
    _ pattern: String, timeZone: TimeZone, locale: Locale
  ) -> Conversion {
    let formatter = StrictDateFormatter(pattern, timeZone: timeZone, locale: locale)
    return Conversion("date \(pattern)") { text in
      guard let date = formatter.date(text), let instant = Instant(roundedToMilliseconds: date)
      else { throw ConversionFailure(expected: "a date (\(pattern))") }
      return instant
    } reverse: {
      formatter.text($0.dateInMillisecond)
    }
  }
}

extension Conversion where Source == String, Target == Double {
  /// A conversion with a `NumberFormatter`; a punctuation is faster and exact: `NumberPunctuation`.
  public init(formatter: sending NumberFormatter) {
    self.init(formatter: formatter) { $0.number(from: $1)?.doubleValue }
  }
}

extension NumberPunctuation {
  /// The notation of a locale, including its digits and minus sign; those of ASCII are also accepted.
  ///
  /// ```swift
  /// let price: Conversion<String, Decimal> = .number(.locale(Locale(identifier: "de_DE")))
  /// try price.forward("1.235,50")  // 1235.5
  /// ```
  ///
  /// If a space separates groups, any of U+0020, U+00A0 and U+202F is accepted.
  public static func locale(_ locale: Locale) -> NumberPunctuation {
    let formatter = NumberFormatter()
    formatter.locale = locale
    formatter.numberStyle = .decimal
    let size = max(formatter.groupingSize, 1)
    let otherSize = formatter.secondaryGroupingSize
    return NumberPunctuation(
      group: formatter.groupingSeparator ?? ",", decimal: formatter.decimalSeparator ?? ".",
      minus: formatter.minusSign ?? "-", zero: formatter.string(from: 0) ?? "0", groupSize: size,
      otherGroupSize: otherSize > 0 ? otherSize : size, name: locale.identifier)
  }
}

/// A formatter that one thread at a time uses.
///
/// Invariant: no other code has it, and it is used only with the lock held.
private final class LockedFormatter<F: Formatter>: @unchecked Sendable {
  private let formatter: F
  private let lock = NSLock()

  init(_ formatter: sending F) {
    self.formatter = formatter
  }

  func use<Result>(_ body: (F) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(formatter)
  }
}

/// A `DateFormatter` that accepts only whole texts, and serves one thread at a time.
///
/// Invariant: the formatter is not changed after it is made, and is used only with the lock held.
private final class StrictDateFormatter: @unchecked Sendable {
  // A marker at the end of both the pattern and the text: anything left over in a text comes before it.
  private static let end = "\u{1F}"
  private let formatter = DateFormatter()
  private let lock = NSLock()

  init(_ pattern: String, timeZone: TimeZone, locale: Locale) {
    formatter.locale = locale
    formatter.timeZone = timeZone
    formatter.isLenient = false
    formatter.dateFormat = pattern + "'" + Self.end + "'"
  }

  func date(_ text: String) -> Date? {
    lock.withLock { formatter.date(from: text + Self.end) }
  }

  func text(_ date: Date) -> String {
    lock.withLock { String(formatter.string(from: date).dropLast()) }
  }
}
