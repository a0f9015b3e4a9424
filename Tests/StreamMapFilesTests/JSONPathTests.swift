import Foundation
import StreamMap
import StreamMapFiles
import Testing

/// Record paths: RFC 9535 (JSONPath).
@Suite struct JSONPathTests {
  static let shop = #"""
    {"max":2,"re":"b.?b","items":[{"id":1,"n":5,"on":true,"tags":["a","b"]},{"id":2,"n":1,"on":false},
    {"id":3,"n":9.0,"on":true,"tags":[]},{"id":"4","n":null}],"u":{"x":{"k":1},"y":{"k":2},"z":[7,8,9]}}
    """#
  static let nested = #"{"a":{"a":{"a":1}},"b":[{"a":[2,{"a":3}]}],"a\n":4}"#
  static let words = #"["bab","abba","bbab","b\nb",1,["bb"],null,"é𝄞"]"#

  /// A document, a path, and the records at it.
  static let cases: [(document: String, path: String, records: String)] = [
    // White space, several selectors, slices.
    (shop, "$ .items\t[0]\n.id", "1"), (shop, "$ ['u'] [ 'x' , 'y' ] .k", "1 2"),
    (shop, "$.items[0,2].id", "1 3"), (shop, "$.items[2,0,2].id", "1 3"),
    (shop, "$.items[ 0 : 4 : 2 ].id", "1 3"), (shop, "$.items[1::2].id", #"2 "4""#),
    (shop, "$.items[0:0]", ""), (shop, "$.items[::0]", ""), (shop, "$.items[3:1].id", ""),
    (shop, "$.u[*,'x'].k", "1 2"), (shop, "$.u.z['x',1,0]", "7 8"),
    (words, "$[?@ == 'é\\ud834\\udd1e']", #""é𝄞""#),
    // From the end: the array is held.
    (shop, "$.items[-1].id", #""4""#), (shop, "$.items[-9].id", ""), (shop, "$.u.z[-2:]", "8 9"),
    (shop, "$.u.z[:-1]", "7 8"), (shop, "$.u.z[::-1]", "9 8 7"), (shop, "$.u.z[-1:0:-2]", "9"),
    (shop, "$.u.z[0,-1]", "7 9"), (shop, "$.u.z[-1,2]", "9"),
    (shop, "$.*[-1]", #"{"id":"4","n":null}"#),
    // At any depth: a record may lie in another one.
    (nested, "$..a", #"{"a":{"a":1}} {"a":1} 1 [2,{"a":3}] 3"#),
    (nested, "$..a[*]", #"{"a":1} 1 2 {"a":3}"#),
    (nested, "$..[1]", #"{"a":3}"#),
    (nested, "$.b..*", #"{"a":[2,{"a":3}]} [2,{"a":3}] 2 {"a":3} 3"#),
    (nested, "$..['a','b']..a", #"{"a":1} 1 [2,{"a":3}] 3"#), (nested, "$['a\\n']", "4"),
    (nested, "$..[-1]", #"{"a":[2,{"a":3}]} {"a":3}"#), (nested, "$.b[*]..a", #"[2,{"a":3}] 3"#),
    // Filters.
    (shop, "$.items[?@.on == true && @.n > 3].id", "1 3"), (shop, "$.items[?@.on].id", "1 2 3"),
    (shop, "$.items[?!@.on].id", #""4""#), (shop, "$.items[?!(@.n > 3 || @.n == 1)].id", #""4""#),
    (shop, "$.items[?@.n == 9].id", "3"), (shop, "$.items[?@.n == 0.9e1].id", "3"),
    (shop, "$.items[?@.n == null].id", #""4""#), (shop, "$.items[?@.n <= null].id", #""4""#),
    (shop, "$.items[?@.id < '5'].id", #""4""#), (shop, "$.items[?@.id != 1].id", #"2 3 "4""#),
    (shop, "$.items[?@.a == @.b].id", #"1 2 3 "4""#),
    (shop, "$.items[?@.tags == @['tags']].id", #"1 2 3 "4""#),
    (shop, "$.items[?@.tags[0]].id", "1"), (shop, "$.items[?@.tags[-1] == 'b'].id", "1"),
    (shop, "$.items[?length(@.tags) == 0].id", "3"), (shop, "$.items[?count(@.*) == 3].id", "2"),
    (shop, "$.items[?count(@..*) > 5].id", "1"), (shop, "$.items[?value(@..['tags']) == 1].id", ""),
    (shop, "$.items[?@.tags[?@ == 'b']].id", "1"), (shop, "$.items[?@.id == $.max].id", "2"),
    (shop, "$.items[?@.id > count($.u.*)].id", ""), (shop, "$.items[0, ?@.n == 1].id", "1 2"),
    (shop, "$.items[?@.on, ?@.n == 5].id", "1 2 3"),
    (shop, "$.items[?@.on].tags[?@ > 'a']", #""b""#),
    (shop, "$.u[?@.k == 2]", #"{"k":2}"#), (shop, "$.u[?@[0]][1:]", "8 9"),
    (shop, "$..[?@.k].k", "1 2"),
    (shop, "$[?@ == @].x.k", "1"), (shop, "$.items[?@ == @].id", #"1 2 3 "4""#),
    (shop, "$..[?@.id == 2].n", "1"), (shop, "$[?length(@) == 3].z[0]", "7"),
    // Patterns.
    (words, "$[?match(@, 'b.?b')]", #""bab""#), (words, "$[?search(@, 'b.b')]", #""bab" "bbab""#),
    (words, "$[?!search(@, '[ab]')]", #"1 ["bb"] null "é𝄞""#),
    (words, "$[?length(@) == 2]", #""é𝄞""#),
    (shop, "$.items[?match($.re, @.id)].id", ""), (words, "$[?match(@, $[0])]", #""bab""#),
    (words, "$[?match(@, 'b[.]b')]", ""),
    (words, "$[?match(@, '\\\\p{L}+')]", #""bab" "abba" "bbab""#),
  ]

  /// The records at a path by every route: jobs, parsers, bytes one by one, and continuing from any position.
  private static func records(_ document: String, _ path: String) throws -> [String] {
    var file = try MappingFile(yaml: "streammap: 1\nrecord: $")
    file.records = [try PathPattern(reading: path)]
    file.format = .json
    var mapper = try file.mapper()
    let bytes = Array(document.utf8)
    func texts(_ records: some Sequence<Record<RawJSON>>) -> [String] {
      records.map { $0.value?.description ?? $0.error?.description ?? "nothing" }
    }
    func places(_ records: some Sequence<Record<RawJSON>>) -> [String] {
      records.map { "\($0.number) \($0.position?.description ?? "-")" }
    }
    let all = Array(try mapper.records(in: Feed(bytes)))
    for parser in [RecordParser.index, .yajl, .auto] {
      mapper.parser = parser
      for jobs in [1, 3] {
        let same = Array(try mapper.records(in: Feed(bytes), jobs: jobs))
        #expect(texts(same) == texts(all), "\(path) \(parser) \(jobs)")
        #expect(places(same) == places(all), "\(path) \(parser) \(jobs)")
      }
      let stream = try mapper.stream()
      var pushed: [Record<RawJSON>] = []
      var positions: [(Int, FeedPosition)] = []
      for byte in bytes {
        stream.feed([byte]) { pushed.append($0) }
        if let position = stream.position { positions.append((pushed.count, position)) }
      }
      stream.finish { pushed.append($0) }
      #expect(texts(pushed) == texts(all), "\(path) \(parser)")
      #expect(places(pushed) == places(all), "\(path) \(parser)")
      guard parser == .auto else { continue }
      for (count, position) in positions {
        let rest = try mapper.records(in: Feed(bytes, from: position))
        #expect(texts(rest) == texts(all[count...]), "\(path) after record \(count)")
      }
    }
    return texts(all)
  }

  @Test(arguments: cases.indices) func `a path selects its records by every route`(_ index: Int)
    throws
  {
    let (document, path, expected) = Self.cases[index]
    #expect(try Self.records(document, path).joined(separator: " ") == expected, "\(path)")
    let pattern = try PathPattern(reading: path)
    #expect(try PathPattern(reading: pattern.description) == pattern, "\(pattern)")
  }

  @Test func `a record of a held value has its whole address`() throws {
    var file = try MappingFile(
      yaml: """
        streammap: 1
        input: { records: '$.l[?@.ok]["x y"][*]', format: json }
        record: { n: { from: n, type: int8 }, k: { meta: index } }
        """)
    let feed = Array("{\"l\":[{\"ok\":0,\n\"x y\":[{\"n\":1},{\"n\":300}]}]}".utf8)
    let records = Array(try file.mapper().records(in: Feed(feed)))
    #expect(records.map { $0.value?.description } == [#"{"n":1,"k":0}"#, nil])
    #expect(records[1].error?.path.description == "$.l[0]['x y'][1].n")
    #expect(records[1].error?.position?.line == 2)
    #expect(records[1].error?.position?.bytes == 35..<38)
    file.limits.capturedValue = 10
    let refused = Array(try file.mapper().records(in: Feed(feed)))
    #expect(refused.count == 1)
    #expect(refused[0].error?.code == .limitExceeded)
    #expect(refused[0].error?.path.description == "$.l[0]")
  }

  @Test func `only what a filter is asked about is held`() throws {
    var file = try MappingFile(yaml: "streammap: 1\nrecord: $")
    file.limits.capturedValue = 40
    file.format = .json
    let element = #"{"n":1,"x":"....."}"#
    let feed = "[" + Array(repeating: element, count: 1000).joined(separator: ",") + "]"
    func count(_ path: String) throws -> Int {
      file.records = [try PathPattern(reading: path)]
      return try file.mapper().records(in: Feed(Array(feed.utf8))).filter { $0.error == nil }.count
    }
    #expect(try count("$[?@.n == 1]") == 1000)
    #expect(try count("$[::2]") == 500)
    #expect(try count("$[?@.n == $[0].n]") == 0)
    #expect(try count("$[-1]") == 0)
  }

  @Test func `several paths and lines are held, too`() throws {
    var file = try MappingFile(yaml: "streammap: 1\nrecord: $")
    file.records = try ["$.a[?@ > 1]", "$.a[0]", "$.b"].map { try PathPattern(reading: $0) }
    let feed = Array("{\"a\":[1,2,3],\"b\":4}\n{\"b\":5}\n{\"a\":[0,0,9]}\n".utf8)
    for jobs in [1, 3] {
      let records = try file.mapper().records(in: Feed(feed), jobs: jobs)
      #expect(records.map { $0.value?.description } == ["1", "2", "3", "4", "5", "0", "9"])
    }
  }

  @Test func `a context value cannot lie in what is held`() throws {
    let error = #expect(throws: (any Error).self) {
      try MappingFile(
        yaml: """
          streammap: 1
          input: { records: "$.g[?@.ok].l[*]" }
          context: { name: { from: "$.g[*].name", type: string } }
          record: { name: { context: name } }
          """)
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("lies in what is held to find the records"))
  }

  @Test(arguments: [
    ("$[?@.* == 1]", "@[*] may select several values; count(…) and value(…) make one of them"),
    ("$[?1]", "a value alone is no condition; compare it, as in == 1"),
    ("$[?length(@.a)]", "a value alone is no condition; compare it, as in == 1"),
    ("$[?match(@.a, 'x') == true]", "match(@.a, 'x') is true or false; only values are compared"),
    ("$[?match(@.a, '(')]", "a ) is missing at '('"),
    ("$[?count(1) == 1]", "count takes a path from @ or $"),
    (
      "$[?len(@) == 1]",
      "there is no function 'len'; there are length, count, match, search, value: length(@.a) counts characters, elements or members"
    ),
    ("$[?@.a == 01]", "not a number"),
    ("$[?@.a = 1]", "the filter should end here, or continue with && or ||: = is written =="),
    ("$[?@.a == yes]", "'yes' is no value; a path starts with @ or $, a text has quotes"),
    ("$[?(@.a]", ") is missing"), ("$[?", "it ends inside a filter"),
    ("$[?.a]", "a path from @ or $, a value or a function must stand here"),
    ("$[1,]", "nothing follows the comma"), ("$.a ", "white space stands after the path"),
    (" $", "white space stands before the path"),
    ("$. a", "white space stands before a name"),
    (
      "$[?" + String(repeating: "(", count: 40) + "@.a",
      "filters, parentheses and functions are more than 32 deep"
    ),
  ])
  func `a mistake in a path has a reason`(_ path: String, _ reason: String) {
    let error = #expect(throws: PathSyntaxError.self) { try PathPattern(reading: path) }
    #expect(error?.reason == reason)
  }
}
