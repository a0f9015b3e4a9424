import Foundation
import Testing

/// `context`: values from outside the records.
@Suite struct ContextTests {
  private let command: Command
  private let feed = """
    {"meta":{"date":"2026-01-31","lang":"en"},"items":[{"id":1},{"id":2}],"extra":[1,{"a":2}],"items":[{"id":3}]}
    {"items":[{"id":4}],"meta":{"date":"2026-02-01"},"items":[{"id":5}]}
    {"meta":{"date":"x"},"items":[{"id":6}]}
    {"meta":{"date":"2026-03-01","more":{}},"items":[{"id":7},{"id":8}]}

    """

  init() throws {
    command = try Command()
    try command.write(
      """
      streammap: 1
      input: { records: "$.items[*]" }
      context:
        day: { from: $.meta.date, type: date, format: yyyy-MM-dd }
        lang: { from: "$['meta'].lang", type: string, late: null }
        extra: { from: $.extra, type: json, default: none, late: null }
      record:
        id: { from: id, type: int8 }
        day: { context: day }
        about: { from: $, object: { lang: { context: lang }, extra: { context: extra } } }
      where: { not: { field: day, min: 2026-03-01, max: 2026-03-02 } }
      """, to: "m.yaml")
  }

  @Test func `a record has the context values that precede it in its document`() throws {
    let arguments = ["-m", "m.yaml", "--no-raw", "--rejects"]
    let result = try command.run(arguments + ["one"], input: Array(feed.utf8))
    #expect(result.status == 1)
    #expect(
      result.output == """
        {"id":1,"day":"2026-01-31T00:00:00Z","about":{"lang":"en","extra":"none"}}
        {"id":2,"day":"2026-01-31T00:00:00Z","about":{"lang":"en","extra":"none"}}
        {"id":3,"day":"2026-01-31T00:00:00Z","about":{"lang":"en","extra":[1,{"a":2}]}}
        {"id":5,"day":"2026-02-01T00:00:00Z","about":{"lang":null,"extra":"none"}}

        """)
    let rejects = try command.read("one")
    #expect(
      rejects == """
        {"file":"-","record":4,"offset":120,"end":128,"line":2,"column":11,"errors":[\
        {"offset":120,"end":128,"line":2,"column":11,"path":"$.items[0]","code":"missing",\
        "expected":"the context value 'day' (of $.meta.date, before the record)",\
        "message":"the context value 'day' (of $.meta.date, before the record) is missing"}]}
        {"file":"-","offset":195,"end":198,"line":3,"column":17,"errors":[\
        {"offset":195,"end":198,"line":3,"column":17,"path":"$.meta.date","target":"$","code":"invalidValue",\
        "expected":"a date (yyyy-MM-dd)","found":"another string",\
        "message":"expected a date (yyyy-MM-dd), found another string"}]}
        {"file":"-","record":6,"offset":209,"end":217,"line":3,"column":31,"errors":[\
        {"offset":209,"end":217,"line":3,"column":31,"path":"$.items[0]","code":"missing",\
        "expected":"the context value 'day' (of $.meta.date, before the record)",\
        "message":"the context value 'day' (of $.meta.date, before the record) is missing"}]}

        """)
    for pieceSize in [1, 7, 1000] {
      for jobs in ["1", "3"] {
        let other = try command.run(
          arguments + ["other", "--jobs", jobs], input: Array(feed.utf8), pieceSize: pieceSize)
        #expect(other.output == result.output)
        #expect(try command.read("other") == rejects)
      }
    }
  }

  @Test func `a context path that overlaps a record path is a mistake`() throws {
    func mistake(_ path: String, _ records: String = "\"$.a[*]\"") throws -> String {
      try command.write(
        "streammap: 1\ninput: { records: \(records) }\ncontext: { c: { from: \"\(path)\" } }\nrecord: { c: { context: c } }\n",
        to: "bad.yaml")
      let result = try command.run("check", "bad.yaml")
      return result.mistakes.first ?? ""
    }
    #expect(
      try mistake("$.a[0]").hasSuffix("the context value at $.a[0] is also what is at $.a[*]"))
    #expect(
      try mistake("$.a[0].b").hasSuffix(
        "the context value at $.a[0].b is in each record at $.a[*]: a field takes it from there"))
    #expect(try mistake("$.a").hasPrefix("bad.yaml:3:12: context: "))
    #expect(
      try mistake("$.b", "$").hasSuffix(
        "the context value at $.b is in each record at $: a field takes it from there"))
    #expect(try mistake("$.b") == "")
    #expect(
      try mistake("$.b\" }, d: { from: \"$.b").hasSuffix(
        "two context values are at $.b: take one of it, and fields take its parts (context, with from)"
      ))
  }

  @Test func `a context in a used mapping file is a mistake`() throws {
    try command.write("streammap: 1\ncontext: {}\nrecord: { a: { context: day } }\n", to: "u.yaml")
    try command.write(
      "streammap: 1\nuse: { u: u.yaml }\nrecord: { c: { context: d }, u: { from: u, use: u } }\n",
      to: "bad.yaml")
    #expect(
      try command.run("check", "bad.yaml").mistakes == [
        "bad.yaml:3:25: context: there is no value named 'd' under the file's 'context'",
        "u.yaml:2:1: only the file that is run can have context: a file that it uses does not know the document",
        "u.yaml:3:25: context: there is no value named 'day' under the file's 'context'",
      ])
  }

  @Test(arguments: [[], ["--parser", "yajl"], ["--parser", "index", "--jobs", "2"]])
  func `a context value may be an object, a list, or made of several steps`(_ arguments: [String])
    throws
  {
    try command.write(
      """
      streammap: 1
      input: { records: "$.a[*].l[*]" }
      context:
        o: { from: "$.a[*].o", object: { x: { from: p.q, type: int64 }, y: z }, rest: keep, drop: w }
        n: { from: "$.a[*].n", count: true }
        t: { from: "$.a[*].t", split: ",", each: string, default: [] }
        j: { from: "$.a[*].j", parse: json, object: { k: { first_of: [k, kk] } }, nullable: true }
        d: { from: "$.a[*].d", dispatch: { cases: { string: string, object: { from: id, type: string } } }, nullable: true }
        e: { from: "$.a[*].e", from_entries: [k, v], map: int8, validate: { max_count: 1 }, optionally: null }
        h: { from: "$.a[*].h", each: { from: s, type: string }, where: { from: on, equals: true }, nullable: true }
      record:
        { o: { context: o }, n: { context: n }, t: { context: t }, j: { context: j }, d: { context: d },
          e: { context: e }, h: { context: h }, i: i }
      """, to: "forms.yaml")
    let feed = #"""
      {"a":[{"o":{"p":{"q":1},"z":2,"u":3,"w":4},"n":[1,2],"t":"a,b","j":"{\"kk\":5}","d":{"id":"x"},
      "e":[{"k":"one","v":1}],"h":[{"s":"on","on":true},{"s":"off"}],"l":[{"i":1},{"i":2}]},
      {"o":{"p":{"q":5}},"n":{},"e":[{"k":"a","v":1},{"k":"b","v":2}],"l":[{"i":3}]},{"o":{"p":{"q":"bad"}},"n":{},"l":[{"i":4}]}]}
      """#
    let result = try command.run(
      ["-m", "forms.yaml", "--errors", "skip"] + arguments, input: Array(feed.utf8))
    let first =
      #""o":{"x":1,"y":2,"u":3},"n":2,"t":["a","b"],"j":{"k":5},"d":"x","e":{"one":1},"h":["on"]"#
    let second = #""o":{"x":5,"y":null},"n":0,"t":[],"j":null,"d":null,"e":null,"h":null"#
    #expect(
      result.output == "{\(first),\"i\":1}\n{\(first),\"i\":2}\n{\(second),\"i\":3}\n")
    #expect(result.errors.contains("wrongType at $.a[2].o.p.q"), "\(result.errors)")
  }

  @Test func `first_of alone is null in the context too if none of its paths has a value`() throws {
    try command.write(
      "streammap: 1\ninput: { records: '$.l[*]' }\ncontext: { c: { from: $.meta, first_of: [a, b] } }\n"
        + "record: { c: { context: c } }\n", to: "first.yaml")
    for (meta, expected) in [("{}", "null"), ("{\"b\":7}", "7")] {
      let result = try command.run(
        ["-m", "first.yaml"], input: Array("{\"meta\":\(meta),\"l\":[{}]}".utf8))
      #expect(result.output == "{\"c\":\(expected)}\n", "\(result.errors)")
    }
  }

  /// A reader of a stream cannot know whether a value is absent or late, so the late one is the error.
  @Test(arguments: [[], ["--parser", "yajl"], ["--parser", "index", "--jobs", "3"]])
  func `a value that comes after records is an error once for each container`(_ options: [String])
    throws
  {
    let feed = """
      {"o":[{"l":[{"u":1}]},{"id":2,"l":[{"u":2}]},{"l":[{"u":3},{"u":4}],"id":3},{"id":4,"l":[],"id":5}],"l":[{"u":9}]}
      {"o":[{"id":6,"l":[{"u":5}]},{"l":[{"u":6}]}]}

      """
    func mapping(_ value: String) throws -> (output: String, errors: String, status: Int32) {
      try command.write(
        "streammap: 1\ninput: { records: '$.o[*].l[*]' }\ncontext: { c: \(value) }\n"
          + "record: { c: { context: c }, u: u }\nerrors: { mode: skip }\n", to: "late.yaml")
      let result = try command.run(["-m", "late.yaml"] + options, input: Array(feed.utf8))
      return (result.output, result.errors, result.status)
    }
    func records(_ none: String) -> String {
      [(none, 1), ("2", 2), (none, 3), (none, 4), ("6", 5), (none, 6)]
        .map { "{\"c\":\($0),\"u\":\($1)}\n" }.joined()
    }
    for (value, none) in [
      ("'$.o[*].id'", "null"), ("{ from: '$.o[*].id', type: int64, nullable: true }", "null"),
      ("{ from: '$.o[*].id', type: int64, default: 0, late: fail }", "0"),
    ] {
      let (output, errors, status) = try mapping(value)
      #expect(output == records(none), "\(errors)")
      #expect(status == 1)
      #expect(errors.contains("1 of 7 records were rejected"), "\(errors)")
      #expect(
        errors.contains("$.o[2].id") && errors.contains("the context value 'c' before the records"),
        "\(errors)")
    }
    for (value, none) in [
      ("{ from: '$.o[*].id', late: null }", "null"),
      ("{ from: '$.o[*].id', type: int64, default: 0, late: null }", "0"),
    ] {
      let (output, errors, status) = try mapping(value)
      #expect(output == records(none), "\(errors)")
      #expect(status == 0, "\(errors)")
    }
  }

  @Test func `a sample counts rejections and names fields that never occur`() throws {
    try command.write(feed, to: "feed.json")
    let result = try command.run("check", "m.yaml", "--sample", "feed.json")
    #expect(result.status == 1)
    #expect(result.output.contains("feed.json: 4 mapped, 3 rejected, 2 dropped, 0 issues\n"))
    try command.write("streammap: 1\nrecord: { id: { from: id }, naem: naem }\n", to: "n.yaml")
    try command.write("{\"id\":1,\"name\":2}\n", to: "n.ndjson")
    let nothing = try command.run("check", "n.yaml", "--sample", "n.ndjson")
    #expect(nothing.status == 0)
    #expect(
      nothing.output == """
        n.yaml: ok
        n.ndjson: 1 mapped, 0 rejected, 0 dropped, 0 issues
        naem never occurred; did you mean name?

        """)
    #expect(try command.run("check", "n.yaml", "--sample", "none.ndjson").status == 6)
  }
}
