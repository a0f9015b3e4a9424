import Foundation
import Testing

/// The forms of output, by the real command.
@Suite("Forms of output")
struct OutputFormTests {
  let command: Command

  init() throws {
    command = try Command()
    try command.write(
      """
      streammap: 1
      record:
        id: { from: id, type: int64 }
        name: name
        user: { from: user, nullable: true, object: { n: n, a: { from: a, type: double, nullable: true } } }
        tags: { from: tags, each: string, default: [] }

      """, to: "m.yaml")
    try command.write(
      """
      {"id":1,"name":"a,b","user":{"n":"x\\"y","a":1.50},"tags":["p","q"]}
      {"id":2,"name":"","user":null}
      {"id":3,"user":{"n":"=1\\n\\ttab","a":-2},"tags":["\\\\","\\u00e9"]}

      """, to: "x.ndjson")
  }

  private static let csv = """
    id,name,user.n,user.a,tags
    1,"a,b","x""y",1.50,"[""p"",""q""]"
    2,"",,,[]
    3,,"=1
    \ttab",-2,"[""\\\\"",""é""]"

    """

  private static let forms: [(form: String, output: String)] = [
    ("csv", csv),
    (
      "tsv",
      """
      id\tname\tuser.n\tuser.a\ttags
      1\ta,b\tx"y\t1.50\t["p","q"]
      2\t\t\t\t[]
      3\t\t=1\\n\\ttab\t-2\t["\\\\\\\\","é"]

      """
    ),
    (
      "pgcopy",
      """
      1\ta,b\tx"y\t1.50\t["p","q"]
      2\t\t\\N\t\\N\t[]
      3\t\\N\t=1\\n\\ttab\t-2\t["\\\\\\\\","é"]

      """
    ),
    (
      "pretty",
      """
      {
        "id": 1,
        "name": "a,b",
        "user": {
          "n": "x\\"y",
          "a": 1.50
        },
        "tags": [
          "p",
          "q"
        ]
      }
      {
        "id": 2,
        "name": "",
        "user": null,
        "tags": []
      }
      {
        "id": 3,
        "name": null,
        "user": {
          "n": "=1\\n\\ttab",
          "a": -2
        },
        "tags": [
          "\\\\",
          "é"
        ]
      }

      """
    ),
  ]

  @Test(arguments: forms.map(\.form), [1, 3])
  func `each form is written the same by any number of jobs`(form: String, jobs: Int) throws {
    let result = try command.run(
      "-m", "m.yaml", "--to", form, "--jobs", "\(jobs)", "x.ndjson")
    #expect(result.output == Self.forms.first { $0.form == form }?.output)
    #expect(result.status == 0 && result.errors == "")
  }

  @Test func `text is the only field, as it is`() throws {
    let result = try command.run("--field", "name", "--to", "text", "x.ndjson")
    #expect(result.output == "a,b\n\n\n")
    let several = try command.run("-m", "m.yaml", "--to", "text", "missing.ndjson")
    #expect(several.status == 2 && several.output == "")
    #expect(
      several.errors.hasPrefix(
        "Error: --to text: the output 'text' is the text of one field, and the record has 5; "
          + "map one field, or write 'csv' or 'tsv'.\n"), "\(several.errors)")
  }

  private func written(_ keys: String, _ arguments: String...) throws -> String {
    try command.write(command.read("m.yaml") + "output: { \(keys) }\n", to: "o.yaml")
    let result = try command.run(["-m", "o.yaml", "x.ndjson"] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test func `a mapping file says the form, and flags win`() throws {
    #expect(try written("format: csv") == Self.csv)
    #expect(try written("format: csv", "--to", "ndjson").hasPrefix("{\"id\":1,"))
    #expect(
      try written("format: csv", "--no-header")
        == Self.csv.replacing("id,name,user.n,user.a,tags\n", with: ""))
    #expect(try written("format: tsv, header: false").hasPrefix("1\t"))
    #expect(
      try written("format: csv", "--csv-safe") == Self.csv.replacing("\"=1", with: "\"'=1"))
    #expect(try written("format: csv, safe: true") == written("format: csv", "--csv-safe"))
    #expect(
      try written("format: csv, nested: json, arrays: { joined: \" \" }") == """
        id,name,user,tags
        1,"a,b","{""n"":""x\\""y"",""a"":1.50}",p q
        2,"",,""
        3,,"{""n"":""=1\\n\\ttab"",""a"":-2}",\\ é

        """)
    #expect(
      try written("format: csv, nested: _, arrays: explode, nulls: omit") == """
        id,name,user_n,user_a,tags
        1,"a,b","x""y",1.50,p
        1,"a,b","x""y",1.50,q
        2,"",,,
        3,,"=1
        \ttab",-2,\\
        3,,"=1
        \ttab",-2,é

        """)
  }

  @Test func `the name of the output tells the form where nothing else does`() throws {
    for name in ["a.csv", "b.CSV", "c.tsv"] {
      #expect(try command.run("-m", "m.yaml", "x.ndjson", "-o", name).status == 0)
    }
    #expect(try command.read("a.csv") == Self.csv)
    #expect(try command.read("b.CSV") == Self.csv)
    #expect(try command.read("c.tsv").hasPrefix("id\tname"))
    _ = try command.run("-m", "m.yaml", "x.ndjson", "-o", "d.csv.gz")
    #expect(try command.shell("gzip -dc d.csv.gz").output == Self.csv)
    // A name that tells another form than the one that is asked for is a mistake.
    #expect(
      try command.run("-m", "m.yaml", "x.ndjson", "-o", "e.csv", "--to", "ndjson").status == 2)
    _ = try command.run("-m", "m.yaml", "x.ndjson", "-o", "f.json")
    #expect(try command.read("f.json").hasPrefix("[\n{\"id\":1,"))
  }

  /// Compares with what Python's own module reads, where there is Python.
  @Test func `Python reads the cells that were written`() throws {
    guard try command.shell("command -v python3").status == 0 else { return }
    let texts = [
      "", ",", "\"", "\n", "\r\n", "a\"\"b", "é😀", " ", String(repeating: "\",\n", count: 9),
    ]
    let records = texts.map { "{\"a\":\(Self.json($0)),\"b\":\(Self.json($0 + "x")),\"c\":1}" }
    try command.write(records.joined(separator: "\n"), to: "t.ndjson")
    try command.write(
      """
      import csv, json, sys
      rows = list(csv.reader(open("t.csv", newline="", encoding="utf-8")))
      print(json.dumps(rows[1:]) == json.dumps(
        [[r["a"], r["b"], str(r["c"])] for r in map(json.loads, open("t.ndjson", encoding="utf-8"))]))
      """, to: "read.py")
    let written = try command.run(
      "--field", "a", "--field", "b", "--field", "c", "t.ndjson", "-o", "t.csv")
    #expect(written.status == 0)
    let result = try command.shell("python3 read.py")
    #expect(result.output == "True\n", "\(result.errors)")
  }

  private static func json(_ text: String) -> String {
    let data = try? JSONEncoder().encode(text)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  @Test(.long, arguments: ["csv", "json", "pretty"], [1, 2])
  func `a run that continues writes the header once, and the same bytes`(form: String, jobs: Int)
    throws
  {
    let good = (1...3000).map { "{\"id\":\($0),\"name\":\"n,\($0)\"}\n" }.joined()
    try command.write(good + "{\"id\":\"bad\"}\n" + good, to: "long.ndjson")
    let whole = try command.run(
      "-m", "m.yaml", "--to", form, "long.ndjson", "--errors", "skip", "-o", "whole")
    #expect(whole.status == 1)
    let arguments = [
      "-m", "m.yaml", "--to", form, "long.ndjson", "-o", "out", "--checkpoint", "c",
      "--checkpoint-every", "4kB", "--jobs", "\(jobs)",
    ]
    #expect(try command.run(arguments).status == 7)
    #expect(command.exists("c"))
    #expect(try command.run(arguments + ["--errors", "skip"]).status == 1)
    #expect(try command.areSame("out", "whole"))
    // Another form is another mapping.
    #expect(try command.run(arguments).status == 7)
    let refused = try command.run(arguments + ["--no-header"])
    #expect(refused.status == 2 && refused.errors.contains("the mapping has changed"))
  }

  @Test func `a record that PostgreSQL cannot hold is rejected`() throws {
    try command.write(
      "{\"id\":1,\"name\":\"\\u0000\"}\n{\"id\":2,\"name\":\"b\"}\n", to: "z.ndjson")
    let result = try command.run(
      "-m", "m.yaml", "--to", "pgcopy", "z.ndjson", "--rejects", "r")
    #expect(result.status == 1)
    #expect(result.output == "2\tb\t\\N\t\\N\t[]\n")
    #expect(try command.read("r").contains("found\":\"one in the column 'name'\""))
  }

  @Test func `mistakes of the output are reported at their places`() throws {
    func mistakes(_ output: String, _ more: String = "") throws -> [String] {
      try command.write(
        "streammap: 1\n\(more)output: \(output)\nrecord: { a: a, b: b }\n", to: "o.yaml")
      return try command.run("check", "o.yaml").mistakes
    }
    #expect(
      try mistakes("{ format: xml }") == [
        "o.yaml:2:19: format has to be one of ndjson, json, pretty, csv, tsv, text, pgcopy, sqlite, parquet, arrow; found 'xml'"
      ])
    #expect(
      try mistakes("{ format: csv, nested: '', arrays: explod, header: 1, save: true }") == [
        "o.yaml:2:32: nested has to be json, or what stands between names, such as '.'",
        "o.yaml:2:44: arrays has to be one of json, explode; found 'explod'; did you mean 'explode'?",
        "o.yaml:2:60: header has to be true or false; found the number 1",
        "o.yaml:2:63: unknown key 'save' in output; did you mean 'safe'?",
      ])
    #expect(
      try mistakes("{ arrays: { join: x } }") == [
        "o.yaml:2:21: unknown key 'join' in arrays: write arrays: { joined: \"; \" }"
      ])
    #expect(
      try mistakes("{ arrays: {} }") == [
        "o.yaml:2:19: arrays has to be json, explode, { explode: FIELD } or { joined: \", \" }"
      ])
    #expect(
      try mistakes("{ format: csv }", "rest: keep\n") == [
        "o.yaml:3:1: 'rest: keep' has members that only the feed knows, so there are no columns for them; "
          + "leave 'rest' out, or collect them in one column with 'unknown: collect:<field>'"
      ])
    #expect(
      try mistakes("{ format: text }") == [
        "o.yaml:2:1: the output 'text' is the text of one field, and the record has 2; "
          + "map one field, or write 'csv' or 'tsv'"
      ])
    try command.write("streammap: 1\nrest: keep\nrecord: { a: a }\n", to: "o.yaml")
    let flag = try command.run("-m", "o.yaml", "--to", "csv", input: "{}")
    #expect(flag.status == 2 && flag.errors.hasPrefix("Error: --to csv: 'rest: keep' has members"))
  }

  /// Memory that is asked for and not touched is in no other figure.
  @Test func `no form asks for more memory than a record needs`() throws {
    let feed = try command.read("x.ndjson")
    try command.write(String(repeating: feed, count: 2000), to: "many.ndjson")
    for form in Self.forms.map(\.form) + ["ndjson", "json", "pretty", "arrow", "parquet"] {
      let result = try command.shell(
        "ulimit -v 3000000; stream-map -m m.yaml many.ndjson --jobs 2 --to \(form) > \(form).out")
      #expect(result.status == 0, "\(form): \(result.errors)")
    }
  }

  @Test func `explain names the columns`() throws {
    try command.write(command.read("m.yaml") + "output: { format: csv }\n", to: "o.yaml")
    let result = try command.run("explain", "o.yaml")
    #expect(result.output.hasSuffix("\ncsv: id, name, user.n, user.a, tags\n"), "\(result.output)")
    #expect(try !command.run("explain", "m.yaml").output.contains("user.n,"))
  }

  @Test func `explain says what becomes of arrays, whatever the form`() throws {
    for (arrays, rows) in [
      ("explode", "one for each element of tags"),
      ("{ joined: \"; \" }", "tags joined with '; '"),
    ] {
      try command.write(
        "streammap: 1\nrecord: { id: id, tags: { from: tags, each: string } }\noutput: { arrays: \(arrays) }\n",
        to: "o.yaml")
      let result = try command.run("explain", "o.yaml")
      #expect(result.output.hasSuffix("\nrows: \(rows)\n"), "\(result.output)")
    }
    try command.write(
      "streammap: 1\nvalue: { each: string }\noutput: { format: csv, arrays: explode }\n",
      to: "o.yaml")
    let result = try command.run("explain", "o.yaml")
    #expect(
      result.output.contains("\nrows: one for each element of $\ncsv: "), "\(result.output)")
  }
}
