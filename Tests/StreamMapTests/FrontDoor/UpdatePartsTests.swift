import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Card: Equatable {
  var name: String? = "old"
  var city: String? = "old"
  var code: Int? = 1
  var inner = Inner(a: "old", b: "old")
  var kind = "old"

  struct Inner: Equatable {
    var a: String?
    var b: String?
    static let mapping = Mapping.object(Inner.self) { field in
      field.make(
        creating: { Inner(a: nil, b: nil) }, field("a", \.a), field("b", \.b))
    }
  }
}

/// Fields whose source is the whole object, in updates: there where one of their parts is.
@Suite struct UpdatePartsTests {
  private static let name: Mapping<String?> = .joined(
    Part("first", .nullable(.string)), Part("last", .nullable(.string)),
    by: { first, last in first.map { "\($0) \(last ?? "-")" } ?? last })
  private static let present: Mapping<String?> = .nullable(.string).notNull()

  private static let card = Mapping.object(Card.self) { field in
    field.make(
      creating: { Card() },
      field("$", \.name, name),
      field("$", \.city, .at("home.city", .nullable(.string))),
      field(
        "$", \.code, .firstOf(.at("code", .nullable(.int)), .at("zip", .nullable(.int)))),
      field("$", \.inner, Card.Inner.mapping),
      field(
        "$", \.kind,
        .dispatch(on: "type", ["x": .at("x", .string), "y": .at("y", .string.default("none"))])))
  }

  /// What the document changes, property by property.
  private func changes(
    _ document: String, _ mapping: Mapping<Card> = card, absent: AbsentUpdate = .untouched,
    onNull null: NullUpdate = .clear
  ) throws -> [String] {
    var card = Card()
    let issues = try Mapper(mapping).update(
      &card, from: document.utf8, onNull: null, absent: absent)
    #expect(issues.isEmpty)
    var changes: [String] = []
    if card.name != "old" { changes.append("name \(card.name ?? "nil")") }
    if card.city != "old" { changes.append("city \(card.city ?? "nil")") }
    if card.code != 1 { changes.append("code \(card.code.map { "\($0)" } ?? "nil")") }
    if card.inner != Card().inner {
      changes.append("inner \(card.inner.a ?? "nil") \(card.inner.b ?? "nil")")
    }
    if card.kind != "old" { changes.append("kind \(card.kind)") }
    return changes
  }

  @Test(arguments: [
    ("{}", []), (#"{"other":1}"#, []), (#"{"home":{}}"#, []), (#"{"home":{"street":1}}"#, []),
    (#"{"first":"A"}"#, ["name A -"]), (#"{"last":"B"}"#, ["name B"]),
    (#"{"first":null}"#, ["name nil"]), (#"{"home":{"city":"C"}}"#, ["city C"]),
    (#"{"home":{"city":null}}"#, ["city nil"]), (#"{"home":null}"#, ["city nil"]),
    (#"{"code":7}"#, ["code 7"]), (#"{"code":null}"#, ["code nil"]),
    (#"{"a":"x"}"#, ["inner x nil"]), (#"{"type":"y"}"#, ["kind none"]),
    (#"{"x":"z","type":"x","last":"B"}"#, ["name B", "kind z"]),
  ])
  func `a field with none of its parts stays as it is`(document: String, expected: [String]) throws
  {
    #expect(try changes(document) == expected)
  }

  /// What is there of a field that is wrong is an error, and nothing is written.
  @Test(arguments: [
    (#"{"first":1,"a":"x"}"#, "wrongType $.first"), (#"{"home":1,"a":"x"}"#, "wrongType $.home"),
    (#"{"type":"x","a":"x"}"#, "missing $.x"), (#"{"x":"z","type":"?"}"#, "invalidValue $.type"),
  ])
  func `a wrong part is an error and changes nothing`(document: String, expected: String) throws {
    var card = Card()
    let mapper = try Mapper(Self.card)
    let error = #expect(throws: MappingError.self) {
      try mapper.update(&card, from: document.utf8)
    }
    #expect(error.map { "\($0.code.rawValue) \($0.path)" } == expected && card == Card())
  }

  /// An alternative that has none of its parts does as when decoding, where another has one of its.
  @Test func `alternatives count as present when one of them is`() throws {
    let lenient = Mapping.object(Card.self) { field in
      field.make(
        creating: { Card() },
        field(
          "$", \.name,
          .firstOf(
            .at("title", Self.present), .at("name", .nullable(.string)), reportsEarlier: false)))
    }
    #expect(try changes("{}", lenient) == [])
    #expect(try changes(#"{"name":"n"}"#, lenient) == ["name n"])
    #expect(try changes(#"{"title":null,"name":"n"}"#, lenient) == ["name n"])
    #expect(try changes(#"{"title":null}"#, lenient) == ["name nil"])
  }

  /// A part may be a value of parts itself; one that takes all there is, is there.
  @Test func `a part may itself be made of parts`() throws {
    let nested = Mapping.object(Card.self) { field in
      field.make(
        creating: { Card() },
        field(
          "$", \.name,
          .joined(Part("$", Self.name), Part("$", .at("x.y", .nullable(.string)))) {
            "\($0 ?? "-")/\($1 ?? "-")"
          }))
    }
    #expect(try changes("{}", nested) == [])
    #expect(try changes(#"{"x":{"y":"z"}}"#, nested) == ["name -/z"])
    #expect(try changes(#"{"last":"z"}"#, nested) == ["name z/-"])
    let whole = Mapping.object(Card.self) { field in
      field.make(
        creating: { Card() },
        field("$", \.name, .joined(Part("$", .json)) { json in json["x"] == nil ? "no" : "yes" }))
    }
    #expect(try changes("{}", whole) == ["name no"])
    let processed = Mapping.object(Card.self) { field in
      field.make(
        creating: { Card() }, field("$", \.name, Self.name.postProcessed { $1.map { $0 + "!" } }))
    }
    #expect(try changes("{}", processed) == [])
    #expect(try changes(#"{"last":"z"}"#, processed) == ["name z!"])
  }

  private struct Tree: Equatable, Mappable {
    var first: String?
    var last: String?
    static var mapping: Mapping<Tree> {
      Mapping.object(Tree.self) { field in
        field.make(creating: { Tree() }, field("first", \.first), field("last", \.last))
      }
    }
  }
  private struct Holder: Equatable {
    var tree = Tree(first: "f", last: "l")
    var other: Tree? = Tree(first: "o", last: "o")
    static let mapping = Mapping.object(Holder.self) { field in
      field.make(
        creating: { Holder() }, field("$", \.tree).mergingUpdates(), field("$", \.other))
    }
  }

  /// A type that says itself how it maps, updated inside and replaced.
  @Test func `a type on the same object is updated or replaced`() throws {
    var holder = Holder()
    let mapper = try Mapper(Holder.mapping)
    try mapper.update(&holder, from: #"{"x":1}"#.utf8)
    #expect(holder == Holder())
    try mapper.update(&holder, from: #"{"last":"m"}"#.utf8)
    #expect(holder == Holder(tree: Tree(first: "f", last: "m"), other: Tree(last: "m")))
  }

  // MARK: Required

  private struct Person: Equatable {
    var name = "Ann"
    var nick: String? = "A"
    var age = 31
    var full = "x"
    static let mapping = Mapping.object(Person.self) { field in
      field.make(
        creating: { Person() }, field("name", \.name), field("nick", \.nick),
        field("info.age", \.age, .int.default(0)),
        field("$", \.full, .joined(Part("first", .string), Part("last", .string)) { $0 + $1 }))
    }
  }

  @Test(arguments: [
    ("{}", ["missing $.name", "missing $.first", "missing $.last"]),
    (#"{"name":"Bob","nick":"B"}"#, ["missing $.first", "missing $.last"]),
    (#"{"name":"Bob","first":"B"}"#, ["missing $.last"]),
    (#"{"first":"B","last":"C"}"#, ["missing $.name"]),
  ])
  func `an update requires what decoding requires where asked`(document: String, expected: [String])
    throws
  {
    let mapper = try Mapper(Person.mapping)
    var person = Person()
    let error = #expect(throws: MappingError.self) {
      try mapper.update(&person, from: document.utf8, absent: .required)
    }
    let all = error.map { error in
      error.underlying.isEmpty ? [error] : error.underlying.compactMap { $0 as? MappingError }
    }
    #expect(all?.map { "\($0.code.rawValue) \($0.path)" }.sorted() == expected.sorted())
    #expect(person == Person())
    // Without being asked, only what is there in part.
    if document == "{}" { try mapper.update(&person, from: document.utf8) }
    #expect(person == Person())
  }

  /// What decoding would have something for is not required, and stays as it is.
  @Test func `what decoding does not require stays as it is`() throws {
    var person = Person()
    try Mapper(Person.mapping).update(
      &person, from: #"{"name":"Bob","first":"B","last":"C"}"#.utf8, absent: .required)
    #expect(person == Person(name: "Bob", full: "BC"))
    #expect(
      try changes(
        "{}",
        Mapping.object(Card.self) { field in
          field.make(creating: { Card() }, field("$", \.name, Self.name))
        },
        absent: .required) == [])
    #expect(
      try changes(
        "{}",
        Mapping.object(Card.self) { field in
          field.make(
            creating: { Card() }, field("n", \.name, .firstOf(Self.present, .nullable(.string))))
        },
        absent: .required) == [])
  }

  private struct Outer {
    var home: Inside?
    var work = Inside()
  }
  private struct Inside: Equatable { var a = 1, b = 2 }
  private static let inside = Mapping.object(Inside.self) { field in
    field.make(creating: { Inside() }, field("a", \.a), field("b", \.b))
  }

  @Test func `members inside nested objects are required too`() throws {
    let mapper = try Mapper(
      Mapping.object(Outer.self) { field in
        field.make(
          creating: { Outer() }, field("home", \.home, Self.inside).mergingUpdates(),
          field("work", \.work, Self.inside).mergingUpdates())
      })
    var outer = Outer(home: Inside())
    try mapper.update(&outer, from: #"{"work":{"a":7,"b":8}}"#.utf8, absent: .required)
    #expect(outer.home == Inside() && outer.work == Inside(a: 7, b: 8))
    let error = #expect(throws: MappingError.self) {
      try mapper.update(
        &outer, from: #"{"home":{"a":9},"work":{"a":9,"b":9}}"#.utf8, absent: .required)
    }
    #expect(error?.code == .missing && error?.path.description == "$.home.b")
    #expect(outer.home == Inside() && outer.work == Inside(a: 7, b: 8))
  }

  /// A field for which something is made of nothing, in an object that is made because there is none to update.
  @Test func `an absent part of a newly made object is nil`() throws {
    struct New: Equatable {
      var name: String?
      var a = 0
    }
    struct Holder { var new: New? }
    let new = Mapping.object(New.self) { field in
      field.make(
        creating: { New() }, field("$", \.name, Self.name), field("a", \.a, .int))
    }
    let mapper = try Mapper(
      Mapping.object(Holder.self) { field in
        field.make(creating: { Holder() }, field("new", \.new, new).mergingUpdates())
      })
    var holder = Holder()
    try mapper.update(&holder, from: #"{"new":{"a":1}}"#.utf8)
    #expect(holder.new == New(name: nil, a: 1))
  }
}
