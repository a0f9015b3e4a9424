#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
