import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// How many elements and members a mapped collection takes, at the limit and one beyond it, by every route.
@Suite struct CollectionLimitTests {
  struct Holder: Equatable {
    let list: [Int]?
    let table: [String: Int]?
  }

  private func limits(_ change: (inout Limits) -> Void) -> Limits {
    var limits = Limits()
    change(&limits)
    return limits
  }

  private func error(
    _ feed: String, _ mapping: OutputMapping, _ change: (inout Limits) -> Void
  ) throws -> MappingError? {
    try #require(Routes.run(output: mapping, feed, limits: limits(change)).first).error
  }

  @Test(arguments: [0, 1, 3]) func `an array one element beyond the limit fails at that element`(
    limit: Int
  ) throws {
    let inside: [(OutputMapping, String)] = [
      (.int8, "1"), (.array(of: .any), "[1,2]"),
      (.raw, #"{"a":[{}]}"#), (.object([OutputField("a", from: "a", .any)]), #"{"a":1}"#),
      (.nullable(.any), "null"),
    ]
    for (element, text) in inside {
      let mapping = OutputMapping.object([OutputField("x", from: "x", .array(of: element))])
      func feed(_ count: Int) -> String {
        "{\"x\":[" + Array(repeating: text, count: count).joined(separator: ",") + "]}"
      }
      // Arrays inside have two elements.
      let whole = max(limit, text.hasPrefix("[") ? 2 : 0)
      #expect(try error(feed(limit), mapping) { $0.elements = whole } == nil)
      for count in [whole + 1, whole + 2, whole + 9] {
        let error = try #require(try error(feed(count), mapping) { $0.elements = whole })
        let start = 6 + whole * (text.utf8.count + 1)
        #expect(
          error.description
            == "fatal limitExceeded at $.x[\(whole)] → x[\(whole)] (record 1, line 1, column \(start + 1), "
            + "bytes \(start)..<\(start + text.utf8.count)): expected at most \(whole) elements in a mapped array "
            + "(Limits.elements), found more")
      }
    }
  }

  @Test(arguments: [0, 1, 3]) func `an object one member beyond the limit fails at that member`(
    limit: Int
  ) throws {
    for (value, text) in [(OutputMapping.any, "1"), (.raw, "{}"), (.array(of: .any), "[2]")] {
      func feed(_ count: Int, _ key: (Int) -> String) -> String {
        "{" + (0..<count).map { "\"\(key($0))\":\(text)" }.joined(separator: ",") + "}"
      }
      let mapping = OutputMapping.dictionary(of: value)
      #expect(try error(feed(limit) { "k\($0)" }, mapping) { $0.members = limit } == nil)
      // A key that occurs again counts again.
      for key in [{ "k\($0)" }, { _ in "same" }] as [(Int) -> String] {
        for count in [limit + 1, limit + 4] {
          let error = try #require(try error(feed(count, key), mapping) { $0.members = limit })
          #expect(error.code == .limitExceeded)
          #expect(error.path.description == "$.\(key(limit))")
          #expect(
            error.message
              == "expected at most \(limit) members in a mapped object (Limits.members), found more"
          )
        }
      }
    }
  }

  @Test(arguments: [0, 1, 3]) func `collected members are limited like those of objects`(limit: Int)
    throws
  {
    let mapping = OutputMapping.object([
      OutputField("id", from: "id", .nullable(.any)), OutputField(collecting: "rest"),
    ])
    func feed(_ count: Int) -> String {
      "{" + (0..<count).map { "\"k\($0)\":[\($0)]," }.joined() + "\"id\":1}"
    }
    #expect(try error(feed(limit), mapping) { $0.members = limit } == nil)
    for count in [limit + 1, limit + 4] {
      let error = try #require(try error(feed(count), mapping) { $0.members = limit })
      #expect(error.path.description == "$.k\(limit)")
      #expect(error.target?.relativeDescription == "rest")
      #expect(
        error.message.contains("members in a mapped object (Limits.members)"))
    }
  }

  @Test func `a collected member counts with its key`() throws {
    let mapping = OutputMapping.object([OutputField(collecting: "rest")])
    let key = String(repeating: "k", count: 1000)
    #expect(try error("{\"\(key)\":null}", mapping) { $0.capturedValue = 1100 } == nil)
    let error = try error("{\"\(key)\":null}", mapping) { $0.capturedValue = 999 }
    #expect(error?.code == .limitExceeded)
  }

  /// Not mapped, or mapped by an index: not limited.
  @Test func `collections that are not mapped are not limited`() throws {
    let mapping = OutputMapping.object([
      OutputField("a", from: "x[2]", .any), OutputField("j", from: "x", .raw),
    ])
    let change: (inout Limits) -> Void = {
      $0.elements = 0
      $0.members = 0
    }
    #expect(try error(#"{"x":[1,2,3,4],"y":[1],"z":{"a":1}}"#, mapping, change) == nil)
  }

  /// What stands in for wrong values stands in for what is too long, which is an issue then.
  @Test func `nil stands in for a collection too long, with an issue`() throws {
    let mapping: Mapping<Holder> = Mapping.object(Holder.self) { field in
      field.make(
        Holder.init,
        field(
          "list", \.list, .nullable(.array(of: .int, omitsInvalid: true), when: .missingOrInvalid)),
        field("table", \.table, .nullable(.dictionary(of: .int), when: .missingOrInvalid)))
    }
    let small = limits {
      $0.elements = 2
      $0.members = 1
    }
    // Elements that are left out count, too.
    let records = try Routes.run(
      mapping, #"{"list":[1,"x",3],"table":{"a":1,"b":2}}"#, limits: small)
    let record = try #require(records.first)
    #expect(record.value == Holder(list: nil, table: nil))
    #expect(record.issues.map(\.code) == [.wrongType, .limitExceeded, .limitExceeded])
    #expect(
      try Routes.run(mapping, #"{"list":[1,"x"],"table":{"a":1}}"#, limits: small).first?.value
        == Holder(list: [1], table: ["a": 1]))
  }

  /// The next collection starts again, and a duplicate of one that was too long replaces it.
  @Test func `a collection too long does not touch the others`() throws {
    let mapping = Mapping<[[Int]]>.array(of: .array(of: .int))
    let records = try Routes.run(
      mapping, "[[1,2],[3,4]] [[1,2,3],[4]] [[5,6]]", format: .concatenated,
      limits: limits { $0.elements = 2 })
    #expect(records.map { $0.value } == [[[1, 2], [3, 4]], nil, [[5, 6]]])
    let duplicate = OutputMapping.object([OutputField("x", from: "x", .array(of: .any))])
    #expect(try error(#"{"x":[1,2,3],"x":[1]}"#, duplicate) { $0.elements = 2 } == nil)
  }

  @Test func `the limit of elements holds with any number of jobs`() throws {
    let mapper = try Mapper(
      Mapping<[Int]>.array(of: .int), limits: limits { $0.elements = 3 })
    let feed = Array("[1,2,3]\n[1,2,3,4]\n[5]\n".utf8)
    for jobs in [1, 3] {
      let records = try mapper.records(in: Feed(feed, format: .ndjson), jobs: jobs)
      #expect(records.map { $0.error?.code } == [nil, .limitExceeded, nil])
    }
  }

  // MARK: Errors

  /// A duplicate decides on members that fail, however many there are.
  @Test func `a later duplicate replaces a member that failed`() throws {
    let mapping = OutputMapping.dictionary(of: .int8)
    let records = try Routes.run(
      output: mapping, #"{"a":"x","b":[1],"c":3,"a":1,"b":2} {"a":"x","b":1,"b":"y","a":1}"#,
      format: .concatenated)
    #expect(records.first?.value?.description == #"{"a":1,"b":2,"c":3}"#)
    #expect(records.first?.issues.count == 0)
    #expect(records.last?.error?.path.description == "$.b")
    // All fail, and all but one are replaced: looking through those that failed at each key would take minutes.
    let count = 50_000
    let failing = (0..<count).map { "\"k\($0)\":\"\"" }
    let good = (1..<count).map { "\"k\($0)\":1" }
    let error = try #require(
      try Mapper(output: mapping).decode(("{" + (failing + good).joined(separator: ",") + "}").utf8)
        .error)
    #expect(error.underlying.count == 1)
    #expect((error.underlying.first as? MappingError)?.path.description == "$.k0")
  }

  @Test func `what was left out of a value that is replaced is no error of the record`() throws {
    let mapping = OutputMapping.object([
      OutputField(
        "x", from: "x", OutputMapping.array(of: .int8).default(nil, when: .missingOrInvalid)),
      OutputField("y", from: "y", .int8),
    ])
    let error = try #require(
      try error(#"{"x":["a","b","c","d","e"],"y":"f"}"#, mapping) { $0.errorsPerRecord = 2 })
    #expect(error.path.description == "$.y")
    #expect(error.code == .wrongType)
  }

  @Test func `however many values are replaced, as many issues are kept as the limit says`() throws
  {
    let element = OutputMapping.object([
      OutputField("a", from: "a", .int8), OutputField("b", from: "b", .int8),
    ])
    let mapping = OutputMapping.array(of: element.default(nil, when: .missingOrInvalid))
    var limits = Limits()
    limits.errorsPerRecord = 3
    let elements = Array(repeating: "{}", count: 50).joined(separator: ",")
    for parser in RecordParser.allCases {
      var mapper = try Mapper(output: mapping, limits: limits)
      mapper.parser = parser
      let result = mapper.decode("[\(elements)]".utf8)
      #expect(result.value != nil && result.issues.count == 3)
    }
  }

  @Test func `an error after too many issues is still told`() throws {
    let mapping = OutputMapping.object([
      OutputField("x", from: "x", .array(of: .int8, omitsInvalid: true)),
      OutputField("y", from: "y", .int8),
      OutputField("z", from: "z", .array(of: .int8, omitsInvalid: true)),
    ])
    let error = try #require(
      try error(#"{"x":["a","b","c"],"y":"d","z":["e"]}"#, mapping) { $0.errorsPerRecord = 2 })
    #expect(error.path.description == "$.y")
    #expect(error.code == .wrongType)
  }
}
