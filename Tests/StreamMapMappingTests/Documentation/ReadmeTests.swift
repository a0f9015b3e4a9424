import Foundation
import StreamMapMacros
import Testing

@testable import StreamMapTestSupport

/// The README's Swift: compiled and run here, and held to the letter against what the README shows.
@Suite struct ReadmeTests {
  @Mappable(keys: .snakeCase)
  struct Order: Equatable {
    let orderId: Int  // "order_id"
    @Key("customer.name") let customer: String
  }

  @Test func `ten lines read the orders of the examples`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    var printed: [String] = []
    func print(_ item: Any) { printed.append("\(item)") }
    let file = folder.appending(path: "Examples/orders.ndjson").path

    for order in try Mapper(Order.self).records(in: Feed(.file(file))) {
      print(order.result)  // a success with the value, or a failure with the error and its address
    }

    #expect(printed.count == 4)
    #expect(printed.first?.contains("orderId: 1001, customer: \"Ann Lee\"") == true)
  }

  @Mappable(keys: .snakeCase)
  struct Person: Equatable {
    let firstName: String  // "first_name"
    @Key("address.city") let city: String?  // a path; nil if it is absent or null
    @Mapped(.url(schemes: ["https"])) let homepage: URL?
    var age = 0  // 0 if it is absent or null
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

    let records = try mapper.records(in: Feed(.file(file), at: "$.people[*]"))
    for record in records {
      switch record.result {
      case .success(let person): print(person.firstName)
      case .failure(let error): print(error)
      }
    }
    if records.verdict != .complete { print("the feed is \(records.verdict)") }
    if !records.unseenPaths.isEmpty { print("the feed has no \(records.unseenPaths)") }

    #expect(records.verdict == .complete)
    #expect(printed.count == 2)
    #expect(printed.first == "Ann")
    #expect(printed.last?.hasPrefix("fatal wrongType at $.people[1].first_name") == true)
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

    let broken = mapper.decode(#"{"first_name":"Ann","children":[{"name":"Bo"},{"name":7}]}"#)
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

    #expect(try curious.decode(#"{"word":"\u0061"}"#).get().word == "a")
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
      .replacing("Feed(.file(file)))", with: "Feed(.file(\"Examples/orders.ndjson\")))")
      .replacing(".file(file)", with: ".file(\"people.json\")")
    GuideLines.expectTested(try GuideLines.document("README.md"), by: own) {
      $0.contains(".package(")
    }
  }
}
