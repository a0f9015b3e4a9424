import Foundation
import StreamMapFoundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Child: Mappable, Equatable {
  var name: String
  var age: Int?
  static var mapping: Mapping<Child> {
    Mapping.object(Child.self) { field in
      field.make(Child.init, field("n", \.name), field("a", \.age))
    }
  }
}

private struct Person: Mappable, Equatable {
  var firstName: String
  var city: String?
  var zip: Int?
  var tag: String?
  var children: [Child]
  var best: Child?
  var friends: [String: Person]
  static var mapping: Mapping<Person> {
    Mapping.object(Person.self) { field in
      field.make(
        Person.init, field("first_name", \.firstName), field("address.city", \.city),
        field("address.zip", \.zip), field("tags[1]", \.tag), field("children", \.children),
        field("best", \.best), field("friends", \.friends))
    }
  }
}

@Suite struct EncodingOptionsTests {
  private let mapper: Mapper<Person>
  private let ann = Person(
    firstName: "Ann", city: "Bonn", children: [Child(name: "Bo", age: 3), Child(name: "Cy")],
    friends: ["d": Person(firstName: "Di", children: [], friends: [:])])

  init() throws {
    mapper = try Mapper(Person.self)
  }

  private func text<Value>(
    _ mapper: Mapper<Value>, _ value: Value, _ change: (inout EncodingOptions) -> Void
  ) throws -> String {
    var options = EncodingOptions()
    change(&options)
    return String(decoding: try mapper.encode(value, options: options), as: UTF8.self)
  }

  private func text(_ change: (inout EncodingOptions) -> Void) throws -> String {
    try text(mapper, ann, change)
  }

  @Test func `default options write what encoding without options writes`() throws {
    #expect(try mapper.encode(ann, options: EncodingOptions()) == mapper.encode(ann))
    #expect(
      try text { _ in } == """
        {"first_name":"Ann","address":{"city":"Bonn"},"children":[{"n":"Bo","a":3},{"n":"Cy"}],\
        "friends":{"d":{"first_name":"Di","children":[],"friends":{}}}}
        """)
  }

  // MARK: Nil

  @Test func `a nil is written as null if asked`() throws {
    let expected = """
      {"first_name":"Ann","address":{"city":"Bonn","zip":null},"tags":[null,null],\
      "children":[{"n":"Bo","a":3},{"n":"Cy","a":null}],"best":null,\
      "friends":{"d":{"first_name":"Di","address":{"city":null,"zip":null},"tags":[null,null],\
      "children":[],"best":null,"friends":{}}}}
      """
    #expect(try text { $0.nils = .null } == expected)
    #expect(try mapper.decode(expected.utf8).get() == ann)
    #expect(try text(Mapper(Mapping<Int?>.nullable(.int)), nil) { $0.nils = .null } == "null")
  }

  private struct Twice {
    var whole: [String: Int]?
    var part: Int?
  }

  @Test func `a null gives way to values deeper on its path`() throws {
    let mapper = try Mapper(
      Mapping.object(Twice.self) { field in
        field.make(Twice.init, field("x", \.whole), field("x.part", \.part))
      })
    #expect(try text(mapper, Twice()) { $0.nils = .null } == #"{"x":null}"#)
    #expect(try text(mapper, Twice(part: 1)) { $0.nils = .null } == #"{"x":{"part":1}}"#)
    #expect(try text(mapper, Twice(whole: [:])) { $0.nils = .null } == #"{"x":{}}"#)
  }

  // MARK: Fields

  private static let chosen: [([String], String)] = [
    (["firstName"], #"{"first_name":"Ann"}"#), (["first_name"], #"{"first_name":"Ann"}"#),
    (["$.first_name", "address"], #"{"first_name":"Ann","address":{"city":"Bonn"}}"#),
    (["address.city"], #"{"address":{"city":"Bonn"}}"#), (["best"], "{}"), ([], "{}"),
    (["children"], #"{"children":[{"n":"Bo","a":3},{"n":"Cy"}]}"#),
    (["children[*]"], #"{"children":[{"n":"Bo","a":3},{"n":"Cy"}]}"#),
    (["children[*].n"], #"{"children":[{"n":"Bo"},{"n":"Cy"}]}"#),
    (["children.name"], #"{"children":[{"n":"Bo"},{"n":"Cy"}]}"#),
    (["children.a", "best.a"], #"{"children":[{"a":3},{}]}"#),
    // What is chosen of a friend is not chosen of the person, although both are of one type.
    (["friends[*].first_name"], #"{"friends":{"d":{"first_name":"Di"}}}"#),
  ]

  @Test(arguments: chosen) func `only the chosen fields are written`(
    names: [String], expected: String
  ) throws {
    #expect(try text { $0.fields = .only(names) } == expected)
  }

  @Test(arguments: [
    (
      ["friends", "children.a", "address.zip"],
      #"{"first_name":"Ann","address":{"city":"Bonn"},"children":[{"n":"Bo"},{"n":"Cy"}]}"#
    ),
    (
      ["firstName", "address", "children", "friends[*].children", "friends[*].friends"],
      #"{"friends":{"d":{"first_name":"Di"}}}"#
    ),
    (["$"], "{}"),
  ])
  func `all but the excepted fields are written`(names: [String], expected: String) throws {
    #expect(try text { $0.fields = .except(names) } == expected)
  }

  @Test(arguments: [
    ("name", "'name', which no field has"), ("children.x", "'children.x', which no field has"),
    ("tags[0]", "'tags[0]', which no field has"),
    ("first_name.x", "'first_name.x', which no field has"),
  ])
  func `a name that no field has is an error`(name: String, found: String) throws {
    for fields in [EncodingOptions.Fields.only(["best", name]), .except([name])] {
      let error = #expect(throws: MappingError.self) { try text { $0.fields = fields } }
      #expect(error?.code == .invalidDefinition && error?.found == found)
    }
    let error = #expect(throws: MappingError.self) { try text { $0.fields = .only(["a["]) } }
    #expect(error?.code == .invalidDefinition && error?.underlying.count == 1)
  }

  @Test func `a chosen field that is nil is written as null`() throws {
    #expect(
      try text {
        $0.fields = .only(["best", "address", "children.a"])
        $0.nils = .null
      } == #"{"address":{"city":"Bonn","zip":null},"children":[{"a":3},{"a":null}],"best":null}"#)
  }

  @Test func `fields are chosen through arrays, conversions and registered mappings`() throws {
    let list: Mapping<[Person]> = .array(of: .declared)
    #expect(
      try text(Mapper(list), [ann]) { $0.fields = .only(["firstName"]) }
        == #"[{"first_name":"Ann"}]"#)
    struct Box { var child: Child }
    let boxes: Mapping<Box> = .converted(
      from: Child.mapping, { Box(child: $0) }, reverse: { $0.child })
    #expect(
      try text(Mapper(boxes), Box(child: Child(name: "A", age: 1))) { $0.fields = .except(["n"]) }
        == #"{"a":1}"#)
    var registry = Registry()
    registry.register(
      Child.self,
      Mapping.object(Child.self) { field in
        field.make(Child.init, field("N", \.name), field("A", \.age))
      })
    let registered = try Mapper(Person.self, registry: registry)
    #expect(
      try text(registered, ann) { $0.fields = .only(["children.N"]) }
        == #"{"children":[{"N":"Bo"},{"N":"Cy"}]}"#)
  }

  // MARK: Layout

  @Test func `indentation puts each member on a line of its own`() throws {
    var value = ann
    value.friends = [:]
    #expect(
      try text(mapper, value) { $0.indentation = 2 } == """
        {
          "first_name": "Ann",
          "address": {
            "city": "Bonn"
          },
          "children": [
            {
              "n": "Bo",
              "a": 3
            },
            {
              "n": "Cy"
            }
          ],
          "friends": {}
        }
        """)
    let raw = try Mapper(Mapping<JSONValue>.json)
    #expect(
      try text(raw, [[], ["a": []], 1]) { $0.indentation = 1 } == """
        [
         [],
         {
          "a": []
         },
         1
        ]
        """)
    #expect(try text(raw, ["\n"]) { $0.indentation = -3 } == "[\n\"\\n\"\n]")
    #expect(try text(raw, nil) { $0.indentation = 2 } == "null")
    #expect(
      try text(raw, [1]) { $0.indentation = .max } == "[\n" + String(repeating: " ", count: 16)
        + "1\n]")
  }

  @Test func `sorted keys follow the order of code points`() throws {
    #expect(
      try text {
        $0.sortsKeys = true
        $0.fields = .except(["friends"])
      } == """
        {"address":{"city":"Bonn"},"children":[{"a":3,"n":"Bo"},{"n":"Cy"}],"first_name":"Ann"}
        """)
    let raw = try Mapper(Mapping<JSONValue>.json)
    #expect(
      try text(raw, ["\u{1F600}": 1, "\u{FFFD}": 2, "B": [["z": 1, "a": 2]], "a": 0]) {
        $0.sortsKeys = true
      } == #"{"B":[{"a":2,"z":1}],"a":0,"\#u{FFFD}":2,"😀":1}"#)
  }

  // MARK: Others

  @Test func `encoding options hold for Foundation values`() throws {
    var options = EncodingOptions()
    options.nils = .null
    options.fields = .only(["best", "firstName"])
    let value = try #require(
      try mapper.encode(asFoundationObject: ann, options: options) as? [String: Any])
    #expect(value.count == 2 && value["best"] is NSNull && value["first_name"] as? String == "Ann")
  }

  @Test func `many different options work with one mapper`() throws {
    for number in 0..<200 {
      let names = Array(repeating: "best", count: number) + ["firstName"]
      #expect(try text { $0.fields = .only(names) } == #"{"first_name":"Ann"}"#)
    }
  }

  @Test func `an output mapping cannot encode with options`() throws {
    let output = try Mapper(output: .any)
    let error = #expect(throws: MappingError.self) {
      try output.encode(RawJSON(unchecked: []), options: EncodingOptions())
    }
    #expect(error?.code == .invalidDefinition)
  }

  @Test func `a value without JSON fails with its path`() throws {
    let numbers = try Mapper(Mapping<[Double]>.array(of: .double))
    let error = #expect(throws: MappingError.self) {
      try text(numbers, [1, .nan]) { $0.sortsKeys = true }
    }
    #expect(error?.path.description == "$[1]")
  }

  /// Fields that take the whole object change nothing about nil beside them.
  @Test func `a field of the whole object leaves nil beside it alone`() throws {
    struct Pair {
      var x: String?
      var y: String?
    }
    let pair = Mapping.object(Pair.self) { field in
      field.make(
        creating: { Pair() }, field("$", \.x, .at("deep.key", .nullable(.string))), field("y", \.y))
    }
    var options = EncodingOptions()
    options.nils = .null
    let text = String(decoding: try Mapper(pair).encode(Pair(), options: options), as: UTF8.self)
    #expect(text == #"{"deep":{"key":null},"y":null}"#)
  }
}
