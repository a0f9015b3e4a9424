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

  /// Options that other programs have, and what to give here.
  private static let others: [(options: [String], advice: String)] = [
    (["csv", "ocsv", "c2p"], "--to csv"), (["tsv", "otsv"], "--to tsv"),
    (["json", "ojson"], "--to json"), (["jsonl", "ojsonl", "ndjson"], "--to ndjson"),
    (["pretty"], "--to pretty"), (["sqlite"], "--to sqlite"),
    (["icsv", "itsv"], "a feed of JSON: mlr --icsv --ojsonl cat FILE | stream-map …"),
    (["ijson", "ijsonl", "input-format", "input-type"], "--from FORMAT"),
    (["format", "type"], "--from FORMAT or --to FORM"),
    (["output-format", "output-type", "as"], "--to FORM"),
    (["output-file", "out", "outfile"], "-o FILE"),
    (["map", "config", "schema", "mapping-file"], "--mapping FILE"),
    (["path", "root", "items", "record-path"], "--records PATH"),
    (["select", "columns", "cols", "fields", "pick"], "--field for each field"),
    (["where", "filter"], "a mapping file with where: …"),
    (["threads", "workers", "parallel", "processes"], "--jobs NUMBER"),
    (["head", "take", "lines", "n"], "--limit NUMBER"),
    (["tail"], "--skip NUMBER"),
    (["arg", "argjson", "var", "param", "define"], "--set NAME=VALUE"),
    (["ignore-errors", "skip-errors", "continue-on-error", "keep-going"], "--errors skip"),
    (["silent", "no-progress"], "--quiet"), (["verbose", "summary"], "--stats human"),
    (["gzip", "zip", "compress"], "-o FILE.gz"),
    (["primary-key", "pk"], "--key COLUMN"),
    (["random", "shuffle"], "--sample SHARE"),
    (["explode", "flatten", "unnest"], "a mapping file with output: { arrays: explode }"),
  ]

  private static func unknownOption(_ line: String) -> String? {
    guard let found = line.firstMatch(of: #/^(Error: Unknown option '--?([^'=]+)[^']*')/#) else {
      return nil
    }
    let option = found.2.lowercased()
    guard let advice = others.first(where: { $0.options.contains(option) })?.advice else {
      return nil
    }
    return "\(found.1); write \(advice)"
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
