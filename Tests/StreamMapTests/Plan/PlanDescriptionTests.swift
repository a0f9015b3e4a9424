import Testing

@testable import StreamMap

/// What a plan says of itself.
@Suite struct PlanDescriptionTests {
  private func explain(_ mapping: OutputMapping) throws -> String {
    try Mapper(output: mapping).plan.description
  }

  @Test func `a plan describes scalars and what stands in for them`() throws {
    #expect(try explain(.raw) == "$: json")
    #expect(try explain(.uint16) == "$: uint16")
    #expect(try explain(.url(schemes: ["http", "ftp"])) == "$: url(http, ftp)")
    #expect(
      try explain(.string.default(.string("x"), when: .missingOrInvalid))
        == "$: string, absent or null: 'x' and an issue, invalid: 'x' and an issue")
    #expect(
      try explain(.number.default(.array([.number("1"), .bool(true)])))
        == "$: number, absent or null: [1, true]")
  }

  @Test func `a plan describes containers and their elements`() throws {
    #expect(
      try explain(.array(of: .date, omitsInvalid: true))
        == "$: array of date (invalid ones left out)")
    #expect(
      try explain(.dictionary(of: .array(of: .nullable(.any))))
        == "$: dictionary of array of any, absent or null: null")
  }

  @Test func `a plan describes each field with its source`() throws {
    let inner = OutputMapping.object([
      OutputField("x", from: "x[2]", .uuid), OutputField("all", from: "$", .raw),
    ])
    let mapping = OutputMapping.object([
      OutputField("id", from: "a.b['c.d']", .int64),
      OutputField("list", from: "l", .array(of: inner)),
      OutputField("kind", constant: .string("k")), OutputField("one", from: "o", .nullable(inner)),
    ])
    #expect(
      try explain(mapping) == """
        $: record
          a.b['c.d'] → id: int64
          l → list: array of record
            x[2] → x: uuid
            $ → all: json
          constant 'k' → kind
          o → one: record, absent or null: null
            x[2] → x: uuid
            $ → all: json
        """)
  }

  struct Tree: Mappable {
    let name: String?
    let children: [Tree]
    let count: Int
    static var mapping: Mapping<Tree> {
      Mapping.object(Tree.self) { field in
        field.make(
          Tree.init, field("name", \.name), field("children", \.children),
          field("count", \.count, .converted(from: .string, { $0.count }, reverse: { "\($0)" })))
      }
    }
  }

  @Test func `a plan describes a recursive type once`() throws {
    let text = try Mapper(Tree.self).plan.description
    let expected = """
      $: Tree
        name → name: string, absent or null: nil
        children → children: array of Tree
          … as above
        count → count: from string
      """
    #expect(text == expected)
  }
}
