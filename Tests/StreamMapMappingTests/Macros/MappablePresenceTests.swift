import Foundation
import StreamMapMacros
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Mappable
private struct Plain: Equatable {
  let one: Int
  let two: Int?
  var three = 3
  var four: Int? = 4
  @Mapped(.int) var five: Int = 5
  @Mapped(.int) var six: Int? = 6
  @Mapped(.int.default(70)) var seven: Int = 7
  @Mapped(.nullable(.int)) var eight: Int? = 8
  @Mapped(.int) let nine: Int?
  @Mapped(.int.default(100)) var ten: Int? = 10
}

@Mappable(optional: ["a", "b", "c"])
private struct Lenient: Equatable {
  let a: Int?
  var b = 2
  @Mapped(.int) var c: Int? = 3
  let d: Int?
}

@Mappable(required: ["a", "b", "c"])
private struct Strict: Equatable {
  let a: Int
  let b: Int?
  var c = 3
  @Mapped(.int) let d: Int?
  var e = 5
}

@Mappable(required: []) private struct Free: Equatable { let a: Int? }

@Mappable(only: ["a"])
private struct Some1: Equatable {
  let a: Int
  var b = 2
  var c: Int?
}

@Mappable(except: ["b"])
private struct Some2: Equatable {
  let a: Int
  var b = 2
}

@Suite struct MappablePresenceTests {
  @Test func `a default or nil stands in for absent and null`() throws {
    let defaults = Plain(
      one: 1, two: nil, three: 3, four: 4, five: 5, six: 6, seven: 70, eight: nil, nine: nil,
      ten: 100)
    let absent = try #require(try Routes.run(Plain.mapping, #"{"one":1}"#).first)
    #expect(try absent.get() == defaults)
    let names = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    let nulls = names.map { #","\#($0)":null"# }.joined()
    let null = try #require(try Routes.run(Plain.mapping, #"{"one":1\#(nulls)}"#).first)
    #expect(try null.get() == defaults)
    #expect(absent.issues.isEmpty && null.issues.isEmpty)
    let numbers = names.enumerated().map { #","\#($1)":\#($0 + 20)"# }.joined()
    let given: Plain = try roundTrip(#"{"one":1\#(numbers)}"#)
    #expect(given.ten == 28)
    let strings = names.map { #","\#($0)":"x""# }.joined()
    #expect(
      try findings(Plain.self, #"{"one":1\#(strings)}"#)
        == names.map { "fatal wrongType $.\($0)" })
  }

  @Test func `an optional property that is wrong becomes an issue`() throws {
    let text = #"{"a":"x","c":null,"d":1}"#
    #expect(
      try Mapper(Lenient.self).decode(text.utf8).get() == Lenient(a: nil, b: 2, c: 3, d: 1))
    #expect(
      try findings(Lenient.self, text).sorted() == [
        "missing $.b", "null $.c", "wrongType $.a",
      ])
    #expect(try findings(Lenient.self, #"{"a":1,"b":1,"c":1,"d":"x"}"#) == ["fatal wrongType $.d"])
  }

  @Test func `a required property fails, and the others become issues`() throws {
    #expect(
      try findings(Strict.self, #"{"b":null,"e":"x"}"#).sorted() == [
        "fatal missing $.a", "fatal missing $.c", "fatal null $.b", "missing $.d", "wrongType $.e",
      ])
    #expect(
      try Mapper(Strict.self).decode(#"{"a":1,"b":2,"c":4,"d":"x"}"#.utf8).get()
        == Strict(a: 1, b: 2, c: 4, d: nil, e: 5))
    #expect(try findings(Free.self, "{}") == ["missing $.a"])
  }

  @Test func `a property that is left out is not mapped`() throws {
    let text = #"{"a":1,"b":9,"c":9}"#
    #expect(try roundTrip(text, encoded: #"{"a":1}"#) as Some1 == Some1(a: 1, b: 2, c: nil))
    #expect(try roundTrip(text, encoded: #"{"a":1}"#) as Some2 == Some2(a: 1, b: 2))
  }
}
