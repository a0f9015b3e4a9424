import Foundation
import StreamMapMacros
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Mappable(only: ["firstName", "lastName"], types: [.of(String.self, .text)])
private struct Named: Equatable {
  let firstName: String
  let lastName: String
  var age = 0
}

/// All by name, none of them required.
@Mappable(
  keys: .snakeCase, except: ["parent", "siblings"], required: [],
  types: [.of(Date.self, .date(.rfc3339))])
private struct Person: Equatable {
  var firstName: String?
  var lastName: String?
  var age: Int?
  @Mapped(.enumeration(["transforms": 5])) var identifier: Int?
  var birthDate: Date?
  var homepage: URL?
  var parent: String?
  var siblings: [String] = []
}

@Mappable(keys: .snakeCase, required: ["firstName", "lastName", "fullName"])
private struct Required: Equatable {
  let firstName: String
  let lastName: String
  let fullName: [String]
  var age: Int?
}

@Mappable(keys: .snakeCase, optional: ["birthDate", "homepage", "siblings"])
private struct MostlyRequired: Equatable {
  let firstName: String
  let identifier: Int
  var birthDate: Date?
  var homepage: URL?
  var siblings: [String] = []
}

@Mappable(keys: .snakeCase, types: [.of(Date.self, .anyDate)])
private struct Parent: Equatable {
  let identifier: Int
  let firstName: String
  let lastName: String
  let birthDate: Date
}

@Mappable(
  keys: .snakeCase, except: ["fullName", "firstName"], optional: ["identifier", "siblings"])
private struct Child: Equatable {
  var fullName: String?
  var firstName: String?
  let parent: Parent
  let incomeInThousands: Double
  let homepage: URL
  var identifier: Int?
  @Key("human_age") @Mapped(.int(from: .string)) let age: Int
  let registered: Bool
  @Mapped(.enumeration(["unknown": 0, "male": 1, "female": 2])) let gender: Int
  var siblings: [String]?
}

/// Hydrant's reflective mapper, whose place `@Mappable` takes.
@Suite struct HydrantReflectionTests {
  @Test func `only the named properties are mapped, with coercion (HYD-153)`() throws {
    let outcome = try decode(Named.mapping, #"{"firstName":1,"lastName":"dough","age":7}"#)
    #expect(outcome.value == Named(firstName: "1", lastName: "dough", age: 0) && outcome.isClean)
  }

  private let record =
    #"{"identifier":"transforms","first_name":"John","last_name":"Doe","age":23,"#
    + #""birth_date":"1970-01-02T15:04:05+0000","homepage":"http://google.com","#
    + #""siblings":[],"parent":{}}"#

  @Test func `all properties but the excepted are mapped by name (HYD-154)`() throws {
    let outcome = try decode(Person.mapping, record)
    let person = try #require(outcome.value)
    #expect(outcome.isClean && person.identifier == 5 && person.firstName == "John")
    #expect(person.birthDate == Date(timeIntervalSince1970: 140_645) && person.parent == nil)
    #expect(person.homepage?.host == "google.com" && person.age == 23)
  }

  @Test func `an absent optional property is nil with an issue (HYD-155)`() throws {
    let outcome = try decode(
      Person.mapping, record.replacing(#""homepage":"http://google.com","#, with: ""))
    #expect(outcome.value?.homepage == nil && outcome.value?.lastName == "Doe")
    #expect(outcome.issues == ["missing $.homepage → homepage"])
  }

  @Test func `all listed required properties are errors where absent (HYD-156)`() throws {
    let outcome = try decode(Required.mapping, "{}")
    #expect(outcome.value == nil)
    #expect(
      outcome.fatal.sorted() == [
        "missing $.first_name → firstName", "missing $.full_name → fullName",
        "missing $.last_name → lastName",
      ])
    #expect(outcome.issues == ["missing $.age → age"])
  }

  @Test func `properties not listed as optional are required (HYD-157)`() throws {
    let outcome = try decode(MostlyRequired.mapping, "{}")
    #expect(
      outcome.value == nil
        && outcome.fatal.sorted() == [
          "missing $.first_name → firstName", "missing $.identifier → identifier",
        ])
    #expect(outcome.issues.count == 3)
  }

  @Test func `a text for a reflected object is a wrong type (HYD-158)`() throws {
    #expect(try decode(Person.mapping, #""No Beef here""#).fatal == ["wrongType $"])
  }

  /// Otherwise: a date in another form is no issue; what is missing is one, as it was.
  @Test func `a nested graph is mapped by macros with custom fields (HYD-160)`() throws {
    let outcome = try decode(
      Child.mapping,
      #"{"parent":{"identifier":1,"first_name":"John","last_name":"Doe","#
        + #""birth_date":"/Date(1390186634595)/"},"income_in_thousands":65.5,"#
        + #""homepage":"http://google.com","identifier":42,"human_age":"12","#
        + #""registered":true,"gender":"male"}"#)
    let child = try #require(outcome.value)
    #expect(outcome.issues == ["missing $.siblings → siblings"])
    #expect(
      child.parent
        == Parent(
          identifier: 1, firstName: "John", lastName: "Doe",
          birthDate: Date(timeIntervalSince1970: 1_390_186_634.595)))
    #expect(child.incomeInThousands == 65.5 && child.identifier == 42 && child.age == 12)
    #expect(child.registered && child.gender == 1 && child.homepage.host == "google.com")
  }
}
