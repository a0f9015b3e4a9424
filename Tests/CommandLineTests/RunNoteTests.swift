import Foundation
import Testing

/// What a run says besides its errors: fields that found nothing, records that were rejected, keys that no field names.
@Suite struct RunNoteTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  /// What is said of a feed of lines by every way to run, which is the same.
  private func notes(_ arguments: [String], _ feed: String, pieceSize: Int = .max) throws -> String
  {
    let one = try command.run(
      arguments + ["--from", "ndjson"], input: Array(feed.utf8), pieceSize: pieceSize)
    for other in [["--jobs", "3"], ["--parser", "yajl"], ["--parser", "index"]] {
      let result = try command.run(
        arguments + ["--from", "ndjson"] + other, input: Array(feed.utf8), pieceSize: pieceSize)
      #expect(result.errors == one.errors, "\(other)")
      #expect(result.status == one.status)
    }
    return one.errors
  }

  private func map(_ record: String, _ rest: String = "") throws -> [String] {
    try command.write("streammap: 1\n\(rest)record:\n\(record)\n", to: "m.yaml")
    return ["-m", "m.yaml"]
  }

  // MARK: Members

  @Test func `members that are left out for a field's name are named with how often they were`()
    throws
  {
    let lines = [
      #"{"first":"A","name":"B","o":{"n":{"k":1}}}"#, #"{"first":"C","name":"D"}"#,
      #"{"first":"E"}"#,
    ]
    let record =
      "  name: first\n  o: { from: o, default: {}, object: { k: n.k, n: { const: 1 } }, rest: keep }"
    let notes = try notes(map(record, "rest: keep\n"), lines.joined(separator: "\n") + "\n")
    #expect(
      notes
        == "stream-map: members left out, since a field has their name: $.name (2); drop them if that is meant\n"
    )
  }

  @Test func `keys that come twice are named where the mapping reports them`() throws {
    let notes = try notes(
      map("  a: a", "input: { duplicate_keys: report }\n"), "{\"a\":1,\"a\":2}\n{\"a\":3}\n")
    #expect(notes == "stream-map: keys that came twice: $.a (1)\n")
  }

  // MARK: Fields

  @Test func `the innermost records that contain themselves have none inside`() throws {
    let tree = try map(
      "  id: id\n  sub: { from: sub, use: record, nullable: true }\n  list: { from: l, each: { use: record }, default: [] }"
    )
    let inside =
      "{\"id\":1,\"sub\":{\"id\":2,\"l\":[{\"id\":3,\"sub\":{\"id\":4,\"l\":[]}}]},\"l\":[]}\n"
    #expect(try notes(tree, inside) == "")
    #expect(
      try notes(tree, "{\"id\":1,\"l\":[{\"id\":2}]}\n") == "stream-map: sub never occurred\n")
  }

  @Test(arguments: [
    (
      "  id: id", "where: { from: stauts, min: 500 }\n",
      "stauts never occurred; did you mean status?"
    ),
    (
      "  x: id\n  id: { calc: 'stauts + 0', nullable: true }", "",
      "stauts never occurred; did you mean status?"
    ),
    (
      "  id: { from: l, each: { object: { a: a } }, where: { from: bb, exists: true } }", "",
      "l[*].bb never occurred; did you mean l[*].b?"
    ),
    (
      "  x: id\n  id: { cases: [ { when: { from: stauts, min: 1 }, const: 1 } ], otherwise: 2 }",
      "",
      "stauts never occurred; did you mean status?"
    ),
  ])
  func `what conditions and formulas read is named if it never occurs`(
    record: String, rest: String, text: String
  ) throws {
    let notes = try notes(
      map(record, rest), "{\"id\":1,\"status\":500,\"l\":[{\"a\":1,\"b\":2}]}\n")
    #expect(notes == "stream-map: \(text)\n")
  }

  @Test func `a type where a path belongs is told how a type is written`() throws {
    let note = "if a type is meant, write { from: …, type:"
    #expect(
      try notes(
        map("  id: int64\n  name: str\n  a: { from: b.date, nullable: true }"),
        "{\"id\":1,\"name\":\"x\"}\n")
        == "stream-map: int64 never occurred; \(note) int64 }\nstream-map: str never occurred; \(note) str }\n"
        + "stream-map: b.date never occurred\n")
    // One that is there is a path, and one that is nearly there, too.
    #expect(try notes(map("  id: date"), "{\"date\":1}\n") == "")
    #expect(
      try notes(map("  id: date"), "{\"Date\":1}\n")
        == "stream-map: date never occurred; did you mean Date?\n")
  }

  @Test func `a field that is there in a rejected record is not said to be missing`() throws {
    let result = try command.run("--field", "nick:string", input: "{\"nick\":1}\n")
    #expect(result.status == 7)
    #expect(!result.errors.contains("never occurred"), "\(result.errors)")
  }

  @Test(
    .long,
    arguments: [
      ("user.scren_name", "user.scren_name never occurred; did you mean user.screen_name?"),
      ("users.screen_name", "users.screen_name never occurred; did you mean user.screen_name?"),
      ("usr.scren_name", "usr.scren_name never occurred; did you mean user.screen_name?"),
      ("screen_name", "screen_name never occurred; did you mean user.screen_name?"),
      ("user.screenName", "user.screenName never occurred; did you mean user.screen_name?"),
      ("ID", "ID never occurred; did you mean id?"),
      ("tags[2].txt", "tags[2].txt never occurred; did you mean tags[2].text?"),
      ("colour", "colour never occurred"),
      ("user.id.x", nil),
      ("user.nothing", nil),
      ("user.none.at.all", nil),
      ("late", nil),
    ])
  func `a field that is never found is named with the nearest key`(path: String, note: String?)
    throws
  {
    let feed =
      String(
        repeating:
          #"{"id":1,"user":{"screen_name":"a","nothing":null,"none":null},"tags":[{"text":1}]}"#
          + "\n",
        count: 3000) + #"{"user":{"id":{"x":1}},"late":1}"# + "\n"
    #expect(
      try notes(["--field", "f=\(path)"], feed) == (note.map { "stream-map: \($0)\n" } ?? ""))
  }

  @Test(arguments: [
    ("$.meta.dya", "$.meta.dya (context) never occurred; did you mean $.meta.day?"),
    ("$.other", "$.other (context) never occurred"), ("$.meta.day", nil),
  ])
  func `a value from outside the records that never occurs is named`(path: String, note: String?)
    throws
  {
    let arguments = try map(
      "  a: a\n  d: { context: d }",
      "input: { records: '$.items[*]' }\ncontext: { d: { from: \(path), type: any, late: null } }\n"
    )
    let feed = String(
      repeating: #"{"meta":{"day":"x","none":null},"items":[{"a":1},{"a":2}]}"# + "\n", count: 300)
    #expect(try notes(arguments, feed) == (note.map { "stream-map: \($0)\n" } ?? ""))
  }

  @Test func `members that come twice are not said to be missing`() throws {
    let arguments = try map(
      "  a: { join: [z.a], nullable: true }\n  c: { calc: z.b, nullable: true }")
    #expect(try notes(arguments, #"{"z":{"a":1},"z":{"b":2}}"# + "\n") == "")
  }

  @Test func `fields inside objects and arrays are looked for where these are`() throws {
    let arguments = try map(
      """
        a: { from: items, each: { object: { s: { from: skus, nullable: true }, n: { from: n.m, nullable: true } } } }
        b: { from: box, nullable: true, object: { c: c, d: d } }
        e: { from: part, object: { f: { from: g, nullable: true } } }
        g: { from: prices, map: { object: { x: { from: y, nullable: true } } } }
      """)
    let feed =
      #"{"items":[{"sku":1,"n":{"m":1}},{"n":{}}],"part":{"h":1},"prices":{"k":{"z":1}}}"# + "\n"
      + #"{"items":[],"part":{"g":null},"prices":{}}"# + "\n"
    #expect(
      try notes(arguments, feed) == """
        stream-map: items[*].skus never occurred; did you mean items[*].sku?
        stream-map: box never occurred
        stream-map: prices[*].y never occurred

        """)
  }

  @Test func `of several paths one that is found is enough`() throws {
    let arguments = try map(
      """
        a: { first_of: [b, c.d], type: int8, optionally: 0 }
        e: { first_of: [nam, f], type: string, optionally: "" }
        g: { join: [name, nane], optionally: "" }
      """)
    #expect(
      try notes(arguments, #"{"c":{"d":1},"name":"x"}"# + "\n") == """
        stream-map: none of nam, f ever occurred; did you mean name?
        stream-map: nane never occurred; did you mean name?

        """)
  }

  @Test func `what is found in any input is found`() throws {
    for (number, text) in ["{\"a\":1}\n", "", "{\"b\":1}\n"].enumerated() {
      try command.write(text, to: "\(number).ndjson")
    }
    for jobs in ["1", "2"] {
      let result = try command.run(
        "--field", "a", "--field", "b", "--field", "cc", "--jobs", jobs, "0.ndjson", "1.ndjson",
        "2.ndjson")
      #expect(result.errors == "stream-map: cc never occurred\n")
    }
    #expect(try command.run("--field", "a", "1.ndjson").errors == "")
  }

  @Test func `many fields are counted, and each path is named once`() throws {
    let fields = (0..<25).flatMap { ["--field", "f\($0)=zz\($0 / 2)"] }
    let lines = try notes(fields + ["--field", "a"], "{\"a\":1}\n").split(separator: "\n")
    #expect(lines.count == 11)
    #expect(lines.last == "stream-map: and 3 more fields never occurred")
  }

  @Test func `a run that continues knows what was found before`() throws {
    let arguments = [
      "--field", "a:int8", "--field", "b", "--field", "ab", "-o", "out", "--checkpoint", "c",
      "--checkpoint-every", "1", "x.ndjson",
    ]
    try command.write("{\"a\":1,\"b\":1}\n{\"a\":\"x\"}\n", to: "x.ndjson")
    #expect(try command.run(arguments).status == 7)
    #expect(command.exists("c"))
    try command.write("{\"a\":1,\"b\":1}\n{\"a\":2}\n", to: "x.ndjson")
    let result = try command.run(arguments)
    #expect(result.status == 0)
    #expect(result.errors == "stream-map: ab never occurred; did you mean a?\n")
  }

  /// The feed's keys are read again, wherever the run continues.
  @Test(arguments: [1, 2])
  func `a run that continues says what an undisturbed one says`(inputs: Int) throws {
    let record = "{\"user\":{\"screen_name\":\"abcdefgh\"}}\n"
    let feeds = ["empty.ndjson", "x.ndjson", "y.ndjson"]
    try command.write("", to: feeds[0])
    for feed in feeds.dropFirst() {
      try command.write(String(repeating: record, count: 2000), to: feed)
    }
    let last = feeds[inputs]
    let arguments = ["--field", "n=user.scren_name"] + feeds.prefix(inputs + 1)
    let checkpoint = ["-o", "out", "--checkpoint", "c", "--checkpoint-every", "8KiB"]
    let whole = try command.read(last)
    let plain = try command.run(arguments + ["-o", "plain"])
    #expect(
      plain.errors
        == "stream-map: user.scren_name never occurred; did you mean user.screen_name?\n")
    try command.write(whole + "{\"a\":", to: last)
    #expect(try command.run(arguments + checkpoint).status == 4)
    #expect(command.exists("c"))
    try command.write(whole, to: last)
    let result = try command.run(arguments + checkpoint)
    #expect(result.status == 0)
    #expect(result.errors == plain.errors)
    #expect(try command.areSame("out", "plain"))
  }

  @Test func `a required field that is misspelt is suggested with its error`() throws {
    let result = try command.run("--field", "user:int64=usr.id", input: "{\"user\":{\"id\":1}}\n")
    #expect(result.status == 7)
    #expect(
      result.errors == """
        stream-map: standard input: fatal missing at $.usr.id → user (record 1, line 1, column 1, \
        bytes 0..<17): an integer (Int64) is missing; write --field 'user:int64?=usr.id'
        stream-map: usr.id never occurred; did you mean user.id?

        """)
    // Where nothing is near, the error says it all.
    let other = try command.run("--field", "x:int64", input: "{\"user\":1}\n")
    #expect(other.errors.split(separator: "\n").count == 1)
  }

  // MARK: Records

  @Test(arguments: ["id", "id:int64"])
  func `a document that is mapped whole is told where its records may be`(field: String) throws {
    let feed =
      #"{"meta":{"tags":["a"]},"statuses":[{"id":1,"urls":[1,2,3,4,5,6]},{"id":2}],"x":[]}"#
    let result = try command.run("--field", field, input: feed)
    #expect(result.status == (field == "id" ? 0 : 7))
    #expect(
      result.errors.split(separator: "\n").last.map(String.init)
        == "stream-map: no field was found: the document was mapped as one record; for the elements of "
        + "its largest array give --records '$.statuses[*]'")
  }

  @Test func `an array is suggested for many documents only where it has the fields`() throws {
    let feed = String(repeating: "{\"n\":1,\"tags\":[{\"id\":1}]}\n", count: 2)
    #expect(
      try notes(["--field", "id"], feed)
        == "stream-map: no field was found: each document was mapped as one record; for the elements of "
        + "its largest array give --records '$.tags[*]'\n")
    #expect(try notes(["--field", "size"], feed) == "stream-map: size never occurred\n")
  }

  @Test(arguments: [
    ("$.statusses[*]", "; did you mean $.statuses[*]?"),
    ("$.meta.item[*]", "; did you mean $.meta.items[*]?"),
    ("$..stauses[*]", "; did you mean $..statuses[*]?"), ("$.other[*]", ""),
  ])
  func `a path of records that does not occur is named with the nearest one`(
    path: String, end: String
  )
    throws
  {
    let result = try command.run(
      "--field", "id", "--records", path,
      input: "{\"statuses\":[{\"id\":1}],\"meta\":{\"items\":[{\"id\":2}]}}")
    #expect(result.status == 8)
    #expect(
      result.errors
        == "stream-map: standard input: no records: the path \(path) does not occur\(end)\n")
  }

  @Test func `rejected records have reasons, and many a tally`() throws {
    let feed =
      "{\"a\":1}\n{\"a\":\"x\"}\n{\"b\":1}\nGARB\n{\"a\":[]}\n{\"a\":\"y\",\"c\":{\"d\":[\"z\"]}}\n"
    let arguments = try map(
      "  a: { from: a, type: int8 }\n  d: { from: c.d, nullable: true, each: int8 }")
    #expect(
      try notes(arguments + ["--errors", "skip"], feed) == """
        stream-map: 5 of 6 records were rejected
        stream-map: standard input: fatal wrongType at $.a → a (record 2, line 2, column 6, bytes 13..<16): \
        expected an integer (Int8), found a string; write coerce: string (m.yaml:3)
        stream-map: standard input: fatal missing at $.a → a (record 3, line 3, column 1, bytes 18..<25): \
        an integer (Int8) is missing; write nullable: true if it may be missing, or default: and a value (m.yaml:3)
        stream-map: standard input: fatal syntax at $ (record 4, line 4, column 1, bytes 26..<27): \
        expected a value, found 'G'
        stream-map: 3 × wrongType at $.a
        stream-map: 1 × missing at $.a
        stream-map: 1 × syntax at $
        stream-map: 1 × wrongType at $.c.d[*]

        """)
  }

  @Test func `several errors of a record are one reason`() throws {
    let result = try command.run(
      "--field", "a:int8", "--field", "b:int8", "--field", "c:int8", "--errors", "skip",
      input: "{\"a\":\"x\",\"b\":true,\"c\":\"x\"}\n")
    #expect(
      result.errors == """
        stream-map: 1 of 1 records were rejected
        stream-map: standard input: fatal wrongType at $.a → a (record 1, line 1, column 6, bytes 5..<8): \
        expected an integer (Int8), found a string (and 2 more in this record); \
        write --field 'a:any', which takes any scalar, or coerce in a mapping file

        """)
  }

  // MARK: Keys

  @Test func `unknown keys are named where they are reported`() throws {
    let arguments = try map(
      "  a: a\n  u: { from: u, nullable: true, each: { object: { b: b } } }",
      "input: { unknown: report }\n")
    let many = (0..<12).map { "\"k\($0)\":1" }.joined(separator: ",")
    let feed =
      "{\"a\":1,\"lang\":2}\n{\"a\":1,\"lang\":2,\"u\":[{\"b\":1,\"c d\":1},{\"b\":1,\"c d\":1}]}\n"
    let line = "unknown keys: $.lang (2), $.u[*]['c d'] (2)\n"
    #expect(try notes(arguments, feed) == "stream-map: \(line)")
    let more = try notes(arguments, feed + "{\"a\":1,\(many)}\n")
    #expect(more.hasPrefix("stream-map: unknown keys: $.lang (2), $.u[*]['c d'] (2), $.k0 (1), "))
    #expect(more.hasSuffix(", $.k5 (1), and 4 more (4)\n"))
    try command.write(feed, to: "x.ndjson")
    #expect(
      try command.run("check", "m.yaml", "--sample", "x.ndjson").output.hasSuffix(
        " 4 issues\n\(line)"))
  }

  // MARK: Quiet

  @Test(arguments: ["-q", "--quiet"]) func `a quiet run says nothing but errors`(flag: String)
    throws
  {
    let feed = "{\"a\":1}\n{\"a\":\"x\"}\n"
    let arguments = ["--field", "a:int8", "--field", "bb", flag, "--from", "ndjson"]
    let skipped = try command.run(arguments + ["--errors", "skip"], input: feed.utf8)
    #expect(
      skipped.errors == "" && skipped.status == 1 && skipped.output == "{\"a\":1,\"bb\":null}\n")
    let failed = try command.run(arguments, input: feed.utf8)
    #expect(failed.status == 7)
    #expect(failed.errors.hasPrefix("stream-map: standard input: fatal wrongType"))
    #expect(failed.errors.split(separator: "\n").count == 1)
    let figures = try command.run(
      arguments + ["--errors", "skip", "--stats", "json"], input: feed.utf8)
    #expect(figures.errors.hasPrefix("{\"records\":2,"))
  }

  // MARK: Hostile feeds

  @Test func `keys of a feed command no terminal`() throws {
    let errors = try notes(
      ["--field", "a=red_alert", "--field", "b"],
      #"{"red_alerm\u001b[31m":1,"red_aler\u009b":1,"b":1}"# + "\n")
    #expect(errors == "stream-map: red_alert never occurred; did you mean red_aler\\u{9b}?\n")
  }

  @Test func `hostile beginnings of a feed take no time and no stack`() throws {
    let deep = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
    let objects =
      String(repeating: "{\"a\":", count: 60_000) + "1" + String(repeating: "}", count: 60_000)
    let keys = (0..<60_000).map { "\"k\($0)\":{\"x\":0}" }.joined(separator: ",")
    for feed in [deep, objects, "{\(keys)}"] {
      try command.write(feed, to: "x.json")
      let running = try command.start([
        "--field", "a", "--records", "$.kx.y", "--limit-depth", "300000", "x.json",
      ])
      let result = try #require(try running.result(within: 60))
      #expect(result.status == 8)
      #expect(
        result.errors == "stream-map: x.json: no records: the path $.kx.y does not occur\n")
    }
  }

  @Test func `keys are not suggested where something is redacted`() throws {
    let arguments = try map(
      "  a: { from: secre, nullable: true }\n  b: { from: b, map: { type: string, redact: true }, nullable: true }"
    )
    #expect(
      try notes(arguments, "{\"secret\":1,\"b\":{\"secres\":\"x\"}}\n")
        == "stream-map: secre never occurred\n")
  }
}
