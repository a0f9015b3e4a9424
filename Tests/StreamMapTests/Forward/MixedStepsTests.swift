import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Paths that continue by a key and by an index at one place: what is there is of one kind, so the fields of the other kind
/// find something wrong.
@Suite struct MixedStepsTests {
  private struct Both: Equatable {
    let byKey: Int?
    let byIndex: Int?
  }

  @Test(arguments: [
    #"{"a":{"x":1}}"#, #"{"a":[1]}"#, #"{"a":null}"#, #"{"a":[]}"#, #"{}"#, #"{"a":7}"#,
  ])
  func `every route agrees on paths by key and by index`(_ text: String) throws {
    for mapping in [
      OutputMapping.object([
        OutputField("k", from: "a.x", .nullable(.any)),
        OutputField("i", from: "a[0]", .nullable(.any)),
      ]),
      OutputMapping.object([
        OutputField("k", from: "a.x", .nullable(.any, when: .missingOrInvalid)),
        OutputField("i", from: "a[0]", .nullable(.any, when: .missingOrInvalid)),
      ]),
    ] {
      let records = try Routes.run(output: mapping, text)
      try Routes.compare(try #require(records.first), mapping.definition, text)
    }
  }

  @Test(arguments: [
    #"{"x":1}"#, #"{"x":{"y":1}}"#, #"[1]"#, #"[0,{"y":2}]"#, "[]", "{}", "null", "7",
    #"{"a":{"x":1}}"#, #"{"a":[1,{"y":2}]}"#, #"{"a":[]}"#, #"{"a":7}"#,
  ])
  func `every route agrees on paths by key and by index from the value itself`(_ text: String)
    throws
  {
    for value in [
      OutputMapping.nullable(.any), .nullable(.any, when: .missingOrInvalid),
      .any.default(.number("7")),
    ] {
      let both = OutputMapping.object([
        OutputField("k", from: "x", value), OutputField("i", from: "[0]", value),
        OutputField("below", from: "[1].y", value),
        OutputField("several", from: .first("x.y", "[1].y"), value),
      ])
      let inside = OutputMapping.object([OutputField("in", from: "a", both)])
      let chosen = OutputMapping.firstOf(
        both, .object([OutputField("x", from: "x", .nullable(.raw))]))
      for mapping in [both, inside, chosen] {
        let records = try Routes.run(output: mapping, text)
        try Routes.compare(try #require(records.first), mapping.definition, text)
      }
    }
  }

  @Test(arguments: [
    #"{"kind":"a","k":[5,6]}"#, #"{"kind":"b","k":[5,6]}"#, #"{"kind":"b","k":[]}"#,
    #"{"kind":"c","k":[5,6]}"#, #"{"kind":"b","k":{"x":[1]}}"#, #"{"kind":"a","k":{"x":[1]}}"#,
    #"{"kind":"c","k":[[1],[2]]}"#,
  ])
  func `every route agrees on a list that one reads by index and another by its elements`(
    _ text: String
  ) throws {
    let elements: [OutputMapping] = [
      .array(of: .any), .array(of: .any, omitsInvalid: true), .array(of: .array(of: .any)),
    ]
    let byIndex = OutputMapping.object([OutputField("z", from: "[0]", .nullable(.any))])
    for list in elements {
      func field(_ mapping: OutputMapping) -> OutputMapping {
        .object([OutputField("k", from: "k", mapping)])
      }
      let chosen = OutputMapping.dispatch(
        on: "kind", ["a": field(byIndex), "b": field(list)], otherwise: field(.raw))
      for mapping in [
        chosen, field(.firstOf(list, byIndex)), field(.firstOf(byIndex, list)),
        .object([
          OutputField("z", from: "k[0]", .nullable(.any)), OutputField("k", from: "k", list),
        ]),
      ] {
        let records = try Routes.run(output: mapping, text)
        try Routes.compare(try #require(records.first), mapping.definition, text)
      }
    }
  }

  @Test func `encoding writes the kind of container that is there`() throws {
    let mapping = Mapping.object(Both.self) { field in
      field.make(
        Both.init, field("a.x", \.byKey, .nullable(.int, when: .missingOrInvalid)),
        field("a[1]", \.byIndex, .nullable(.int, when: .missingOrInvalid)))
    }
    let mapper = try Mapper(mapping)
    func text(_ value: Both) throws -> String {
      String(decoding: try mapper.encode(value), as: UTF8.self)
    }
    #expect(try text(Both(byKey: 1, byIndex: nil)) == #"{"a":{"x":1}}"#)
    #expect(try text(Both(byKey: nil, byIndex: 2)) == #"{"a":[null,2]}"#)
    #expect(try text(Both(byKey: nil, byIndex: nil)) == "{}")
  }
}
