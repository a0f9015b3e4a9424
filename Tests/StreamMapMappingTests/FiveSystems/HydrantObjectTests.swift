import Foundation
import StreamMapFoundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Person: Equatable {
  var firstName: String
  var lastName: String
  var age: Int
  var identifier: Int

  static let mapping = Mapping.object(Person.self) { field in
    field.make(
      Person.init, field("first_name", \.firstName), field("last_name", \.lastName),
      field("age", \.age), field("identifier", \.identifier))
  }
}

/// Hydrant's `Person`, whose names are object properties and may be nil.
private struct Named: Equatable {
  var firstName: String?
  var lastName: String?
}

private let john = Person(firstName: "John", lastName: "Doe", age: 23, identifier: 5)

/// Hydrant's object mappers: fields, what is required, what stands in.
@Suite struct HydrantObjectTests {
  @Test func `an object is read and written by its fields (HYD-001)`() throws {
    let text = #"{"first_name":"John","last_name":"Doe","age":23,"identifier":5}"#
    let outcome = try decode(Person.mapping, text)
    #expect(outcome.value == john && outcome.isClean)
    #expect(try encode(Person.mapping, john) == text)
  }

  /// Otherwise: `null` for a required value is an error, as Hydrant documents it; its code let it pass.
  ///
  /// A property that is Optional takes it as nil.
  @Test func `null for a required name fails, for an Optional is nil (HYD-002)`() throws {
    let text = #"{"first_name":"John","last_name":null,"age":23,"identifier":5}"#
    #expect(try decode(Person.mapping, text).fatal == ["null $.last_name → lastName"])
    let named = Mapping.object(Named.self) { field in
      field.make(
        Named.init, field("first_name", \.firstName), field("last_name", \.lastName))
    }
    let outcome = try decode(named, text)
    #expect(outcome.value == Named(firstName: "John", lastName: nil) && outcome.isClean)
  }

  @Test func `a number for a name is a wrong type (HYD-003)`() throws {
    let text = #"{"first_name":"John","last_name":2,"age":23,"identifier":5}"#
    let outcome = try decode(Person.mapping, text)
    #expect(outcome.value == nil && outcome.fatal == ["wrongType $.last_name → lastName"])
  }

  /// Otherwise: nothing is no value; where it may be, the mapping says so.
  @Test func `an empty or null source is an error unless Optional (HYD-006)`() throws {
    let nothing = try Mapper(Person.mapping).decode([])
    #expect(nothing.value == nil && nothing.error?.code == .truncated)
    #expect(try Mapper(Person.mapping).decode(foundationObject: NSNull()).error?.code == .null)
    let absent = try decode(.at("person", .nullable(Person.mapping)), "{}")
    #expect(absent.value == .some(nil) && absent.isClean)
  }

  @Test func `a text for an object is one wrong type (HYD-007)`() throws {
    let outcome = try decode(Person.mapping, #""No Beef here""#)
    #expect(outcome.value == nil && outcome.fatal == ["wrongType $"])
    #expect(outcome.error?.underlying.isEmpty == true)
  }

  /// Otherwise: 0 is no value of the feed, so it is said where it is wanted: `.default(0)`.
  @Test func `null for a number fails unless it has a default (HYD-011)`() throws {
    let text = #"{"first_name":"John","last_name":"Doe","age":null,"identifier":5}"#
    #expect(try decode(Person.mapping, text).fatal == ["null $.age → age"])
    let lenient = Mapping.object(Person.self) { field in
      field.make(
        Person.init, field("first_name", \.firstName), field("last_name", \.lastName),
        field("age", \.age, .int.default(0)), field("identifier", \.identifier))
    }
    let outcome = try decode(lenient, text)
    #expect(outcome.value?.age == 0 && outcome.isClean)
  }

  @Test func `unknown keys are ignored (HYD-012)`() throws {
    let outcome = try decode(
      Person.mapping,
      #"{"first_name":"J","last_name":"D","age":1,"identifier":2,"extra":{"x":[1]}}"#)
    #expect(outcome.value == Person(firstName: "J", lastName: "D", age: 1, identifier: 2))
    #expect(outcome.isClean)
  }

  // MARK: What stands in

  private let optional = Mapping.object(Named.self) { field in
    field.make(
      Named.init, field("first_name", \.firstName, .nullable(.string, when: .missingOrInvalid)),
      field("last_name", \.lastName))
  }

  private let withDefault = Mapping.object(Named.self) { field in
    field.make(
      creating: { Named() },
      field("first_name", \.firstName, .nullable(.string).default("x", when: .missingOrInvalid)))
  }

  @Test func `an optional value of a wrong type is only an issue (HYD-013)`() throws {
    let outcome = try decode(optional, #"{"first_name":1}"#)
    #expect(outcome.value == Named() && outcome.fatal.isEmpty)
    #expect(outcome.issues == ["wrongType $.first_name → firstName"])
  }

  /// Otherwise: a default is never lost, whatever was wrong.
  @Test func `a default stands in for a value of a wrong type (HYD-014)`() throws {
    let outcome = try decode(withDefault, #"{"first_name":1}"#)
    #expect(outcome.value?.firstName == "x")
    #expect(outcome.issues == ["wrongType $.first_name → firstName"])
  }

  @Test func `a default stands in for an absent value, with an issue (HYD-015)`() throws {
    let outcome = try decode(withDefault, "{}")
    #expect(outcome.value?.firstName == "x")
    #expect(outcome.issues == ["missing $.first_name → firstName"])
  }

  private struct Pair: Equatable {
    let firstName: String?
    let lastName: String
    static let mapping = Mapping.object(Pair.self) { field in
      field.make(
        Pair.init, field("first", \.firstName, .nullable(.string, when: .missingOrInvalid)),
        field("last", \.lastName))
    }
  }

  @Test func `an absent required field fails beside an optional one (HYD-016)`() throws {
    let outcome = try decode(Pair.mapping, #"{"first":"John"}"#)
    #expect(outcome.value == nil && outcome.fatal == ["missing $.last → lastName"])
  }

  @Test func `an object with all its fields is clean (HYD-018)`() throws {
    let outcome = try decode(Pair.mapping, #"{"first":"John","last":"Doe"}"#)
    #expect(outcome.value == Pair(firstName: "John", lastName: "Doe") && outcome.isClean)
  }

  /// Otherwise: `null` is reported as the documents say, not passed over as the code did.
  @Test func `null for an optional field is nil with an issue (HYD-019)`() throws {
    let outcome = try decode(Pair.mapping, #"{"first":null,"last":"Doe"}"#)
    #expect(outcome.value == Pair(firstName: nil, lastName: "Doe") && outcome.fatal.isEmpty)
    #expect(outcome.issues == ["null $.first → firstName"])
  }

  // MARK: Arrays

  private struct Name: Equatable {
    let firstName: String
    static let mapping = Mapping.object(Name.self) { field in
      field.make(Name.init, field("name", \.firstName))
    }
  }

  private let people = #"[{},{"name":"John"},{"last":"first"}]"#

  /// Otherwise: a conversion of StreamMap's own says in `expected` what it takes; there is no other error under it.
  @Test func `an issue's expectation stands alone, without an underlying error (HYD-023)`() throws {
    struct Page: Equatable { let homepage: URL? }
    let page = Mapping.object(Page.self) { field in
      field.make(
        Page.init,
        field("homepage", \.homepage, .nullable(.url(.absoluteURL), when: .missingOrInvalid)))
    }
    let record = try Mapper(page).decode(#"{"homepage":"!!"}"#.utf8)
    #expect(record.value == Page(homepage: nil) && record.issues.count == 1)
    #expect(record.issues.first?.expected == "a URL with a scheme")
    #expect(record.issues.first?.underlying.isEmpty == true)
  }

  @Test func `an optional array with bad elements is nil with issues (HYD-025)`() throws {
    let mapping: Mapping<[Name]?> = .nullable(.array(of: Name.mapping), when: .missingOrInvalid)
    let outcome = try decode(mapping, people)
    #expect(outcome.value == .some(nil) && outcome.fatal.isEmpty)
    #expect(outcome.issues.map { $0.prefix(17) } == ["missing $[0].name", "missing $[2].name"])
  }

  @Test func `each bad element of an array is an error (HYD-026)`() throws {
    let mapping: Mapping<[Name]> = .array(of: Name.mapping)
    let outcome = try decode(mapping, people)
    #expect(outcome.value == nil && outcome.error?.code == .severalErrors)
    #expect(
      outcome.fatal
        == ["missing $[0].name → [0].firstName", "missing $[2].name → [2].firstName"])
  }

  @Test func `array elements are converted one by one, both ways (HYD-027)`() throws {
    let mapping: Mapping<[String]> = .array(of: .string(from: .int))
    let outcome = try decode(mapping, "[1]")
    #expect(outcome.value == ["1"] && outcome.isClean)
    #expect(try encode(mapping, ["1"]) == "[1]")
  }

  @Test func `an element converted to nil stays in the array (HYD-028)`() throws {
    let nothing: Mapping<Int?> = .oneWay(from: .int) { _ in nil }
    let outcome = try decode(.array(of: nothing), "[1]")
    #expect(outcome.value == [nil] && outcome.isClean)
  }

  @Test func `a number for an array is a wrong type (HYD-029)`() throws {
    let mapping: Mapping<[JSONValue]> = .array(of: .json)
    #expect(try decode(mapping, "1").fatal == ["wrongType $"])
  }

  @Test func `an absent or null array is an error (HYD-030)`() throws {
    let mapping: Mapping<[JSONValue]> = .array(of: .json)
    #expect(try decode(.at("list", mapping), "{}").fatal == ["missing $.list"])
    #expect(try decode(mapping, "null").fatal == ["null $"])
  }

  @Test func `an empty array is read and written (HYD-032)`() throws {
    let mapping: Mapping<[JSONValue]> = .array(of: .json)
    let outcome = try decode(mapping, "[]")
    #expect(outcome.value == [] && outcome.isClean)
    #expect(try encode(mapping, []) == "[]")
  }

  @Test func `an array of any values passes unchanged, null included (HYD-033)`() throws {
    let mapping: Mapping<[JSONValue]> = .array(of: .json)
    let outcome = try decode(mapping, #"[1,null,"a"]"#)
    #expect(outcome.value == [1, nil, "a"] && outcome.isClean)
    #expect(try encode(mapping, [1, nil, "a"]) == #"[1,null,"a"]"#)
  }

  @Test func `all elements are visited when the first one fails (HYD-034)`() throws {
    let calls = Calls()
    let child: Mapping<Int> = .oneWay(from: .int) { number in
      calls.add()
      guard number > 1 else { throw ConversionFailure(expected: "more than 1") }
      return number
    }
    let record = try Mapper(Mapping.array(of: child)).decode("[1,2]".utf8)
    #expect(calls.count == 2)
    let error = try #require(record.error)
    #expect(error.path == [.index(0)] && error.target == [.index(0)])
    #expect(error.position?.column == 2)
  }

  private static let web: Mapping<URL> = .url(.absoluteURL)

  @Test func `bad optional elements are left out with an issue each (HYD-038)`() throws {
    let mapping: Mapping<[URL]> = .array(of: Self.web, omitsInvalid: true)
    let outcome = try decode(mapping, #"["http://a.com",1,"!!"]"#)
    #expect(outcome.value?.map(\.absoluteString) == ["http://a.com"])
    #expect(outcome.fatal.isEmpty)
    #expect(
      outcome.issues.map { String($0.prefix(14)).trimmingCharacters(in: .whitespaces) }
        == ["wrongType $[1]", "invalidValue $"])
  }

  @Test func `a default stands in for a bad element, with an issue (HYD-039)`() throws {
    let other = try #require(URL(string: "http://d.com"))
    let mapping: Mapping<[URL]> = .array(of: Self.web.default(other, when: .missingOrInvalid))
    let outcome = try decode(mapping, #"["http://a.com",1]"#)
    #expect(outcome.value?.map(\.absoluteString) == ["http://a.com", "http://d.com"])
    #expect(outcome.issues == ["wrongType $[1] → [1]"])
  }

  @Test func `an array becomes a set and goes back (HYD-040)`() throws {
    let mapping: Mapping<Set<Int>> = .set(of: .int)
    let outcome = try Mapper(mapping).decode("[1,1,2]".utf8)
    #expect(outcome.value == [1, 2] && outcome.issues.isEmpty)
    #expect(["[1,2]", "[2,1]"].contains(try encode(mapping, [1, 2])))
  }

  // MARK: Fields of several kinds

  private struct Full: Equatable {
    var firstName: String
    var lastName: String?
    var fullName: [String?]
    var age: Int
    var identifier: Int
  }

  /// The mapping of HYD-077: one field by a mapping of its own, one from three places, one by a table.
  private static func full(
    identifier: Mapping<Int> = .enumeration(["transforms": 5]), first: Mapping<String> = .string
  ) -> Mapping<Full> {
    let names: Mapping<[String?]> = .joined(
      Part("first_name", .nullable(.string)), Part("middle_name", .nullable(.string)),
      Part("last_name", .nullable(.string)), by: { [$0, $1, $2] },
      split: { ($0[0], $0[1], $0[2]) })
    return Mapping.object(Full.self) { field in
      field.make(
        Full.init, field("first_name", \.firstName, first), field("last_name", \.lastName),
        field("$", \.fullName, names), field("age", \.age),
        field("identifier", \.identifier, identifier))
    }
  }

  private let record =
    #"{"identifier":"transforms","first_name":"John","last_name":"Doe","middle_name":"James","age":23}"#

  @Test func `fields of several kinds fill one object (HYD-077)`() throws {
    let outcome = try decode(Self.full(), record)
    #expect(
      outcome.value
        == Full(
          firstName: "John", lastName: "Doe", fullName: ["John", "James", "Doe"], age: 23,
          identifier: 5))
    #expect(outcome.isClean)
  }

  @Test func `null for an optional name is nil in all its fields (HYD-078)`() throws {
    let outcome = try decode(Self.full(), record.replacing(#""Doe""#, with: "null"))
    #expect(outcome.value?.lastName == nil && outcome.isClean)
    #expect(outcome.value?.fullName == ["John", "James", nil])
  }

  @Test func `an absent required name fails the object (HYD-079)`() throws {
    let outcome = try decode(Self.full(), #"{"age":23,"identifier":"transforms"}"#)
    #expect(outcome.value == nil && outcome.fatal == ["missing $.first_name → firstName"])
  }

  @Test func `an issue in the first step leaves an optional object nil (HYD-080)`() throws {
    let inner: Mapping<JSONValue> = .converted(
      from: .string, { .string($0) }, reverse: { _ in "" }
    ).default(.null, when: .failing)
    let outcome = try decode(.piped(inner, into: .nullable(Self.full())), "1")
    #expect(outcome.value == .some(nil) && outcome.issues == ["wrongType $"])
  }

  @Test func `an error in the first step is not wrapped (HYD-081)`() throws {
    let inner: Mapping<JSONValue> = .converted(
      from: .string, { .string($0) }, reverse: { _ in "" })
    let outcome = try decode(.piped(inner, into: Self.full()), "1")
    #expect(outcome.value == nil && outcome.fatal == ["wrongType $"])
    #expect(outcome.error?.underlying.isEmpty == true)
  }

  @Test func `errors of two fields are both reported with their causes (HYD-082)`() throws {
    struct Refused: Error {}
    let mapping = Self.full(
      identifier: .oneWay(from: .string) { _ in throw Refused() },
      first: .oneWay(from: .string) { _ in throw Refused() })
    let outcome = try decode(mapping, record)
    #expect(outcome.value == nil && outcome.error?.code == .severalErrors)
    #expect(
      outcome.fatal.sorted() == [
        "conversionFailed $.first_name → firstName", "conversionFailed $.identifier → identifier",
      ])
    let errors = outcome.error?.underlying.compactMap { ($0 as? MappingError)?.underlying.first }
    #expect(errors?.count == 2 && errors?.allSatisfy { $0 is Refused } == true)
  }

  @Test func `an object of several kinds of fields is written back (HYD-086)`() throws {
    let value = try #require(try decode(Self.full(), record).value)
    let back = try Mapper(Mapping<JSONValue>.json).decode(
      Mapper(Self.full()).encode(value)
    ).get()
    #expect(
      back == [
        "first_name": "John", "last_name": "Doe", "age": 23, "identifier": "transforms",
        "middle_name": "James",
      ])
  }
}
