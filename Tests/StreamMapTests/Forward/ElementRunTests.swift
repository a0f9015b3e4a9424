import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Elements that are made from their tokens one after the other are those that events make: values, issues, errors, addresses.
@Suite struct ElementRunTests {
  private struct Item: Equatable {
    let id: Int
    let name: String?
    let points: [[Double]]
    let size: Int8
    let tags: [String?]
  }

  private struct Shelf: Equatable, CustomStringConvertible {
    let items: [Item]
    let names: [String: String]
    let codes: [String: [Int16]]
    let byName: [String: Item]
    let few: [Int]

    // Members of equal dictionaries come in any order.
    var description: String {
      let parts: [String] = [
        "\(items)", "\(names.sorted { $0.key < $1.key })", "\(codes.sorted { $0.key < $1.key })",
        "\(byName.sorted { $0.key < $1.key })", "\(few)",
      ]
      return parts.joined(separator: "; ")
    }
  }

  private static let item = Mapping.object(Item.self) { field in
    field.make(
      Item.init, field("id", \.id), field("name", \.name),
      field("points", \.points, .array(of: .array(of: .double)).default([])),
      field("size", \.size, .int8.default(3).validated(.in(0...99))),
      field("tags", \.tags, .array(of: .nullable(.string)).default([])))
  }

  private static let shelf = Mapping.object(Shelf.self) { field in
    field.make(
      Shelf.init, field("items", \.items, .array(of: item, omitsInvalid: true)),
      field("names", \.names), field("codes", \.codes, .dictionary(of: .array(of: .int16))),
      field("byName", \.byName, .dictionary(of: item)),
      field("few", \.few, .array(of: .int, omitsInvalid: true)))
  }

  private static let good =
    #"{"id":1,"name":"a\u00e9\n","points":[[1.5,-2],[],[3e2]],"size":7,"tags":["x",null,"\""]}"#

  private static func text(
    items: [String], few: [String] = ["1"], byName: String? = nil, codes: String = "[1,-2]"
  ) -> String {
    let item = byName ?? good
    return #"{"items":[\#(items.joined(separator: ","))],"names":{"a":"1","\u0062":"2","a":"3"},"#
      + #""codes":{"x":\#(codes),"y":[]},"byName":{"one":\#(item),"two":\#(good)},"#
      + #""few":[\#(few.joined(separator: ","))]}"#
  }

  /// What may stand in the place of a plain item.
  private static let others = [
    good, #"{"id":2}"#, #"{"id":2,"name":null,"points":null,"size":null}"#, "null", "7", "[]", "{}",
    #"{"id":"2"}"#, #"{"id":2.5}"#, #"{"id":null}"#, #"{"id":2,"id":3}"#, #"{"\u0069d":2}"#,
    #"{"id":2,"size":100}"#, #"{"id":2,"size":1000}"#, #"{"id":2,"more":{"id":[1]},"size":1}"#,
    #"{"id":2,"points":[[1,2],[3,null]]}"#, #"{"id":2,"points":[[1,2],3]}"#,
    #"{"id":2,"points":[[1,1e999]]}"#, #"{"id":2,"points":[[1,[2]]]}"#, #"{"id":2,"points":{}}"#,
    #"{"id":2,"tags":["a","b",3]}"#, #"{"id":2,"tags":[["a"]]}"#, #"{ "id" : 2 , "tags" : [ ] }"#,
  ]

  @Test(.long) func `whatever stands beside plain values, all routes agree`() throws {
    for other in Self.others {
      let items = [Self.good, other, Self.good]
      try Routes.run(Self.shelf, Self.text(items: items))
      try Routes.run(Self.shelf, Self.text(items: [Self.good], byName: other))
    }
  }

  @Test(.long) func `a fault at each place of a run of scalars has its address`() throws {
    let mapper = try Mapper(Self.shelf)
    let strict = try Mapper(Mapping<[Int]>.array(of: .int))
    let count = 70
    for place in [0, 1, 2, 63, 64, 65, 69] {
      for fault in ["null", "true", #""7""#, "[7]", "{}", "1.5", "1e99"] {
        var few = (0..<count).map { "\($0)" }
        few[place] = fault
        let shelf = Array(Self.text(items: [], few: few).utf8)
        let records = try Routes.run(
          mapper, shelf, at: [], format: .json, pieceSizes: [1, 7, 64, 300]
        ) { "\($0)" }
        #expect(try records.first?.get().few == (0..<count).filter { $0 != place })
        let array = Array("[\(few.joined(separator: ","))]".utf8)
        let refused = try Routes.run(
          strict, array, at: [], format: .json, pieceSizes: [1, 7, 64, 300]
        ) { "\($0)" }
        guard case .failure(let error)? = refused.first?.result else {
          Issue.record("\(fault) at \(place) is taken")
          continue
        }
        #expect(error.path.description == "$[\(place)]")
      }
    }
  }

  @Test(.long, arguments: TestExtent.sample([0, 1, 2, 62, 63, 64, 65, 69], every: 2))
  func `a fault at each place of a run of arrays has its address`(place: Int) throws {
    let longest = (0..<70).map { "\"\($0)\"" }.joined(separator: ",")
    let others: [(text: String, values: [String]?)] = [
      ("[]", []), (#"["\u0061\n","b"]"#, ["a\n", "b"]), ("[\(longest)]", (0..<70).map { "\($0)" }),
      (#"["a","b",null]"#, nil), (#"["a",7]"#, nil), (#"["a",["b"]]"#, nil), (#"["a",{}]"#, nil),
      ("null", nil), ("7", nil), (#""a""#, nil), (#"{"a":[]}"#, nil),
    ]
    let plain = Mapping<[String]>.array(of: .string)
    let mappings = [
      Mapping<[[String]]>.array(of: plain), .array(of: plain, omitsInvalid: true),
      .array(of: plain.validated(.count(0...2)), omitsInvalid: true),
    ]
    for (number, mapping) in mappings.enumerated() {
      for other in others {
        var texts = (0..<70).map { #"["\#($0)","a string of its own \#($0)"]"# }
        texts[place] = other.text
        let feed = Array("[\(texts.joined(separator: ","))]".utf8)
        let records = try Routes.run(
          try Mapper(mapping), feed, at: [], format: .json, pieceSizes: [1, 7, 300, 3000]
        ) { "\($0)" }
        switch try #require(records.first).result {
        case .success(let made):
          let isKept = other.values.map { number < 2 || $0.count <= 2 } ?? false
          #expect(made.count == (isKept ? 70 : 69))
          if isKept { #expect(made[place] == other.values) }
        case .failure(let error):
          #expect(number == 0 && other.values == nil)
          #expect(error.path.description.hasPrefix("$[\(place)]"))
        }
      }
    }
  }

  @Test func `limits are met inside what is made without events`() throws {
    let items = [Self.good, #"{"id":2,"tags":["a","b","c","d","e"]}"#]
    let text = Self.text(items: items, few: (0..<70).map { "\($0)" }, codes: "[1,2,3,4,5,6]")
    let all: [WritableKeyPath<Limits, Int>] = [
      \.elements, \.members, \.depth, \.string, \.number, \.key,
    ]
    for limit in all {
      for value in [1, 2, 3, 5, 6, 69, 70, 90] {
        var limits = Limits()
        limits[keyPath: limit] = value
        try Routes.run(
          try Mapper(Self.shelf, limits: limits), Array(text.utf8), at: [], format: .json,
          pieceSizes: [1, 100]
        ) { "\($0)" }
      }
    }
  }

  @Test(.long) func `values of any length and depth are the same in pieces`() throws {
    // More tokens than are made in one go, more bytes than a batch has, and deeper than the stack may be.
    let points = (0..<9000).map { "[\($0),\(Double($0) / 8)]" }.joined(separator: ",")
    let long = #"{"id":1,"points":[\#(points)]}"#
    let few = (0..<20_000).map { "\($0)" }
    let text = Self.text(items: [Self.good, long, Self.good], few: few, byName: long)
    let records = try Routes.run(
      try Mapper(Self.shelf), Array(text.utf8), at: [], format: .json,
      pieceSizes: [1000, 65_536, 70_001]
    ) { "\($0)" }
    let shelf = try #require(records.first).get()
    #expect(shelf.items.count == 3)
    #expect(shelf.items[1].points[8999] == [8999, 8999.0 / 8])
    #expect(shelf.few.count == 20_000)

    var nested = #"{"inside":[]}"#
    for _ in 0..<150 { nested = #"{"inside":[\#(nested),{"inside":[]}]}"# }
    try Routes.run(
      try Mapper(Nest.self), Array(nested.utf8), at: [], format: .json, pieceSizes: [100, 1000]
    ) { $0.description }
  }

  /// Contains itself.
  private struct Nest: Mappable, CustomStringConvertible {
    let inside: [Nest]

    static var mapping: Mapping<Nest> {
      .object(Nest.self) { field in field.make(Nest.init, field("inside", \.inside)) }
    }

    var description: String { "[\(inside.map(\.description).joined(separator: ","))]" }
  }

  @Test func `kinds of values that were given up are tried again`() throws {
    let bad = #"{"id":1,"points":[[null]]}"#
    let feed = ((0..<40).map { _ in bad } + (0..<2000).map { #"{"id":\#($0),"points":[[1]]}"# })
      .joined(separator: "\n")
    let records = try Routes.run(
      try Mapper(Self.item), Array(feed.utf8), at: [], format: .ndjson, pieceSizes: [1000]
    ) { "\($0)" }
    #expect(records.count == 2040)
    #expect(try records.last?.get().id == 1999)
  }

  // MARK: What is made

  @Test func `elements that are plain need no event, the first that is not leaves nothing behind`()
    throws
  {
    let text = "[[1,2.5],[],[3,null]]"
    let parts = ["[", "[", "1", "2.5", "]", "[", "]", "[", "3", "null", "]", "]"]
    let plan = try Mapper(Mapping<[[Double]]>.array(of: .array(of: .double))).plan
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { memory.deallocate() }
    let machine = Machine(
      plan: plan, builder: ValueBuilder(plan: plan), limits: Limits(), destination: memory)
    defer { machine.abandon() }
    machine.begin()
    machine.beginArray()
    let tokens = feedTokens(of: text, parts)
    let taken = Array(text.utf8).withUnsafeBufferPointer { bytes in
      tokens.withUnsafeBufferPointer { tokens in
        guard let first = tokens.baseAddress else { return 0 }
        let after = machine.takeAhead(
          first + 1, to: first + tokens.count, from: UInt(bitPattern: bytes.baseAddress))
        return after - first
      }
    }
    // Up to the third array.
    #expect(taken == 7)
    #expect(machine.frames.top.pointee.index == 2)
  }
}
