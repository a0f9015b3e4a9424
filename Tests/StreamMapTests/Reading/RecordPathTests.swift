import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Records at paths of documents.
@Suite struct RecordPathTests {
  static let cases: [FeedCase] = [
    FeedCase(
      id: "elements", feed: #"[1,{"a":[2]},[],"x" ,null]"#, format: .json, paths: ["$[*]"],
      expected: [.text("1"), .text(#"{"a":[2]}"#), .text("[]"), .text(#""x""#), .text("null")]),
    FeedCase(id: "no elements", feed: "[ ]", format: .json, paths: ["$[*]"], expected: []),
    FeedCase(
      id: "quoted key", feed: #"{"a":{"b":[0],"b.c":[1,[2]],"x":{"b.c":[9]}},"b.c":[8]}"#,
      format: .json,
      paths: ["$.a['b.c'][*]"], expected: [.text("1"), .text("[2]")]),
    FeedCase(
      id: "escaped key", feed: #"{"\u0061":{"\u0062.c":[1]}}"#, format: .json,
      paths: ["$.a['b.c'][*]"],
      expected: [.text("1")]),
    FeedCase(
      id: "one element", feed: #"{"a":[0,1,{"b":2},3]}"#, format: .json, paths: ["$.a[2]"],
      expected: [.text(#"{"b":2}"#)]),
    FeedCase(
      id: "out of range", feed: #"{"a":[0,1]}"#, format: .json, paths: ["$.a[2]"], expected: []),
    FeedCase(
      id: "merged", feed: #"{"b":[{"x":1}],"c":0,"a":{"d":2},"b":[3]}"#, format: .json,
      paths: ["$.a.d", "$.b[*]"],
      expected: [.text(#"{"x":1}"#), .text("2"), .text("3")]),
    FeedCase(
      id: "merged at one place", feed: "[[1,2],[3,4]]", format: .json,
      paths: ["$[*][0]", "$[1][*]"],
      expected: [.text("1"), .text("3"), .text("4")]),
    FeedCase(
      id: "in lines", feed: "{\"l\":[1,2]}\n{}\n[]\n{\"l\":{}}\n{\"l\":[3]}\n7\n",
      paths: ["$.l[*]"],
      expected: [.text("1"), .text("2"), .text("3")]),
    FeedCase(
      id: "in concatenated values", feed: #"{"l":[1]}[] {"l":[2]}"#, format: .concatenated,
      paths: ["l[*]"],
      expected: [.text("1"), .text("2")]),
    FeedCase(
      id: "in a sequence", feed: "\u{1E}[1]\n\u{1E}[2,3]\n", format: .sequence, paths: ["$[*]"],
      expected: [.text("1"), .text("2"), .text("3")]),
    FeedCase(
      id: "other kinds on the way", feed: #"{"a":[[1]]}"#, format: .json, paths: ["$.a.b[*]"],
      expected: []),
    FeedCase(
      id: "malformed after", feed: #"{"l":[1,2],"x":«}»"#, format: .json, paths: ["$.l[*]"],
      expected: [.text("1"), .text("2"), .outside(.syntax)]),
    FeedCase(
      id: "malformed in a record", feed: #"{"l":[1,{"x":«}»]}"#, format: .json, paths: ["$.l[*]"],
      expected: [.text("1"), .error(.syntax)]),
    FeedCase(
      id: "truncated between", feed: #"{"l":[1,2«»"#, format: .json, paths: ["$.l[*].x"],
      expected: [.outside(.truncated)]),
    FeedCase(
      id: "a slice", feed: "[0,[1],2,{},4]", format: .json, paths: ["$[1:3]"],
      expected: [.text("[1]"), .text("2")]),
    FeedCase(
      id: "a slice without an end", feed: #"{"a":[0,1,2],"b":[3,4]}"#, format: .json,
      paths: ["$.a[2:]", "$.b[:1]"], expected: [.text("2"), .text("3")]),
    FeedCase(
      id: "slices that overlap", feed: "[[0,1],[2,3],[4,5],[6,7],[8,9]]", format: .json,
      paths: ["$[0:3][0]", "$[2:4][1]", "$[4][*]"],
      expected: [
        .text("0"), .text("2"), .text("4"), .text("5"), .text("7"), .text("8"), .text("9"),
      ]),
    FeedCase(
      id: "a slice after the end", feed: "[0]", format: .json, paths: ["$[1:9]"], expected: []),
    FeedCase(
      id: "descendants",
      feed: #"{"x":1,"a":[{"x":{"x":2,"y":{"x":3}}},[{"b":{"x":[4]}}]],"c":{"\u0078":5}}"#,
      format: .json,
      paths: ["$..x"],
      expected: [
        .text("1"), .text(#"{"x":2,"y":{"x":3}}"#), .text("2"), .text("3"), .text("[4]"),
        .text("5"),
      ]),
    FeedCase(
      id: "descendants in what they lead to",
      feed: #"{"l":[1,{"l":[2]}],"a":{"l":{"l":[3]}},"b":[[{"l":[4]}]]}"#, format: .json,
      paths: ["$..l[*]"],
      expected: [
        .text("1"), .text(#"{"l":[2]}"#), .text("2"), .text("[3]"), .text("3"), .text("4"),
      ]),
    FeedCase(
      id: "descendants of descendants",
      feed: #"{"b":9,"a":{"b":1,"c":{"b":2},"a":[{"b":3}]},"c":0}"#, format: .json,
      paths: ["$..a..b", "$.c"],
      expected: [.text("1"), .text("2"), .text("3"), .text("0")]),
    FeedCase(
      id: "a path of its own beside descendants",
      feed: #"{"a":[{"x":1},{"x":2}]}"#, format: .json,
      paths: ["$..x", "$.a[0]"],
      expected: [.text(#"{"x":1}"#), .text("1"), .text("2")]),
    FeedCase(
      id: "a filter", feed: #"{"l":[{"n":1},{"n": 3} ,{},3,{"n":4,"x":[{"n":9}]}]}"#,
      format: .json, paths: ["$.l[?@.n > 2]"],
      expected: [.text(#"{"n": 3}"#), .text(#"{"n":4,"x":[{"n":9}]}"#)]),
    FeedCase(
      id: "a filter of lines", feed: "{\"n\":1}\n{\"n\":\"a\\u0062\"}\n\n[{\"n\":\"ab\"}]\n",
      paths: ["$[?@ == 'ab' || @.n == 'ab']"],
      expected: [.text(#""a\u0062""#), .text(#"{"n":"ab"}"#)]),
    FeedCase(
      id: "the last element", feed: "[[1,2],{\"a\":[3,[4 ]]},[]]", format: .json,
      paths: ["$..[-1]"],
      expected: [.text("2"), .text("[4 ]"), .text("4"), .text("[]")]),
    FeedCase(
      id: "malformed in a value that is held", feed: #"{"l":[{"n":1},{"n":1,«x»}]}"#, format: .json,
      paths: ["$.l[?@.n == 1]"], expected: [.text(#"{"n":1}"#), .error(.syntax)]),
    FeedCase(
      id: "malformed lines that are held", feed: "[1,2]\n[1,«]»\n[3]\n", paths: ["$[-1]"],
      expected: [.text("2"), .error(.syntax), .text("3")]),
    FeedCase(
      id: "members", feed: #"{"u":{"a":1,"":[2],"\u0061\n":{"x":3},"a":4}}"#, format: .json,
      paths: ["$.u.*"],
      expected: [.text("1"), .text("[2]"), .text(#"{"x":3}"#), .text("4")]),
    FeedCase(
      id: "members and elements", feed: #"[{"a":1,"b":[2]},[3,{"c":4}],5,{},[]]"#, format: .json,
      paths: ["$[*].*"],
      expected: [.text("1"), .text("[2]"), .text("3"), .text(#"{"c":4}"#)]),
    FeedCase(
      id: "members in the middle",
      feed: #"{"r":{"n":{"s":[1,2]},"x":{"s":{"k":3}},"s":[9],"y":{"t":[8]},"n":{"s":[4]}}}"#,
      format: .json, paths: ["$.r[*].s[*]"],
      expected: [.text("1"), .text("2"), .text("3"), .text("4")]),
    FeedCase(
      id: "a member of its own beside all", feed: #"{"a":{"x":{"y":1},"c":2},"b":{"x":3},"c":4}"#,
      format: .json, paths: ["$.*.x", "$.a.c"],
      expected: [.text(#"{"y":1}"#), .text("2"), .text("3")]),
    FeedCase(
      id: "members at any depth", feed: #"{"l":{"a":1,"b":{"l":2}},"c":[{"l":[3]}]}"#,
      format: .json,
      paths: ["$..l.*"], expected: [.text("1"), .text(#"{"l":2}"#), .text("3")]),
    FeedCase(
      id: "members of lines", feed: "{\"a\":1,\"b\":2}\n[3]\n7\n{}\n", paths: ["$.*"],
      expected: [.text("1"), .text("2"), .text("3")]),
    FeedCase(
      id: "malformed between members", feed: #"{"u":{"a":1,«}»}"#, format: .json, paths: ["$.u.*"],
      expected: [.text("1"), .outside(.syntax)]),
    FeedCase(
      id: "the root", feed: "1\n2", paths: ["$"], expected: [.text("1"), .text("2")]),
  ]

  @Test(arguments: cases) func `a record path selects exactly its records`(_ feed: FeedCase) throws
  { try feed.check() }

  @Test func `an error has the whole path from the root`() throws {
    let mapping = OutputMapping.object([OutputField("x", from: "x", .int8)])
    let records = try Routes.run(
      output: mapping, #"{"l":{"m":[{"x":1},{"x":"no"}]}}"#, at: ["$.l.m[*]"])
    #expect(records.map { $0.value?.description } == [#"{"x":1}"#, nil])
    #expect(records[1].error?.path.description == "$.l.m[1].x")
    #expect(records[1].error?.record == 2)
  }

  @Test func `paths that do not occur are unseen`() throws {
    let mapper = try Mapper(output: .raw)
    let feed = Array(#"{"a":[],"b":{"c":[{"d":1}]},"e":5}"#.utf8)
    for size in 1...feed.count {
      let stream = try mapper.stream(
        at: ["$.a[*]", "$.b.c[*].d", "$.b.x[*]", "$.e[*]", "$.e.f", "$.b.d[1]"], format: .json)
      #expect(stream.unseenPaths.count == 6)
      for start in stride(from: 0, to: feed.count, by: size) {
        stream.feed(feed[start..<min(start + size, feed.count)]) { _ in }
      }
      stream.finish { _ in }
      #expect(stream.unseenPaths.map(\.description) == ["$.b.x[*]", "$.e[*]", "$.e.f", "$.b.d[1]"])
    }
  }

  @Test func `an error has the key of its record as the feed means it`() throws {
    let mapping = OutputMapping.object([OutputField("x", from: "x", .int8)])
    let feed = #"{"u":{"a":{"x":1},"b.\u0063":{"x":"no"},"d":{"s":[{"x":300}]}}}"#
    let records = try Routes.run(output: mapping, feed, at: ["$.u[*]"])
    #expect(records[1].error?.path.description == "$.u['b.c'].x")
    let inner = try Routes.run(output: mapping, feed, at: ["$.u.*.s[*]"])
    #expect(inner.map { $0.error?.path.description } == ["$.u.d.s[0].x"])
  }

  @Test func `an object is where all members are wanted, and no object where elements are`() throws
  {
    let mapper = try Mapper(output: .raw)
    let stream = try mapper.stream(
      at: ["$.a.*", "$.b[*]", "$.c[0:]", "$.d.*", "$.e.*", "$.f.*.x"], format: .json)
    stream.feed(Array(#"{"a":{},"b":[],"c":{"k":1},"d":7,"f":{"k":{}}}"#.utf8)) { _ in }
    stream.finish { _ in }
    #expect(stream.unseenPaths.map(\.description) == ["$.c[0:]", "$.d[*]", "$.e[*]", "$.f[*].x"])
  }

  @Test func `slices and descendants that do not occur are unseen`() throws {
    let mapper = try Mapper(output: .raw)
    // An array without the elements of a slice is there; an object is no array.
    let stream = try mapper.stream(
      at: ["$.a[3:5]", "$..l[0:]", "$.b[1:]", "$..m", "$..n"], format: .json)
    stream.feed(Array(#"{"a":[],"b":{"l":{}},"c":[{"m":1}]}"#.utf8)) { _ in }
    stream.finish { _ in }
    #expect(stream.unseenPaths.map(\.description) == ["$..l[0:]", "$.b[1:]", "$..n"])
  }

  /// Paths made in code may be what no text says.
  @Test func `a path step that means nothing selects no record`() throws {
    let steps: [PathPattern.Step] = [
      .index(-3), .index(.min), .index(.max), .elements(from: -5, to: -9, by: 1),
      .elements(from: 3, to: 1, by: 1), .elements(from: .max, to: nil, by: 1),
      .elements(from: 0, to: nil, by: 0), .elements(from: .min, to: .min, by: .min), .anyOf([]),
    ]
    for step in steps {
      let selection = try FeedSelection(.everything, at: [PathPattern([step])])
      let route = try Mapper(output: .raw).makeRoute(
        FeedRequest(selection, format: .json))
      #expect(Routes.collect(route, Array("[1,2]".utf8), pieceSize: 9).isEmpty)
    }
  }

  @Test(arguments: [
    ["$.a", "$.a.b"], ["$.a[*]", "$.a[2].b"], ["$", "$[*]"], ["$[*].x", "$[0]"],
    ["$.a[*]", "$.a[0][0]"], ["$.a[2:]", "$.a[3].b"], ["$..a", "$.b.a.c"],
    ["$.a.*", "$.a.b.c"], ["$.*.x", "$.a"], ["$.a[*]", "$.a.*.b"],
  ])
  func `a path into another path's records is a mistake`(_ paths: [String]) throws {
    let mapper = try Mapper(output: .raw)
    let error = #expect(throws: DefinitionError.self) { try mapper.stream(at: RecordPaths(paths)) }
    #expect(error?.mistakes.first?.reason.contains("would contain those of another path") == true)
  }

  @Test func `a path that cannot be read is a mistake`() throws {
    let mapper = try Mapper(output: .raw)
    let error = #expect(throws: DefinitionError.self) {
      try mapper.stream(at: ["$.a[", "$.b", ".."])
    }
    #expect(
      error?.description == """
        2 mistakes in the mapping:
          - records: path '$.a[': it ends inside [ (at character 5)
          - records: path '..': a name is missing (at character 3)
        """)
  }
}
