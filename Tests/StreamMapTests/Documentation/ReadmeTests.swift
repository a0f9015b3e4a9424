import Foundation
import StreamMapMacros
import Testing

/// The README's Swift: compiled and run here, and held to the letter against what the README shows.
@Suite struct ReadmeTests {
  struct Child: Equatable { let name: String }
  struct Person: Equatable {
    let firstName: String
    let city: String?
    let age: Int
    let children: [Child]
  }

  static func makeMapper() throws -> Mapper<Person> {
    let child = Mapping.object(Child.self) { field in
      field.make(Child.init, field("name", \.name))
    }
    let person = Mapping.object(Person.self) { field in
      let firstName = field("first_name", \.firstName)
      let city = field("address.city", \.city)  // a path; an Optional may be absent or null
      let age = field("age", \.age, .int.default(0))
      let children = field("children", \.children, .array(of: child))
      return field.make(Person.init, firstName, city, age, children)
    }

    let mapper = try Mapper(person)  // compiles; all mistakes of the mapping are thrown together
    return mapper
  }

  @Test func declaringDecodingEncoding() throws {
    let mapper = try Self.makeMapper()

    let record = mapper.decode(
      #"{"first_name":"Ann","address":{"city":"Bonn"},"children":[{"name":"Bo"}]}"#.utf8)
    let ann = try record.get()
    let json = try mapper.encode(ann)

    #expect(ann == Person(firstName: "Ann", city: "Bonn", age: 0, children: [Child(name: "Bo")]))
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"first_name":"Ann","address":{"city":"Bonn"},"age":0,"children":[{"name":"Bo"}]}"#)
  }

  @Mappable(keys: .snakeCase)
  struct Customer: Equatable {
    let fullName: String  // "full_name"
    @Key("address.city") let city: String?  // a path; nil where it is absent or null
    @Mapped(.url(schemes: ["https"])) let homepage: URL?
    var visits = 0  // 0 where it is absent or null
    let contacts: [Contact]  // an enum of two cases, mapped by its own @Mappable
    @Unmapped var isSelected = false
  }

  @Mappable(discriminator: "type")
  enum Contact: Equatable {
    case mail(address: String)  // {"type":"mail","address":"ann@example.com"}
    case phone(number: String, extension: Int?)
  }

  @Test func aMappingByMacro() throws {
    let customers = try Mapper(Customer.self)

    let text =
      #"{"full_name":"Ann","address":{"city":"Bonn"},"visits":3,"contacts":[{"type":"mail","address":"ann@example.com"},{"type":"phone","number":"555"}]}"#
    let ann = try customers.decode(text.utf8).get()
    #expect(ann.city == "Bonn")
    #expect(
      ann.contacts == [
        .mail(address: "ann@example.com"), .phone(number: "555", extension: nil),
      ])
    #expect(String(decoding: try customers.encode(ann), as: UTF8.self) == text)
  }

  @Test func recordsOfAFile() throws {
    let mapper = try Self.makeMapper()
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "readme-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "people.json").path
    try Data(
      #"{"people":[{"first_name":"Ann","children":[]},{"first_name":7,"children":[]}]}"#.utf8
    )
    .write(to: URL(filePath: file))
    var printed: [String] = []
    func print(_ item: Any) { printed.append("\(item)") }

    for record in try mapper.records(in: .file(file), at: "$.people[*]") {
      switch record.result {
      case .success(let person): print(person.firstName)
      case .failure(let error): print(error)
      }
    }

    #expect(printed.count == 2)
    #expect(printed.first == "Ann")
    #expect(printed.last?.hasPrefix("fatal wrongType at $.people[1].first_name") == true)
  }

  @Test func recordsBySeveralThreads() async throws {
    let mapper = try Self.makeMapper()
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try Data(#"{"people":[{"first_name":"Ann","children":[]}]}"#.utf8).write(
      to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    var printed: [String] = []
    func print(_ item: Any) { printed.append("\(item)") }

    for record in try mapper.records(in: .file(file), at: "$.people[*]", jobs: 4) {
      if let person = record.value { print(person.firstName) }
    }

    #expect(printed == ["Ann"])
  }

  @Test func recordsOfBuffers() async throws {
    let mapper = try Self.makeMapper()
    let buffers = AsyncStream<[UInt8]> { continuation in
      for part in [
        #"{"first_name":"Ann","chil"#, "dren\":[]}\n{\"first_name\":\"Bo\",", #""children":[]}"#,
      ] {
        continuation.yield(Array(part.utf8))
      }
      continuation.finish()
    }
    var names: [String] = []

    for try await record in try mapper.records(in: buffers, format: .ndjson) {
      if let person = record.value { names.append(person.firstName) }
    }

    #expect(names == ["Ann", "Bo"])
  }

  @Test func failedRecordsAreCollected() throws {
    let mapper = try Self.makeMapper()
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try Data(
      #"{"people":[{"first_name":"Ann","children":[]},{"first_name":7,"children":[]}"#.utf8
    ).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    var printed: [String] = []
    func print(_ item: Any) { printed.append("\(item)") }
    var names: [String] = []

    var failed: [Record<Never>] = []
    var rejections = Rejections(within: ErrorBudget(ratio: 0.5)) { record in
      failed.append(record)
      return .skip
    }
    let records = try mapper.records(in: .file(file), at: "$.people[*]", jobs: 4)
    do {
      for record in records {
        guard let person = try rejections.value(of: record) else { continue }
        names.append(person.firstName)
      }
      try rejections.finish()
    } catch {
      #expect(error is Rejections.Stop)
    }
    if records.verdict != .complete { print("the feed is \(records.verdict)") }

    #expect(names == ["Ann"])
    #expect(failed.map(\.number) == [2, 0])
    #expect(printed == ["the feed is truncated"])
  }

  @Test func valuesAreWritten() throws {
    let mapper = try Self.makeMapper()
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let people = [Person(firstName: "Ann", city: nil, age: 3, children: [])]

    try mapper.write(people, to: .file(file))

    #expect(
      try String(contentsOfFile: file, encoding: .utf8)
        == "{\"first_name\":\"Ann\",\"age\":3,\"children\":[]}\n")
  }

  @Test func anError() throws {
    let mapper = try Self.makeMapper()
    var printed: [String] = []
    func print(_ item: Any) { printed.append("// \(item)") }

    let broken = mapper.decode(#"{"first_name":"Ann","children":[{"name":"Bo"},{"name":7}]}"#.utf8)
    if let error = broken.error { print(error) }

    #expect(try GuideLines.document("README.md").contains(try #require(printed.first)))
  }

  @Test func theParserIsChosen() throws {
    let mapper = try Self.makeMapper()
    let person = Mapping.object(Word.self) { field in
      field.make(Word.init, field("word", \Word.word))
    }

    var curious = try Mapper(person)
    curious.parser = .yajl

    #expect(try curious.decode(#"{"word":"\u0061"}"#.utf8).get().word == "a")
    #expect(mapper.parser == .auto)
  }

  private struct Word {
    let word: String
  }

  /// Every line of the README's Swift blocks stands in this file, in their order.
  @Test func theReadmeShowsWhatIsTestedHere() throws {
    let own = try String(contentsOfFile: #filePath, encoding: .utf8)
      .replacing(
        "write(people, to: .file(file)", with: "write(people, to: .file(\"people.ndjson\")"
      )
      .replacing(".file(file)", with: ".file(\"people.json\")")
    GuideLines.expectTested(try GuideLines.document("README.md"), by: own) {
      $0.contains(".package(")
    }
  }
}
