import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Person: Equatable {
  let firstName: String
  let lastName: String
  let homepage: URL?
  let age: Int
  let children: [Child]
}

private struct Child: Equatable {
  let name: String
  let tags: [String: Double]
}

private let child = Mapping.object(Child.self) { field in
  field.make(
    Child.init, field("name", \.name), field("tags", \.tags, .dictionary(of: .double).default([:])))
}

private let person = Mapping.object(Person.self) { field in
  field.make(
    Person.init,
    field("first_name", \.firstName),
    field("name.last", \.lastName),
    field("homepage", \.homepage, .url(schemes: ["http", "https"])),
    field("age", \.age, .int.default(0)),
    field("children", \.children, .array(of: child)))
}

private struct Tree: Mappable, Equatable {
  let name: String
  let children: [Tree]
  let twin: [Tree]?
  static var mapping: Mapping<Tree> {
    Mapping.object(Tree.self) { field in
      field.make(
        Tree.init, field("name", \.name), field("children", \.children), field("twin", \.twin))
    }
  }
}

private enum Status: String, Mappable, CaseIterable { case active, deleted }

private struct AllLeaves: Equatable {
  let bool: Bool
  let int8: Int8
  let uint64: UInt64
  let float: Float
  let double: Double
  let decimal: Decimal
  let url: URL
  let uuid: UUID
  let date: Date
  let status: Status
  let json: JSONValue
  let raw: RawJSON
  let maybe: Double?
}

private final class Settings: Equatable {
  var theme = "light"
  var size = 12
  var note: String?
  static func == (a: Settings, b: Settings) -> Bool {
    (a.theme, a.size, a.note) == (b.theme, b.size, b.note)
  }
}

@Suite struct TypedMappingTests {
  @Test func `a person is read by every route and written back`() throws {
    let text =
      #"{"first_name":"Ann","x":[{}],"name":{"last":"Lee","first":0},"homepage":"https://a.b/","age":31,"children":[{"name":"Bo","tags":{"k":1.5}},{"name":"Cy"}]}"#
    let records = try Routes.run(person, text)
    let value = try #require(records.first).get()
    #expect(
      value
        == Person(
          firstName: "Ann", lastName: "Lee", homepage: URL(string: "https://a.b/"), age: 31,
          children: [Child(name: "Bo", tags: ["k": 1.5]), Child(name: "Cy", tags: [:])]))
    let encoded = String(decoding: try Mapper(person).encode(value), as: UTF8.self)
    #expect(
      encoded
        == #"{"first_name":"Ann","name":{"last":"Lee"},"homepage":"https://a.b/","age":31,"children":[{"name":"Bo","tags":{"k":1.5}},{"name":"Cy","tags":{}}]}"#
    )
    #expect(try Mapper(person).decode(encoded.utf8).get() == value)
  }

  @Test func `all errors of a record come together with their addresses`() throws {
    let text =
      #"{"first_name":5,"name":{},"homepage":"gopher://x","age":"old","children":[{"name":null},7,{"name":"ok"}]}"#
    let records = try Routes.run(person, text)
    let error = try #require(records.first?.error)
    #expect(error.code == .severalErrors)
    #expect(
      error.description == """
        fatal severalErrors at $ (record 1, line 1, column 1, bytes 0..<105): 6 errors
          - fatal wrongType at $.first_name → firstName (record 1, line 1, column 15, bytes 14..<15): expected a string, found a number
          - fatal invalidValue at $.homepage → homepage (record 1, line 1, column 38, bytes 37..<49): expected a URL (http, https), found a string that is not one
          - fatal wrongType at $.age → age (record 1, line 1, column 57, bytes 56..<61): expected an integer (Int), found a string
          - fatal null at $.children[0].name → children[0].name (record 1, line 1, column 83, bytes 82..<86): expected a string, found null
          - fatal wrongType at $.children[1] → children[1] (record 1, line 1, column 89, bytes 88..<89): expected an object, found a number
          - fatal missing at $.name.last → lastName (record 1, line 1, column 1, bytes 0..<105): a string is missing
        """)
    try Routes.compare(try #require(records.first), person.definition, text)
  }

  @Test func `a recursive type is read and written`() throws {
    let text =
      #"{"name":"a","children":[{"name":"b","children":[],"twin":[{"name":"t","children":[]}]}],"twin":null}"#
    let value = try #require(try Routes.run(Tree.mapping, text).first).get()
    let leaf = Tree(name: "t", children: [], twin: nil)
    #expect(
      value == Tree(name: "a", children: [Tree(name: "b", children: [], twin: [leaf])], twin: nil))
    #expect(
      String(decoding: try Mapper(Tree.self).encode(value), as: UTF8.self)
        == #"{"name":"a","children":[{"name":"b","children":[],"twin":[{"name":"t","children":[]}]}]}"#
    )
  }

  @Test func `every type of leaf is read and comes back`() throws {
    let mapping = Mapping.object(AllLeaves.self) { field in
      field.make(
        AllLeaves.init, field("bool", \.bool), field("int8", \.int8), field("uint64", \.uint64),
        field("float", \.float),
        field("double", \.double), field("decimal", \.decimal), field("url", \.url),
        field("uuid", \.uuid),
        field("date", \.date), field("status", \.status), field("json", \.json),
        field("raw", \.raw),
        field("maybe", \.maybe))
    }
    let text =
      #"{"bool":true,"int8":-128,"uint64":18446744073709551615,"float":0.1,"double":1e-7,"decimal":0.10000000000000000000000000000000000001,"url":"x:y","uuid":"01234567-89AB-CDEF-0123-456789ABCDEF","date":"2026-11-21T09:30:00.5Z","status":"deleted","json":{"a":[1.50,null]},"raw":[ 1.0 , "\u00e9" ],"maybe":null}"#
    let value = try #require(try Routes.run(mapping, text).first).get()
    #expect(value.uint64 == .max)
    #expect(value.json == ["a": [.number("1.50"), nil]])
    #expect(value.raw.description == #"[1.0,"é"]"#)
    #expect(value.status == .deleted)
    let again = try Mapper(mapping).decode(try Mapper(mapping).encode(value)).get()
    #expect(again == value)
    let miss = try #require(
      try Mapper(mapping).decode(text.replacing("deleted", with: "gone").utf8).error)
    #expect(miss.message == "expected one of 'active', 'deleted', found another string")
  }

  @Test func `writable properties are set on a created object`() throws {
    let mapping = Mapping.object(Settings.self) { field in
      field.make(
        creating: Settings.init, field("theme", \Settings.theme),
        field("size", \.size, .int.default(9)), field("note", \.note))
    }
    let value = try Mapper(mapping).decode(#"{"theme":"dark","note":"n"}"#.utf8).get()
    #expect((value.theme, value.size, value.note) == ("dark", 9, "n"))
  }

  @Test func `arrays keep nil for Optionals and leave out bad elements`() throws {
    let optionals: Mapping<[Int?]> = .array(of: .nullable(.int))
    #expect(try Mapper(optionals).decode("[1,null,3]".utf8).get() == [1, nil, 3])
    #expect(try Mapper(optionals).encode([1, nil]) == Array("[1,null]".utf8))
    let lenient: Mapping<[Int]> = .array(of: .int, omitsInvalid: true)
    let record = try #require(try Routes.run(lenient, #"[1,"x",null,4]"#).first)
    #expect(record.value == [1, 4])
    #expect(record.issues.map(\.path.description) == ["$[1]", "$[2]"])
    #expect(record.issues.allSatisfy { $0.severity == .issue })
  }

  @Test func `Doubles of a nested array are read exactly`() throws {
    let mapping: Mapping<[[[Double]]]> = .array(of: .array(of: .array(of: .double)))
    let text = "[[[1.5,-0],[2e300,0.1]],[],[[]]]"
    #expect(
      try #require(try Routes.run(mapping, text).first).get() == [
        [[1.5, -0.0], [2e300, 0.1]], [], [[]],
      ])
  }

  @Test func `mistakes of a definition are reported together`() {
    struct Point {
      let x: Int
      let y: Int
    }
    let mapping = Mapping.object(Point.self) { field in
      field.make(Point.init, field("a..b", \.x), field("q", \.x))
    }
    let error = #expect(throws: DefinitionError.self) { try Mapper(mapping) }
    #expect(
      error?.mistakes.map(\.description) == [
        "Point: fields 1 and 2 both map to 'x'",
        "Point, field 1 (x): path 'a..b': ..b means several values here (at character 2)",
      ])
    let readOnly = Mapping.object(Point.self) { field in
      field.make(creating: { Point(x: 0, y: 0) }, field("x", \Point.x))
    }
    #expect(throws: DefinitionError.self) { try Mapper(readOnly) }
  }

  @Test func `a plan describes its fields, types and defaults`() throws {
    #expect(
      try Mapper(person).plan.description == """
        $: Person
          first_name → firstName: string
          name.last → lastName: string
          homepage → homepage: url(http, https), absent or null: nil
          age → age: int, absent or null: an Int
          children → children: array of Child
            name → name: string
            tags → tags: dictionary of double, absent or null: a Dictionary<String, Double>
        """)
  }
}
