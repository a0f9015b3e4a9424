import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Keys that occur twice in dictionaries and among collected members, by every route and against the interpreter.
@Suite struct DuplicateKeyTests {
  private static let policies: [DuplicateKeyPolicy] = [.last, .first, .report, .fail]

  /// The value or the error, then the issues, each with its path.
  private func outcome<Value>(_ record: Record<Value>, _ text: (Value) -> String) -> [String] {
    switch record.result {
    case .success(let value): [text(value)] + record.issues.map(Self.describe)
    case .failure(let error):
      (error.code == .severalErrors ? error.underlying.compactMap { $0 as? MappingError } : [error])
        .map(Self.describe)
    }
  }

  private static func describe(_ error: MappingError) -> String {
    "\(error.severity) \(error.code) \(error.path) \(error.position?.bytes.lowerBound ?? -1)"
  }

  private func typed<Value>(
    _ mapping: Mapping<Value>, _ document: String, _ text: (Value) -> String = { "\($0)" }
  ) throws -> [String] {
    let records = try Routes.run(
      try Mapper(mapping), Array(document.utf8), at: [], format: .json, text)
    let record = try #require(records.first)
    try Routes.compare(record, mapping.definition, document)
    return outcome(record, text)
  }

  private func written(_ mapping: OutputMapping, _ document: String) throws -> [String] {
    let record = try #require(try Routes.run(output: mapping, document).first)
    try Routes.compare(record, mapping.definition, document)
    return outcome(record) { $0.description }
  }

  private func sorted(_ value: [String: Int]) -> String {
    value.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
  }

  // The second "a" is written with an escape.
  private let document = #"{"a":1,"b":2,"\u0061":3}"#

  @Test func `each repetition is reported, also of a value at a path that has no name`() throws {
    let document = #"{"a":{"x":1},"a":{},"b":1,"\u0061":3}"#
    let issues = ["issue duplicateKey $.a 13", "issue duplicateKey $.a 26"]
    let named: OutputMapping = .object([OutputField("v", from: "a", .raw)])
    #expect(try written(named.duplicateKeys(.report), document) == [#"{"v":3}"#] + issues)
    #expect(try written(.at("a", .raw).duplicateKeys(.report), document) == ["3"] + issues)
  }

  @Test(
    arguments: zip(
      policies,
      [
        ["a=3 b=2"], ["a=1 b=2"], ["a=3 b=2", "issue duplicateKey $.a 13"],
        ["fatal duplicateKey $.a 13"],
      ]
    ))
  func `a dictionary keeps the policy for keys that come twice`(
    policy: DuplicateKeyPolicy, expected: [String]
  ) throws {
    let mapping: Mapping<[String: Int]> = .dictionary(of: .int).duplicateKeys(policy)
    #expect(try typed(mapping, document, sorted) == expected)
    let nullable: Mapping<[String: Int]?> = .nullable(.dictionary(of: .int)).duplicateKeys(policy)
    #expect(try typed(nullable, document) { sorted($0 ?? [:]) } == expected)
  }

  @Test(
    arguments: zip(
      policies,
      [
        ["b=2 e\u{301}=3", "issue duplicateKey $.e\u{301} 20"],
        ["b=2 \u{E9}=1", "issue duplicateKey $.e\u{301} 14"],
        ["b=2 e\u{301}=3", "issue duplicateKey $.e\u{301} 14"],
        ["fatal duplicateKey $.e\u{301} 14"],
      ]))
  func `two keys that only Swift takes for one are told by each policy`(
    policy: DuplicateKeyPolicy, expected: [String]
  ) throws {
    let document = "{\"\u{E9}\":1,\"b\":2,\"e\u{301}\":3}"
    let mapping: Mapping<[String: Int]> = .dictionary(of: .int).duplicateKeys(policy)
    #expect(try typed(mapping, document, sorted) == expected)
    // In output records they are two.
    let output = OutputMapping.dictionary(of: .any).duplicateKeys(policy)
    #expect(try written(output, document) == [document])
  }

  @Test func `one of many dictionaries loses a key, and is reported`() throws {
    let feed = "[{\"K\":1},{\"K\":1,\"\u{212A}\":{\"x\":2}},{\"a\":1},{\"K\":1,\"K\":2}]"
    let mapping: Mapping<[[String: RawJSON]]> = .array(of: .dictionary(of: .raw))
    let record = try #require(try Routes.run(mapping, feed).first)
    #expect(
      record.issues.map { "\($0.code) \($0.path)" } == ["duplicateKey $[1].\u{212A}"])
    let value = try record.get()
    #expect(value.map(\.count) == [1, 1, 1, 1])
    #expect(value[1].keys.first?.unicodeScalars.first == "\u{212A}")
    #expect(value[1].values.first?.description == #"{"x":2}"#)
    #expect(value[3]["K"]?.description == "2")
  }

  @Test func `two texts that a set of Strings takes for one are an error`() throws {
    let mapping: Mapping<Set<String>> = .set(of: .string)
    #expect(try typed(mapping, "[\"\u{E9}\",\"\u{E9}\"]") { "\($0.count)" } == ["1"])
    #expect(
      try typed(mapping, "[\"\u{E9}\",\"e\u{301}\"]") { "\($0.count)" }
        == ["fatal duplicateKey $ 0"])
    let both: Mapping<Set<[String]>> = .set(of: .array(of: .string))
    #expect(
      try typed(both, "[[\"\u{E9}\"],[\"e\u{301}\"]]") { "\($0.count)" }
        == ["fatal duplicateKey $ 0"])
  }

  @Test(
    arguments: zip(
      policies,
      [
        [#"{"a":3,"b":2}"#], [#"{"a":1,"b":2}"#],
        [#"{"a":3,"b":2}"#, "issue duplicateKey $.a 13"], ["fatal duplicateKey $.a 13"],
      ]))
  func `a dictionary in an output record keeps the policy`(
    policy: DuplicateKeyPolicy, expected: [String]
  ) throws {
    #expect(
      try written(OutputMapping.dictionary(of: .any).duplicateKeys(policy), document) == expected)
  }

  @Test(
    arguments: zip(
      policies,
      [
        [#"{"x":1}"#], [#"{"x":1}"#], [#"{"x":1}"#, "issue duplicateKey $.kind 19"],
        ["fatal duplicateKey $.kind 19"],
      ]))
  func `a member that chose the mapping and comes twice keeps the policy of what it chose`(
    policy: DuplicateKeyPolicy, expected: [String]
  ) throws {
    let document = #"{"x":1,"kind":"a", "\u006bind":"b","y":2}"#
    func one(_ name: String) -> OutputMapping {
      .object([OutputField(name, from: .path(name), .any)]).duplicateKeys(policy)
    }
    let mapping = OutputMapping.dispatch(on: "kind", ["a": one("x"), "b": one("y")])
    #expect(try written(mapping, document) == expected)
    let rest = OutputMapping.dispatch(on: "kind", ["b": one("y")], otherwise: one("x"))
    #expect(try written(rest, document) == expected)
    let inner = try written(
      .object([OutputField("v", from: "v", mapping)]), #"{"v":\#(document)}"#)
    #expect(
      inner
        == expected.map { line in
          line.replacing("{\"x\":1}", with: #"{"v":{"x":1}}"#)
            .replacing("$.kind 19", with: "$.v.kind 24")
        })
    let typed = Mapping<Int>.dispatch(
      on: "kind",
      [
        "a": Mapping.at("x", .int).duplicateKeys(policy),
        "b": Mapping.at("y", .int).duplicateKeys(policy),
      ])
    #expect(
      try self.typed(typed, document) == expected.map { $0.replacing("{\"x\":1}", with: "1") })
  }

  private struct Order: Equatable {
    let id: Int
    let others: [String: Int]
  }

  private let order = #"{"x":1,"id":7,"y":[2],"x":3,"\u0079":[4]}"#

  @Test(
    arguments: zip(
      policies,
      [
        [#"{"id":7,"others":{"x":3,"y":[4]}}"#], [#"{"id":7,"others":{"x":1,"y":[2]}}"#],
        [
          #"{"id":7,"others":{"x":3,"y":[4]}}"#, "issue duplicateKey $.x 22",
          "issue duplicateKey $.y 28",
        ],
        ["fatal duplicateKey $.x 22", "fatal duplicateKey $.y 28"],
      ]))
  func `collected members keep the policy of their object`(
    policy: DuplicateKeyPolicy, expected: [String]
  ) throws {
    #expect(
      try written(
        OutputMapping.object([
          OutputField("id", from: "id", .any), OutputField(collecting: "others"),
        ]).duplicateKeys(policy), order) == expected)
    struct Half: Equatable {
      let id: Int
      let others: [String: JSONValue]
    }
    let half = Mapping.object(Half.self) { field in
      field.make(
        Half.init, field("id", \Half.id), field(collecting: \Half.others)
      )
    }.duplicateKeys(policy)
    let text = try typed(half, order) { half in
      #"{"id":\#(half.id),"others":"#
        + JSONValue.object(half.others.sorted { $0.key < $1.key }.map { .init($0, $1) }).description
        + "}"
    }
    #expect(text == expected)
    // The same where a field takes the whole object, so that its members are met on the way of paths.
    let whole = OutputMapping.object([
      OutputField("whole", from: "$", .at("id", .any)), OutputField(collecting: "others"),
    ]).duplicateKeys(policy)
    let met = try #require(try Routes.run(output: whole, order).first)
    #expect(
      outcome(met) { $0.description } == expected.map { $0.replacing("\"id\"", with: "\"whole\"") })
  }

  @Test
  func `each repetition of a key is reported, and the last stays`() throws {
    let thrice = #"{"a":1,"a":2,"a":3}"#
    let expected = ["issue duplicateKey $.a 7", "issue duplicateKey $.a 13"]
    #expect(
      try typed(.dictionary(of: .int).duplicateKeys(.report), thrice, sorted) == ["a=3"] + expected)
    let collected = Mapping.object(Order.self) { field in
      field.make(
        Order.init, field("id", \.id, .int.default(0)), field(collecting: \.others)
      )
    }
    .duplicateKeys(.report)
    #expect(try typed(collected, thrice) { sorted($0.others) } == ["a=3"] + expected)
  }

  @Test
  func `the policy decides between two members where one is wrong`() throws {
    func outcome(_ policy: DuplicateKeyPolicy, _ document: String) throws -> [String] {
      try typed(.dictionary(of: .int).duplicateKeys(policy), document, sorted)
    }
    let firstWrong = #"{"a":"x","a":2}"#
    let lastWrong = #"{"a":1,"a":"x"}"#
    #expect(try outcome(.first, firstWrong) == ["fatal wrongType $.a 5"])
    #expect(try outcome(.first, lastWrong) == ["a=1"])
    #expect(try outcome(.report, firstWrong) == ["a=2", "issue duplicateKey $.a 9"])
    #expect(
      try outcome(.fail, firstWrong) == ["fatal wrongType $.a 5", "fatal duplicateKey $.a 9"])
    #expect(try outcome(.fail, lastWrong) == ["fatal duplicateKey $.a 7"])
  }

  @Test
  func `nested dictionaries have keys of their own`() throws {
    let document = #"{"a":{"x":1,"x":2},"b":{"x":3},"a":{"x":4,"y":{"z":[{}]}}}"#
    let inner = OutputMapping.dictionary(of: .raw).duplicateKeys(.report)
    #expect(
      try written(OutputMapping.dictionary(of: inner).duplicateKeys(.first), document) == [
        #"{"a":{"x":2},"b":{"x":3}}"#, "issue duplicateKey $.a.x 12",
      ])
    // What was said inside the member that is replaced goes with it.
    #expect(
      try written(OutputMapping.dictionary(of: inner).duplicateKeys(.report), document) == [
        #"{"a":{"x":4,"y":{"z":[{}]}},"b":{"x":3}}"#, "issue duplicateKey $.a 31",
      ])
    let list: Mapping<[[String: Int]]> = .array(of: .dictionary(of: .int).duplicateKeys(.fail))
    #expect(try typed(list, #"[{"a":1},{"a":2},{"a":3}]"#).count == 1)
  }

  @Test
  func `a lenient dictionary turns a forbidden key into an issue`() throws {
    let mapping: Mapping<[String: Int]> = .dictionary(of: .int).duplicateKeys(.fail)
      .default([:], when: .failing)
    #expect(try typed(mapping, document, sorted) == ["", "issue duplicateKey $.a 13"])
  }

  @Test
  func `a registry's policy holds where a mapping does not say`() throws {
    var registry = Registry()
    registry.duplicateKeys = .fail
    func error<Value>(_ mapping: Mapping<Value>, _ document: String) throws -> ErrorCode? {
      try Mapper(mapping, registry: registry).decode(document.utf8).error?.code
    }
    let order = Mapping.object(Order.self) { field in
      field.make(Order.init, field("id", \.id, .int.default(0)), field(collecting: \.others))
    }
    #expect(try error(.dictionary(of: .int), document) == .duplicateKey)
    #expect(try error([String: [String: Int]].mapping, #"{"k":{"a":1,"a":2}}"#) == .duplicateKey)
    #expect(try error(order, document) == .duplicateKey)
    #expect(try error(.dictionary(of: .int).duplicateKeys(.last), document) == nil)
    #expect(try error(order.duplicateKeys(.first), document) == nil)
  }

  @Test
  func `a member that is passed over does not count to the limit`() throws {
    var limits = Limits()
    limits.members = 2
    let mapping = OutputMapping.dictionary(of: .any).duplicateKeys(.first)
    let records = try Routes.run(output: mapping, #"{"a":1,"a":2,"a":3,"b":4}"#, limits: limits)
    #expect(records.first?.value?.description == #"{"a":1,"b":4}"#)
    let more = try Routes.run(output: mapping, #"{"a":1,"a":2,"b":3,"c":4}"#, limits: limits)
    #expect(more.first?.error?.code == .limitExceeded)
  }

  @Test
  func `records after a duplicate key are mapped as if first`() throws {
    let feed = #"{"a":1,"a":2}"# + "\n" + #"{"a":3}"# + "\n" + #"{"a":4,"a":"#
    let mapping: Mapping<[String: Int]> = .dictionary(of: .int).duplicateKeys(.fail)
    let records = try Routes.run(mapping, feed, format: .ndjson)
    #expect(records.map { $0.value?["a"] } == [nil, 3, nil])
    let parallel = try Mapper(mapping).records(in: Feed(Array(feed.utf8), format: .ndjson), jobs: 2)
    #expect(parallel.map { $0.value?["a"] } == [nil, 3, nil])
  }

  @Test
  func `a duplicate-key policy on a scalar mapping is a mistake`() {
    #expect {
      _ = try Mapper(Mapping<Int>.int.duplicateKeys(.fail))
    } throws: { error in
      "\(error)".contains("only a mapping made from fields or to a dictionary")
    }
  }
}
