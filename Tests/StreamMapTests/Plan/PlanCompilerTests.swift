import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The tables that the machine runs on.
@Suite struct PlanCompilerTests {
  private struct Row {
    let small: Bool
    let text: String?
    let number: Int8
    let deep: Double
    static let mapping = Mapping.object(Row.self) { field in
      field.make(
        Row.init, field("small", \.small), field("a.text", \.text), field("a.b[1]", \.number),
        field("z", \.deep))
    }
  }

  private func tables<Value>(_ mapping: Mapping<Value>) throws -> PlanTables {
    try PlanCompiler.compile(mapping.definition).tables
  }

  @Test func `slots, states and marks of an object lie side by side in its frame`() throws {
    let tables = try tables(Row.mapping)
    let object = tables.objects[tables.nodes[tables.root].pointee.child].pointee
    #expect(object.fieldCount == 4 && object.frameSize % 8 == 0 && object.statesOffset % 8 == 0)
    var end: Int32 = 0
    for number in 0..<object.fieldCount {
      let field = tables.fields[object.firstField + number].pointee
      let node = tables.nodes[field.node].pointee
      let operations = try #require(node.operations).takeUnretainedValue()
      #expect(field.offset >= end && Int(field.offset) % operations.alignment == 0)
      #expect(field.state == object.statesOffset + number)
      end = field.offset + Int32(operations.size)
    }
    #expect(object.statesOffset >= end)
    #expect(object.seenOffset == object.statesOffset + object.fieldCount)
    #expect(object.frameSize >= object.seenOffset + object.placeCount)
  }

  @Test func `places follow each other from the root into the depth`() throws {
    let tables = try tables(Row.mapping)
    let object = tables.objects[tables.nodes[tables.root].pointee.child].pointee
    #expect(object.placeCount == Int32(tables.places.count))
    for index in 0..<Int32(tables.places.count) {
      let place = tables.places[index].pointee
      #expect((place.parent == -1) == (index == object.rootPlace) && place.parent < index)
      if place.parent >= 0 {
        let parent = tables.places[place.parent].pointee
        #expect(index < place.parent + parent.subtreePlaceCount)
        #expect(index + place.subtreePlaceCount <= place.parent + parent.subtreePlaceCount)
      }
    }
    let steps = tables.steps.map { step in
      switch step {
      case .key(let key)?: key
      case .index(let index)?: "[\(index)]"
      case nil: "$"
      }
    }
    #expect(Set(steps) == ["$", "small", "a", "text", "b", "[1]", "z"] && steps.count == 7)
    let root = tables.places[object.rootPlace].pointee
    #expect(root.subtreePlaceCount == 7 && root.subtreeFieldCount == 4)
  }

  @Test func `an object is plain only if nothing but its own members matters`() throws {
    func isPlain(_ mapping: OutputMapping) throws -> Bool {
      let tables = try PlanCompiler.compile(mapping.definition).tables
      return tables.objects[tables.nodes[tables.root].pointee.child].pointee.isPlain
    }
    let fields = [OutputField("a", from: "a", .string)]
    #expect(try isPlain(.object(fields)))
    #expect(try !isPlain(OutputMapping.object(fields).unknownKeys(.report)))
    #expect(try !isPlain(.object(fields + [OutputField(collecting: "others")])))
    #expect(try !isPlain(.object(fields + [OutputField("whole", from: "$", .raw)])))
    #expect(try !isPlain(.object([OutputField("a", from: "[0]", .string)])))
    #expect(
      try !isPlain(.object([OutputField("a", from: .first("a", "b"), .string)])))
  }

  @Test func `a mapping that contains itself is compiled once`() throws {
    struct Tree { let children: [Tree], others: [String: Tree]? }
    let tree: Mapping<Tree> = .recursive { tree in
      Mapping.object(Tree.self) { field in
        field.make(
          Tree.init, field("children", \.children, .array(of: tree)),
          field("others", \.others, .dictionary(of: tree)))
      }
    }
    #expect(try tables(tree).objects.count == 1)
  }

  @Test func `texts whose result is known need no call, unless their source has rules`() throws {
    func hasTable(_ mapping: Mapping<Int>) throws -> Bool {
      let tables = try tables(mapping)
      return tables.nodes[tables.root].pointee.literalTable != nil
    }
    #expect(try hasTable(.enumeration(["A": 1, "B": 2])))
    #expect(try !hasTable(.int(from: .string)))
  }

  @Test func `all mistakes come together, each with its place`() {
    let mapping = OutputMapping.object([
      OutputField("x", from: "a..b", .string), OutputField("x", from: "c", .string),
      OutputField("list", from: "l", .array(of: .firstOf([]))),
    ])
    do {
      _ = try PlanCompiler.compile(mapping.definition)
      Issue.record("compiled")
    } catch {
      let places = error.mistakes.map { $0.path.map(\.description).joined(separator: " > ") }
      #expect(
        places.sorted() == [
          "record", "record > field 1 (x)", "record > field 3 (list) > [*]",
        ])
    }
  }
}
