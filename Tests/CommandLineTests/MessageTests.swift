import Foundation
import Testing

/// What the command says to those who do what people do: each message, word by word, with its status.
@Suite struct MessageTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  // MARK: Arguments

  @Test(arguments: [
    (
      ["--field", ".user.name"],
      "--field '.user.name': path '.user.name': a path does not start with a dot; write user.name (at character 1)."
    ),
    (
      ["--field", "id", "--records", ".statuses[]"],
      "--records: path '.statuses[]': a path does not start with a dot; write statuses[*] (at character 1)"
    ),
    (
      ["--field", "rt=retweet_count:int64"],
      "--field 'rt=retweet_count:int64': the type is on the left; write --field rt:int64=retweet_count."
    ),
    (
      ["--field", "ts, ,the user"],
      "--field 'ts, ,the user': a field is missing beside a comma."
    ),
    (
      ["--field", "x=const:5"],
      "--field 'x=const:5': a constant needs a mapping file: record: { x: { const: 5 } }."
    ),
    (
      ["--field", "n=$.http.ms * 2"],
      "--field 'n=$.http.ms * 2': path '$.http.ms * 2': this is a calculation, not a path: "
        + "see calc in mapping files; if it is a key, quote it: ['ms * 2'] (at character 11)."
    ),
    (
      ["--field", "n={a}-{b}"],
      "--field 'n={a}-{b}': path '{a}-{b}': braces are for template, as in template: \"{a}-{b}\"; "
        + "if it is a key, quote it, as in ['{a}-{b}']."
    ),
    (
      ["--field", "n:integer=id"],
      "--field 'n:integer=id': there is no type 'integer'; did you mean 'int64'?"
    ),
    (
      ["--field", "n:array=id"],
      "--field 'n:array=id': there is no type 'array'; an array is 'each: string'"
    ),
    (
      ["--field", "n:user.id"],
      "--field 'n:user.id': there is no type 'user.id'; types are any, string, bool, int8, int16, int32, "
        + "int64, uint8, uint16, uint32, uint64, number, float, double, decimal, url, uuid, date, json, "
        + "enum; a path comes after =, as in name=path"
    ),
    (["--recrods", "x"], "Unknown option '--recrods'. Did you mean '--records'?"),
    (
      ["validate", "m.yaml"],
      "A mapping is missing: give --mapping FILE, --field for each field, or --to csv for all of them; did you mean 'stream-map check'?"
    ),
    (
      [".items[]", "feed.json"],
      "A mapping is missing: give --mapping FILE, --field for each field, or --to csv for all of them; "
        + "'.items[]' is the place of records: give it by --records 'items[*]'"
    ),
    (
      [".user.id", "feed.json"],
      "A mapping is missing: give --mapping FILE, --field for each field, or --to csv for all of them; "
        + "'.user.id' is a member: give it by --field user.id"
    ),
    (
      ["$.items[*]"],
      "A mapping is missing: give --mapping FILE, --field for each field, or --to csv for all of them; "
        + "'$.items[*]' is the place of records: give it by --records '$.items[*]'"
    ),
    (
      ["select(.n > 5)"],
      "A mapping is missing: give --mapping FILE, --field for each field, or --to csv for all of them; "
        + "'select(.n > 5)' is a program: here where, calc and other keys of a mapping file say that"
    ),
    (
      ["--field", "id", "feed.json", "out.csv"],
      "there is no feed 'out.csv'; an output is given by -o out.csv."
    ),
    (
      ["--field", "id", "-o", "csv"],
      "-o csv is the name of a form: give --to csv, or -o ./csv for such a file."
    ),
    (
      ["--field", "user.id as user"],
      "--field 'user.id as user': path 'user.id as user': the name in the output is on the left, as in b: a or --field b=a; "
        + "if it is a key, quote it, as in ['user.id as user']."
    ),
    (
      ["--field", "*"],
      "--field '*': "
        + "all members come with --to and no field, or with rest: keep in a mapping file."
    ),
    (
      ["chekc", "m.yaml"],
      "A mapping is missing: give --mapping FILE, --field for each field, or --to csv for all of them; did you mean 'stream-map check'?"
    ),
  ])
  func `a mistake of the arguments says what to write`(arguments: [String], message: String) throws
  {
    let result = try command.run(arguments)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.split(separator: "\n").first.map(String.init) == "Error: \(message)")
    #expect(result.errors.contains("\nUsage: stream-map run "))
  }

  @Test func `names of types that others use are taken, too`() throws {
    let result = try command.run(
      "--field", "a:int", "--field", "b:str", "--field", "c:boolean", "--field", "d:datetime",
      "--field", "e:float32", "--field", "f:float64",
      input: #"{"a":1,"b":"x","c":true,"d":"2026-11-22T00:00:00Z","e":1.5,"f":2.5}"#)
    #expect(
      result.output
        == #"{"a":1,"b":"x","c":true,"d":"2026-11-22T00:00:00Z","e":1.5,"f":2.5}"# + "\n")
    try command.write(
      "streammap: 1\nrecord: { a: { from: a, type: int }, b: { from: b, each: str } }\n",
      to: "m.yaml")
    #expect(
      try command.run("explain", "m.yaml").output.hasSuffix(
        "  a → a: int64\n  b → b: array of string\n"))
  }

  @Test func `one --field takes several fields between commas`() throws {
    let result = try command.run(
      "--field", "id:int64, b=['a,]\\',b'] ,c[0],n=/x/y", "--field", "d",
      input: #"{"id":1,"a,]',b":2,"c":[3],"x":{"y":4},"d":5}"#)
    #expect(result.output == #"{"id":1,"b":2,"c":3,"n":4,"d":5}"# + "\n", "\(result.errors)")
  }

  // MARK: Feeds

  private static let document = "{\n \"id\": 1,\n \"items\": [{\"n\": 1}]\n}\n"

  static let feeds:
    [(name: String, bytes: [UInt8], arguments: [String], status: Int32, end: String)] = [
      (
        "a b.zip", [0x50, 0x4B, 3, 4, 0], [], 4,
        "found 'P'; these are bytes of a zip archive: unzip -p 'a b.zip' | stream-map …"
      ),
      (
        "x.html", Array("<!DOCTYPE html>\n<p>502</p>\n".utf8), [], 4,
        "found '<'; this is HTML, not JSON: maybe the page of an error"
      ),
      (
        "x.xml", Array("<?xml version=\"1.0\"?><a/>".utf8), [], 4,
        "found '<'; this is XML, not JSON"
      ),
      (
        "x.csv", Array("id,name\n1,Ann\n".utf8), [], 4,
        "found 'i'; this looks like CSV, not JSON: mlr --icsv --ojsonl cat x.csv | stream-map …"
      ),
      (
        "q.csv", Array("\"id\",\"name\"\n1,\"Ann\"\n".utf8), [], 7,
        "found a string; this looks like CSV, not JSON: mlr --icsv --ojsonl cat q.csv | stream-map …"
      ),
      (
        "x.json", Array("[{\"id\":1}]".utf8), [], 7,
        "expected an object, found an array; its elements are records with --records '$[*]'"
      ),
      (
        "y.json", Array("{\"items\":[{\"id\":1}]}".utf8), ["--records", "$.items"], 7,
        "expected an object, found an array; its elements are records with --records '$.items[*]'"
      ),
      (
        "d.json", Array(document.utf8), ["--from", "ndjson"], 4,
        "found the end; the first value goes over several lines, so this is not NDJSON: give --from json"
      ),
      (
        "l.json", Array("{\"id\":1}\n{\"id\":2}\n".utf8), ["--from", "json"], 4,
        "found '{'; each line is a document of its own: give --from ndjson"
      ),
      (
        "c.json", Array("{\"id\":1} {\"id\":2}\n".utf8), ["--from", "json"], 4,
        "found '{'; there are several documents: give --from concat"
      ),
      // Nothing is said where nothing is known.
      ("t.json", Array("{\"id\":tru}".utf8), [], 4, "expected true, false or null, found '}'"),
      ("s.json", Array("7".utf8), [], 7, "expected an object, found a number"),
    ]

  @Test(arguments: feeds.indices)
  func `an error of a feed ends with what to do`(_ index: Int) throws {
    let feed = Self.feeds[index]
    try Data(feed.bytes).write(to: command.url(feed.name))
    let result = try command.run(["--field", "id", feed.name] + feed.arguments)
    #expect(result.status == feed.status)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("stream-map: \(feed.name): fatal ") == true)
    #expect(lines.first?.hasSuffix(feed.end) == true, "\(result.errors)")
  }

  // MARK: Mapping files

  static let files: [(text: String, errors: String)] = [
    (
      "record:\n  id: { from: id, tpye: int }\n",
      """
      m.yaml:3:19: error: unknown key 'tpye' in field 'id'; did you mean 'type'?
          id: { from: id, tpye: int }
                          ^
      """
    ),
    (
      "record:\n  id: { from: id, matches: x }\n",
      """
      m.yaml:3:19: error: unknown key 'matches' in field 'id': it belongs under 'validate'
          id: { from: id, matches: x }
                          ^
      """
    ),
    (
      "input: { depth: 3, nulls: omit }\noutput: { cvs: 1 }\nrecord: { a: a }\n",
      """
      m.yaml:2:10: error: unknown key 'depth' in input: it belongs under 'limits'
        input: { depth: 3, nulls: omit }
                 ^
      m.yaml:2:20: error: unknown key 'nulls' in input
        input: { depth: 3, nulls: omit }
                           ^
      m.yaml:2:20: note: input can have format, records, duplicate_keys, unknown, limits
      m.yaml:3:11: error: unknown key 'cvs' in output
        output: { cvs: 1 }
                  ^
      m.yaml:3:11: note: output can have format, nulls, header, nested, arrays, safe, file, table, key, mode
      """
    ),
    (
      "nulls: omit\nrecord: { a: { from: a, errors: x } }\n",
      """
      m.yaml:2:1: error: unknown key 'nulls' in a mapping file: it belongs under 'output'
        nulls: omit
        ^
      m.yaml:3:25: error: unknown key 'errors' in field 'a': it belongs at the top of the file
        record: { a: { from: a, errors: x } }
                                ^
      """
    ),
    (
      "record:\n  a: { from: a, type: object }\n  b: { from: b, type: Long }\n  c: .d.e[]\n",
      """
      m.yaml:3:23: error: there is no type 'object'; an object is 'object: { … }', a dictionary 'map: string'
          a: { from: a, type: object }
                              ^
      m.yaml:4:23: error: there is no type 'Long'; did you mean 'int64'?
          b: { from: b, type: Long }
                              ^
      m.yaml:5:6: error: path '.d.e[]': a path does not start with a dot; write d.e[*] (at character 1)
          c: .d.e[]
             ^
      """
    ),
    (
      "record:\n  id: { from: id, type: int\n  name: name\n",
      """
      m.yaml:4:7: error: a comma, or the } for the { of line 3, is missing before this
          name: name
              ^
      """
    ),
    (
      "record:\n\tid: id\n",
      """
      m.yaml:3:1: error: YAML is not indented by tabs: use spaces
         id: id
        ^
      """
    ),
    (
      "record:\n  id: id\n   name: name\n",
      """
      m.yaml:4:8: error: no value can start here: quote a text that has a colon and a space in it, or check the indentation
           name: name
               ^
      """
    ),
    (
      "record:\n    id: id\n  name: name\n",
      """
      m.yaml:4:3: error: this does not fit the lines before it: check the indentation, and quotes that end too early
          name: name
          ^
      """
    ),
    (
      "record:\n  id: \"id\n  name: name\n",
      """
      m.yaml:3:7: error: the quote that starts here does not end
          id: "id
              ^
      """
    ),
    (
      #"record: { id: { from: id, validate: { matches: "\d+" } } }"# + "\n",
      #"""
      m.yaml:2:49: error: inside double quotes \ starts an escape: use single quotes, or write \\
        record: { id: { from: id, validate: { matches: "\d+" } } }
                                                        ^
      """#
    ),
    (
      "record:\n  id: @id\n",
      """
      m.yaml:3:7: error: a text that starts with @ has to be quoted
          id: @id
              ^
      """
    ),
    (
      "record: { id: images[0].url }\n",
      """
      m.yaml:2:21: error: inside { } and [ ] a path with brackets has to be quoted: "images[0].url"
        record: { id: images[0].url }
                            ^
      """
    ),
    (
      "record: { id: id }\n---\nx: y\n",
      """
      m.yaml:3:1: error: a mapping file is one map, and nothing can follow it
        ---
        ^
      """
    ),
  ]

  @Test(arguments: files.indices)
  func `a mistake in a mapping file is shown at its place`(_ index: Int) throws {
    let file = Self.files[index]
    try command.write("streammap: 1\n" + file.text, to: "m.yaml")
    let result = try command.run("check", "m.yaml")
    #expect(result.status == 3)
    let count = file.errors.split(separator: "\n").count { $0.contains(": error: ") }
    let end = "stream-map: \(count == 1 ? "1 mistake" : "\(count) mistakes") in m.yaml\n"
    #expect(result.errors == file.errors + "\n" + end)
  }

  @Test func `a long line is shown around the place, and no terminal is commanded`() throws {
    let before = String(repeating: "x", count: 500)
    try command.write(
      "{\"streammap\":1,\"name\":\"\(before)é\",\"record\":{\"a\":{\"tpye\":\"\u{9B}[31m\(before)\"}}}",
      to: "m.json")
    let result = try command.run("check", "m.json")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 4)
    let (line, caret) = (Array(lines[1].unicodeScalars), Array(lines[2].unicodeScalars))
    #expect(line.count < 120)
    #expect(
      String(String.UnicodeScalarView(line[(caret.count - 1)...])).hasPrefix(
        "\"tpye\":\"\u{FFFD}[31m"))
    #expect(lines[1].hasPrefix("  …xxx") && lines[1].hasSuffix("xxx…"))
    #expect(!result.errors.unicodeScalars.contains("\u{9B}"))
  }

  @Test(.long) func `thousands of mistakes in one line are shown in a moment`() throws {
    let fields = (0..<3000).map { "\"f\($0)\":{\"tpye\":1}" }.joined(separator: ",")
    try command.write("{\"streammap\":1,\"record\":{\(fields)}}", to: "m.json")
    let running = try command.start(["check", "m.json"])
    let result = try #require(try running.result(within: 60))
    #expect(result.mistakes.count == 3000)
  }
}
