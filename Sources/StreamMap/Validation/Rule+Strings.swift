/// Which part of a text a pattern has to match.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum MatchExtent: Sendable, Hashable {
  /// All of it.
  case whole
  /// Any part of it.
  case anywhere
}

// Length and pattern of texts. Lengths count Unicode scalars: unlike the number of characters, their number does not
// depend on the version of Unicode, nor on an encoding.

extension Rule where Value == String {
  /// Exactly this many Unicode scalars.
  public static func length(_ count: Int) -> Rule {
    sized("length", count, count, "exactly")
  }

  /// At least this many Unicode scalars.
  public static func minLength(_ count: Int) -> Rule {
    sized("minLength", count, .max, "at least")
  }

  /// At most this many Unicode scalars.
  public static func maxLength(_ count: Int) -> Rule {
    sized("maxLength", 0, count, "at most")
  }

  /// From the first to the last number of Unicode scalars, both included.
  ///
  /// Its failures have the name `lengthRange`.
  public static func length(_ range: ClosedRange<Int>) -> Rule {
    length(from: range.lowerBound, to: range.upperBound)
  }

  /// The same by the numbers of a mapping file: if the first is above the last, no length is allowed, which is a ``mistake``.
  package static func length(from first: Int, to last: Int) -> Rule {
    sized("lengthRange", first, last, "from")
  }

  private static func sized(_ name: String, _ first: Int, _ last: Int, _ words: String) -> Rule {
    CountLimit(first, last, words, "character").rule(name) { $0.unicodeScalars.count }
  }

  /// A match of a pattern (Swift Regex).
  ///
  /// ```swift
  /// let country: Rule<String> = .matches("[A-Z]{2}")
  /// let word: Rule<String> = .matches("(?i)\\berror\\b", .anywhere)
  /// ```
  ///
  /// - Warning: The time of a match depends on the pattern and the text: Swift's Regex tries one way after another, and
  ///   nested repetitions, as in `(a+)+b`, have exponentially many ways. Forty characters of hostile text can stop a
  ///   program, and nothing can end a match that has begun. If the texts are not your own, write patterns without such
  ///   repetitions, and limit the length first: `.all(.maxLength(100), .matches(…))`. An engine that takes linear time
  ///   would be a dependency, which this library does not have; your own ``Rule`` can use one. The command takes its
  ///   patterns from mapping files, so it uses RE2.
  ///
  /// - Parameters:
  ///   - pattern: Compiled once, by this call. A pattern that cannot be read is a ``mistake``.
  ///   - extent: Which part of the text has to match.
  /// - Returns: The rule.
  public static func matches(_ pattern: String, _ extent: MatchExtent = .whole) -> Rule {
    do {
      return matches(
        try Regex(pattern), extent, expecting: "a match of \(ValueList.text(pattern))")
    } catch {
      return Rule("matches", mistake: "the pattern '\(pattern)' cannot be read: \(error)")
    }
  }

  /// A match of a regex, as in `.matches(/[A-Z]{2}/, expecting: "two capital letters")`.
  ///
  /// - Warning: A match may take exponential time on hostile text: see ``matches(_:_:)``.
  ///
  /// - Parameters:
  ///   - regex: The regex; its functions (transforms, its own components) may be called on any thread.
  ///   - extent: Which part of the text has to match.
  ///   - expected: What the rule requires, in words.
  /// - Returns: The rule.
  public static func matches<Output>(
    _ regex: Regex<Output>, _ extent: MatchExtent = .whole,
    expecting expected: String
  ) -> Rule {
    let pattern = SharedRegex(regex)
    let part = extent == .whole ? expected : expected + " in it"
    return Rule("matches", expecting: part) { text in
      switch extent {
      case .whole: try pattern.regex.wholeMatch(in: text) != nil
      case .anywhere: try pattern.regex.firstMatch(in: text) != nil
      }
    }
  }
}

/// A regex that any thread may match with.
///
/// Invariant: a Regex is an immutable program that is compiled on first use under an atomic exchange, and each match
/// has its own state. It is not Sendable only because it may hold functions; for these see
/// ``Rule/matches(_:_:expecting:)``.
private struct SharedRegex<Output>: @unchecked Sendable {
  let regex: Regex<Output>

  init(_ regex: Regex<Output>) { self.regex = regex }
}
