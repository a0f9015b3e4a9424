import StreamMap

extension PathPattern {
  /// Reads a path whose filters may match texts with patterns: `match(@.name, 'a.*')`.
  ///
  /// The patterns are those of RFC 9485 (I-Regexp), and what else RE2 takes.
  ///
  /// - Throws: `PathSyntaxError`, which says what is wrong and where.
  package init(reading text: String) throws(PathSyntaxError) {
    try self.init(parsing: text, patterns: .linear)
  }
}

extension TextPatterns {
  fileprivate static let linear = TextPatterns { text in
    try LinearPattern(text.withLineEndsOutOfDots)
  }
}

extension LinearPattern: TextPattern {}

extension String {
  /// A pattern whose dots match no character that ends a line: neither U+000A nor U+000D (RFC 9485, section 5.4).
  fileprivate var withLineEndsOutOfDots: String {
    var result = String.UnicodeScalarView()
    var isEscaped = false
    var isInClass = false
    for scalar in unicodeScalars {
      if scalar == ".", !isEscaped, !isInClass {
        result.append(contentsOf: "[^\\n\\r]".unicodeScalars)
        continue
      }
      result.append(scalar)
      if isEscaped {
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "[" {
        isInClass = true
      } else if scalar == "]" {
        isInClass = false
      }
    }
    return String(result)
  }
}
