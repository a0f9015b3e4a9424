import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What conditions leave out, and what cases choose, by every route.
@Suite struct ConditionTests {
  /// The output records, with the errors of those that have none.
  private func records(
    _ mapping: OutputMapping, _ feed: String, limits: Limits = Limits()
  ) throws -> [String] {
    try Routes.run(output: mapping, feed, format: .ndjson, limits: limits).map { record in
      record.value?.description ?? record.error.map(Self.text) ?? ""
    }
  }

  private static func text(_ error: MappingError) -> String {
    if error.code == .severalErrors {
      return error.underlying.compactMap { ($0 as? MappingError).map(text) }.joined(separator: "; ")
    }
    return "\(error.code) \(error.path)"
      + (error.target.map { " → \($0.relativeDescription)" } ?? "")
  }

  private static let id: OutputMapping = .object([OutputField("id", from: "id", .int64)])

  @Test(arguments: [
    (Condition.value(at: "status", .equalTo(500)), [1, 5]),
    (.value(at: "status"), [1, 2, 5]), (.nothing(at: "status"), [3, 4]),
    (.not(.value(at: "status", .equalTo(500))), [2, 3, 4]),
    (.all(.value(at: "status"), .value(at: "tags")), [2]),
    (.any(.value(at: "tags"), .value(at: "status", .equalTo(500))), [1, 2, 5]),
    (.calculated("(status ?? 0) >= 500"), [1, 5]), (.all([]), [1, 2, 3, 4, 5]), (.any([]), []),
    (.value(at: "user.name", .equalTo("é")), [4, 5]), (.field("id", .oneOf([3, 4])), [3, 4]),
    (.all(.field("id", .oneOf([1, 3])), .value(at: "status")), [1]),
    (.any(.field("id", .equalTo(3)), .calculated("user.name == 'é'")), [3, 4, 5]),
  ])
  func `a condition on the source or on fields keeps records`(
    _ condition: Condition, _ kept: [Int]
  ) throws {
    let feed = """
      {"id":1,"status":500,"user":{"name":"x"}}
      {"status":404,"id":2,"tags":[1,{"a":"}"}],"user":{"name":""}}
      {"id":3,"user":{"name":"y"}}
      {"id":4,"status":null,"user":{"name":"\\u00e9"}}
      {"id":5,"status":500,"user":{"name":"é"}}
      """
    #expect(
      try records(Self.id.filtered(by: condition), feed) == kept.map { #"{"id":\#($0)}"# })
  }

  @Test func `what a condition on the source leaves out need not fit`() throws {
    let feed = """
      {"kind":"a","id":"x","id":"y"}
      {"kind":"b","id":"x"}
      {"kind":"b","id":2}
      {"id":[1,2]}
      7
      """
    #expect(
      try records(Self.id.filtered(by: .value(at: "kind", .equalTo("b"))), feed)
        == ["wrongType $.id → id", #"{"id":2}"#])
    // One on fields is decided when they are there.
    #expect(
      try records(Self.id.filtered(by: .field("id", .equalTo(1))), feed)
        == [
          "wrongType $.id → id", "wrongType $.id → id", "wrongType $.id → id", "wrongType $ → ",
        ])
  }

  @Test func `a condition that cannot be decided is an error of the record`() throws {
    let mapping = Self.id.filtered(by: .calculated("end > start"))
    let feed = """
      {"id":1,"start":1,"end":2}
      {"id":2,"start":1,"end":0}
      {"id":3,"start":1}
      {"id":"x","start":"1","end":2}
      """
    #expect(
      try records(mapping, feed)
        == [#"{"id":1}"#, "missing $.end → ", "wrongType $.id → id; wrongType $.start → "])
  }

  @Test func `elements that are left out are not there, and are no issues`() throws {
    let line: OutputMapping = .object([OutputField("sku", from: "sku", .int64)])
    let mapping: OutputMapping = .object([
      OutputField(
        "open", from: "lines", .array(of: line, where: .value(at: "state", .equalTo("open")))),
      OutputField("big", from: "numbers", .array(of: .int64, where: .calculated("$ > 2"))),
      OutputField(
        "codes", from: "lines", .array(of: .at("sku", .any), where: .value(at: "state"))),
    ])
    let feed = #"""
      {"lines":[{"sku":1,"state":"open"},{"sku":"x","state":"shut"},{"state":"open","sku":3},{}],"numbers":[1,2,3,4]}
      {"lines":[],"numbers":[]}
      {"lines":[{"sku":"x","state":"open"},7],"numbers":["a"]}
      """#
    #expect(
      try records(mapping, feed) == [
        #"{"open":[{"sku":1},{"sku":3}],"big":[3,4],"codes":[1,"x",3]}"#,
        #"{"open":[],"big":[],"codes":[]}"#,
        "wrongType $.lines[0].sku → open[0].sku; wrongType $.numbers[0] → big[0]; "
          + "wrongType $.numbers[0] → big[0]",
      ])
  }

  @Test
  func `an alternative that is left out is not taken, and a field that is left out is absent`()
    throws
  {
    func one(_ kind: String, _ path: FieldSource) -> OutputMapping {
      OutputMapping.object([OutputField(kind, from: path, .any)])
        .filtered(by: .value(at: "kind", .equalTo(.string(kind))))
    }
    let mapping: OutputMapping = .object([
      OutputField(
        "either", from: "x",
        .nullable(.firstOf(one("a", "id"), one("b", "name"), reportsEarlier: false))),
      OutputField("alone", from: "x", one("a", "id").default(.string("none"))),
    ])
    let feed = #"""
      {"x":{"kind":"a","id":1}}
      {"x":{"kind":"b","name":2}}
      {"x":{"kind":"c"}}
      {}
      """#
    #expect(
      try records(mapping, feed) == [
        #"{"either":{"a":1},"alone":{"a":1}}"#, #"{"either":{"b":2},"alone":"none"}"#,
        #"{"either":null,"alone":"none"}"#, #"{"either":null,"alone":"none"}"#,
      ])
    #expect(
      try records(.object([OutputField("x", from: "x", one("a", "id"))]), feed)
        == [#"{"x":{"a":1}}"#, "missing $.x → x", "missing $.x → x", "missing $.x → x"])
  }

  @Test func `an operand that is too large is an error, not an absent value`() throws {
    var limits = Limits()
    limits.capturedValue = 20
    let mapping = Self.id.filtered(by: .value(at: "list"))
    #expect(
      try records(
        mapping, #"{"id":1,"list":[1]}"# + "\n" + #"{"id":2,"list":[1,2,3,4,5,6,7,8,9,10]}"#,
        limits: limits) == [#"{"id":1}"#, "limitExceeded $.list → "])
  }

  // MARK: Cases

  private static let cases = OutputField(
    "class",
    cases: [
      (.value(at: "status", .equalTo(500)), OutputField("", constant: "error")),
      (.calculated("ms > 1000"), OutputField("", from: "slow.class", .string)),
      (.value(at: "list"), OutputField("", calculated: "length(list) * 2", .int64)),
    ], otherwise: OutputField("", from: "level", .int64))

  @Test func `the first case whose condition holds makes the field`() throws {
    let feed = #"""
      {"status":500,"level":"x","ms":1,"slow":7}
      {"status":1,"ms":2000,"slow":{"class":"slow"},"level":true}
      {"ms":2,"list":[1,2,3],"slow":{"class":[]}}
      {"ms":2,"level":4,"slow":{"class":[]}}
      {"ms":2000,"level":4}
      {"ms":2000,"slow":{"class":1},"level":"x"}
      {"status":1}
      {"ms":2,"level":"x"}
      {"ms":2}
      """#
    #expect(
      try records(.object([OutputField("ms", from: "ms", .nullable(.any)), Self.cases]), feed) == [
        #"{"ms":1,"class":"error"}"#, #"{"ms":2000,"class":"slow"}"#, #"{"ms":2,"class":6}"#,
        #"{"ms":2,"class":4}"#, "missing $.slow.class → class", "wrongType $.slow.class → class",
        "missing $.ms → class", "wrongType $.level → class", "missing $.level → class",
      ])
  }

  @Test func `where no case holds, there is no value`() throws {
    func mapping(_ isNullable: Bool) -> OutputMapping {
      .object([
        OutputField(
          "v", cases: [(.value(at: "a"), OutputField("", from: "a", .int64))],
          isNullable: isNullable)
      ])
    }
    #expect(try records(mapping(true), #"{"a":1}"# + "\n{}") == [#"{"v":1}"#, #"{"v":null}"#])
    #expect(try records(mapping(false), "{}") == ["missing $ → v"])
  }

  @Test func `cases and calculated fields may stand inside arrays and without an object`() throws {
    let mapping: OutputMapping = .object([
      OutputField(
        "totals", from: "lines",
        .array(
          of: .value(
            of: OutputField("v", calculated: "price * qty", .decimal), duplicateKeys: .last))),
      OutputField("kinds", from: "lines", .array(of: .object([Self.cases]))),
    ])
    let feed =
      #"{"lines":[{"price":1.5,"qty":2,"status":500},{"price":2,"qty":3,"ms":1,"level":1}]}"#
    #expect(
      try records(mapping, feed)
        == [#"{"totals":[3,6],"kinds":[{"class":"error"},{"class":1}]}"#])
  }

  @Test func `what is wrong with conditions and cases is found when the mapping is compiled`() {
    func mistake(_ mapping: OutputMapping) -> String {
      do {
        _ = try Mapper(output: mapping)
        return "none"
      } catch {
        return error.mistakes.map(\.description).joined(separator: "\n")
      }
    }
    #expect(
      mistake(Self.id.filtered(by: .field("name")))
        == "record: the object has no field 'name', at which its condition looks")
    #expect(
      mistake(Self.id.filtered(by: .calculated("a +"))).contains(
        "calc 'a +', column 4: a value is missing at the end"))
    #expect(mistake(Self.id.filtered(by: .calculated("a + 1"))).contains("a condition takes"))
    #expect(mistake(Self.id.filtered(by: .value(at: "a."))).contains("a name is missing"))
    #expect(mistake(.object([OutputField("v", cases: [])])).contains("there are no cases"))
    #expect(
      mistake(.object([OutputField("v", cases: [(.all([]), Self.cases)])])).contains(
        "a case cannot have cases"))
    #expect(
      mistake(
        .object([
          OutputField("v", cases: [(.field("v"), OutputField("", constant: 1))])
        ])
      ).contains("looks at sources"))
  }

  @Test func `what is redacted is not shown by the errors of cases`() throws {
    let mapping: OutputMapping = .object([Self.cases.redacted()])
    #expect(
      try records(mapping, #"{"ms":2000,"slow":{"class":1}}"#) == ["wrongType $.slow.class → class"]
    )
  }

  // MARK: Rows and jobs

  @Test func `rows, tokens and several jobs give the same records`() throws {
    let mapping = OutputMapping.object([
      OutputField("id", from: "id", .int64),
      OutputField("total", calculated: "round((price ?? 0) * qty, 1)", .decimal),
      Self.cases,
      OutputField(
        "lines", from: "lines",
        .array(
          of: .object([OutputField("n", from: "n", .any)]), where: .value(at: "n", .min(2))
        ).default(.array([]))),
    ]).filtered(by: .all(.value(at: "keep", .equalTo(true)), .field("total", .max(100))))
    let lines = (0..<2000).map { number in
      [
        #"{"id":\#(number),"price":1.25,"qty":\#(number % 97),"keep":true,"level":3,"ms":\#(number % 3)}"#,
        #"{"id":\#(number),"qty":2,"keep":\#(number % 4 == 1),"status":500,"lines":[{"n":1},{"n":2},{"n":"x"},{"n":3}]}"#,
        #"{"keep":true,"ms":2000,"slow":{"class":"a\\b"},"qty":1,"id":\#(number)}"#,
        #"{"keep":true,"ms":2000,"slow":{"class":5},"qty":"x","id":\#(number)}"#,
        #"{"keep":true,"ms":1,"list":[1,2],"qty":1,"id":\#(number)}"#,
      ][number % 5]
    }
    let feed = Array(lines.joined(separator: "\n").utf8)
    var mapper = try Mapper(output: mapping)
    let rows = Array(try mapper.records(in: Feed(feed, format: .ndjson)))
    let several = Array(try mapper.records(in: Feed(feed, format: .ndjson), jobs: 3))
    mapper.parser = .yajl
    let others = Array(try mapper.records(in: Feed(feed, format: .ndjson)))
    let text = Routes.describe(rows) { $0.description }
    #expect(text == Routes.describe(others) { $0.description })
    #expect(text == Routes.describe(several) { $0.description })
    #expect(rows.count > 1500 && rows.contains { $0.error != nil })
  }
}

extension Rule where Value == JSONValue {
  /// A number that is not less.
  fileprivate static func min(_ least: Double) -> Rule {
    Rule("min", expecting: "at least \(least)") { Self.number($0).map { $0 >= least } ?? false }
  }

  fileprivate static func max(_ most: Double) -> Rule {
    Rule("max", expecting: "at most \(most)") { Self.number($0).map { $0 <= most } ?? false }
  }

  private static func number(_ value: JSONValue) -> Double? {
    if case .number(let text) = value { Double(text) } else { nil }
  }
}
