import Foundation
import Testing

/// `calc`, `cases`, conditions on the source, and arguments, in mapping files.
@Suite struct FormulaTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  /// The output for a feed of lines, the same with several jobs and with yajl.
  private func run(_ mapping: String, _ feed: String, _ arguments: String...) throws
    -> CommandResult
  {
    try command.write("streammap: 1\n" + mapping, to: "m.yaml")
    let all = ["-m", "m.yaml"] + arguments
    let result = try command.run(all, input: Array(feed.utf8))
    for others in [["--jobs", "2"], ["--parser", "yajl"], ["--parser", "index"]] {
      let other = try command.run(all + others, input: Array(feed.utf8))
      #expect(other.output == result.output && other.errors == result.errors, "\(others)")
    }
    return result
  }

  @Test func `a formula calculates a field`() throws {
    let result = try run(
      """
      record:
        total: { calc: "price * qty - (discount ?? 0)", type: decimal, round: 2 }
        big: { calc: price >= 10 }
        first: { calc: "name ?? 'none'", type: string, validate: { max_length: 4 } }
        rest: { calc: "qty % 2", type: int64, nullable: true }
        sums: { from: lines, each: { calc: a + b, default: 0 }, nullable: true }
      """,
      """
      {"price":10.005,"qty":3,"discount":0.5,"lines":[{"a":1,"b":0.5},{"a":1}]}
      {"price":1,"qty":2,"name":"é\\n"}

      """)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        {"total":29.52,"big":true,"first":"none","rest":1,"sums":[1.5,0]}
        {"total":2,"big":false,"first":"é\\n","rest":0,"sums":null}

        """)
  }

  @Test func `what a formula cannot calculate is rejected with its place and column`() throws {
    let result = try run(
      "record: { v: { calc: \"a / b\" } }\nerrors: { mode: reject, rejects: r }\n",
      "{\"a\":1}\n{\"a\":1,\"b\":\"x\"}\n{\"a\":1,\"b\":0}\n{\"a\":1,\"b\":4}\n")
    #expect(result.status == 1)
    #expect(result.output == "{\"v\":0.25}\n")
    let rejects = try command.read("r").split(separator: "\n").map(String.init)
    #expect(rejects.count == 3)
    #expect(rejects[0].contains(#""path":"$.b""#) && rejects[0].contains("column 5 of 'a / b'"))
    #expect(
      rejects[1].contains(#""code":"wrongType""#) && rejects[1].contains("a number at column 5"))
    #expect(
      rejects[2].contains(#""code":"invalidValue""#) && rejects[2].contains("not 0 at column 5"))
  }

  @Test(
    .long,
    arguments: [
      ("{ from: status, min: 500 }", "1 4"), ("{ from: status, kind: number }", "1 2 4"),
      ("{ from: status, exists: false }", "3"), ("{ from: tags, kind: array, min_count: 2 }", "2"),
      ("{ calc: end > start }", "2 3"), ("{ calc: end - start, range: [0, 10] }", "2 3"),
      ("{ all: [ { from: user.name, matches: a.* }, { field: n, max: 3 } ] }", "1"),
      ("{ not: { from: user.name, one_of: [ann, bob] } }", "3"),
      ("{ any: [ { from: status, equals: 404 }, { field: n, equals: 4 } ] }", "2 4"),
    ])
  func `a condition looks at the source, without a field`(_ condition: String, _ kept: String)
    throws
  {
    let result = try run(
      "record: { n: n }\nwhere: \(condition)\n",
      """
      {"n":1,"status":503,"start":1,"end":0,"user":{"name":"ann"}}
      {"n":2,"status":404,"tags":[1,2],"start":1,"end":2,"user":{"name":"bob"}}
      {"n":3,"tags":[1],"start":1,"end":2.5,"user":7}
      {"n":4,"status":500,"start":1,"end":1e-9,"user":{"name":"ann"}}

      """)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == kept.split(separator: " ").map { "{\"n\":\($0)}\n" }.joined())
  }

  @Test func `conditions choose elements and cases`() throws {
    let result = try run(
      """
      record:
        open: { from: items, where: { from: state, equals: open }, each: { from: sku, type: int64 } }
        all: { from: items, each: { object: { sku: sku } } }
        class:
          cases:
            - { when: { from: status, min: 500 }, const: error }
            - { when: { calc: "ms > 1000" }, from: slow, type: string }
            - { when: { from: ms, max: 0 }, calc: "ms - 1", type: int64 }
          otherwise: { from: note, type: string, nullable: true }
      """,
      """
      {"items":[{"sku":1,"state":"open"},{"sku":"x"}],"status":500,"slow":7}
      {"items":[],"ms":1001,"slow":"db","note":1}
      {"items":[],"ms":-1}
      {"items":[],"ms":1,"note":"fine"}

      """)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        {"open":[1],"all":[{"sku":1},{"sku":"x"}],"class":"error"}
        {"open":[],"all":[],"class":"db"}
        {"open":[],"all":[],"class":-2}
        {"open":[],"all":[],"class":"fine"}

        """)
  }

  // MARK: Arguments

  private static let withArguments = """
    args:
      day: { type: date, format: yyyy-MM-dd }
      least: { type: int64, default: 5, validate: { max: 9 } }
      tag: string
    record: { day: { arg: day }, tag: { arg: tag }, n: n }
    where: { calc: n >= $least }
    """

  @Test func `arguments are given by --set`() throws {
    let feed = "{\"n\":4}\n{\"n\":5}\n"
    let result = try run(
      Self.withArguments, feed, "--set", "day=2026-11-22", "--set", "tag=a=b")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "{\"day\":\"2026-11-22T00:00:00Z\",\"tag\":\"a=b\",\"n\":5}\n")
    let other = try run(
      Self.withArguments, feed, "--set", "day=2026-11-22", "--set", "tag=", "--set", "least=4")
    #expect(other.output.split(separator: "\n").count == 2)
  }

  @Test(arguments: [
    (["tag=x"], 3, "argument 'day' needs a value: give it by --set, or a default here"),
    (
      ["day=2026-11-22", "tag=x", "leats=1"], 3,
      "there is no argument 'leats' under the file's 'args'; did you mean 'least'?"
    ),
    (["day=22.11.2026", "tag=x"], 3, "argument 'day': expected a date"),
    (["day=2026-11-22", "tag=x", "least=many"], 3, "argument 'least': expected"),
    (["day=2026-11-22", "tag=x", "least=10"], 3, "argument 'least':"),
    (["day=2026-11-22", "day=2026-11-23"], 2, "--set gives 'day' two values; keep one of them."),
    (["day"], 2, "--set 'day': write --set name=value."),
  ])
  func `what is wrong with arguments is told before a feed is read`(
    _ values: [String], _ status: Int, _ message: String
  ) throws {
    try command.write("streammap: 1\n" + Self.withArguments, to: "m.yaml")
    let result = try command.run(
      ["-m", "m.yaml"] + values.flatMap { ["--set", $0] }, input: Array("{}".utf8))
    #expect(result.status == status)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test func `a file is checked without its arguments, and explained with them`() throws {
    try command.write("streammap: 1\n" + Self.withArguments, to: "m.yaml")
    #expect(try command.run("check", "m.yaml").status == 0)
    let explained = try command.run(
      "explain", "m.yaml", "--set", "day=2026-11-22", "--set", "tag=x")
    #expect(explained.output.contains("where calc 'n >= $least'"), "\(explained.output)")
    let used = try command.run("--field", "n", "--set", "day=1", input: "{}")
    #expect(used.status == 2 && used.errors.contains("--set is for --mapping FILE."))
  }

  @Test func `a run with other arguments does not continue from a checkpoint`() throws {
    try command.write("streammap: 1\n" + Self.withArguments, to: "m.yaml")
    let lines = (0..<4000).map { "{\"n\":\($0)}\n" }
    try command.write(lines.joined() + "{\"n\":\"x\"}\n", to: "x.ndjson")
    func run(_ day: String) throws -> CommandResult {
      try command.run([
        "-m", "m.yaml", "x.ndjson", "-o", "out", "--checkpoint", "c", "--checkpoint-every", "4kB",
        "--set", "day=\(day)", "--set", "tag=x",
      ])
    }
    #expect(try run("2026-11-22").status == 7)
    let other = try run("2026-11-23")
    #expect(other.status == 2 && other.errors.contains("cannot continue from c"), "\(other.errors)")
    #expect(try run("2026-11-22").status == 7)
  }

  // MARK: Mistakes

  @Test(
    .long,
    arguments: [
      ("v: { calc: \"a +\" }", "4:14: error: calc 'a +', column 4: a value is missing at the end"),
      ("v: { calc: [1] }", "calc has to be a formula, as in price * qty; found a list"),
      ("v: { calc: flor(a) }", "there is no function 'flor'"),
      ("v: { calc: a, from: b }", "field 'v' has 'calc' and 'from'; keep one of them"),
      ("v: { calc: a, object: { b: b } }", "field 'v' has 'calc' and 'object'; keep one of them"),
      ("v: { calc: \"'a'\", round: 1 }", "round takes a number; here is a string"),
      ("v: { calc: a, round: 1.5 }", "round has to be a whole number of decimal places"),
      ("v: { from: a, where: { from: b, min: 1 } }", "where is only for 'each'"),
      ("v: { from: a, otherwise: 1 }", "otherwise is only for 'cases', 'values' and 'lookup'"),
      ("v: { cases: [] }", "cases has no cases"),
      ("v: { cases: [ { const: 1 } ] }", "when is missing: the condition of the case"),
      ("v: { cases: [ { when: { from: a, min: 1 } } ] }", "from is missing: the path of a case"),
      (
        "v: { cases: [ { when: { field: a, min: 1 }, const: 1 } ] }",
        "field is only for the file's 'where'"
      ),
      (
        "v: { cases: [ { when: { calc: a + 1 }, const: 1 } ] }",
        "a condition takes true or false; here is a number"
      ),
      (
        "v: { cases: [ { when: { from: a, min: 1 }, const: 1 } ], type: int64 }",
        "field 'v' has 'cases' and 'type'"
      ),
      ("v: { arg: day }", "arg: there is no argument named 'day' under the file's 'args'"),
      (
        "v: { calc: $day }",
        "there is no argument or context value 'day'; a key that starts with $ is quoted: ['$day']"
      ),
    ])
  func `a mistake is told with its place`(_ field: String, _ message: String) throws {
    try command.write("streammap: 1\nrecord:\n  a: a\n  \(field)\n", to: "m.yaml")
    let result = try command.run("check", "m.yaml")
    #expect(result.status == 3)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
