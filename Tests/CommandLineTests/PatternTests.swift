import Foundation
import Testing

/// Patterns of mapping files.
@Suite struct PatternTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  private func kept(_ rule: String, _ texts: [String], file: String = "m.yaml") throws -> [String] {
    try command.write(
      "streammap: 1\nrecord: { x: { from: x, type: string, validate: { \(rule) } } }\n", to: file)
    let feed = try texts.map {
      "{\"x\":\(String(decoding: try JSONEncoder().encode($0), as: UTF8.self))}\n"
    }.joined()
    let run = ["-m", file, "--from", "ndjson", "--errors", "skip"]
    let output = try command.run(run, input: Array(feed.utf8)).output
    #expect(try command.run(run + ["--jobs", "3"], input: Array(feed.utf8)).output == output)
    try command.write(
      "streammap: 1\nrecord: { x: { from: x, type: string } }\nwhere: { field: x, \(rule) }\n",
      to: file)
    #expect(try command.run(run, input: Array(feed.utf8)).output == output)
    return try output.split(separator: "\n").map {
      try JSONDecoder().decode([String: String].self, from: Data($0.utf8))["x"] ?? ""
    }
  }

  @Test(
    .long,
    arguments: [
      "(a+)+", "(a|a)*", "(a|aa)+", "(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[^a!]", "(x+x+)+y",
    ])
  func `a pattern hostile to backtracking is matched in linear time`(_ pattern: String) throws {
    let text = String(repeating: "a", count: 40) + "!"
    let long = String(repeating: "a", count: 1 << 20) + "!"
    #expect(try kept("matches: \"\(pattern)\"", [text, long, "b"]).count <= 1)
    #expect(try kept("matches_anywhere: \"\(pattern)$\"", [text, long, "b!"]).count <= 3)
  }

  @Test(.long)
  func `a match covers the whole text or any part, as asked`() throws {
    let texts = ["ab", "xabx", "éé", "e\u{301}", "😀z", "a\nb", "", "AB", "a\u{0}b"]
    #expect(try kept("matches: ab", texts) == ["ab"])
    #expect(try kept("matches_anywhere: ab", texts) == ["ab", "xabx"])
    #expect(try kept("matches: \"..\"", texts) == ["ab", "éé", "e\u{301}", "😀z", "AB"])
    #expect(try kept("matches: \"(?s).{3}\"", texts) == ["a\nb", "a\u{0}b"])
    #expect(try kept("matches: \"(?i)[a-b]+\"", texts) == ["ab", "AB"])
    #expect(try kept("matches: \"\\\\p{Ll}+\"", texts) == ["ab", "xabx", "éé"])
    #expect(try kept("matches: a|ab", texts) == ["ab"])
    #expect(try kept("matches: \"\"", texts) == [""])
    #expect(try kept("matches_anywhere: \"^.?b$\"", texts) == ["ab"])
  }

  @Test
  func `many threads match texts with escapes correctly`() throws {
    let texts = (0..<5000).map { "line \($0)\t\"\($0 % 7)\"" }
    #expect(
      try kept("matches: \"line [0-9]+\\\\t\\\"[0-3]\\\"\"", texts)
        == texts.filter { "0123".contains($0.dropLast().last ?? "9") })
  }

  @Test(
    .long,
    arguments: [
      (
        #"(a)\\1"#,
        #"'(a)\1' cannot be used: it refers back to a group at '\1', which cannot be matched in linear time"#
      ),
      (
        #"(?P<n>a)\\k<n>"#,
        #"'(?P<n>a)\k<n>' cannot be used: it refers back to a group at '\k', which cannot be matched in linear time"#
      ),
      (
        "(?=a)b",
        "'(?=a)b' cannot be used: it looks ahead or behind at '(?=', which cannot be matched in linear time"
      ),
      (
        "a(?!b)",
        "'a(?!b)' cannot be used: it looks ahead or behind at '(?!', which cannot be matched in linear time"
      ),
      (
        "(?<=a)b",
        "'(?<=a)b' cannot be used: it looks ahead or behind at '(?<', which cannot be matched in linear time"
      ),
      (
        "(?<!a)b",
        "'(?<!a)b' cannot be used: it looks ahead or behind at '(?<', which cannot be matched in linear time"
      ),
      (
        "(?>a)",
        "'(?>a)' cannot be used: there is no such group (one with a name is (?P<name>…)) at '(?>'"
      ),
      ("a++", "'a++' cannot be used: one repetition follows on another at '++'"),
      ("[", "'[' cannot be used: a ] is missing at '['"),
      ("(", "'(' cannot be used: a ) is missing at '('"),
      ("*a", "'*a' cannot be used: there is nothing to repeat at '*'"),
      ("a{1001}", "'a{1001}' cannot be used: a repetition is of at most 1000 times at '{1001}'"),
      (
        #"\\p{Foo}"#,
        #"'\p{Foo}' cannot be used: there is no such class or range of characters at '\p{Foo}'"#
      ),
      (#"a\\"#, #"'a\' cannot be used: nothing follows the last backslash"#),
      (
        "((\\\\pL{40}){5}){5}",
        "'((\\pL{40}){5}){5}' cannot be used: it is too large: its repetitions multiply"
      ),
    ])
  func `a pattern that is invalid or not linear is a mistake`(_ pattern: String, _ mistake: String)
    throws
  {
    try command.write(
      "streammap: 1\nrecord:\n  x: { from: x, type: string, validate: { matches: \"\(pattern)\" } }\n",
      to: "m.yaml")
    let yaml = try command.run("check", "m.yaml")
    #expect(
      yaml.errors.hasPrefix("m.yaml:3:52: error: matches: the pattern \(mistake)\n"),
      "\(yaml.errors)")
    #expect(yaml.status == 3)
    try command.write(
      "{\"streammap\":1,\n\"record\":{\"x\":{\"from\":\"x\",\"type\":\"string\"}},\n"
        + "\"where\":{\"field\":\"x\",\"matches_anywhere\":\"\(pattern)\"}}", to: "m.json")
    let json = try command.run("-m", "m.json", input: "{\"x\":\"a\"}\n")
    #expect(
      json.errors.hasPrefix("m.json:3:41: error: matches_anywhere: the pattern \(mistake)\n"),
      "\(json.errors)")
    #expect(json.status == 3)
  }
}
