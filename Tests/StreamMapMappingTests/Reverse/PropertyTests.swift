import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Values are read from properties of all kinds: where they are stored, or by their code.
@Suite struct PropertyTests {
  private func text<Value>(_ mapping: Mapping<Value>, _ value: Value) throws -> String {
    String(decoding: try Mapper(mapping).encode(value), as: UTF8.self)
  }

  struct Inner: Equatable {
    var name: String
    var note: String?
    var size: Int32
    static let mapping = Mapping.object(Inner.self) { field in
      field.make(
        Inner.init, field("name", \.name), field("note", \.note), field("size", \.size))
    }
  }

  @propertyWrapper struct Doubled {
    private var half: Int
    init(wrappedValue: Int) { half = wrappedValue / 2 }
    var wrappedValue: Int {
      get { half * 2 }
      set { half = newValue / 2 }
    }
  }

  struct Outer {
    var flag: Bool
    var inner: Inner
    var maybe: Inner?
    var watched: Int { didSet { changes += 1 } }
    @Doubled var wrapped: Int
    var changes = 0
    var pair: (Int8, String)
    var computed: String { "<\(inner.name)>" }
    var leaf: Leaf
    weak var weak: Leaf?
    unowned var unowned: Leaf
  }

  class Leaf {
    var name: String
    let count: Int?
    lazy var late = name + "!"
    var seen: [String] { [name, late] }
    var watched: Double { willSet {} }

    init(_ name: String, count: Int? = nil) {
      self.name = name
      self.count = count
      watched = 0.5
    }

    static let mapping: Mapping<Leaf> = Mapping.object(Leaf.self) { field in
      field.make({ Leaf($0) }, field("name", \.name))
    }
  }

  final class Twig: Leaf {
    var tags: [String: Inner?] = [:]
    var next: Twig?
  }

  private static func outer(_ leaf: Leaf = Leaf("l"), maybe: Inner? = nil) -> Outer {
    Outer(
      flag: true, inner: Inner(name: "n", note: "o", size: -7), maybe: maybe, watched: 3,
      wrapped: 8, pair: (5, "p"), leaf: leaf, weak: leaf, unowned: leaf)
  }

  // What is decoded does not matter here.
  private static let stored = Mapping.object { field in
    field.make(
      { (_: Bool, _: String, _: String?, _: Inner?, _: String) in outer() },
      field("flag", \Outer.flag), field("deep.name", \.inner.name),
      field("deep.note", \.inner.note), field("maybe", \.maybe, Inner.mapping),
      field("pair", \.pair.1))
  }

  private static let byCode = Mapping.object { field in
    field.make(
      { (_: Int, _: Int, _: String, _: String, _: Leaf?, _: Leaf, _: Int?) in outer() },
      field("watched", \Outer.watched), field("wrapped", \.wrapped),
      field("computed", \.computed), field("leaf.name", \.leaf.name),
      field("weak", \.weak, Leaf.mapping), field("unowned", \.unowned, Leaf.mapping),
      field("leaf.count", \.leaf.count))
  }

  @Test func `a stored property is read where it is stored`() throws {
    for path in [\Outer.flag, \.inner.name, \.inner.note, \.maybe, \.pair.1]
      as [PartialKeyPath<Outer>]
    {
      #expect(MemoryLayout<Outer>.offset(of: path) != nil)
    }
    #expect(
      try text(Self.stored, Self.outer(maybe: Inner(name: "m", note: nil, size: .min)))
        == #"{"flag":true,"deep":{"name":"n","note":"o"},"maybe":{"name":"m","size":-2147483648},"#
        + #""pair":"p"}"#)
    var value = Self.outer()
    value.inner.note = nil
    #expect(try text(Self.stored, value) == #"{"flag":true,"deep":{"name":"n"},"pair":"p"}"#)
  }

  @Test func `a property without a place is read by its code`() throws {
    for path in [\Outer.watched, \.wrapped, \.computed, \.leaf.name, \.weak, \.unowned]
      as [PartialKeyPath<Outer>]
    {
      #expect(MemoryLayout<Outer>.offset(of: path) == nil)
    }
    let leaf = Leaf("l", count: 4)
    var value = Self.outer(leaf)
    #expect(
      try text(Self.byCode, value)
        == #"{"watched":3,"wrapped":8,"computed":"<n>","leaf":{"name":"l","count":4},"#
        + #""weak":{"name":"l"},"unowned":{"name":"l"}}"#)
    value.weak = nil
    value.leaf = Leaf("other")
    #expect(
      try text(Self.byCode, value)
        == #"{"watched":3,"wrapped":8,"computed":"<n>","leaf":{"name":"other"},"#
        + #""unowned":{"name":"l"}}"#)
    #expect(value.changes == 0)
  }

  // MARK: Classes

  private static let twig = Mapping.object { field in
    field.make(
      { (_: String, _: Int?, _: String, _: [String], _: Double, _: [String: Inner?]) in Twig("t") },
      field("name", \Twig.name), field("count", \.count), field("late", \.late),
      field("seen", \.seen), field("watched", \.watched),
      field("tags", \.tags, .dictionary(of: .nullable(Inner.mapping))))
  }

  @Test func `inherited and lazy properties are read`() throws {
    let twig = Twig("t", count: 9)
    twig.tags = ["b": nil, "a": Inner(name: "x", note: nil, size: 1)]
    #expect(
      try text(Self.twig, twig)
        == #"{"name":"t","count":9,"late":"t!","seen":["t","t!"],"watched":0.5,"#
        + #""tags":{"a":{"name":"x","size":1},"b":null}}"#)
  }

  @Test func `optionals of all kinds are written, nil as null`() throws {
    let inner = Inner(name: "i", note: nil, size: 0)
    let innerText = #"{"name":"i","size":0}"#
    #expect(
      try text(.array(of: .nullable(Inner.mapping)), [nil, inner, nil])
        == "[null,\(innerText),null]")
    #expect(try text(.nullable(Inner.mapping), inner) == innerText)
    #expect(
      try text(.array(of: .nullable(Leaf.mapping)), [Leaf("a"), nil]) == #"[{"name":"a"},null]"#)
    #expect(
      try text(.array(of: .nullable(.array(of: .string))), [["a"], nil, []])
        == #"[["a"],null,[]]"#)
    #expect(
      try text(.array(of: .nullable(.dictionary(of: .bool))), [["a": true], nil])
        == #"[{"a":true},null]"#)
    #expect(try text(.array(of: .nullable(.uint8)), [0, nil, 255]) == "[0,null,255]")
    #expect(try text(.array(of: .nullable(.double)), [1.5, nil]) == "[1.5,null]")
    #expect(try text(.array(of: .nullable(.json)), [.null, nil, true]) == "[null,null,true]")
  }

  // MARK: Encoders in use

  /// A mapping whose reverse encodes with the mapper that is at work.
  @Test func `a reverse function may encode by another mapper`() throws {
    let inner = try Mapper(Inner.mapping)
    let mapping: Mapping<Inner> = .converted(
      from: .string, { Inner(name: $0, note: nil, size: 0) },
      reverse: { String(decoding: try inner.encode($0), as: UTF8.self) })
    let value = Inner(name: "q", note: nil, size: 2)
    #expect(
      try text(.array(of: mapping), [value, value])
        == ##"["{\"name\":\"q\",\"size\":2}","{\"name\":\"q\",\"size\":2}"]"##)
  }

  @Test func `a mapper encodes correctly after a failure`() throws {
    let mapper = try Mapper(Mapping<[[String: Double]]>.array(of: .dictionary(of: .double)))
    for _ in 0..<3 {
      let error = #expect(throws: MappingError.self) {
        try mapper.encode([["a": 1], ["b": 2, "c": .nan]])
      }
      #expect(error?.path.description == "$[1].c")
      #expect(try mapper.encode([["a": 1]]) == Array(#"[{"a":1.0}]"#.utf8))
    }
  }

  @Test func `one mapper encodes on many threads`() async throws {
    let mapper = try Mapper(Mapping<[String]>.array(of: .string))
    await withTaskGroup(of: Bool.self) { group in
      for thread in 0..<8 {
        group.addTask {
          let value = (0..<100).map { "\(thread)-\($0)" }
          let expected = "[" + value.map { "\"\($0)\"" }.joined(separator: ",") + "]"
          return (0..<50).allSatisfy { _ in (try? mapper.encode(value)) == Array(expected.utf8) }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
