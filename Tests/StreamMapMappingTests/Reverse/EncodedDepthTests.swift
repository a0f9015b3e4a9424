import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What is encoded is no deeper than what is decoded.
@Suite struct EncodedDepthTests {
  private final class Node {
    var next: Node?
    var list: [Node]?

    init(next: Node? = nil, list: [Node]? = nil) {
      self.next = next
      self.list = list
    }

    static let mapping: Mapping<Node> = .recursive { node in
      Mapping.object(Node.self) { field in
        field.make(
          { Node(next: $0, list: $1) }, field("next", \.next, node),
          field("list", \.list, .array(of: node)))
      }
    }
  }

  private static func chain(_ levels: Int, _ wrap: (Node) -> Node) -> Node {
    (1..<max(levels, 1)).reduce(Node()) { node, _ in wrap(node) }
  }

  private func levels(_ levels: Int, by limits: Limits = Limits()) throws -> MappingError? {
    let mapper = try Mapper(Node.mapping, limits: limits)
    do {
      let text = try mapper.encode(Self.chain(levels) { Node(next: $0) })
      _ = try mapper.decode(text).get()
      return nil
    } catch {
      return error
    }
  }

  @Test func `as many levels are encoded as are decoded`() throws {
    #expect(try levels(512) == nil)
    let error = try levels(513)
    #expect(error?.code == .limitExceeded)
    #expect(error?.expected == "at most 512 levels of nesting (Limits.depth)")
    #expect(error?.path.components.count == 512)
    var limits = Limits()
    limits.depth = 20
    #expect(try levels(20, by: limits) == nil)
    #expect(try levels(21, by: limits)?.path.components.count == 20)
    limits.depth = 700
    #expect(try levels(700, by: limits) == nil)
    #expect(try levels(701, by: limits)?.code == .limitExceeded)
  }

  @Test func `a cycle is an error`() throws {
    let mapper = try Mapper(Node.mapping)
    let cycle = Node()
    cycle.next = Node(next: cycle)
    let error = #expect(throws: MappingError.self) { try mapper.encode(cycle) }
    #expect(error?.code == .limitExceeded)
    cycle.next = nil
    let around = Node(list: [Node(list: [])])
    around.list?[0].list = [Node(), around]
    #expect(throws: MappingError.self) { try mapper.encode(around) }
    around.list = nil
    // The mapper is as good as before.
    #expect(try mapper.encode(cycle) == Array("{}".utf8))
  }

  @Test func `levels of JSON in a value count, too`() throws {
    var limits = Limits()
    limits.depth = 10
    func text(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + #""[\"[[""# + String(repeating: "]", count: levels)
    }
    let raw = try Mapper(Mapping<[RawJSON]>.array(of: .raw), limits: limits)
    let json = try Mapper(Mapping<[JSONValue]>.array(of: .json), limits: limits)
    let free = try Mapper(Mapping<JSONValue>.json)
    func encode(_ levels: Int) throws {
      let one = RawJSON(unchecked: Array("1".utf8))
      let deep = RawJSON(unchecked: Array(text(levels).utf8))
      _ = try raw.decode(raw.encode([one, deep])).get()
    }
    func encodeTree(_ levels: Int) throws {
      _ = try json.decode(json.encode([1, free.decode(text(levels).utf8).get()])).get()
    }
    try encode(9)
    try encodeTree(9)
    for tooDeep in [encode, encodeTree] {
      let error = #expect(throws: MappingError.self) { try tooDeep(10) }
      #expect(error?.code == .limitExceeded && error?.path.description == "$[1]")
    }
  }

  @Test func `the deepest value is encoded on a thread with a stack of 512 KiB`() throws {
    let mapper = try Mapper(Node.mapping)
    for wrap in [{ Node(next: $0) }, { Node(list: [$0]) }] as [@Sendable (Node) -> Node] {
      let problem = try onThread(stack: 512 << 10) { () -> String? in
        let most = wrap(Node()).list == nil ? 512 : 256
        do {
          let text = try mapper.encode(Self.chain(most, wrap))
          return text.isEmpty ? "nothing" : nil
        } catch {
          return "\(error)"
        }
      }
      #expect(problem == nil)
    }
  }
}
