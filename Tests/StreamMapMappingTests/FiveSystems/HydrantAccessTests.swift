import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Hydrant's accessors, a graph of several mappers, and what a run of bad records costs.
@Suite struct HydrantAccessTests {
  // MARK: Indices

  private let ends: Mapping<[String]> = .joined(
    Part("[0]", .string), Part("[2]", .string), by: { [$0, $1] },
    split: { list in
      guard list.count == 2 else { throw ConversionFailure(expected: "two names") }
      return (list[0], list[1])
    })

  @Test func `two indices are read from an array and written back (HYD-142)`() throws {
    let outcome = try decode(ends, #"["hi",null,"bob"]"#)
    #expect(outcome.value == ["hi", "bob"] && outcome.isClean)
    #expect(try encode(ends, ["hi", "bob"]) == #"["hi",null,"bob"]"#)
  }

  @Test func `an index beyond the array is absent (HYD-144)`() throws {
    let outcome = try decode(.at("[5]", .nullable(.string)), #"["a"]"#)
    #expect(outcome.value == .some(nil) && outcome.isClean)
    #expect(try decode(.at("[5]", .string), #"["a"]"#).fatal == ["missing $[5]"])
  }

  @Test func `an object where an index is asked for is a wrong type (HYD-145)`() throws {
    let outcome = try decode(.at("[0]", .string), "{}")
    #expect(outcome.value == nil && outcome.fatal == ["wrongType $"])
  }

  @Test func `a wrong number of values for two places is not written (HYD-147)`() throws {
    for list in [[], ["a"], ["a", "b", "c", "d", "e", "f"]] {
      #expect(throws: MappingError.self) { try encode(ends, list) }
    }
  }

  // MARK: Paths of keys

  private struct Names: Equatable { let list: [String?] }

  private let names: Mapping<[String?]> = .joined(
    Part("parent.firstName", .nullable(.string)), Part("parent.lastName", .nullable(.string)),
    by: { [$0, $1] }, split: { ($0[0], $0[1]) })

  @Test func `paths of keys give nil if the feed has null (HYD-150)`() throws {
    let outcome = try decode(names, #"{"parent":{"firstName":null,"lastName":"Doe"}}"#)
    #expect(outcome.value == [nil, "Doe"] && outcome.isClean)
  }

  @Test func `paths of keys are written into a new parent (HYD-151)`() throws {
    #expect(
      try encode(names, ["John", "Doe"])
        == #"{"parent":{"firstName":"John","lastName":"Doe"}}"#)
    #expect(try encode(names, [nil, "Doe"]) == #"{"parent":{"lastName":"Doe"}}"#)
  }

  /// Otherwise: paths are those of RFC 9535, in which a backslash is quoted and escaped, too.
  @Test(arguments: [("yo", "$.yo"), ("that.dog", "$['that.dog']"), (#"w\hoa"#, #"$['w\\hoa']"#)])
  func `special characters in a key are quoted in its path (HYD-152)`(key: String, path: String)
    throws
  {
    struct Box { let value: Int }
    let box = Mapping.object(Box.self) { field in field.make(Box.init, field(.key(key), \.value)) }
    let json = try Mapper(box).encode(Box(value: 7))
    #expect(try Mapper(box).decode(json).get().value == 7)
    let wrong = String(decoding: json, as: UTF8.self).replacing("7", with: "true")
    #expect(try decode(box, wrong).error?.path.description == path)
  }

  // MARK: A graph

  private struct Parent: Equatable {
    let identifier: Int
    let firstName: String?
    let lastName: String
    let age: Int
    let birthDate: Date
  }

  private struct Sibling: Equatable {
    let firstName: String
    let homepage: URL
  }

  private struct Person: Equatable {
    let parent: Parent
    let siblings: [Sibling]
    let identifier: Int
    let gender: Int
  }

  private static let parent = Mapping.object(Parent.self) { field in
    field.make(
      Parent.init, field("id", \.identifier), field("name.first", \.firstName),
      field("name.last", \.lastName), field("age", \.age, .int(from: .string)),
      field(.key("birth.date"), \.birthDate, .date(.dotNet)))
  }

  private static let sibling = Mapping.object(Sibling.self) { field in
    field.make(
      Sibling.init, field("first", \.firstName), field("homepage", \.homepage))
  }

  private let person = Mapping.object(Person.self) { field in
    field.make(
      Person.init, field("person", \.parent, parent),
      field("children", \.siblings, .array(of: sibling)),
      field("identifier", \.identifier, .int.default(0, when: .failing)),
      field("gender", \.gender, .enumeration(["unknown": 0, "male": 1, "female": 2])))
  }

  private let text =
    #"{"person":{"id":1,"name":{"first":"John","last":"Doe"},"age":"22","#
    + #""birth.date":"/Date(1390186634595)/"},"children":[{"first":"Bob","#
    + #""homepage":"http://example.com"},{"first":"David","homepage":"http://google.com"}],"#
    + #""identifier":42,"gender":"male"}"#

  @Test func `a graph of several mappings is read whole (HYD-088)`() throws {
    let outcome = try decode(person, text)
    #expect(outcome.isClean)
    let value = try #require(outcome.value)
    #expect(
      value.parent
        == Parent(
          identifier: 1, firstName: "John", lastName: "Doe", age: 22,
          birthDate: Date(timeIntervalSince1970: 1_390_186_634.595)))
    #expect(value.siblings.map(\.firstName) == ["Bob", "David"])
    #expect(value.siblings.map(\.homepage.host) == ["example.com", "google.com"])
    #expect(value.identifier == 42 && value.gender == 1)
  }

  @Test func `a graph is written back exactly as it was read (HYD-089)`() throws {
    #expect(try encode(person, try Mapper(person).decode(text.utf8).get()) == text)
  }

  /// Otherwise: two errors `null`, at the place itself, which is where the feed has to be fixed.
  @Test func `null or nothing on the way fails each path through it (HYD-090)`() throws {
    struct Name {
      let first: String
      let last: String
    }
    let name = Mapping.object(Name.self) { field in
      field.make(Name.init, field("name.first", \.first), field("name.last", \.last))
    }
    #expect(
      try decode(name, #"{"name":null}"#).fatal == ["null $.name → first", "null $.name → last"])
    #expect(
      try decode(name, "{}").fatal == [
        "missing $.name.first → first", "missing $.name.last → last",
      ])
  }

  @Test func `null for a name passes only where it is Optional (HYD-091)`() throws {
    let outcome = try decode(person, text.replacing(#""John""#, with: "null"))
    #expect(outcome.value?.parent.firstName == nil && outcome.isClean)
    let lastName = try decode(person, text.replacing(#""Doe""#, with: "null"))
    #expect(lastName.fatal == ["null $.person.name.last → parent.lastName"])
  }

  // MARK: The cost of errors

  /// An error whose text is made when it is read.
  private struct Lazy: Error, CustomStringConvertible {
    let texts: Calls

    var description: String {
      texts.add()
      return "refused"
    }
  }

  @Test func `an issue's text is made only when it is read (HYD-174)`() throws {
    let texts = Calls()
    struct Entry { let name: String? }
    let name: Mapping<String> = .oneWay(from: .string) { _ in throw Lazy(texts: texts) }
    let mapping: Mapping<[Entry]> = .array(
      of: Mapping.object(Entry.self) { field in
        field.make(Entry.init, field("name", \.name, .nullable(name, when: .missingOrInvalid)))
      })
    let feed = "[" + Array(repeating: #"{"name":"x"}"#, count: 1000).joined(separator: ",") + "]"
    let record = try Mapper(mapping).decode(feed.utf8)
    #expect(record.value?.count == 1000)
    let issue = try #require(record.issues.first)
    #expect(texts.count == 0)
    #expect(issue.description.contains("refused") && texts.count > 0)
  }
}
