import Foundation
import StreamMap
import StreamMapFiles
import Testing

/// Records inside documents, and what they take from what is around them.
@Suite struct RecordsInsideTests {
  /// The output of every route: jobs, parsers, bytes one by one, and continuing from any position.
  private func run(_ mapping: String, _ feed: String) throws -> [String] {
    var mapper = try MappingFile(yaml: "streammap: 1\n" + mapping).mapper()
    let bytes = Array(feed.utf8)
    func texts(_ records: some Sequence<Record<RawJSON>>) -> [String] {
      records.map { record in
        record.value?.description
          ?? record.error.map { "\($0.path) \($0.code.rawValue)" } ?? "nothing"
      }
    }
    let found = texts(try mapper.records(in: Feed(bytes)))
    for parser in [RecordParser.index, .yajl, .auto] {
      mapper.parser = parser
      for jobs in [1, 3] {
        #expect(
          texts(try mapper.records(in: Feed(bytes), jobs: jobs)) == found, "\(parser) \(jobs)")
      }
    }
    let stream = try mapper.stream()
    var pushed: [Record<RawJSON>] = []
    var positions: [(Int, FeedPosition)] = []
    func take(_ record: Record<RawJSON>) {
      pushed.append(record)
      if let position = stream.position { positions.append((pushed.count, position)) }
    }
    for byte in bytes { stream.feed([byte], take) }
    stream.finish(take)
    #expect(texts(pushed) == found)
    for (count, position) in positions {
      let stored = try JSONDecoder().decode(
        FeedPosition.self, from: JSONEncoder().encode(position))
      let rest = texts(try mapper.records(in: Feed(bytes, from: stored)))
      #expect(rest == Array(found[count...]), "after record \(count)")
    }
    #expect(positions.count + 2 >= found.count)
    return found
  }

  @Test func `the members of objects are records with keys`() throws {
    let found = try run(
      """
      input: { records: "$.regions.*.shops[*]" }
      context: { code: { from: "$.regions[*].code", type: string, late: null } }
      record:
        id: { meta: key, type: int64, nullable: true }
        at: { meta: index, type: string, default: none }
        code: { context: code }
        name: name
      """,
      """
      {"regions":{"n\\u006Frth":{"code":"N","shops":{"17":{"name":"a"},"1\\u0038":{"name":"b"},"x":{}}},
       "south":{"shops":[{"name":"c"},{"name":"d"}],"code":"S","shops":{"19":{"name":"e"}}},"north":{"shops":[{}]}}}
      """)
    #expect(
      found == [
        #"{"id":17,"at":"none","code":"N","name":"a"}"#,
        #"{"id":18,"at":"none","code":"N","name":"b"}"#,
        "$.regions.north.shops.x invalidValue", #"{"id":null,"at":"0","code":null,"name":"c"}"#,
        #"{"id":null,"at":"1","code":null,"name":"d"}"#,
        #"{"id":19,"at":"none","code":"S","name":"e"}"#,
        #"{"id":null,"at":"0","code":null,"name":null}"#,
      ])
  }

  @Test func `a value belongs to the element or member that it is in`() throws {
    let mapping = """
      input: { records: "$.orders[*].lines[*]" }
      context:
        day: { from: $.day, type: string, late: null }
        order: { from: "$.orders[*].id", type: int64 }
        who: { from: "$.orders[*].customer.name", type: string, default: nobody }
      record: { day: { context: day }, order: { context: order }, who: { context: who }, sku: sku }
      """
    let feed = """
      {"orders":[{"id":1,"customer":{"name":"Ann"},"lines":[{"sku":"a"},{"sku":"b"}]},{"lines":[{"sku":"c"}],"id":2},
        {"id":3,"lines":[{"sku":"d"}],"customer":{"name":"Bob"},"id":4,"lines":[{"sku":"e"}]},{"id":"x","lines":[{"sku":"f"}]}],
        "day":"mon","orders":[{"id":5,"lines":[{"sku":"g"}]}]}
      {"orders":[{"lines":[{"sku":"h"}]},{"id":6,"lines":[{"sku":"i"}]}]}

      """
    let expected = [
      #"{"day":null,"order":1,"who":"Ann","sku":"a"}"#,
      #"{"day":null,"order":1,"who":"Ann","sku":"b"}"#,
      "$.orders[1].lines[0] missing", #"{"day":null,"order":3,"who":"nobody","sku":"d"}"#,
      "$.orders[2].customer.name invalidValue",
      #"{"day":null,"order":4,"who":"Bob","sku":"e"}"#, "$.orders[3].id wrongType",
      "$.orders[3].lines[0] missing", #"{"day":"mon","order":5,"who":"nobody","sku":"g"}"#,
      "$.orders[0].lines[0] missing", #"{"day":null,"order":6,"who":"nobody","sku":"i"}"#,
    ]
    #expect(try run(mapping, feed) == expected)
    let lines = feed.replacing("\n  ", with: "")
    #expect(
      try run(
        "input: { format: ndjson, records: \"$.orders[*].lines[*]\" }\n" + mapping.drop(line: 0),
        lines) == expected)
  }

  @Test func `a key that comes twice is another container`() throws {
    let found = try run(
      """
      input: { records: $.u.*.l.* }
      context: { n: { from: $.u.*.n, late: null } }
      record: { n: { context: n }, v: { from: $, type: int8 } }
      """, #"{"u":{"x":{"n":1,"l":{"a":1}},"x":{"l":[2,3]}},"u":[{"l":[4]},{"n":5,"l":[6]}]}"#)
    #expect(
      found == [
        #"{"n":1,"v":1}"#, #"{"n":null,"v":2}"#, #"{"n":null,"v":3}"#, #"{"n":null,"v":4}"#,
        #"{"n":5,"v":6}"#,
      ])
  }

  @Test func `each line is a document of its own`() throws {
    let found = try run(
      """
      input: { records: "$[*].l[*]" }
      context: { n: { from: "$[*].n", late: null } }
      record: { n: { context: n }, v: { from: $, type: int8 } }
      """, "[{\"n\":1,\"l\":[1]},{\"l\":[2]}]\n[{\"l\":[3]}]\n{\"n\":{\"n\":2,\"l\":[4]}}\n")
    #expect(
      found == [#"{"n":1,"v":1}"#, #"{"n":null,"v":2}"#, #"{"n":null,"v":3}"#, #"{"n":2,"v":4}"#])
  }

  @Test func `records are copied as they stand`() throws {
    let found = try run(
      "input: { records: $.* }\nrecord: $",
      #"{"a": { "n" : [ 1.50, 1E2, "x\n\u00e9\/" ], "n": {} }, "b" : null,"c":[ ],"d": -0.0 ,"e":"\ud83d\ude00"}"#
    )
    #expect(
      found == [#"{"n":[1.50,1E2,"x\né/"],"n":{}}"#, "null", "[]", "-0.0", #""😀""#])
    #expect(try run("record: $", "{\"a\": 1}\n[ 2 ]\n3\n") == [#"{"a":1}"#, "[2]", "3"])
  }

  @Test func `records become any value`() throws {
    let input = "input: { records: \"$.l[*]\" }\n"
    #expect(
      try run(
        input + "value: { type: int8, coerce: string, default: 0 }", #"{"l":[1,"2",null,300,{}]}"#)
        == ["1", "2", "0", "$.l[3] numberOutOfRange", "$.l[4] wrongType"])
    #expect(try run(input + "value: string", #"{"l":["a"]}"#) == [#""a""#])
    #expect(
      try run(input + "value: { each: { from: x, type: int8 } }", #"{"l":[[{"x":1},{"x":2}],[]]}"#)
        == ["[1,2]", "[]"])
    #expect(try run(input + "value: { map: bool }", #"{"l":[{"a":true}]}"#) == [#"{"a":true}"#])
    #expect(
      try run(
        input + "value: { from: o, object: { b: a }, rest: keep, drop: d }",
        #"{"l":[{"o":{"c":1,"d":2,"a":3}}]}"#) == [#"{"b":3,"c":1}"#])
    #expect(
      try run(
        input
          + "value: { dispatch: { cases: { number: double, object: { from: v, type: double } } } }",
        #"{"l":[1.50,{"v":2},"x"]}"#) == ["1.50", "2", "$.l[2] wrongType"])
  }

  @Test func `what no field names is kept beside the fields`() throws {
    let found = try run(
      """
      record: { id: { from: a, type: int8 }, in: { from: i, object: {}, rest: keep, drop: [x] } }
      rest: keep
      drop: [p, q.*]
      """,
      "{\"a\":1,\"p\":2,\"i\":{\"x\":1,\"y\":2},\"q\":{\"s\":1},\"r\":[1.0]}\n{\"a\":2,\"i\":{}}\n")
    #expect(found == [#"{"id":1,"in":{"y":2},"q":{},"r":[1.0]}"#, #"{"id":2,"in":{}}"#])
  }

  @Test func `a position of another version is refused clearly`() throws {
    let mapper = try MappingFile(yaml: "streammap: 1\ninput: { records: $.* }\nrecord: $").mapper()
    let records = try mapper.records(in: Feed(Array(#"{"a":1,"b":2}"#.utf8)))
    _ = records.next()
    let position = try #require(records.position)
    let text = String(decoding: try JSONEncoder().encode(position), as: UTF8.self)
    let old = text.replacing(#/"form":[0-9]+/#, with: "\"form\":1")
    #expect(old != text)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(FeedPosition.self, from: Data(old.utf8))
    }
    #expect("\(error as Any)".contains("a position that another version of StreamMap stored"))
  }
}

extension String {
  /// The text without one of its lines.
  fileprivate func drop(line number: Int) -> String {
    var lines = split(separator: "\n", omittingEmptySubsequences: false)
    lines.remove(at: number)
    return lines.joined(separator: "\n")
  }
}
