import Foundation
import Testing

/// Texts of mapping files are what they are; and what of a file is shown is bounded.
@Suite("mapping texts")
struct MappingTextTests {
  private let command: Command
  private let mark = "\u{FEFF}"

  init() throws {
    command = try Command()
  }

  private func mapped(
    _ mapping: String, _ name: String, _ feed: String = "{}", _ more: [String] = []
  )
    throws -> String
  {
    try command.write(mapping, to: name)
    let result = try command.run(["-m", name] + more, input: feed.utf8)
    #expect(result.errors == "")
    return String(result.output.dropLast(result.output.hasSuffix("\n") ? 1 : 0))
  }

  @Test(arguments: [
    #""\ufeffx""#, #""\uFEFFx""#, #""\U0000feffx""#, "\"\u{FEFF}x\"", "'\u{FEFF}x'", "\u{FEFF}x",
    "|-\n      \u{FEFF}x", ">-\n      \u{FEFF}x",
  ])
  func `a text of YAML that begins with a byte-order mark keeps it`(text: String) throws {
    let output = try mapped("streammap: 1\nrecord:\n  a:\n    const: \(text)\n", "m.yaml")
    #expect(Array(output.utf8) == Array("{\"a\":\"\(mark)x\"}".utf8))
  }

  @Test func `a key of a mapping that begins with a byte-order mark keeps it`() throws {
    let feed = "{\"\(mark)id\":1,\"id\":2}\n"
    let files = [
      "m.yaml": "streammap: 1\nrecord: { \"\\ufeffid\": \"\\ufeffid\", id: id }\n",
      "m.json": "{\"streammap\":1,\"record\":{\"\(mark)id\":\"\\ufeffid\",\"id\":\"id\"}}",
    ]
    for (name, text) in files {
      // At the beginning of a file it is a mark, and no text.
      for start in ["", mark] {
        #expect(try Array(mapped(start + text, name, feed).utf8) == Array(feed.dropLast().utf8))
      }
    }
  }

  @Test func `arguments, tables and used files keep a byte-order mark in their texts`() throws {
    try command.write("\(mark)code,name\n\(mark)a,\(mark)b\n", to: "t.csv")
    try command.write(
      "\(mark)streammap: 1\nrecord: { u: { const: \"\\ufeffu\" } }\n", to: "u.yaml")
    let output = try mapped(
      """
      streammap: 1
      use: { u: ./u.yaml }
      args: { x: { type: string } }
      record:
        x: { arg: x }
        name: { from: c, lookup: { file: ./t.csv, key: code, value: name } }
        u: { from: $, use: u }
      """, "m.yaml", "{\"c\":\"\(mark)a\"}", ["--set", "x=\(mark)y"])
    #expect(
      Array(output.utf8)
        == Array("{\"x\":\"\(mark)y\",\"name\":\"\(mark)b\",\"u\":{\"u\":\"\(mark)u\"}}".utf8))
  }

  @Test(arguments: ["name: x\n", "  b: b\n", "# comment\nname: x\n"])
  func `a byte-order mark in front of a later line is a mistake`(line: String) throws {
    try command.write("streammap: 1\nrecord:\n  a: a\n\(mark)\(line)", to: "m.yaml")
    let result = try command.run("check", "m.yaml")
    #expect(
      line.hasPrefix("#")
        || result.errors.contains("m.yaml:4:1: error: a byte-order mark (U+FEFF)"),
      "\(result.errors)")
  }

  @Test func `a text that is not UTF-8 is found where it is`() throws {
    try Data("streammap: 1\nname: é".utf8 + [0xFF]).write(to: command.url("m.yaml"))
    #expect(try command.run("check", "m.yaml").mistakes == ["m.yaml:2:8: not UTF-8"])
    try Data("streammap: 1\nname: \u{7}x\n".utf8).write(to: command.url("c.yaml"))
    #expect(
      try command.run("check", "c.yaml").mistakes == [
        "c.yaml:2:7: not YAML: control characters are not allowed (U+7)"
      ])
    try Data([0xFF, 0xFE, 0x61, 0x00]).write(to: command.url("w.yaml"))
    #expect(
      try command.run("check", "w.yaml").errors.contains("iconv -f UTF-16 -t UTF-8"))
  }

  // MARK: What is shown

  @Test(
    .long,
    arguments: [
      "secret:x:0:0:root\nother:y:1:1:secret\n", "secret: [secret\n",
      "password: secret\nuser: secret\n",
      "- secret\n", "[\"secret\"]", "{\"password\":\"secret\"}", "a: \"secret\n", "secret",
    ])
  func `nothing is shown of a file that is not a mapping`(text: String) throws {
    try command.write(text, to: "other")
    try command.write(
      "streammap: 1\nuse: { n: ./other }\nrecord: { a: { from: a, use: n } }\n", to: "m.yaml")
    for arguments in [["check", "m.yaml"], ["check", "other"], ["run", "-m", "other"]] {
      let result = try command.run(arguments, input: "".utf8)
      #expect(result.status == 3)
      #expect(!(result.output + result.errors).contains("secret"), "\(result.errors)")
      #expect(!(result.output + result.errors).contains("password"), "\(result.errors)")
    }
    try command.write(
      "streammap: 1\nrecord: { a: { from: a, lookup: { file: other, key: a, value: b } } }\n",
      to: "t.yaml")
    let table = try command.run("check", "t.yaml")
    #expect(table.status == 3 && !table.errors.contains("secret"), "\(table.errors)")
  }

  @Test(.long) func `what a message shows of a file is bounded, and no command for a terminal`()
    throws
  {
    let long = String(repeating: "x", count: 100_000)
    for text in [
      "record: { a: { from: a, tpye: \(long) } }", "record: { \(long): { tpye: x } }",
      "record: { a: { from: a, type: \(long) } }", "record: { a: { from: a, default: [\(long)] } }",
      "\(long): 1", "input: \(long)", "record: { a: \(long)[*] }",
    ] {
      try command.write("streammap: 1\n\(text)\n", to: "m.yaml")
      let result = try command.run("check", "m.yaml")
      #expect(result.status == 3)
      #expect(result.errors.utf8.count < 12_000)
    }
    try command.write(
      "streammap: 1\nrecord: { \"a\\e[31m\": { from: a, \"\\e]0;x\\a\": \"\\e[2J\" } }\n",
      to: "e.yaml")
    let escapes = try command.run("check", "e.yaml")
    #expect(escapes.errors.contains(#"a\u{1b}[31m"#))
    #expect(!escapes.errors.utf8.contains(0x1B) && !escapes.errors.utf8.contains(7))
  }

  @Test func `files that use each other twice cost what they are, not what they would become`()
    throws
  {
    for level in 1...40 {
      try command.write(
        "streammap: 1\nuse: { n: ./\(level + 1).yaml }\n"
          + "record: { a: { from: a, use: n }, b: { from: b, use: n } }\n", to: "\(level).yaml")
    }
    try command.write("streammap: 1\nrecord: { a: a }\n", to: "41.yaml")
    let result = try command.run("check", "1.yaml")
    #expect(result.status == 3)
    #expect(result.mistakes.count == 1)
    #expect(result.errors.contains("use: the files that are used have more than 20000 fields"))
    #expect(try command.run("check", "31.yaml").status == 0)
    for level in 1...150 {
      try command.write(
        "streammap: 1\nuse: { n: ./c\(level + 1).yaml }\nrecord: { a: { from: a, use: n } }\n",
        to: "c\(level).yaml")
    }
    #expect(
      try command.run("check", "c1.yaml").errors.contains("more than 100 levels deep"))
  }

  @Test(
    .long,
    arguments: [
      ("iso8601", "did you mean 'rfc3339'?"), ("ISO", "did you mean 'rfc3339'?"),
      ("iso-8601", "did you mean 'rfc3339'?"), ("unix", "did you mean 'unix_s'?"),
      ("rfc1123", "did you mean 'rfc822'?"), ("date", "did you mean 'yyyy-MM-dd'?"),
      ("seconds", "did you mean 'unix_s'?"), ("milliseconds", "did you mean 'unix_ms'?"),
      ("yyyy-MM-ddTHH:mm:ss", "T is not part of a date"), ("tomorrow", "is not part of a date"),
      ("-/-", "it has no part of a date"),
    ])
  func `a word that is not a pattern of dates is a mistake with the right one`(
    format: String, hint: String
  ) throws {
    for key in ["format: '\(format)'", "as: '\(format)'"] {
      try command.write(
        "streammap: 1\nrecord: { a: { from: a, type: date, \(key) } }\n", to: "m.yaml")
      let result = try command.run("check", "m.yaml")
      #expect(result.status == 3)
      #expect(result.errors.contains(hint), "\(result.errors)")
    }
  }

  // MARK: What the reference promises

  /// A field for each row of the tables about what has a way back.
  private static let samples = [
    #"`split: " "` with `each`"#: #"split: " ", each: string"#,
    #"`joined: ","` with `each`"#: #"each: string, joined: ",""#,
    "`parse: json`": "parse: json",
    "`parse: query`": "parse: query",
    "`list`": "list: reverse",
    "`entries: [k, v]`": "entries: [k, v]",
    "`entries: [k, v]` with `each`": "entries: [k, v], each: { object: { n: k } }",
    "`from_entries: [k, v]`": "from_entries: [k, v]",
    "`unwrap: { N: number, … }`": "unwrap: { N: number }",
    "`from_entries: [k, v]` with `map` or `object`": "from_entries: [k, v], map: string",
    "`count: true`": "count: true",
  ]

  private func hasWayBack(_ keys: String) throws -> Bool {
    try command.write("streammap: 1\nrecord: { a: { from: a, \(keys) } }\n", to: "m.yaml")
    #expect(try command.run("check", "m.yaml").status == 0, "\(keys)")
    return try command.run("reverse", "-m", "m.yaml", input: "{}\n").status != 3
  }

  @Test(.long) func `what the reference says of ways back is what reverse does`() throws {
    let guide = try String(
      contentsOf: ReadmeTests.root.appending(
        path: "Sources/StreamMap/StreamMap.docc/MappingFile.md"), encoding: .utf8)
    var rows: [[String]] = []
    var isTable = false
    for line in guide.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("| Step |") || line.contains("| Way back") {
        isTable = true
        continue
      }
      if !line.hasPrefix("|") { isTable = false }
      if isTable, !line.hasPrefix("|-") {
        rows.append(
          line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) })
      }
    }
    #expect(rows.count == 30)
    try command.write("a secret", to: "secret.key")
    try command.write("id,name\n1,Ann\n", to: "users.csv")
    for row in rows {
      if row.count == 4 {
        let keys = try #require(Self.samples[row[0]], "a sample for \(row[0])")
        #expect(try hasWayBack(keys) == (row[3] != "none"), "\(row[0])")
      } else {
        for step in row[0].components(separatedBy: "`").enumerated() where step.offset % 2 == 1 {
          let whole = step.element.replacingOccurrences(of: "…", with: "{ file: ./secret.key }")
          #expect(try !hasWayBack("text: [\(whole)]"), "\(whole)")
        }
      }
    }
    for keys in [
      "extract: x", "type: number, round: 2", "values: { a: b }, otherwise: c",
      "values: { a: c, b: c }",
    ] {
      #expect(try !hasWayBack(keys), "\(keys)")
    }
  }
}
