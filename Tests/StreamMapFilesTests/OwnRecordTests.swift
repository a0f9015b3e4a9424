import StreamMap
import Testing

@testable import StreamMapFiles

/// Records that contain themselves: `use: record`.
@Suite struct OwnRecordTests {
  private static let tree = """
    streammap: 1
    record:
      id: { from: id, type: int64 }
      replies: { from: children, each: { use: record }, default: [] }
    """

  private static func results(_ file: MappingFile, _ record: String) throws -> Set<String> {
    var results: Set<String> = []
    for parser in [RecordParser.auto, .index, .yajl] {
      var mapper = try file.mapper()
      mapper.parser = parser
      let result = mapper.decode(record.utf8)
      results.insert(result.value?.description ?? result.error?.description ?? "-")
    }
    return results
  }

  @Test func `a record contains others of its kind`() throws {
    let file = try MappingFile(yaml: Self.tree)
    let record =
      #"{"id":1,"children":[{"id":2,"children":[{"children":[],"id":3}]},{"id":4,"x":[{"id":5}]}]}"#
    #expect(
      try Self.results(file, record) == [
        #"{"id":1,"replies":[{"id":2,"replies":[{"id":3,"replies":[]}]},{"id":4,"replies":[]}]}"#
      ])
  }

  @Test func `an error inside has its place`() throws {
    let file = try MappingFile(yaml: Self.tree)
    let record = #"{"id":1,"children":[{"id":2,"children":[{"id":"x"}]}]}"#
    for message in try Self.results(file, record) {
      #expect(message.contains("$.children[0].children[0].id"), "\(message)")
    }
  }

  @Test(arguments: [15, 16, 17, 40, 100])
  func `an error however deep has its place`(_ depth: Int) throws {
    let file = try MappingFile(yaml: Self.tree)
    let record =
      String(repeating: #"{"id":1,"children":["#, count: depth) + #"{"id":"x"}"#
      + String(repeating: "]}", count: depth)
    let (path, target): ([JSONPath.Component], [JSONPath.Component]) = (
      Array(repeatElement([.key("children"), .index(0)], count: depth).joined()) + [.key("id")],
      Array(repeatElement([.key("replies"), .index(0)], count: depth).joined()) + [.key("id")]
    )
    for parser in RecordParser.allCases {
      var mapper = try file.mapper()
      mapper.parser = parser
      let error = try #require(mapper.decode(record.utf8).error)
      #expect(error.path.components == path && error.target?.components == target)
      #expect(error.code == .wrongType)
    }
  }

  @Test func `a tree is as deep as the limit of the feed`() throws {
    var file = try MappingFile(yaml: Self.tree)
    func record(_ depth: Int) -> String {
      String(repeating: #"{"id":1,"children":["#, count: depth) + #"{"id":1}"#
        + String(repeating: "]}", count: depth)
    }
    let depth = 250
    let made = try Self.results(file, record(depth))
    let inside =
      String(repeating: #"{"id":1,"replies":["#, count: depth) + #"{"id":1,"replies":[]}"#
    #expect(made == [inside + String(repeating: "]}", count: depth)])
    file.limits.depth = 100
    for message in try Self.results(file, record(depth)) { #expect(message.contains("100")) }
  }

  @Test func `texts with JSON in them are records inside records, as deep as they are`() throws {
    let file = try MappingFile(
      yaml: """
        streammap: 1
        record:
          id: { from: id, type: int64 }
          child: { from: child, use: record, nullable: true }
          text: { from: text, parse: json, use: record, nullable: true }
        """)
    // The deepest of twelve objects has the text of the next twelve.
    func record(_ texts: Int) -> (source: String, result: String) {
      var source = "{\"id\":\(texts)}"
      var result = "{\"id\":\(texts),\"child\":null,\"text\":null}"
      if texts > 0 {
        let inner = record(texts - 1)
        source = "{\"id\":\(texts),\"text\":\(JSONValue.string(inner.source))}"
        result = "{\"id\":\(texts),\"child\":null,\"text\":\(inner.result)}"
      }
      for _ in 0..<12 {
        source = "{\"id\":0,\"child\":\(source)}"
        result = "{\"id\":0,\"child\":\(result),\"text\":null}"
      }
      return (source, result)
    }
    let (source, result) = record(5)
    #expect(try Self.results(file, source) == [result])
  }

  @Test func `a tree written back is the tree that it came from`() throws {
    let file = try MappingFile(yaml: Self.tree)
    let back = try file.reversed()
    let mapped = #"{"id":1,"replies":[{"id":2,"replies":[]}]}"#
    #expect(
      try Self.results(back, mapped) == [#"{"id":1,"children":[{"id":2,"children":[]}]}"#])
  }

  @Test func `a file that is used contains its own record, and not the one around`() throws {
    let text = """
      streammap: 1
      use: { tree: ./tree.map.yaml }
      record:
        x: { from: root, use: tree, nullable: true }
        y: { from: other.place, use: tree }
      """
    let file = try MappingFile(
      Array(text.utf8), named: "m.yaml", reading: { _, _ in Array(Self.tree.utf8) })
    let made =
      #"{"x":{"id":1,"replies":[{"id":2,"replies":[]}]},"y":{"id":7,"replies":[{"id":8,"replies":[]}]}}"#
    #expect(
      try Self.results(
        file,
        #"{"root":{"id":1,"children":[{"id":2}]},"other":{"place":{"id":7,"children":[{"id":8}]}}}"#
      )
        == [made])
    #expect(
      try Self.results(file.reversed(), made) == [
        #"{"root":{"id":1,"children":[{"id":2,"children":[]}]},"other":{"place":{"id":7,"children":[{"id":8,"children":[]}]}}}"#
      ])
  }

  @Test func `some of the fields are chosen, and the records inside keep all of theirs`() throws {
    var file = try MappingFile(yaml: Self.tree)
    try file.keep(fields: ["replies"])
    #expect(
      try Self.results(file, #"{"id":1,"children":[{"id":2}]}"#) == [
        #"{"replies":[{"id":2,"replies":[]}]}"#
      ])
  }

  @Test func `a record is in it by dispatch, by a dictionary and by an object`() throws {
    let file = try MappingFile(
      yaml: """
        streammap: 1
        record:
          name: name
          parts: { from: parts, map: { use: record }, nullable: true }
          other: { from: other, dispatch: { cases: { string: string, object: { use: record } } }, nullable: true }
          wrapped: { from: $, object: { child: { from: child, use: record, nullable: true } } }
        """)
    let record =
      #"{"name":"a","parts":{"p":{"name":"b","other":"x"}},"other":{"name":"c"},"child":{"name":"d"}}"#
    func plain(_ name: String, _ other: String = "null") -> String {
      #"{"name":"\#(name)","parts":null,"other":\#(other),"wrapped":{"child":null}}"#
    }
    #expect(
      try Self.results(file, record) == [
        #"{"name":"a","parts":{"p":\#(plain("b", "\"x\""))},"other":\#(plain("c")),"wrapped":{"child":\#(plain("d"))}}"#
      ])
  }

  @Test(arguments: [
    "use: { record: ./a.yaml }\nrecord: { a: a }",
    "value: { each: { use: record } }",
    "record: $\ncontext: { c: { from: $.c, use: record } }",
    "record: { a: { from: a, use: recrod } }",
  ])
  func `only a record of fields contains itself`(_ file: String) {
    #expect(throws: MappingFile.Mistakes.self) {
      try MappingFile(yaml: "streammap: 1\n\(file)\n", named: "m.yaml")
    }
  }

  @Test func `the columns and the schema of a record that contains itself end`() throws {
    let file = try MappingFile(yaml: Self.tree)
    #expect("\(file.explanation)".contains("record"))
    #expect("\(file.record)".count < 2000)
  }
}
