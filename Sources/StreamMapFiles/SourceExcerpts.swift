/// Shows places in the text of a file, each as its line with a caret below.
///
/// The places are asked for in their order, so that the text is gone through once, however many there are.
struct SourceExcerpts {
  /// How much of a line is shown before and after a place.
  private static let (most, least) = (70, 40)

  private let scalars: String.UnicodeScalarView
  private var index: String.UnicodeScalarView.Index
  private var lineStart: String.UnicodeScalarView.Index
  private var line = 1
  private var column = 1
  /// Whether lines end as they were counted: at line feeds only.
  private let isPlain: Bool

  /// Shows places of a text.
  init(of text: String) {
    scalars = text.unicodeScalars
    index = scalars.startIndex
    lineStart = index
    isPlain = !zip(scalars, scalars.dropFirst()).contains { first, second in
      first == "\r" && second != "\n" || first == "\u{85}" || first == "\u{2028}"
        || first == "\u{2029}"
    }
  }

  /// The line of a place, and a caret below it; nil if the place is not found.
  mutating func excerpt(line: Int, column: Int) -> String? {
    guard isPlain, advance(to: line, column) else { return nil }
    var start = index
    var before = 0
    while start > lineStart, before < Self.most {
      scalars.formIndex(before: &start)
      before += 1
    }
    let after = scalars[index...].prefix(Self.least + Self.most - before + 1).prefix {
      $0 != "\n" && $0 != "\r"
    }
    if before == 0, after.isEmpty { return nil }
    let isCut = after.count > Self.least + Self.most - before
    var shown = start > lineStart ? "…" : ""
    shown.unicodeScalars.append(
      contentsOf: (scalars[start..<index] + after.dropLast(isCut ? 1 : 0)).map(Self.shown))
    if isCut { shown += "…" }
    let indent = before + (start > lineStart ? 1 : 0)
    return "  \(shown)\n  \(String(repeating: " ", count: indent))^"
  }

  private mutating func advance(to line: Int, _ column: Int) -> Bool {
    while self.line < line {
      guard let end = scalars[index...].firstIndex(of: "\n") else { return false }
      index = scalars.index(after: end)
      lineStart = index
      self.line += 1
      self.column = 1
    }
    guard self.line == line else { return false }
    while self.column < column, index < scalars.endIndex, scalars[index] != "\n" {
      scalars.formIndex(after: &index)
      self.column += 1
    }
    return self.column == column
  }

  /// One character for one, none of which a terminal takes for a command.
  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
      scalar == "\t" ? " " : "\u{FFFD}"
    default: scalar
    }
  }
}
