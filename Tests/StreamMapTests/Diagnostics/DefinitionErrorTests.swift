import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Mistakes of a mapping: all of them, each with its place.
@Suite struct DefinitionErrorTests {
  struct Pair {
    var x: Int?
    let y: [Int?]
  }

  final class Loop: Mappable {
    static var mapping: Mapping<Loop> { .declared }
  }

  @Test func `all mistakes of a mapping are thrown together with their places`() {
    let inner = Mapping.object { field in
      field.make(
        { (x: Int?, y: [Int?]) in Pair(x: x, y: y) }, field("a[", \.x),
        field("b[*]", \.y, .array(of: .nullable(.int))))
    }
    let mapping: Mapping<[String: [Pair]]> = .dictionary(of: .array(of: inner))
    let error = #expect(throws: DefinitionError.self) { try Mapper(mapping) }
    #expect(
      error?.description == """
        2 mistakes in the mapping:
          - {*}, [*], Pair, field 1 (x): path 'a[': it ends inside [ (at character 3)
          - {*}, [*], Pair, field 2 (y): path 'b[*]': [*] means several values here (at character 2)
        """)
  }

  @Test func `a property that cannot be written is a mistake`() {
    let mapping = Mapping.object(Pair.self) { field in
      field.make(
        creating: { Pair(y: []) }, field("x", \Pair.x),
        field("y", \Pair.y, .array(of: .nullable(.int))))
    }
    let error = #expect(throws: DefinitionError.self) { try Mapper(mapping) }
    #expect(
      error?.mistakes.map(\.description) == [
        "Pair, field 2 (y): the property cannot be written; give an initialiser that takes the fields instead"
      ])
  }

  @Test func `a mapping that refers only to itself is a mistake`() {
    let error = #expect(throws: DefinitionError.self) { try Mapper(Loop.self) }
    #expect(error?.mistakes.map(\.description) == ["the mapping: Loop refers only to itself"])
  }

  @Test func `two output fields of one name are a mistake`() {
    let mapping = OutputMapping.object([
      OutputField("a", from: "x", .any), OutputField("b", from: "y", .any),
      OutputField("a", constant: .null),
    ])
    let error = #expect(throws: DefinitionError.self) { try Mapper(output: mapping) }
    #expect(error?.mistakes.map(\.description) == ["record: fields 1 and 3 both map to 'a'"])
  }

  @Test
  func `each mistake has the steps that lead to it as data`() throws {
    let mapping = OutputMapping.object([
      OutputField(
        "a", from: "a",
        .array(
          of: .dictionary(of: .firstOf([.string, .dispatch(on: "t", [("u", .firstOf([]))])])))
      ),
      OutputField("b", from: "b", .dispatch(byKind: [(.string, .any)], otherwise: .firstOf([]))),
      OutputField("c", from: "c[", .any),
    ])
    let error = #expect(throws: DefinitionError.self) { try Mapper(output: mapping) }
    #expect(
      error?.mistakes.map(\.path) == [
        [
          .object("record"), .field(1, "a"), .elements, .members, .alternative(2),
          .dispatchCase("u"),
        ],
        [.object("record"), .field(2, "b"), .otherCases],
        [.object("record"), .field(3, "c")],
      ])
    #expect(
      error?.mistakes.first?.place
        == "record, field 1 (a), [*], {*}, alternative 2, case 'u'")
    let mapper = try Mapper(output: .any)
    let paths = #expect(throws: DefinitionError.self) { try mapper.stream(at: ["$.a", "$.b["]) }
    #expect(paths?.mistakes.map(\.path) == [[.recordPath(2)]])
    let inside = #expect(throws: DefinitionError.self) { try mapper.stream(at: ["$.a.b", "$.a"]) }
    #expect(inside?.mistakes.map(\.path) == [[.recordPath(2)]])
  }

  @Test
  func `all mistakes of records, context and paths come together`() throws {
    let error = #expect(throws: DefinitionError.self) {
      try OutputPlan(
        .firstOf([]), at: [try PathPattern(parsing: "$.a")],
        context: [
          ContextDefinition("c", at: try PathPattern(parsing: "$.c"), .any, standIn: nil),
          ContextDefinition("d", at: try PathPattern(parsing: "$.a"), .firstOf([]), standIn: nil),
        ])
    }
    #expect(error?.mistakes.map(\.path) == [[], [.contextValue(2)], [.contextValue(2)]])
  }
}
