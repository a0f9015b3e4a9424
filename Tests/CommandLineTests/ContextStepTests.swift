import Foundation
import Testing

/// `context` with `meta`: the keys and indices of what records are in.
@Suite struct ContextStepTests {
  private let command: Command
  private let feed = """
    {"a":{"x":{"list":[{"v":1},{"v":2}]},"y\\"é":{"list":[{"v":3}]}},"b":{"z":[{"v":4}]}}
    {"a":[{"list":[{"v":5}]}],"b":{}}

    """

  init() throws {
    command = try Command()
    try command.write(
      """
      streammap: 1
      input: { records: ["$.a.*.list[?@.v != 9]", "$.b.*[*]"] }
      context:
        key: { from: "$.a.*", meta: key }
        place: { from: "$.a[*]", meta: index }
        top: { from: "$.*", meta: key }
        list: { from: "$.a.*.list[*]", meta: index }
      record:
        v: v
        key: { context: key }
        place: { context: place }
        top: { context: top }
        list: { context: list }
        name: { calc: "$top == 'a' and $key != 'x'", type: bool, nullable: true }
      """, to: "m.yaml")
  }

  private let records = """
    {"v":1,"key":"x","place":null,"top":"a","list":0,"name":false}
    {"v":2,"key":"x","place":null,"top":"a","list":1,"name":false}
    {"v":3,"key":"y\\"é","place":null,"top":"a","list":0,"name":true}
    {"v":4,"key":null,"place":null,"top":"b","list":null,"name":false}
    {"v":5,"key":null,"place":0,"top":"a","list":0,"name":null}

    """

  @Test(arguments: [[], ["--parser", "yajl"], ["--parser", "index", "--jobs", "2"]])
  func `a record has the keys and indices of what it is in, also within a filter`(
    _ options: [String]
  ) throws {
    let result = try command.run(["-m", "m.yaml"] + options, input: Array(feed.utf8))
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == records)
  }

  @Test func `a part of a feed has them, too`() throws {
    let list = (0..<2000).map { "{\"v\":\($0)}" }.joined(separator: ",")
    try command.write(
      "{\"a\":{\"x\":{\"list\":[\(list)]},\"y\":{\"list\":[\(list)]}},\"b\":{}}", to: "f.json")
    try command.write(
      """
      streammap: 1
      input: { records: "$.a.*.list[*]", format: json }
      context: { key: { from: "$.a.*", meta: key } }
      record: { v: v, key: { context: key } }
      """, to: "p.yaml")
    let whole = try command.run("-m", "p.yaml", "f.json")
    #expect(
      try command.run("index", "-m", "p.yaml", "f.json", "-o", "f.index", "--every", "4kB").status
        == 0)
    var parts = ""
    for part in 1...3 {
      let result = try command.run(
        "-m", "p.yaml", "f.json", "--index", "f.index", "--part", "\(part)/3")
      #expect(result.status == 0, "\(result.errors)")
      parts += result.output
    }
    #expect(parts == whole.output)
    #expect(whole.output.contains("{\"v\":1999,\"key\":\"y\"}"))
  }

  @Test(
    arguments: [
      ("{ from: \"$.c.*\", meta: key }", "are not in $.c[*], whose key or index is asked for"),
      ("{ from: \"$.a.*\", meta: line }", "meta has to be one of key, index"),
      (
        "{ from: \"$..a\", meta: key }",
        "the way to a key or an index is made of keys, indices, .* and [*]"
      ),
      (
        "{ from: \"$.a.*\", meta: key, type: string }",
        "context 'k' is a key or an index as it is; it goes without 'type'"
      ),
    ])
  func `a mistake is told with its place`(_ value: String, _ message: String) throws {
    try command.write(
      """
      streammap: 1
      input: { records: "$.a.*.list[*]" }
      context:
        k: \(value)
      record: { v: v }
      """, to: "wrong.yaml")
    let result = try command.run("check", "wrong.yaml")
    #expect(result.mistakes.count == 1, "\(result.errors)")
    #expect(result.mistakes.first?.contains(message) == true, "\(result.errors)")
  }

  @Test func `a mistake of another value has its own place`() throws {
    try command.write(
      """
      streammap: 1
      input: { records: "$.a.*.list[*]" }
      context:
        k: { from: "$.a.*", meta: key }
        l: { from: "$.a.*.list", type: json }
      record: { v: v }
      """, to: "wrong.yaml")
    let result = try command.run("check", "wrong.yaml")
    #expect(result.errors.contains("wrong.yaml:5:3: error: "), "\(result.errors)")
  }

  @Test func `explain says that it is a key or an index`() throws {
    let result = try command.run("explain", "m.yaml")
    #expect(result.output.contains("context key: the key at $.a[*]\n"), "\(result.output)")
  }
}
