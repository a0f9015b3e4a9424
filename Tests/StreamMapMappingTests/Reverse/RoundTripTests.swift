import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What is encoded and decoded again is the same.
@Suite struct RoundTripTests {
  enum Kind: String, CaseIterable, Mappable {
    case plain
    case fancy = "very fancy"
    case none = ""
  }

  struct Leaf: Equatable, Mappable {
    var text: String
    var small: Int8
    var large: UInt64
    var number: Double
    var single: Float
    var exact: Decimal
    var flag: Bool?
    static var mapping: Mapping<Leaf> {
      Mapping.object(Leaf.self) { field in
        field.make(
          Leaf.init, field("text", \.text), field("n.small", \.small), field("n.large", \.large),
          field("number", \.number),
          field("single", \.single), field("exact", \.exact), field("flag", \.flag))
      }
    }
  }

  struct Node: Equatable, Mappable {
    var kind: Kind
    var leaf: Leaf?
    var list: [Int?]
    var table: [String: [Leaf]]
    var children: [Node]
    var url: URL?
    var uuid: UUID
    var date: Date
    var json: JSONValue
    static var mapping: Mapping<Node> {
      Mapping.object(Node.self) { field in
        field.make(
          Node.init, field("kind", \.kind), field("deep.leaf", \.leaf),
          field("list", \.list, .array(of: .nullable(.int))),
          field("table", \.table), field("children", \.children), field("url", \.url),
          field("deep.uuid", \.uuid),
          field("date", \.date), field("json", \.json))
      }
    }
  }

  private struct Maker {
    var random: SeededGenerator

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    mutating func text() -> String {
      var text = String.UnicodeScalarView()
      for _ in 0..<below(10) {
        let value = UInt32(below([0x20, 0x80, 0x800, 0x10000, 0x110000][below(5)]))
        if let scalar = Unicode.Scalar(value) { text.append(scalar) }
      }
      return String(text)
    }

    mutating func double() -> Double {
      let value = below(2) == 0 ? Double(bitPattern: random.next()) : Double(below(1000)) / 8
      return value.isFinite ? value : 0.1
    }

    mutating func leaf() -> Leaf {
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      return Leaf(
        text: text(), small: .random(in: .min ... .max, using: &random),
        large: .random(in: .min ... .max, using: &random),
        number: double(), single: float.isFinite ? float : 0.5,
        exact: Decimal(below(1_000_000_000)) / Decimal([1, 10, 1000][below(3)]),
        flag: [nil, true, false][below(3)])
    }

    mutating func json(_ depth: Int) -> JSONValue {
      switch below(depth > 2 ? 4 : 6) {
      case 0: .null
      case 1: .bool(below(2) == 0)
      case 2:
        .number(["0", "-0", "1.50", "1e400", "-12E-3", "123456789012345678901234567890"][below(6)])
      case 3: .string(text())
      case 4: .array((0..<below(3)).map { _ in json(depth + 1) })
      default: .object((0..<below(3)).map { JSONValue.Member("\($0)\(text())", json(depth + 1)) })
      }
    }

    mutating func node(_ depth: Int) -> Node {
      var table: [String: [Leaf]] = [:]
      for _ in 0..<below(3) { table[text()] = (0..<below(3)).map { _ in leaf() } }
      return Node(
        kind: Kind.allCases[below(3)], leaf: below(2) == 0 ? nil : leaf(),
        list: (0..<below(4)).map { below(3) == 0 ? nil : $0 }, table: table,
        children: depth > 2 ? [] : (0..<below(3)).map { _ in node(depth + 1) },
        url: below(2) == 0 ? nil : URL(string: "https://example.org/\(below(1000))?q=\(below(10))"),
        uuid: UUID(
          uuidString: "01234567-89AB-CDEF-0123-\(100_000_000_000 + below(899_999_999_999))")
          ?? UUID(),
        date: Date(timeIntervalSince1970: Double(below(4_000_000_000))), json: json(0))
    }
  }

  @Test func `a random value survives encoding and decoding`() throws {
    let mapper = try Mapper(Node.self)
    for seed in FuzzCount.seeds(300) {
      var maker = Maker(random: SeededGenerator(seed: seed))
      let value = maker.node(0)
      let encoded = try mapper.encode(value)
      let record = mapper.decode(encoded)
      if record.value != value {
        Issue.record(
          "seed \(seed): \(String(decoding: encoded, as: UTF8.self))\n\(record.error?.description ?? "")"
        )
      }
      #expect(try record.value.map(mapper.encode) == encoded, "seed \(seed)")
    }
  }
}
