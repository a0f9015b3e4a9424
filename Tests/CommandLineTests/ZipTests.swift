import Foundation
import Testing

/// `zip`: several lists as one.
@Suite struct ZipTests {
  private let command: Command

  init() throws { command = try Command() }

  private func outputs(_ field: String, _ lines: String..., top: String = "") throws -> [String] {
    try command.write("streammap: 1\n\(top)record:\n  v:\n    \(field)\n", to: "m.yaml")
    var found: [String] = []
    for options in [[], ["--parser", "yajl"], ["--jobs", "2"]] {
      let result = try command.run(
        ["-m", "m.yaml", "--rejects", "r", "--no-raw"] + options,
        input: Array(lines.joined(separator: "\n").utf8))
      #expect(result.status <= 1, "\(result.errors)")
      let rejects = try command.read("r").split(separator: "\n").map { line in
        String(line.split(separator: "\"message\":\"").last?.prefix { $0 != "}" }.dropLast() ?? "")
      }
      let all = result.output.split(separator: "\n").map(String.init) + rejects
      if !found.isEmpty { #expect(all == found, "\(options)") }
      found = all
    }
    return found
  }

  @Test func `lists are joined by position`() throws {
    #expect(
      try outputs(
        "{ zip: { n: names, v: l.values } }",
        #"{"names":["a","b","c"],"l":{"values":[1.0,{"x":2}]}}"#, #"{"names":[]}"#,
        #"{"names":null}"#, #"{"names":["a"],"l":{"values":7}}"#)
        == [
          #"{"v":[{"n":"a","v":1.0},{"n":"b","v":{"x":2}},{"n":"c"}]}"#, #"{"v":[]}"#,
          #"{"v":null}"#,
          #"expected lists alone, or objects alone; \"v\" is another value, found another object"#,
        ])
  }

  @Test func `lists are joined by what their elements have in common`() throws {
    #expect(
      try outputs(
        "{ zip: { a: a, b: b }, by: k.id, each: { object: { x: a.x, y: b.y } } }",
        #"{"a":[{"k":{"id":1},"x":1},{"k":{"id":"é"},"x":2}],"b":[{"k":{"id":"\u00e9"},"y":3},{"k":{"id":1.0},"y":4},{"k":{"id":9},"y":5}]}"#,
        #"{"a":[{"k":{"id":1}},{"k":{"id":1e0}}],"b":[]}"#, #"{"a":[{"k":null}],"b":[]}"#)
        == [
          #"{"v":[{"x":1,"y":4},{"x":2,"y":3},{"x":null,"y":5}]}"#,
          #"expected another value at k.id of each element; 1e0 comes twice in \"a\", found another object"#,
          #"expected a string, number or boolean at k.id of each element; that of \"a\"[0] is null, found another object"#,
        ])
  }

  @Test func `objects are joined by their keys, all that there are with a path`() throws {
    #expect(
      try outputs(
        "{ zip: $, entries: [label, row], each: { object: { l: label, n: row.n, p: row.p } } }",
        #"{"n":{"0":"tea","1":"cup"},"p":{"1":2.50,"0":1},"x":null}"#)
        == [#"{"v":[{"l":"0","n":"tea","p":1},{"l":"1","n":"cup","p":2.50}]}"#])
  }

  @Test func `names from the context become the keys of each row`() throws {
    #expect(
      try outputs(
        "{ zip: { k: { context: columns }, v: $ }, from_entries: [k, v] }",
        #"{"columns":["a","b"],"data":[[1,2],[3,null],[5]]}"#,
        top:
          "input: { records: \"$.data[*]\" }\ncontext: { columns: { from: $.columns, type: json } }\n"
      )
        == [#"{"v":{"a":1,"b":2}}"#, #"{"v":{"a":3,"b":null}}"#, #"{"v":{"a":5,"b":null}}"#])
  }

  @Test func `what is missing has the field's default`() throws {
    #expect(
      try outputs(
        "{ zip: { a: a, b: b }, list: [{ from: a.n }, sum], default: 0 }", #"{}"#,
        #"{"a":[{"n":1},{"n":2}],"b":[1,2,3]}"#) == [#"{"v":0}"#, #"{"v":3}"#])
  }

  @Test func `joined lists are bounded, whatever the names are`() throws {
    let name = String(repeating: "n", count: 2000)
    let list = Array(repeating: "1", count: 2000).joined(separator: ",")
    try command.write(
      "streammap: 1\ninput: { limits: { captured: 1MiB } }\nrecord: { v: { zip: $ } }\n",
      to: "m.yaml")
    let result = try command.run("-m", "m.yaml", input: "{\"\(name)\":[\(list)]}\n")
    #expect(result.status == 5)
    #expect(result.errors.contains("limitExceeded"), "\(result.errors.prefix(300))")
  }

  @Test(
    arguments: [
      ("{ zip: { a: a } }", "zip joins two lists, or more"),
      ("{ zip: { a: a, b: b }, split: x }", "it goes without 'split'"),
      ("{ zip: { a: a, b: b }, type: int64 }", "so its type can only be json"),
      ("{ from: a, by: b, each: json }", "by is only for 'zip'"),
      ("{ zip: { a: a, b: b }, from: c }", "has 'zip' and 'from'; keep one of them"),
      ("{ zip: { a: a, b: { frm: b } } }", "did you mean 'from'?"),
    ])
  func `a mistake is told with its place`(_ field: String, _ message: String) throws {
    try command.write("streammap: 1\nrecord:\n  v: \(field)\n", to: "m.yaml")
    let result = try command.run("check", "m.yaml")
    #expect(result.status == 3)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func `explain tells of it, and there is no way back`() throws {
    try command.write("streammap: 1\nrecord: { v: { zip: { a: a, b: b }, by: k } }\n", to: "m.yaml")
    #expect(try command.run("explain", "m.yaml").output.contains("zip by k"))
    let result = try command.run("reverse", "-m", "m.yaml", input: "{}\n")
    #expect(
      result.errors.contains("lists that were joined cannot be taken apart again"),
      "\(result.errors)")
  }
}
