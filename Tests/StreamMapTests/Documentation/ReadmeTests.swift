import Foundation
import StreamMapMacros
import Testing

/// The README's Swift: compiled and run here, and held to the letter against what the README shows.
@Suite struct ReadmeTests {
  @Mappable(keys: .snakeCase)
  struct Person: Equatable {
    let firstName: String  // "first_name"
    @Key("address.city") let city: String?  // a path; nil where it is absent or null
    @Mapped(.url(schemes: ["https"])) let homepage: URL?
    var age = 0  // 0 where it is absent or null
    let children: [Child]
    @Unmapped var isSelected = false
  }

  @Mappable
  struct Child: Equatable {
    let name: String
  }

  static func makeMapper() throws -> Mapper<Person> {
    let mapper = try Mapper(Person.self)
    return mapper
  }

  @Test func `a mapping by macro reads and writes a customer`() throws {
    let mapper = try Self.makeMapper()

    let text =
      #"{"first_name":"Ann","address":{"city":"Bonn"},"age":3,"children":[{"name":"Bo"}]}"#
    let ann = try mapper.decode(text.utf8).get()
    #expect(ann.firstName == "Ann" && ann.city == "Bonn" && ann.homepage == nil)
    #expect(ann.age == 3 && ann.children == [Child(name: "Bo")] && !ann.isSelected)
    #expect(String(decoding: try mapper.encode(ann), as: UTF8.self) == text)
    let insecure = #"{"first_name":"Ann","homepage":"http://a.org","children":[]}"#
    #expect(mapper.decode(insecure.utf8).error?.path.description == "$.homepage")
  }

  struct Town: Equatable {
    let name: String
    let country: String?
    let inhabitants: Int
    let sights: [Sight]
  }

  struct Sight: Equatable {
    let name: String
  }

  @Test func `a mapping by hand decodes and encodes`() throws {
    let sight = Mapping.object(Sight.self) { field in
      field.make(Sight.init, field("name", \.name))
    }

    let town = Mapping.object(Town.self) { field in
      let name = field("town_name", \.name)
      let country = field("address.country", \.country)  // a path; may be absent or null
      let inhabitants = field("inhabitants", \.inhabitants, .int.default(0))
      let sights = field("sights", \.sights, .array(of: sight))
      return field.make(Town.init, name, country, inhabitants, sights)
    }

    let towns = try Mapper(town)  // compiles; all mistakes of the mapping are thrown together

    let record = towns.decode(
      #"{"town_name":"Bonn","address":{"country":"de"},"sights":[{"name":"Minster"}]}"#.utf8)
    let bonn = try record.get()
    let json = try towns.encode(bonn)

    #expect(
      bonn == Town(name: "Bonn", country: "de", inhabitants: 0, sights: [Sight(name: "Minster")]))
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"town_name":"Bonn","address":{"country":"de"},"inhabitants":0,"sights":[{"name":"Minster"}]}"#
    )
  }

  @Test func `a file's records are read one by one, errors included`() throws {
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

  @Test func `a file's records are read by several threads`() async throws {
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

  @Test func `NDJSON records are read from asynchronous buffers`() async throws {
    let mapper = try Self.makeMapper()
    var printed: [String] = []
    func print(_ item: Any) { printed.append("\(item)") }

    let (buffers, source) = AsyncStream.makeStream(of: [UInt8].self)
    for part in [#"{"first_name":"Ann","chil"#, "dren\":[]}\n"] { source.yield(Array(part.utf8)) }
    source.yield(Array(#"{"first_name":"Bo","children":[]}"#.utf8))  // cut anywhere
    source.finish()

    for try await record in try mapper.records(in: buffers, format: .ndjson) {
      if let person = record.value { print(person.firstName) }
    }

    #expect(printed == ["Ann", "Bo"])
  }

  @Test func `failed records are collected`() throws {
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
      #expect(error.count == 2)
    }
    if records.verdict != .complete { print("the feed is \(records.verdict)") }

    #expect(names == ["Ann"])
    #expect(failed.map(\.number) == [2, 0])
    #expect(printed == ["the feed is truncated"])
  }

  @Test func `values are written to a file`() throws {
    let mapper = try Self.makeMapper()
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let people = [Person(firstName: "Ann", city: nil, homepage: nil, age: 3, children: [])]

    try mapper.write(people, to: .file(file))

    #expect(
      try String(contentsOfFile: file, encoding: .utf8)
        == "{\"first_name\":\"Ann\",\"age\":3,\"children\":[]}\n")
  }

  @Test func `the README shows the error that the code prints`() throws {
    let mapper = try Self.makeMapper()
    var printed: [String] = []
    func print(_ item: Any) { printed.append("// \(item)") }

    let broken = mapper.decode(#"{"first_name":"Ann","children":[{"name":"Bo"},{"name":7}]}"#.utf8)
    if let error = broken.error { print(error) }

    #expect(try GuideLines.document("README.md").contains(try #require(printed.first)))
  }

  @Test func `a mapper takes another parser, and auto is the default`() throws {
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
  @Test func `the README shows only code that is tested here`() throws {
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
