import Foundation
import Testing

/// `--part`: the outputs of all parts, joined, are that of one run.
@Suite("Parts of a feed")
struct PartTests {
  let command: Command

  init() throws {
    command = try Command()
    let items = (1...3000).map { number in
      number % 97 == 0
        ? "{\"id\":\"x\(number)\",\"t\":\"é\"}"
        : "{\"id\":\(number),\"t\":[\(number % 7),\"a\\u00e9\"]}"
    }
    try command.write(
      items.enumerated().map { $0.offset % 400 == 399 ? "{]\r\n\n" : "\($0.element)\n" }.joined()
        + "{\"id\":3001,\"t\":1}", to: "x.ndjson")
    try command.write(
      "{\"day\":\"mon\",\"list\":[\n\(items.joined(separator: ",\n "))],\"day\":\"late\",\"list\":[{\"id\":1}],\"z\":1}\n",
      to: "x.json")
    try command.write(items.map { "\u{1E}\($0)\n" }.joined(), to: "x.json-seq")
    try command.write(items.joined(separator: " "), to: "x.concat")
    try command.write(
      """
      streammap: 1
      context: { day: { from: $.day, type: string } }
      input: { records: "$.list[*]" }
      record:
        id: { from: id, type: int64 }
        t: { from: t, type: json, optionally: null }
        day: { context: day }
        n: { meta: record_number }
        line: { meta: line }
        at: { meta: byte_offset }
      """, to: "context.yaml")
    try command.write(
      "streammap: 1\nrecord: { id: { from: id, type: int64 }, n: { meta: record_number }, l: { meta: line }, at: { meta: byte_offset } }\n",
      to: "numbers.yaml")
    try command.write(
      "streammap: 1\nrecord: { id: { from: id, type: int64 }, at: { meta: byte_offset } }\n",
      to: "offsets.yaml")
  }

  /// A run as a whole, and in parts: what is joined is the same, output and rejects.
  private func compare(
    _ arguments: [String], in feed: String, index: String?,
    counts: [Int] = TestExtent.isLong ? [1, 2, 5, 60] : [1, 2, 7],
    _ parts: [String] = [], rejects: Bool = true
  ) throws {
    let errors = rejects ? ["--rejects", "w.bad"] : ["--errors", "skip"]
    let whole = try command.run(arguments + [feed, "-o", "w"] + errors)
    #expect([0, 1].contains(whole.status), "\(whole.errors)")
    for count in counts {
      var (joined, bad) = ("", "")
      for number in 1...count {
        let errors = rejects ? ["--rejects", "p.bad"] : ["--errors", "skip"]
        let result = try command.run(
          arguments + parts + [feed, "-o", "p", "--part", "\(number)/\(count)"] + errors
            + (index.map { ["--index", $0] } ?? []))
        #expect([0, 1].contains(result.status), "\(number)/\(count): \(result.errors)")
        joined += try command.read("p")
        if rejects { bad += try command.read("p.bad") }
      }
      let isSame = try joined == command.read("w")
      #expect(isSame, "\(arguments) \(count)")
      if rejects {
        let wholeBad = try command.read("w.bad")
        #expect(bad == wholeBad && !bad.isEmpty, "\(arguments) \(count)")
      }
    }
  }

  @Test(
    .long,
    arguments: [
      ("x.ndjson", "numbers.yaml", []), ("x.json", "context.yaml", []),
      ("x.json-seq", "numbers.yaml", []), ("x.concat", "numbers.yaml", ["--from", "concat"]),
      ("x.concat", "numbers.yaml", ["--jobs", "3"]), ("x.json", "context.yaml", ["--jobs", "2"]),
      ("x.ndjson", "numbers.yaml", ["--jobs", "3"]),
      ("x.ndjson", "numbers.yaml", ["--parser", "yajl"]),
    ])
  func `parts with an index are the whole, with numbers, lines and rejects`(
    feed: String, mapping: String, arguments: [String]
  ) throws {
    let from = arguments.first == "--from" ? arguments : []
    let made = try command.run(
      ["index", "-m", mapping, feed, "--every", "4kB", "-o", "x.smx"] + from)
    #expect(made.status == 0 && made.errors == "" && made.output == "", "\(made.errors)")
    try compare(["-m", mapping] + arguments, in: feed, index: "x.smx")
  }

  @Test(.long, arguments: [[], ["--jobs", "3"]])
  func `parts of lines are the whole without an index`(arguments: [String]) throws {
    try compare(
      ["-m", "offsets.yaml"] + arguments, in: "x.ndjson", index: nil, rejects: false)
  }

  @Test(.long) func `an index whose format was found is for a mapping that says the format`() throws
  {
    #expect(
      try command.run("index", "x.json", "--records", "$.list[*]", "--every", "4kB").status == 0)
    for format in ["", ", format: json"] {
      try command.write(
        "streammap: 1\ninput: { records: '$.list[*]'\(format) }\nrecord: { id: { from: id, type: int64 } }\n",
        to: "list.yaml")
      try compare(["-m", "list.yaml"], in: "x.json", index: "x.json.smx", counts: [1, 7])
    }
  }

  @Test func `rejects of a part without an index have offsets, and no numbers and lines`() throws {
    try command.write("{\"id\":1}\n{\"id\":2}\n{\"id\":\"x\"}\n{]\n", to: "r.ndjson")
    let part = try command.run(
      "--field", "id:int64", "r.ndjson", "--part", "2/2", "--rejects", "bad", "--no-raw")
    #expect(part.status == 1 && part.output == "")
    #expect(
      try command.read("bad") == """
        {"file":"r.ndjson","offset":18,"end":28,"column":1,"errors":[\
        {"offset":24,"end":27,"column":7,"path":"$.id","target":"id","code":"wrongType",\
        "expected":"an integer (Int64)","found":"a string","message":"expected an integer (Int64), found a string"}]}
        {"file":"r.ndjson","offset":29,"end":31,"column":1,"errors":[\
        {"offset":30,"end":31,"column":2,"path":"$","code":"syntax",\
        "expected":"a key or }","found":"']'","message":"expected a key or }, found ']'"}]}

        """)
    let failed = try command.run("--field", "id:int64", "r.ndjson", "--part", "2/2")
    #expect(
      failed.status == 7
        && failed.errors.contains("at $.id → id (column 7, bytes 24..<27): expected"),
      "\(failed.errors)")
  }

  @Test(.long, arguments: ["ndjson", "pretty", "csv", "tsv", "text", "pgcopy"])
  func `each form of output whose parts can be joined is joined`(form: String) throws {
    let fields = form == "text" ? ["--field", "id:int64"] : ["-m", "offsets.yaml"]
    try compare(
      fields + ["--to", form], in: "x.ndjson", index: nil, counts: [4], rejects: false)
    if form == "csv" {
      // What stands before the records is in the first part, also where that has none.
      try command.write("", to: "empty.ndjson")
      let header = try command.run(
        "-m", "offsets.yaml", "empty.ndjson", "--to", "csv", "--part", "1/2")
      #expect(header.output == "id,at\n")
      let none = try command.run(
        "-m", "offsets.yaml", "empty.ndjson", "--to", "csv", "--part", "2/2")
      #expect(none.output == "" && none.status == 0)
    }
  }

  @Test func `what goes by the numbers of records is that of the whole, with an index`() throws {
    #expect(try command.run("index", "x.ndjson", "--every", "4kB").status == 0)
    for arguments in [["--skip", "700"], ["--sample", "10%", "--seed", "4"]] {
      try compare(
        ["-m", "numbers.yaml"] + arguments, in: "x.ndjson", index: "x.ndjson.smx", counts: [5],
        rejects: false)
    }
  }

  @Test(arguments: [false, true])
  func `a part continues from a checkpoint`(hasIndex: Bool) throws {
    let feed = hasIndex ? "x.json" : "x.ndjson"
    let mapping = hasIndex ? "context.yaml" : "offsets.yaml"
    _ = try command.run("index", "-m", "context.yaml", "x.json", "--every", "4kB", "-o", "x.smx")
    let arguments =
      ["-m", mapping, feed, "--part", "2/3"] + (hasIndex ? ["--index", "x.smx"] : [])
    let whole = try command.run(arguments + ["-o", "whole", "--errors", "skip"])
    #expect(whole.status == 1, "\(whole.errors)")
    // Each run ends at a bad record; the next one continues there and passes over it.
    let kept = arguments + ["-o", "out", "--checkpoint", "c", "--checkpoint-every", "2kB"]
    #expect(try command.run(kept).status == 7)
    #expect(command.exists("c"))
    let other = try command.run(kept.map { $0 == "2/3" ? "3/3" : $0 })
    #expect(other.status == 2)
    #expect(
      other.errors.contains("it maps the part 2/3, bytes ")
        && other.errors.contains("(--part, --index)"),
      "\(other.errors)")
    let rest = try command.run(kept + ["--errors", "skip", "--jobs", "2"])
    #expect(rest.status == 1, "\(rest.errors)")
    #expect(try command.areSame("out", "whole"))
    #expect(!command.exists("c"))
  }

  @Test func `rows of parts go into a table, each exactly once`() throws {
    for number in [1, 2, 3, 2] {
      let result = try command.run(
        "-m", "offsets.yaml", "x.ndjson", "--to", "sqlite", "-o", "t.db", "--resume", "--errors",
        "skip", "--part", "\(number)/3", "--quiet")
      #expect(result.status == 1, "\(result.errors)")
    }
    let one = try command.run(
      "-m", "offsets.yaml", "x.ndjson", "--errors", "skip", "--quiet", "--stats", "json")
    let rows = one.output.split(separator: "\n").count
    let counted = try command.shell(
      "python3 -c 'import sqlite3; print(sqlite3.connect(\"t.db\").execute(\"select count(*), count(distinct at) from records\").fetchone())'"
    )
    if counted.status == 0 { #expect(counted.output == "(\(rows), \(rows))\n") }
  }

  @Test func `a part reads its share of the file`() throws {
    let line = "{\"id\":1}\n"
    try command.write(String(repeating: line, count: 400_000), to: "big.ndjson")
    let result = try command.run(
      "--field", "id", "big.ndjson", "--part", "3/9", "--stats", "json", "-o", "p")
    #expect(
      result.errors.contains("\"bytes\":400005,") || result.errors.contains("\"bytes\":399996,"),
      "\(result.errors)")
    #expect(try command.read("p").utf8.count == 400_000 || result.status == 0)
  }

  @Test
  func `a path that no part has is told, and one that another part has is not, with an index`()
    throws
  {
    try command.write("{\"a\":[{\"id\":1},{\"id\":2}],\"b\":[{\"id\":3}]}", to: "d.json")
    let paths = ["--records", "$.a[*]", "--records", "$.b[*]", "--records", "$.c[*]"]
    #expect(try command.run(["index", "d.json", "--every", "1"] + paths).status == 0)
    for number in 1...2 {
      let result = try command.run(
        ["--field", "id", "d.json", "--part", "\(number)/2", "--index", "d.json.smx"] + paths)
      #expect(result.status == 8)
      #expect(
        result.errors.split(separator: "\n").count == 1 && result.errors.contains("$.c[*]"),
        "\(result.errors)")
    }
  }

  // MARK: Refusals

  @Test(
    .long,
    arguments: [
      (["x.ndjson", "--part", "0/3"], "The value '0/3' is invalid for '--part <k/n>'"),
      (["x.ndjson", "--part", "4/3"], "The value '4/3' is invalid for '--part <k/n>'"),
      (["x.ndjson", "--part", "1"], "The value '1' is invalid for '--part <k/n>'"),
      (["x.ndjson", "--part", "1/2000000"], "is invalid for '--part <k/n>'"),
      (["x.ndjson", "--index", "i"], "--index is for --part K/N."),
      (["--part", "1/3"], "--part needs an input that is a file: '-' is not one."),
      (
        ["/dev/stdin", "--part", "1/3"],
        "--part needs an input that is a file: '/dev/stdin' is not one."
      ),
      (
        ["x.ndjson", "x.ndjson", "--part", "1/3"],
        "--part takes one input; give each feed a run of its own."
      ),
      (["x.ndjson", "--part", "1/3", "--limit", "3"], "--limit and --part do not go together"),
      (
        ["x.ndjson", "--part", "1/3", "--skip", "3"],
        "--skip goes by the numbers of records: with --part it needs --index FILE."
      ),
      (["x.ndjson", "--part", "1/3", "--sample", "3%"], "--sample goes by the numbers of records"),
      (
        ["x.ndjson", "--part", "1/3", "--to", "json"],
        "--to json writes one array, which has no parts: give --to ndjson."
      ),
      (
        ["x.ndjson", "--part", "1/3", "-o", "{id}.ndjson"],
        "--part writes one output: give each part an -o FILE of its own."
      ),
      (["x.ndjson", "--part", "1/3", "-o", "o", "--split", "1kB"], "--part writes one output"),
      (
        ["x.json", "--part", "1/3"],
        "x.json: expected an index of the feed, or the format ndjson: only lines can be cut without one, found the format auto (stream-map index, --index FILE)\n"
      ),
      (["x.gz", "--part", "1/3"], "cannot map a part of x.gz: it is compressed (gzip)"),
      (
        ["x.ndjson", "--part", "1/3", "--index", "x.json"],
        "cannot use the index x.json: it is not an index; 'stream-map index' makes one\n"
      ),
      (
        ["x.ndjson", "--part", "1/3", "--index", "x.json.smx"],
        "x.ndjson: expected an index for the format ndjson, found one for the format json: make an index of this feed for this mapping\n"
      ),
    ])
  func `what has no good meaning is refused`(arguments: [String], message: String) throws {
    _ = try command.shell("gzip < x.ndjson > x.gz; stream-map index x.json")
    let result = try command.run(["--field", "id"] + arguments)
    #expect(result.status == 2, "\(result.errors)")
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output == "")
  }

  @Test(arguments: ["record_number", "line"])
  func `numbers and lines need an index`(fact: String) throws {
    try command.write("streammap: 1\nrecord: { n: { meta: \(fact) } }\n", to: "n.yaml")
    let result = try command.run("-m", "n.yaml", "x.ndjson", "--part", "1/2")
    #expect(result.status == 2)
    #expect(
      result.errors
        == "stream-map: x.ndjson: expected an index of the feed, since the mapping writes the numbers or lines of records, found none (stream-map index, --index FILE)\n"
    )
  }

  @Test func `an index of another feed, of a changed one, or that was changed is refused`() throws {
    #expect(
      try command.run("index", "-m", "context.yaml", "x.json", "--every", "4kB", "-o", "i").status
        == 0)
    let run = ["-m", "context.yaml", "x.json", "--part", "2/3", "--index", "i", "--errors", "skip"]
    #expect(try command.run(run).status == 1)
    let (index, feed) = (try command.read("i"), try command.read("x.json"))
    let size = feed.utf8.count
    for (changed, other, message) in [
      (
        index, feed + "\n",
        "expected the feed of \(size) bytes that was cut, found one of \(size + 1) bytes: cut it, or make its index, again"
      ),
      (
        index, feed.replacing("\"mon\"", with: "\"tue\""),
        "expected the feed that the index was made of, found one whose bytes have changed: make the index again"
      ),
      (
        index.replacing("\"recordCount\":", with: "\"recordCount\":1"), feed,
        "cannot use the index i: it is an index that was changed or cut"
      ),
      (String(index.dropLast(30)), feed, "cannot use the index i: it is not an index"),
      (
        index.replacing("\"streammap_index\":2", with: "\"streammap_index\":9"), feed,
        "another version of StreamMap stored: its form is 9, not 2"
      ),
      ("", feed, "cannot use the index i: it is not an index"),
    ] {
      try command.write(changed, to: "i")
      try command.write(other, to: "x.json")
      let result = try command.run(run)
      #expect(result.status == 2 && result.output == "")
      #expect(result.errors.contains(message), "\(result.errors)")
    }
    // Other context values.
    try command.write(index, to: "i")
    try command.write(feed, to: "x.json")
    try command.write(
      command.read("context.yaml").replacing(
        "from: $.day, type: string", with: "from: $.day, type: json"),
      to: "context.yaml")
    let result = try command.run(run)
    #expect(result.status == 2)
    #expect(result.errors.contains("found one for these context values"), "\(result.errors)")
  }

  @Test func `a part that does not end as its index says is a failure, and keeps no output`() throws
  {
    let items = (1...3000).map { "{\"id\":\($0 % 10)}" }
    try command.write("{\"list\":[\(items.joined(separator: ","))]}", to: "d.json")
    #expect(
      try command.run("index", "d.json", "--records", "$.list[*]", "--every", "9kB").status == 0)
    let text = try command.read("d.json")
    // Two records become one.
    let middle = text.index(text.startIndex, offsetBy: text.count / 2)
    let first = try #require(text[middle...].firstIndex(of: "{"))
    let end = text.index(first, offsetBy: 17)
    try command.write(
      text.replacingCharacters(in: first..<end, with: "{\"id\":8         }"), to: "d.json")
    for mode in ["fail", "skip"] {
      let result = try command.run(
        "--field", "id", "--records", "$.list[*]", "d.json", "--part", "2/3", "--index",
        "d.json.smx",
        "-o", "out", "--errors", mode)
      #expect(result.status == 2, "\(result.errors)")
      #expect(result.errors.contains("make the index again"), "\(result.errors)")
      #expect(!command.exists("out"))
    }
  }

  // MARK: The index

  @Test func `an index is written beside the feed, or to standard output`() throws {
    let result = try command.run("index", "x.ndjson", "-o", "-", "--every", "64KiB")
    #expect(result.status == 0 && result.output.hasSuffix("}\n"))
    #expect(try command.run("index", "x.ndjson", "--every", "64KiB").status == 0)
    #expect(try command.read("x.ndjson.smx") == result.output)
    #expect(try command.names.contains { $0.hasSuffix(".partial") } == false)
  }

  @Test(.long) func `processes that write one index at a time leave the whole one of one of them`()
    throws
  {
    for every in ["100", "64kB"] {
      #expect(
        try command.run("index", "x.ndjson", "--every", every, "-o", "\(every).smx").status == 0)
    }
    let (fine, coarse) = (try command.read("100.smx"), try command.read("64kB.smx"))
    #expect(fine != coarse)
    for _ in 0..<5 {
      let writers = try (0..<6).map { number in
        try command.start(
          ["index", "x.ndjson", "--every", number % 2 == 0 ? "100" : "64kB", "-o", "one.smx"])
      }
      for writer in writers {
        let result = try writer.finish()
        #expect(result.status == 0, "\(result.errors)")
      }
      let index = try command.read("one.smx")
      #expect(index == fine || index == coarse)
      #expect(try command.names.contains { $0.hasSuffix(".partial") } == false)
    }
  }

  @Test(
    .long,
    arguments: [
      (["-"], 2, "index needs a file: '-' is not one."),
      (["/dev/null"], 2, "index needs a file: '/dev/null' is not one."),
      (["nowhere"], 6, "cannot open nowhere"),
      (["x.gz"], 2, "cannot cut x.gz: it is compressed (gzip)"),
      (
        ["x.ndjson", "-o", "x.ndjson"], 2,
        "the input x.ndjson and the index x.ndjson are the same file; nothing was written"
      ),
      (["x.ndjson", "--set", "a=1"], 2, "--set is for --mapping FILE."),
      (["x.json", "--records", "$.["], 2, "--records: "),
      (["cut.json", "--records", "$[*]"], 4, "stream-map: cut.json: fatal truncated at $[1]"),
      (["deep.json", "--from", "json", "--limit-depth", "3"], 5, "--limit-depth"),
    ])
  func `what has no index is refused`(arguments: [String], status: Int32, message: String) throws {
    try command.write("[1,", to: "cut.json")
    try command.write("[[[[]]]]", to: "deep.json")
    _ = try command.shell("gzip < x.ndjson > x.gz")
    let result = try command.run(["index"] + arguments)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(!command.exists((arguments.first ?? "") + ".smx"))
  }
}
