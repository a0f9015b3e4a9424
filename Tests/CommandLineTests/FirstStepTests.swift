import Foundation
import Testing

/// The first steps of somebody who has a feed and no mapping.
@Suite struct FirstStepTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  private static let document = #"""
    {"total":2,"items":[{"id":1,"user":{"name":"Ann","tags":["a","b"]},"at":"2026-11-20"},
    {"id":"x2","user":{"name":null,"tags":[]},"more":1.50}]}

    """#

  private static let rows = #"""
    id,user.name,user.tags,at,more
    1,Ann,"[""a"",""b""]",2026-11-20,
    x2,,[],,1.50

    """#

  // MARK: Rows

  @Test func `an unknown feed becomes rows in one step`() throws {
    try command.write(Self.document, to: "feed.json")
    let result = try command.run("--to", "csv", "feed.json")
    #expect(result.output == Self.rows)
    #expect(
      result.errors
        == "stream-map: no mapping is given: the records are $.items[*], with the 5 columns of its records; "
        + "stream-map infer feed.json writes a mapping file with types\n")
    #expect(result.status == 0)
    for arguments in [
      ["-o", "out.csv", "feed.json"], ["-o", "out.csv", "--jobs", "3", "feed.json"],
      ["-o", "out.csv", "--parser", "yajl", "feed.json"],
      ["--to", "csv", "-o", "out.csv", "--records", "$.items[*]", "feed.json"],
    ] {
      #expect(try command.run(arguments).status == 0)
      #expect(try command.read("out.csv") == Self.rows)
    }
    #expect(try command.run("-q", "--to", "csv", "feed.json").errors == "")
  }

  @Test(arguments: [1, 7, Int.max])
  func `standard input becomes rows, too`(pieceSize: Int) throws {
    let result = try command.run(
      ["--to", "csv"], input: Array(Self.document.utf8), pieceSize: pieceSize)
    #expect(result.output == Self.rows)
    #expect(result.status == 0)
  }

  @Test func `a long standard input is read whole, though only its beginning tells the columns`()
    throws
  {
    let lines = (0..<30_000).map { "{\"id\":\($0),\"name\":\"n\($0)\"}\n" }.joined()
    let result = try command.run(
      ["--to", "csv"], input: Array((lines + "{\"id\":1,\"late\":2}\n").utf8))
    #expect(result.status == 0)
    let rows = result.output.split(separator: "\n")
    #expect(rows.count == 30_002)
    #expect(rows.first == "id,name")
    #expect(rows.last == "1,")
    #expect(result.errors.contains("with the 2 columns of the first 9"))
    #expect(result.errors.hasSuffix("stream-map: unknown keys: $.late (1)\n"))
  }

  @Test func `a value of a kind that the sample does not have is told with its fix`() throws {
    let lines = String(repeating: "{\"a\":1}\n", count: 10_001)
    try command.write(lines + "{\"a\":{\"b\":1}}\n", to: "feed.ndjson")
    let result = try command.run("--to", "csv", "feed.ndjson")
    #expect(result.status == 7)
    #expect(
      result.errors.contains(
        "expected a string, number or boolean, found an object; the mapping is made from the first records: leave others out by"
          + " --errors skip, or begin with stream-map infer feed.ndjson > m.yaml, and change that file\n"
      ), "\(result.errors)")
  }

  @Test func `an empty array has no rows, and an array of scalars one for each`() throws {
    try command.write("[]", to: "empty.json")
    for form in ["csv", "tsv", "pgcopy"] {
      let result = try command.run("--to", form, "empty.json")
      #expect(result.output == "", "\(form)")
      #expect(
        result.errors
          == "stream-map: no mapping is given, and the array is empty: there are no rows\n")
      #expect(result.status == 0)
    }
    let table = try command.run("-o", "t.db", "empty.json")
    #expect(table.status == 8)
    #expect(table.errors.contains("there are no records to infer a mapping from"))
    #expect(try command.run("--to", "csv", input: "[1,\"a\"]").output == "value\n1\na\n")
    #expect(
      try command.run("--to", "csv", input: "[{\"a\":1}]\n[{\"a\":2,\"b\":3}]\n").output
        == "a,b\n1,\n2,3\n")
    #expect(
      try command.run("empty.json").output.hasPrefix(
        "empty.json: the records are $[*]; 0 records\n"))
  }

  @Test func `columns that would have one name have another`() throws {
    #expect(
      try command.run(
        "--to", "csv", input: #"{"a":{"b":1,"b_":4},"a.b":2,"a.b_":3}"#
      ).output == "a.b,a.b_,a.b__,a.b___\n1,4,2,3\n")
    try command.write(#"{"A":1,"a":2,"o":{"x":3,"X":4}}"#, to: "feed.json")
    #expect(try command.run("--to", "csv", "feed.json").output == "A,a,o.x,o.X\n1,2,3,4\n")
    let table = try command.run("-o", "t.db", "feed.json")
    #expect(table.status == 0, "\(table.errors)")
  }

  @Test func `a file that is not there is named, also where a mapping is missing`() throws {
    try command.write("{}\n", to: "feed.json")
    for arguments in [["no.json"], ["no.map.yaml", "feed.json"], ["feed.json", "no.json", "-q"]] {
      let result = try command.run(arguments)
      #expect(result.status == 6)
      let name = arguments.first { $0.hasPrefix("no.") } ?? ""
      #expect(result.errors == "stream-map: cannot open \(name): No such file or directory\n")
    }
    #expect(try command.run("chek").errors.contains("did you mean 'stream-map check'?"))
  }

  @Test func `tables and parts of an unknown feed are one step, too`() throws {
    let lines = (0..<100).map { "{\"id\":\($0),\"u\":{\"v\":true}}\n" }.joined()
    try command.write(lines, to: "feed.ndjson")
    #expect(try command.run("-o", "t.db", "feed.ndjson").status == 0)
    #expect(command.exists("t.db"))
    let parts = try (1...3).map { part in
      try command.run("--to", "csv", "--part", "\(part)/3", "feed.ndjson").output
    }
    #expect(try parts.joined() == command.run("--to", "csv", "feed.ndjson").output)
  }

  // MARK: A feed alone

  @Test func `a feed alone is shown, with the next command`() throws {
    try command.write(Self.document, to: "feed.json")
    let result = try command.run("feed.json")
    #expect(result.errors == "")
    #expect(
      result.output == """
        feed.json: the records are $.items[*]; 2 records

        id  user.name  user.tags  at          more
        1   Ann        ["a","b"]  2026-11-20
        x2             []                     1.50

        all of it as CSV:         stream-map --to csv feed.json
        a mapping to start from:  stream-map infer feed.json > feed.json.map.yaml

        """)
    #expect(result.status == 0)
  }

  @Test func `many columns and long texts have room in the table`() throws {
    let members = (0..<40).map { "\"column\($0)\":\"\(String(repeating: "x", count: 90))\\u001b\"" }
    try command.write("{\(members.joined(separator: ","))}\n", to: "wide.ndjson")
    let lines = try command.run("wide.ndjson").output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 130 })
    #expect(lines.contains { $0.hasPrefix("and 3") && $0.hasSuffix(" more columns") })
    #expect(!lines.contains { $0.contains("\u{1B}") })
  }

  @Test func `what is no feed is named`() throws {
    try command.write("id,name\n1,Ann\n", to: "x.csv")
    for arguments in [["x.csv"], ["--to", "csv", "x.csv"], ["infer", "x.csv"]] {
      let result = try command.run(arguments)
      #expect(result.status == 4)
      #expect(
        result.errors.contains("this looks like CSV, not JSON: mlr --icsv --ojsonl cat x.csv"))
      #expect(result.output == "")
    }
    let unseen = try command.run("infer", "--records", "$.itms[*]", "-", input: Self.document)
    #expect(unseen.status == 8)
    #expect(
      unseen.errors.contains(
        "no records: the path $.itms[*] does not occur; did you mean $.items[*]?"))
  }

  // MARK: The mapping

  @Test func `a mapping file without -m is taken for it`() throws {
    try command.write("# mine\nstreammap: 1\nrecord: { a: id }\n", to: "x.map.yaml")
    try command.write("{\"streammap\":1,\"record\":{\"a\":\"id\"}}", to: "x.map.json")
    try command.write("{\"id\":1}\n", to: "feed.ndjson")
    for mapping in ["x.map.yaml", "x.map.json"] {
      let result = try command.run(mapping, "feed.ndjson")
      #expect(result.output == "{\"a\":1}\n")
      #expect(result.errors == "stream-map: \(mapping) is taken for the mapping (-m)\n")
      #expect(result.status == 0)
      let piped = try command.run("-q", mapping, input: "{\"id\":2}\n")
      #expect(piped.output == "{\"a\":2}\n")
      #expect(piped.errors == "")
      let back = try command.run("reverse", mapping, input: "{\"a\":2}\n")
      #expect(back.output == "{\"id\":2}\n")
    }
  }

  @Test func `each command takes the mapping alone or by -m, and only once`() throws {
    try command.write("streammap: 1\nrecord: { a: id }\n", to: "m.yaml")
    let commands = [["check"], ["explain"], ["schema"], ["ddl", "--for", "sqlite"]]
    for arguments in commands {
      let alone = try command.run(arguments + ["m.yaml"])
      #expect(alone.status == 0, "\(alone.errors)")
      #expect(try command.run(arguments + ["-m", "m.yaml"]).output == alone.output)
      let both = try command.run(arguments + ["-m", "m.yaml", "m.yaml"])
      #expect(both.status == 2)
      #expect(both.errors.contains("Give one mapping file, alone or by --mapping."))
      let twice = try command.run(arguments + ["-m", "m.yaml", "-m", "m.yaml"])
      #expect(twice.status == 2)
      #expect(twice.errors.contains("Give one mapping file, alone or by --mapping."))
      try command.write("{\"id\":1}\n", to: "feed.ndjson")
      let feed = try command.run(arguments + ["-m", "m.yaml", "feed.ndjson"])
      #expect(feed.status == 2)
      #expect(
        feed.errors.contains(
          "'feed.ndjson' is no mapping file, and one is given by --mapping: check and explain take a feed by --sample."
        ))
      #expect(try command.run(arguments).status == 2)
    }
    for arguments in [["reverse"], ["index", "feed.ndjson"]] {
      let twice = try command.run(arguments + ["-m", "m.yaml", "-m", "m.yaml"])
      #expect(twice.status == 2)
      #expect(twice.errors.contains("Give one mapping file by --mapping."))
    }
  }

  // MARK: Arguments

  static let arguments: [(arguments: [String], message: String)] = [
    (["--csv"], "Unknown option '--csv'; write --to csv"),
    (["--jsonl"], "Unknown option '--jsonl'; write --to ndjson"),
    (["--ojson"], "Unknown option '--ojson'; write --to json"),
    (["--format", "csv"], "Unknown option '--format'; write --from FORMAT or --to FORM"),
    (["--output-format", "csv"], "Unknown option '--output-format'; write --to FORM"),
    (["--config", "m.yaml"], "Unknown option '--config'; write --mapping FILE"),
    (["--select", "a"], "Unknown option '--select'; write --field a,b"),
    (["--where", "a"], "Unknown option '--where'; write a mapping file with where: …"),
    (["--threads", "4"], "Unknown option '--threads'; write --jobs NUMBER"),
    (["--head", "4"], "Unknown option '--head'; write --limit NUMBER"),
    (["--arg", "a=1"], "Unknown option '--arg'; write --set NAME=VALUE"),
    (["--keep-going"], "Unknown option '--keep-going'; write --errors skip"),
    (["--verbose"], "Unknown option '--verbose'; write --stats human"),
    (["-f", "m.yaml"], "Unknown option '-f'; write --mapping FILE, or --field a,b"),
    (["-r"], "Unknown option '-r'; write --to text"),
    (["--slurp"], "Unknown option '--slurp'; write --to json"),
    (["--input", "a"], "Unknown option '--input'; write the feed without an option"),
    (["--rename", "a=b"], "Unknown option '--rename'; write --field NEW=OLD"),
    (["--dlq", "a"], "Unknown option '--dlq'; write --rejects FILE"),
    (["--dry-run"], "Unknown option '--dry-run'; write stream-map check FILE"),
    (["--top", "5"], "Unknown option '--top'; write --limit NUMBER"),
    (
      ["--tail", "5"],
      "Unknown option '--tail'; the last records are known at the end: pipe the output to tail -n NUMBER"
    ),
    (
      ["--sort", "a"],
      "Unknown option '--sort'; records are mapped one by one: pipe the output to another program for that"
    ),
    (["--ofs", ";"], "Unknown option '--ofs'; csv has commas, and tsv has tabs"),
    (
      ["--header"],
      "Unknown option '--header'; csv and tsv begin with the names; --no-header leaves them out"
    ),
    // What only looks like another option is not taken for it.
    (["--query", "a"], "Unknown option '--query'"),
    (["--user", "a"], "Unknown option '--user'"),
    (["--no-headers"], "Unknown option '--no-headers'. Did you mean '--no-header'?"),
    (
      ["--from", "jsonl"],
      "The value 'jsonl' is invalid for '--from <from>': it takes auto, json, ndjson, concat, seq; did you mean 'ndjson'?"
    ),
    (
      ["--to", "jsonl"],
      "The value 'jsonl' is invalid for '--to <to>': it takes ndjson, json, pretty, csv, tsv, text, pgcopy, sqlite, parquet, arrow; did you mean 'ndjson'?"
    ),
    (
      ["--to", "postgres"],
      "The value 'postgres' is invalid for '--to <to>': it takes ndjson, json, pretty, csv, tsv, text, pgcopy, sqlite, parquet, arrow; did you mean 'pgcopy'?"
    ),
    (
      ["--from", "csv"],
      "The value 'csv' is invalid for '--from <from>': it takes auto, json, ndjson, concat, seq; "
        + "a feed is JSON; for CSV: mlr --icsv --ojsonl cat FILE | stream-map …"
    ),
    (
      ["--errors", "ignore"],
      "The value 'ignore' is invalid for '--errors <errors>': it takes fail, skip, reject; did you mean 'skip'?"
    ),
    (["--limit", "-1"], "--limit takes 0 or more."),
    (["--skip", "-1"], "--skip takes 0 or more."),
    (["--max-errors", "-1"], "--max-errors takes 0 or more."),
    (["--jobs", "-1"], "--jobs takes 1 to 64."),
    (["--jobs", "x"], "The value 'x' is invalid for '--jobs <number>': it takes a number."),
    (
      ["--sample", "200%"],
      "The value '200%' is invalid for '--sample <share>': it takes a share of the records, as in 1% or 0.01."
    ),
    (
      ["--part", "9/8"],
      "The value '9/8' is invalid for '--part <k/n>': it takes a part and how many there are, from 1/8 to 8/8."
    ),
    (
      ["--limit-record", "x"],
      "The value 'x' is invalid for '--limit-record <size>': it takes a size of at least 1, such as 1000, 64KiB or 16MiB."
    ),
  ]

  @Test(.long)
  func `an option of another program is answered by ours, and a value by what is taken`()
    throws
  {
    for (arguments, message) in Self.arguments {
      let result = try command.run(arguments + ["--field", "id"])
      #expect(result.status == 2)
      #expect(result.errors.split(separator: "\n").first.map(String.init) == "Error: \(message)")
    }
  }

  @Test func `the output of a command that only prints is that of the shell`() throws {
    for arguments in [["infer", "-o", "f"], ["explain", "--output", "f"], ["schema", "-o", "f"]] {
      let result = try command.run(arguments)
      #expect(result.status == 2)
      #expect(result.errors.contains("; the result goes to standard output: write > FILE\n"))
    }
  }

  @Test func `standard input is read once`() throws {
    let result = try command.run("--field", "id", "-", "-", input: "{\"id\":1}\n")
    #expect(result.status == 2)
    #expect(result.errors == "stream-map: standard input is given twice; nothing was written\n")
  }

  @Test func `a byte-order mark between joined files is told`() throws {
    let result = try command.run("--field", "id", input: "{\"id\":1}\n\u{FEFF}{\"id\":2}\n")
    #expect(result.status == 4)
    #expect(
      result.errors.hasSuffix(
        "; a byte-order mark can stand at the beginning only: take it away before files are joined\n"
      ))
  }

  /// Other characters begin with the same byte.
  @Test(
    arguments: [
      ([0xEF, 0xBB], "; a byte-order mark (EF BB BF) is cut off there"),
      ([0xEF], "; a byte-order mark (EF BB BF) is cut off there"),
      ([0xEF, 0xBB, 0x7B, 0x7D], "; a byte-order mark (EF BB BF) is cut off there"),
      ([0x7B, 0x7D, 0x0A, 0xEF, 0xBB], "; a byte-order mark (EF BB BF) is cut off there"),
      ([0xEF, 0xBC, 0x9A], "found the byte 0xEF"),
      ([0x7B, 0x22, 0x61, 0x22, 0xEF, 0xBC, 0x9A, 0x31, 0x7D], "found the byte 0xEF"),
      (
        [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x7B, 0x7D],
        "; a byte-order mark can stand at the beginning only: take it away before files are joined"
      ),
    ] as [([UInt8], String)])
  func `only a byte-order mark is called one, and a half one is cut off`(
    feed: [UInt8], ending: String
  ) throws {
    try Data(feed).write(to: command.url("x.ndjson"))
    for jobs in ["1", "2"] {
      let result = try command.run("--field", "a", "--jobs", jobs, "x.ndjson")
      #expect(result.status == 4)
      #expect(result.errors.hasSuffix(ending + "\n"), "\(result.errors)")
    }
  }

  @Test func `lines do not need --records`() throws {
    let result = try command.run(
      "--records", "$[*]", "--field", "id", input: "{\"id\":1}\n{\"id\":2}\n")
    #expect(result.status == 7)
    #expect(
      result.errors.hasSuffix(
        "found a number; each line or document is a record by itself: leave out --records\n"))
  }

  @Test(
    arguments: [
      ("UTF-16", [0xFF, 0xFE, 0x7B, 0, 0x7D, 0]), ("UTF-16", [0xFE, 0xFF, 0, 0x7B, 0, 0x7D]),
      ("UTF-16LE", [0x7B, 0, 0x7D, 0]), ("UTF-16BE", [0, 0x7B, 0, 0x7D]),
      ("UTF-32", [0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0]), ("UTF-32LE", [0x7B, 0, 0, 0, 0x7D, 0, 0, 0]),
    ] as [(String, [UInt8])])
  func `another encoding is told with the line of iconv`(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: command.url("feed.json"))
    let result = try command.run("--field", "id", "feed.json")
    #expect(result.status == 4)
    #expect(
      result.errors.hasSuffix(
        "; this is \(name), not UTF-8: iconv -f \(name) -t UTF-8 feed.json | stream-map …\n"))
    let piped = try command.run(["--field", "id"], input: bytes)
    #expect(piped.errors.hasSuffix(": … | iconv -f \(name) -t UTF-8 | stream-map …\n"))
  }

  @Test func `a compressed feed of another form is told with the line that decompresses it`() throws
  {
    try Data([0xFF, 0xFE, 0x7B, 0, 0x7D, 0]).write(to: command.url("u16"))
    try command.write("id,name\n1,Ann\n", to: "table.csv")
    _ = try command.shell("gzip -k u16 table.csv; bzip2 -k u16; xz -k u16; zstd -q u16")
    for (file, tool) in [
      ("u16.gz", "gzip"), ("u16.bz2", "bzip2"), ("u16.xz", "xz"), ("u16.zst", "zstd"),
    ] where command.exists(file) {
      let end = "iconv -f UTF-16 -t UTF-8 | stream-map …\n"
      for arguments in [["--field", "id"], ["infer"]] {
        #expect(
          try command.run(arguments + [file]).errors.hasSuffix(": \(tool) -dc \(file) | \(end)"))
      }
      let piped = try command.shell("stream-map --field id < \(file)")
      #expect(piped.errors.hasSuffix(": … | \(tool) -dc | \(end)"))
      let line = try command.shell(
        "\(tool) -dc \(file) | iconv -f UTF-16 -t UTF-8 | stream-map --field id")
      #expect(line.status == 0)
    }
    #expect(
      try command.run("--field", "id", "table.csv.gz").errors.hasSuffix(
        ": gzip -dc table.csv.gz | mlr --icsv --ojsonl cat | stream-map …\n"))
  }
}
