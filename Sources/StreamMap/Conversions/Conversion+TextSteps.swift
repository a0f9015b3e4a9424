// Texts made from texts. Lengths and indices count Unicode scalars, as the rules about lengths do.

extension Conversion where Source == String, Target == String {
  /// The text without white space (Unicode's White_Space) at either end; the reverse changes nothing.
  ///
  /// ```swift
  /// let name: Mapping<String> = .converted(from: .string, by: .trimmed.then(.lowercased))
  /// // "  Ann\n"  →  "ann"
  /// ```
  public static var trimmed: Conversion { step(.trim) }

  /// The text in lower case, by Unicode and without a locale: each scalar by itself, but for a Σ that ends a word; the reverse changes nothing.
  public static var lowercased: Conversion { step(.lower) }

  /// The text in upper case, by Unicode's mapping of each scalar and without a locale; the reverse changes nothing.
  public static var uppercased: Conversion { step(.upper) }

  /// The text with one space for each run of white space; the reverse changes nothing.
  public static var squeezed: Conversion { step(.squeeze) }

  /// The text with another text for each occurrence of a text; one-way.
  ///
  /// An empty text to replace is a ``mistake``.
  public static func replacing(_ text: String, with other: String) -> Conversion {
    step(.replace(text, with: other))
  }

  /// The text after a prefix; the reverse takes the prefix away, if it is there.
  public static func prefixed(by prefix: String) -> Conversion { step(.prefix(prefix)) }

  /// The text before a suffix; the reverse takes the suffix away, if it is there.
  public static func suffixed(by suffix: String) -> Conversion { step(.suffix(suffix)) }

  /// The text without a prefix, if it is there; the reverse puts it before the text.
  public static func strippingPrefix(_ prefix: String) -> Conversion { step(.stripPrefix(prefix)) }

  /// The text without a suffix, if it is there; the reverse puts it after the text.
  public static func strippingSuffix(_ suffix: String) -> Conversion { step(.stripSuffix(suffix)) }

  /// The scalars of the text from one up to another, or to the end; one-way.
  ///
  /// A negative number counts from the end. Missing scalars are left out: no text is too short.
  ///
  /// ```swift
  /// let year: Conversion<String, String> = .sliced(from: 0, to: 4)
  /// try year.forward("2026-11-22")  // "2026"
  /// ```
  public static func sliced(from start: Int, to end: Int? = nil) -> Conversion {
    step(.slice(from: start, to: end))
  }

  /// One of the parts of the text between occurrences of a separator, from 0 up; one-way.
  ///
  /// A negative index counts from the end. A text without such a part is an error; an empty separator is a ``mistake``.
  public static func part(_ index: Int, splitBy separator: String) -> Conversion {
    step(.part(index, between: separator))
  }

  /// The text with a scalar before it, as often as it takes for a length; the reverse changes nothing.
  ///
  /// ```swift
  /// let number: Conversion<String, String> = .padded(to: 8, with: "0")
  /// try number.forward("42")  // "00000042"
  /// ```
  ///
  /// - Parameters:
  ///   - length: In scalars, at most 10,000; more is a ``mistake``.
  ///   - scalar: The scalar before the text.
  /// - Returns: The conversion.
  public static func padded(to length: Int, with scalar: Unicode.Scalar) -> Conversion {
    step(.pad(length, scalar))
  }

  /// The text with a scalar after it, as often as it takes for a length: see ``padded(to:with:)``.
  public static func paddedAtEnd(to length: Int, with scalar: Unicode.Scalar) -> Conversion {
    step(.padEnd(length, scalar))
  }

  private static func step(_ step: TextStep) -> Conversion {
    if let mistake = step.mistake { return Conversion(step.name, mistake: mistake) }
    let steps = TextSteps([step])
    guard step.hasWayBack else { return Conversion(step.name) { try steps.applied(to: $0) } }
    let back = TextSteps(step.wayBack.map { [$0] } ?? [])
    return Conversion(step.name) {
      try steps.applied(to: $0)
    } reverse: {
      try back.applied(to: $0)
    }
  }

  /// The part of a text that a pattern (Swift Regex) finds first: its first group, or the whole match; one-way.
  ///
  /// A text without a match, or whose match leaves the group out, is an error.
  ///
  /// ```swift
  /// let steps: Mapping<Int> = .converted(from: .string, by: .extracting("in (\\d+) steps").then(.number))
  /// // "done in 12 steps"  →  12
  /// ```
  ///
  /// - Warning: The time of a match depends on the pattern and the text: see ``Rule/matches(_:_:)``. Mapping files take
  ///   RE2, whose time is linear.
  ///
  /// - Parameter pattern: Compiled once, by this call. A pattern that cannot be read is a ``mistake``.
  /// - Returns: The conversion.
  public static func extracting(_ pattern: String) -> Conversion {
    let name = "extract \(ValueList.text(pattern))"
    let failure = ConversionFailure(expected: "a text with a match of \(ValueList.text(pattern))")
    do {
      let regex = SharedPattern(try Regex(pattern))
      return Conversion(name) { text in
        guard let match = try regex.pattern.firstMatch(in: text) else { throw failure }
        let group = match.output.count > 1 ? match.output[1] : match.output[0]
        guard let found = group.substring else { throw failure }
        return String(found)
      }
    } catch {
      return Conversion(name, mistake: "the pattern '\(pattern)' cannot be read: \(error)")
    }
  }
}

extension Conversion where Source == String, Target == [String] {
  /// The parts of a text between occurrences of a separator; the reverse joins them.
  ///
  /// An empty text has no parts. In the reverse, a part that contains the separator is an error, because it would come back as
  /// two, and so is a single empty part. An empty separator is a ``mistake``.
  ///
  /// ```swift
  /// let tags: Mapping<[String]> = .converted(from: .string, by: .splitting(by: ","))
  /// // "a,b"  →  ["a", "b"]
  /// ```
  public static func splitting(by separator: String) -> Conversion {
    let name = "split by \(ValueList.text(separator))"
    if separator.isEmpty { return Conversion(name, mistake: "the separator is empty") }
    let bytes = Array(separator.utf8)
    return Conversion(name) { text in
      var text = text
      return text.withUTF8 { text in
        var parts: [String] = []
        if text.isEmpty { return parts }
        text.forEachPart(between: bytes) { part, _ in
          parts.append(String(decoding: part, as: UTF8.self))
          return true
        }
        return parts
      }
    } reverse: { parts in
      for part in parts {
        var part = part
        let holdsSeparator = part.withUTF8 { $0.firstOccurrence(of: bytes, from: 0) != nil }
        if holdsSeparator || part.isEmpty && parts.count == 1 {
          throw ConversionFailure(expected: "parts that are still apart when they are joined")
        }
      }
      return parts.joined(separator: separator)
    }
  }
}

/// A regex that any thread may match with: an immutable program, and each match has its own state.
///
/// Invariant: made from a text, it holds no functions.
private struct SharedPattern: @unchecked Sendable {
  let pattern: Regex<AnyRegexOutput>

  init(_ pattern: Regex<AnyRegexOutput>) { self.pattern = pattern }
}
