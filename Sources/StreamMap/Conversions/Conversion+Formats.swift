import Foundation

// Foundation's own conversions between values and texts.

extension Conversion where Source: Sendable, Target: Sendable {
  /// A conversion that reads with a parse strategy and writes with a format style.
  ///
  /// ```swift
  /// let iso = Date.ISO8601FormatStyle().year().month().day()
  /// let day = Conversion<String, Date>(parse: iso.parseStrategy, format: iso)
  /// ```
  ///
  /// An error that the strategy throws becomes an underlying error of ``ErrorCode/conversionFailed``. The strategy
  /// decides whether text may be left over, and which locale applies.
  public init<Strategy: ParseStrategy & Sendable, Style: FormatStyle & Sendable>(
    parse strategy: Strategy, format style: Style
  )
  where
    Strategy.ParseInput == Source, Strategy.ParseOutput == Target, Style.FormatInput == Target,
    Style.FormatOutput == Source
  {
    self.init(typeName(Strategy.self)) {
      try strategy.parse($0)
    } reverse: {
      style.format($0)
    }
  }

  /// A conversion that reads and writes with a format style.
  public init<Style: ParseableFormatStyle & Sendable>(_ style: Style)
  where
    Style.Strategy: Sendable, Style.Strategy.ParseInput == Source,
    Style.Strategy.ParseOutput == Target, Style.FormatInput == Target, Style.FormatOutput == Source
  {
    self.init(parse: style.parseStrategy, format: style)
  }
}

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
  /// A conversion with a `DateFormatter`; a pattern is faster and stricter: ``dateFormat(_:timeZone:locale:)``.
  public init(formatter: sending DateFormatter) {
    self.init(formatter: formatter) { $0.date(from: $1) }
  }
}

extension Conversion where Source == String, Target == Double {
  /// A conversion with a `NumberFormatter`; a punctuation is faster and exact: ``NumberPunctuation``.
  public init(formatter: sending NumberFormatter) {
    self.init(formatter: formatter) { $0.number(from: $1)?.doubleValue }
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
