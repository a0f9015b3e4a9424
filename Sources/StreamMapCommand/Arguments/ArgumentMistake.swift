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

  private static let unknown = try? LinearPattern(
    "^(Error: Unknown option '--?([^'=]+)[^']*')(?:\\. Did you mean '--?([^']+)'\\?)?")

  /// What is said of an option that does not exist.
  ///
  /// The parser takes any option for the nearest one, however far that is. Only what is near by our measure is kept.
  private static func unknownOption(_ line: String) -> String? {
    guard let found = unknown?.firstMatch(in: line), let start = found[1],
      let option = found[2]?.lowercased()
    else { return nil }
    if let advice = OtherOptions.advice(for: option) { return "\(start); \(advice)" }
    guard let near = found[3] else { return nil }
    return Suggestion.nearest(to: option, among: [near]) == nil ? start : nil
  }

  // MARK: Values

  /// What options take whose values have a form of their own.
  private static let forms: [(option: String, form: String)] = [
    ("--sample", "a share of the records, as in 1% or 0.01"),
    ("--part", "a part and how many there are, from 1/8 to 8/8"),
    ("--seed", "a whole number from 0 up"),
    ("--checkpoint-every", "seconds as in 30s, or input as in 64MiB"),
  ]

  private static let invalid = try? LinearPattern(
    "^(Error: The value '(.*)' is invalid for '(--?[a-z-]+) <(.+)>')(.*)$")

  private static func invalidValue(_ line: String, _ choices: [String]) -> String? {
    guard let found = invalid?.firstMatch(in: line), let start = found[1], let value = found[2],
      let option = found[3], let kind = found[4], let rest = found[5]
    else { return nil }
    if let form = forms.first(where: { $0.option == option })?.form {
      return "\(start): it takes \(form)."
    }
    if kind == "number" { return "\(start): it takes a number." }
    if kind == "size" || option.hasPrefix("--limit-") {
      return "\(start): it takes \(ByteSize.expectation)."
    }
    // As in: Please provide one of 'auto', 'json' or 'seq'.
    let quoted = rest.split(separator: "'").enumerated().filter { $0.offset % 2 == 1 }
    let names = choices.isEmpty ? quoted.map { String($0.element) } : choices
    let list = "it takes \(names.joined(separator: ", "))"
    switch Suggestion.meant(by: value, among: names) {
    case .name(let name)?: return "\(start): \(list)\(Suggestion.hint(name))"
    case .advice(let advice)?: return "\(start): \(list); \(advice)"
    case .nothing?, nil: return nil
    }
  }
}
