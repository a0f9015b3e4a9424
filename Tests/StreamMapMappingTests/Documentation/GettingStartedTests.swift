import StreamMap
import Testing

@testable import StreamMapTestSupport

private struct Person: Equatable, Mappable {
  let name: String
  let city: String?
  let friends: [String]

  static let mapping = Mapping.object(Person.self) { field in
    let name = field("name", \.name)
    let city = field("address.city", \.city)  // a path; an Optional property may be absent or null
    let friends = field("friends", \.friends, .array(of: .at("name", .string)).default([]))
    return field.make(Person.init, name, city, friends)
  }
}

/// The Swift of Getting started, compiled and run.
///
/// `scripts/check compile-time` compiles it as it is pasted, in every mode of the compiler.
@Suite struct GettingStartedTests {
  @Test func `Getting started shows only code that is tested here`() throws {
    let tests = try GuideLines.document(
      "Tests/StreamMapMappingTests/Documentation/GettingStartedTests.swift")
    // Types of tests are private.
    GuideLines.expectTested(
      try GuideLines.document("Sources/StreamMap/StreamMap.docc/GettingStarted.md"),
      by: tests.replacing("private ", with: ""))
  }

  @Test func `what Getting started shows runs from the first line to the last`() throws {
    var shown: [String] = []
    func print(_ item: Any) { shown.append("\(item)") }
    let mapper = try Mapper(Person.self)  // throws all mistakes of the mapping together
    try mapper.check(Person(name: "Ann", city: "Bonn", friends: ["Bo"]))

    let record = mapper.decode(#"{"name":"Ann"}"#)
    switch record.result {
    case .success(let person): print(person.name)
    case .failure(let error): print(error)
    }
    for issue in record.issues { print(issue) }

    let decoder = try mapper.messageDecoder()
    for message in [#"{"name":"Bo"}"#, #"{"name":"Cy"}"#] {
      print(try decoder.decode(message).get().name)
    }

    let feed = #"{"people":[{"name":"Di"},{"name":"Ed"}]}"#.utf8  // or .file("people.json")
    for record in try mapper.records(in: Feed(feed, at: "$.people[*]")) {
      print(try record.get().name)
    }

    #expect(shown == ["Ann", "Bo", "Cy", "Di", "Ed"])
  }
}
