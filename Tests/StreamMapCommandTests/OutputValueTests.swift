import Foundation
import Testing

@testable import CommandLineTests
@testable import StreamMapCommand

/// What an output cannot say is refused, and what it says is what its readers take.
@Suite struct OutputValueTests {
  let command: Command

  init() throws { command = try Command() }

  // MARK: Numbers

  /// Spellings of integers, and what they leave as.
  private static let integers = [
    ("7", "7"), ("7.0", "7"), ("7e0", "7"), ("70e-1", "7"), ("0.7E+1", "7"), ("-0", "0"),
    ("-0.0", "0"), ("0e5", "0"), ("-12.50e1", "-125"), ("1e2", "100"), ("100", "100"),
  ]

  @Test(arguments: ["index", "yajl"], ["1", "3"])
  func `numbers leave as their types have them, by every way through the program`(
    parser: String, jobs: String
  ) throws {
    try command.write(
      """
      streammap: 1
      record:
        i: { from: i, type: int64 }
        b: { from: b, type: int8, default: 5.0 }
        l: { from: l, each: int32 }
        d: { from: d, type: double }
        n: { from: n, type: number }

      """, to: "m.yaml")
    var feed = ""
    var wanted = ""
    // Members in one order, in another one, doubled, and escaped: rows, and records that cannot be rows.
    for (text, form) in Self.integers {
      let members = ["\"i\":\(text)", "\"l\":[\(text),1.0]", "\"d\":\(text)", "\"n\":\(text)"]
      for members in [
        members, members.reversed(), members + [members[0]], ["\"\\u0069\":0"] + members,
      ] {
        feed += "{\(members.joined(separator: ","))}\n"
        wanted += "{\"i\":\(form),\"b\":5,\"l\":[\(form),1],\"d\":\(text),\"n\":\(text)}\n"
      }
    }
    let result = try command.run(
      ["-m", "m.yaml", "--quiet", "--parser", parser, "--jobs", jobs], input: Array(feed.utf8))
    #expect(result.errors == "")
    #expect(result.output == wanted)
  }

  @Test func `the largest and least integers leave whole`() throws {
    let texts = [
      ("int64", "9223372036854775807.0", "9223372036854775807"),
      ("int64", "-9223372036854775808.00e0", "-9223372036854775808"),
      ("uint64", "1844674407370955161.5e1", "18446744073709551615"),
      ("int8", "-1.28e2", "-128"),
    ]
    for (type, text, form) in texts {
      #expect(
        try command.run("--field", "a:\(type)", input: "{\"a\":\(text)}").output
          == "{\"a\":\(form)}\n")
    }
  }

  @Test
  func `numbers that are read from texts, calculated, scaled or mapped back leave the same way`()
    throws
  {
    try command.write(
      """
      streammap: 1
      record:
        t: { from: t, text: trim, type: int64 }
        c: { calc: n + 0.50, type: int32 }
        s: { from: n, type: int32, scale: 10 }

      """, to: "m.yaml")
    let mapped = try command.run("-m", "m.yaml", input: "{\"t\":\" 7.0 \",\"n\":0.50}")
    #expect(mapped.output == "{\"t\":7,\"c\":1,\"s\":5}\n", "\(mapped.errors)")
  }

  @Test(.long, arguments: ["index", "yajl"])
  func `a number that a binary type has as zero leaves as zero`(parser: String) throws {
    let zeros = String(repeating: "0", count: 400)
    for (type, text, form) in [
      ("double", "1e-400", "0.0"), ("double", "-1e-400", "-0.0"), ("double", "0.\(zeros)1", "0.0"),
      ("double", "4.9e-324", "4.9e-324"), ("double", "1e-46", "1e-46"), ("float", "1e-46", "0.0"),
      ("float", "-1e-60", "-0.0"), ("double", "0e0", "0e0"), ("double", "-0", "-0"),
      ("double", "1e+5", "1e+5"), ("number", "1e-400", "1e-400"), ("double", "0.5", "0.5"),
    ] {
      let result = try command.run(
        "--field", "a:\(type)", "--parser", parser, input: "{\"a\":\(text)}")
      #expect(result.output == "{\"a\":\(form)}\n", "\(result.errors)")
    }
    #expect(try command.run("--field", "a:double", input: "{\"a\":1e400}").status == 7)
  }

  @Test func `each form has the integers`() throws {
    let feed = "{\"a\":7.0}\n"
    for (form, text) in [
      ("ndjson", "{\"a\":7}\n"), ("json", "[\n{\"a\":7}\n]\n"), ("csv", "a\n7\n"),
      ("tsv", "a\n7\n"),
      ("text", "7\n"), ("pgcopy", "7\n"), ("pretty", "{\n  \"a\": 7\n}\n"),
    ] {
      let result = try command.run("--field", "a:int64", "--to", form, input: feed)
      #expect(result.output.replacing("[\n", with: "[").replacing("[", with: "[\n") == text)
    }
  }

  @Test func `numbers, dates and JSON that PostgreSQL cannot hold are rejected by COPY alone`()
    throws
  {
    try command.write(
      "streammap: 1\nrecord: { n: { from: n, type: number }, d: { from: d, type: date }, j: { from: j, type: json } }\n",
      to: "m.yaml")
    let lines = [
      ("1e131071", "2000-01-01T00:00:00Z", "1", true),
      ("1e131072", "2000-01-01T00:00:00Z", "1", false),
      ("1e-16383", "2000-01-01T00:00:00Z", "1", true),
      ("1e-16384", "2000-01-01T00:00:00Z", "1", false),
      ("1.0e-16383", "2000-01-01T00:00:00Z", "1", false),
      ("0e999999", "2000-01-01T00:00:00Z", "1", true),
      ("1", "0000-01-01T00:00:00Z", "1", false), ("1", "0001-01-01T00:00:00Z", "1", true),
      ("1", "2000-01-01T00:00:00Z", "{\"a\":[1e200000]}", false),
      ("1", "2000-01-01T00:00:00Z", "{\"1e200000\":\"1e200000\"}", true),
      ("1", "2000-01-01T00:00:00Z", "\"\\u0000\"", false),
    ]
    for (n, d, j, isHeld) in lines {
      let line = "{\"n\":\(n),\"d\":\"\(d)\",\"j\":\(j)}\n"
      #expect(
        try command.run("-m", "m.yaml", "--to", "pgcopy", input: line).status == (isHeld ? 0 : 7),
        "\(line)")
      #expect(try command.run("-m", "m.yaml", "--to", "csv", input: line).status == 0)
    }
  }

  // MARK: Arrays

  private static let rows = """
    {"id":1,"l":{"k":1}}
    {"id":1,"l":{"k":2}}
    {"id":2,"l":null}

    """

  @Test(.long, arguments: [1, 2])
  func `every form of output has the same rows`(jobs: Int) throws {
    try command.write(
      """
      streammap: 1
      record: { id: { from: id, type: int64 }, l: { from: l, each: { object: { k: { from: k, type: int64 } } } } }
      output: { arrays: explode }

      """, to: "m.yaml")
    try command.write(
      "{\"id\":1,\"l\":[{\"k\":1},{\"k\":2}]}\n{\"id\":2,\"l\":[]}\n", to: "f.ndjson")
    func written(_ form: String) throws -> String {
      let result = try command.run(
        "-m", "m.yaml", "f.ndjson", "--to", form, "--jobs", "\(jobs)")
      #expect(result.status == 0, "\(result.errors)")
      return result.output
    }
    #expect(try written("ndjson") == Self.rows)
    #expect(
      try written("json")
        == "[\n{\"id\":1,\"l\":{\"k\":1}},\n{\"id\":1,\"l\":{\"k\":2}},\n{\"id\":2,\"l\":null}\n]\n"
    )
    #expect(try written("pretty").hasSuffix("{\n  \"id\": 2,\n  \"l\": null\n}\n"))
    #expect(try written("csv") == "id,l.k\n1,1\n1,2\n2,\n")
    #expect(try written("pgcopy") == "1\t1\n1\t2\n2\t\\N\n")
    #expect(
      try command.run("-m", "m.yaml", "f.ndjson", "-o", "out.db", "--to", "sqlite").status == 0)
    let rows = try SQLiteDatabase(command.url("out.db").path)
      .rows("SELECT id, \"l.k\" FROM records ORDER BY rowid")
    #expect(rows == [["1", "1"], ["1", "2"], ["2", nil]])
    for dialect in ["postgres", "sqlite", "duckdb"] {
      let table = try command.run("ddl", "-m", "m.yaml", "--for", dialect)
      #expect(table.output.contains("l.k") && !table.output.contains("\"l\" "), "\(table.output)")
    }
    #expect(try command.run("schema", "-m", "m.yaml", "--arrow").output.contains("k: int64"))
    #expect(!(try command.run("schema", "-m", "m.yaml").output.contains("array")))
    #expect(try command.run("check", "m.yaml", "--sample", "f.ndjson").status == 0)
  }

  @Test func `arrays become texts in every form`() throws {
    try command.write(
      "streammap: 1\nrecord: { id: id, l: { from: l, each: any } }\noutput: { arrays: { joined: '; ' } }\n",
      to: "m.yaml")
    let feed = "{\"id\":1,\"l\":[\"a\\\"b\",2]}\n"
    #expect(
      try command.run("-m", "m.yaml", input: feed).output
        == "{\"id\":1,\"l\":\"a\\\"b; 2\"}\n")
    #expect(
      try command.run("-m", "m.yaml", "--to", "pgcopy", input: feed).output == "1\ta\"b; 2\n")
  }

  @Test func `rows that cannot be made are a mistake of the mapping file`() throws {
    try command.write(
      "streammap: 1\nrecord: { a: { from: a, each: int8 } }\noutput: { arrays: { explode: l } }\n",
      to: "m.yaml")
    #expect(
      try command.run("check", "m.yaml").mistakes
        == ["m.yaml:3:1: there is no array 'l' to explode; the record has 'a'"])
    try command.write(
      "streammap: 1\nrecord: { a: { from: a, each: int8 } }\noutput: { arrays: explode }\n",
      to: "m.yaml")
    let back = try command.run("reverse", "m.yaml")
    #expect(back.status != 0 && back.errors.contains("'arrays: explode' makes rows of it"))
  }

  // MARK: Spreadsheets and terminals

  /// Without a mapping they come from the feed.
  @Test(arguments: ["csv", "tsv"])
  func `names of columns are made safe as texts are`(form: String) throws {
    let feed = "{\"=cmd|x\":\"1\",\"@b\":{\"+c\":1},\"ok\":2}\n"
    let plain = try command.run("-q", "--to", form, input: feed)
    let safe = try command.run("-q", "--to", form, "--csv-safe", input: feed)
    let separator = form == "csv" ? "," : "\t"
    func header(_ result: CommandResult) -> [String]? {
      result.output.split(separator: "\n").first?.components(separatedBy: separator)
    }
    #expect(header(plain) == ["=cmd|x", "@b.+c", "ok"])
    #expect(header(safe) == ["'=cmd|x", "'@b.+c", "ok"])
    let split = try command.run(
      "-q", "--to", form, "--csv-safe", "-o", "x.\(form)", "--split", "1MB", input: feed)
    #expect(split.status == 0)
    #expect(try command.read("x-0001.\(form)") == safe.output)
  }

  @Test(
    .long,
    arguments: [
      ("=1", true), ("+1", true), ("-1", true), ("@a", true), ("\t=1", true), ("\ta", true),
      ("\ra", true), ("\na", true), (" =1", true), ("\u{A0}=1", true), ("\u{3000}=1", true),
      ("\u{FEFF}=1", true), ("\u{200B}@a", true), ("\u{FF1D}1", true), ("\u{FF0B}1", true),
      ("\u{FF0D}1", true), ("\u{FF20}a", true), (" \u{FEFF} -1", true), ("\u{0}=1", true),
      ("a=1", false), (" a", false), ("1", false), ("", false), ("é", false), ("'=1", false),
      (" ", false), ("\u{3164}=1", true), ("\u{115F}=1", true), ("\u{FE0F}+1", true),
      ("\u{34F}@a", true), ("\u{2800}=1", true), ("\u{FFA0}=1", true), ("\u{1D159}=1", true),
      ("\u{E0100}=1", true), ("\u{180B}=1", true), ("\u{2800}a", false), ("\u{301}=1", false),
      ("\u{2581}=1", false),
      // The end of what is looked at is in the middle of a character.
      (String(repeating: "\u{200B}", count: 40) + "=1", true),
      (String(repeating: "\u{200B}", count: 21) + "\u{3164}=1", true),
      (" " + String(repeating: "\u{200B}", count: 20) + "éa", false),
    ])
  func `texts that a spreadsheet would take for formulas are marked`(text: String, isMarked: Bool)
    throws
  {
    for text in [text, text + "é"] {
      let json = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
      let plain = try command.run("--field", "a", "--to", "tsv", input: "{\"a\":\(json)}")
      let safe = try command.run(
        "--field", "a", "--to", "tsv", "--csv-safe", input: "{\"a\":\(json)}")
      #expect(
        Array(safe.output.utf8)
          == Array(
            plain.output.replacing("a\n", with: isMarked ? "a\n'" : "a\n", maxReplacements: 1).utf8)
      )
    }
  }

  @Test func `names never reach the terminal as commands`() throws {
    let escape = "\u{1B}[31m"
    try command.write(
      "streammap: 1\nname: \"n\\e[31m\"\nrecord: { \"a\\e[31m\": { from: \"b\\e[31m\", type: int8 } }\nargs: { \"s\\e[31m\": int8 }\n",
      to: "m.yaml")
    try command.write("{\"x\":1", to: "f\(escape).json")
    for arguments in [
      ["check", "m.yaml"], ["explain", "m.yaml"], ["explain", "--dot", "m.yaml"],
      ["schema", "-m", "m.yaml", "--arrow"], ["ddl", "-m", "m.yaml", "--for", "postgres"],
      ["ddl", "-m", "m.yaml", "--for", "duckdb"], ["-m", "m.yaml", "f\(escape).json"],
      ["-m", "none\(escape)", "x"], ["--field", "a", "none\(escape)"],
      ["--field", "a", "--set", "x\(escape)=1"], ["-m", "m.yaml", "--set", "x\(escape)=1"],
      ["--field", "a", "--from", "x\(escape)"], ["--option\(escape)"], ["help", escape],
      ["--field", "a:\(escape)"], ["--field", "a", "-o", "none\(escape)/x", "f\(escape).json"],
      ["index", "f\(escape).json"], ["infer", "none\(escape)"],
      ["--field", "a", "f\(escape).json", "-o", "f\(escape).json"],
    ] {
      let result = try command.run(arguments)
      #expect(!(result.output + result.errors).contains("\u{1B}"), "\(arguments)")
    }
    // A name cannot be a line of its own, either.
    let lines = try command.run("--field", "a", "none\nstream-map: all is well")
    #expect(lines.errors.split(separator: "\n").count == 1)
  }
}
