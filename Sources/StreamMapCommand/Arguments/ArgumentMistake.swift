import StreamMap
import StreamMapFiles

/// What the parser of arguments says of a mistake, with what would be right.
///
/// The parser has no errors that could be told apart but by their text. Whatever is not recognised here stays as it is.
struct ArgumentMistake {
  /// The whole message.
  private(set) var text: String

  init(_ text: String) {
    self.text = text
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // A long list of choices has a line for each.
    let choices = lines.dropFirst().prefix { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
    guard let better = Self.unknownOption(lines[0]) ?? Self.invalidValue(lines[0], choices) else {
      return
    }
    lines.replaceSubrange(0...choices.count, with: [better])
    self.text = lines.joined(separator: "\n")
  }

  // MARK: Options

  /// What is said of an option that does not exist.
  ///
  /// The parser takes any option for the nearest one, however far that is. Only what is near by our measure is kept.
  private static func unknownOption(_ line: String) -> String? {
    let pattern = #/^(Error: Unknown option '--?([^'=]+)[^']*')(?:\. Did you mean '--?([^']+)'\?)?/#
    guard let found = line.firstMatch(of: pattern) else { return nil }
    let option = found.2.lowercased()
    if let advice = OtherOptions.advice(for: option) { return "\(found.1); \(advice)" }
    guard let near = found.3 else { return nil }
    return Suggestion.nearest(to: option, among: [String(near)]) == nil ? String(found.1) : nil
  }

  // MARK: Values

  /// What options take whose values have a form of their own.
  private static let forms: [(option: String, form: String)] = [
    ("--sample", "a share of the records, as in 1% or 0.01"),
    ("--part", "a part and how many there are, from 1/8 to 8/8"),
    ("--seed", "a whole number from 0 up"),
    ("--checkpoint-every", "seconds as in 30s, or input as in 64MiB"),
  ]

  private static func invalidValue(_ line: String, _ choices: [String]) -> String? {
    let pattern = #/^(Error: The value '(.*)' is invalid for '(--?[a-z-]+) <(.+)>')(.*)$/#
    guard let found = line.firstMatch(of: pattern) else { return nil }
    let (start, option, kind) = (found.1, String(found.3), String(found.4))
    if let form = forms.first(where: { $0.option == option })?.form {
      return "\(start): it takes \(form)."
    }
    if kind == "number" { return "\(start): it takes a number." }
    if kind == "size" || option.hasPrefix("--limit-") {
      return "\(start): it takes \(ByteSize.expectation)."
    }
    // As in: Please provide one of 'auto', 'json' or 'seq'.
    let quoted = found.5.split(separator: "'").enumerated().filter { $0.offset % 2 == 1 }
    let names = choices.isEmpty ? quoted.map { String($0.element) } : choices
    let list = "it takes \(names.joined(separator: ", "))"
    switch Suggestion.meant(by: String(found.2), among: names) {
    case .name(let name)?: return "\(start): \(list)\(Suggestion.hint(name))"
    case .advice(let advice)?: return "\(start): \(list); \(advice)"
    case .nothing?, nil: return nil
    }
  }
}
