import Testing

@testable import StreamMap

/// Which parts of a record a plan asks for.
@Suite struct SelectionBuilderTests {
  private func selection(_ definition: Definition) throws -> Selection {
    try PlanCompiler.compile(definition).tables.selection
  }

  /// The parts as text: members and elements by name, `*` for the others, `kind` where only the kind is seen.
  private func describe(_ node: Selection.Node, of selection: Selection) -> String {
    switch node {
    case Selection.skip: return "-"
    case Selection.keep: return "all"
    case Selection.presence: return "kind"
    default: break
    }
    let parts = selection.parts[node - 3]
    var texts = parts.members.map { "\($0.key.text):" + describe($0.value.node, of: selection) }
    texts.sort()
    if parts.otherMembers != Selection.skip {
      texts.append("*:" + describe(parts.otherMembers, of: selection))
    }
    texts += parts.elements.sorted { $0.key < $1.key }.map {
      "[\($0.key)]:" + describe($0.value.node, of: selection)
    }
    if parts.otherElements != Selection.skip {
      texts.append("[*]:" + describe(parts.otherElements, of: selection))
    }
    return "{" + texts.joined(separator: ",") + "}"
  }

  private func describe(_ mapping: OutputMapping) throws -> String {
    let selection = try selection(mapping.definition)
    return describe(selection.root, of: selection)
  }

  private func object(_ sources: String...) -> OutputMapping {
    .object(sources.map { OutputField($0, from: .path($0), .string) })
  }

  @Test func `a plan asks for the parts that its fields name`() throws {
    // A record has a node of its own.
    #expect(try describe(.string) == "{}")
    #expect(try describe(.raw) == "{*:all,[*]:all}")
    #expect(try describe(object("a", "b.c", "b.d")) == "{a:kind,b:{c:kind,d:kind}}")
    #expect(try describe(object("a[2]", "a[0].x")) == "{a:{[0]:{x:kind},[2]:kind}}")
    #expect(try describe(.array(of: object("a"))) == "{[*]:{a:kind}}")
    #expect(try describe(.dictionary(of: .raw)) == "{*:all}")
    #expect(try describe(.object([OutputField("b", from: "b", .raw)])) == "{b:all}")
  }

  @Test func `what happens to other members decides how much of them is seen`() throws {
    #expect(try describe(object("a").unknownKeys(.ignore)) == "{a:kind}")
    #expect(try describe(object("a").unknownKeys(.report)) == "{a:kind,*:kind}")
    let collects: OutputMapping = .object([
      OutputField("a", from: "a", .string), OutputField(collecting: "others"),
    ])
    #expect(try describe(collects) == "{a:kind,*:all}")
  }

  @Test func `one of several mappings needs what any of them needs`() throws {
    #expect(
      try describe(.firstOf([object("a.x"), object("a.y", "b")])) == "{a:{x:kind,y:kind},b:kind}")
    #expect(
      try describe(.dispatch(on: "k.t", [("1", object("a"))], otherwise: .array(of: .string)))
        == "{a:kind,k:{t:kind},[*]:kind}")
    #expect(try describe(.firstOf([object("a"), .raw])) == "{*:all,[*]:all}")
  }

  @Test func `only where one mapping wants a member does the member carry its place`() throws {
    let one = try selection(object("a", "b").definition)
    let tags = Set(one.parts[one.root - 3].members.values.map(\.tag))
    #expect(tags.count == 2 && !tags.contains(0))
    let two = try selection(OutputMapping.firstOf([object("a"), object("a", "b")]).definition)
    #expect(two.parts[two.root - 3].members.values.allSatisfy { $0.tag == 0 })
  }

  @Test func `the selection of a recursive mapping is finite and leads back to itself`() throws {
    struct Tree { let name: String, children: [Tree] }
    let tree: Mapping<Tree> = .recursive { tree in
      Mapping.object(Tree.self) { field in
        field.make(
          Tree.init, field("name", \.name), field("children", \.children, .array(of: tree)))
      }
    }
    let selection = try selection(tree.definition)
    #expect(selection.parts.count <= 4)
    var node = selection.root
    var visited: Set<Selection.Node> = []
    while visited.insert(node).inserted {
      let parts = selection.parts[node - 3]
      #expect(parts.members[ExactText("name")]?.node == Selection.presence)
      let children = try #require(parts.members[ExactText("children")]?.node)
      node = selection.parts[children - 3].otherElements
    }
  }
}
