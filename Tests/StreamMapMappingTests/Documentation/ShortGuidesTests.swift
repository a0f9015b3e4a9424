import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The Swift of the guides Validation, Errors, Updating and CustomMappers, compiled and run.
@Suite struct ShortGuidesTests {
  @Test(arguments: ["Validation", "Errors", "Updating", "CustomMappers"])
  func `the short guides show only code that is tested here`(guide: String) throws {
    try GuideLines.expectTested(guide: guide, by: #filePath)
  }

  struct Person: Equatable {
    let name: String
    let city: String?
    let friends: [String]
  }

  static let person = Mapping.object(Person.self) { field in
    let name = field("name", \.name)
    let city = field("address.city", \.city)  // a path; an Optional property may be absent or null
    let friends = field("friends", \.friends, .array(of: .at("name", .string)).default([]))
    return field.make(Person.init, name, city, friends)
  }

  // MARK: Validation

  @Test func `rules of fields are all checked and named in errors`() throws {
    struct Account: Equatable {
      let code: String
      let age: Int?
      let tags: [String]
    }
    let account = Mapping.object(Account.self) { field in
      let code = field("code", \.code, .string.validated(.length(2), .matches("[A-Z]*")))
      let age = field("age", \.age, .int.validated(.in(0...150)))
      let tags = field("tags", \.tags, .array(of: .string).validated(.maxCount(10), .unique))
      return field.make(Account.init, code, age, tags)
    }

    let broken = #"{"code":"abc","age":200,"tags":["a","a"]}"#
    let rules = try decode(account, broken).error?.underlying.map { ($0 as? MappingError)?.rule }
    #expect(rules == ["length", "matches", "range", "unique"])
    #expect(try decode(account, #"{"code":"AB","tags":[]}"#).isClean)
  }

  @Test func `rules are combined and made from functions`() throws {
    let country: Rule<String> = .either(.equalTo("EU"), .matches("[A-Z]{2}"))
    let name: Rule<String> = .all(
      .maxLength(100), .matches("\\S.*\\S", .anywhere), .not(.equalTo("n/a")))
    let even = Rule<Int>("even", expecting: "an even number") { $0.isMultiple(of: 2) }

    #expect(country.failure(of: "EU") == nil && country.failure(of: "eu") != nil)
    #expect(name.failure(of: "Ann Lee") == nil && name.failure(of: "n/a") != nil)
    #expect(even.failure(of: 3)?.description == "even: expected an even number")
  }

  @Test func `a rule compares the fields of an object`() throws {
    struct Stay: Equatable {
      let from: Int
      let to: Int
    }
    let stay = Mapping.object(Stay.self) { field in
      field.make(Stay.init, field("from", \.from), field("to", \.to))
    }
    .validated(Rule("order", expecting: "an end after its start") { $0.from < $0.to })

    #expect(try decode(stay, #"{"from":2,"to":1}"#).fatal == ["validationFailed $"])
    #expect(try decode(stay, #"{"from":1,"to":2}"#).isClean)
  }

  @Test func `an Optional marked not null refuses null`() throws {
    let nickname: Mapping<String?> = .nullable(.string).notNull()

    #expect(try decode(nickname, "null").fatal == ["null $"])
  }

  // MARK: Errors

  @Test func `an error tells code, path, target, column and message`() throws {
    let mapper = try Mapper(Self.person)

    let record = mapper.decode(#"{"name":7,"friends":[{"name":"Bo"},{}]}"#)
    let error = try #require(record.error)
    let first = error.leaves[0]
    let what = first.code  // wrongType
    let path = first.path.description  // $.name
    let target = first.target?.relativeDescription  // name
    let column = first.position?.column  // 9
    let sentence = first.message  // expected a string, found a number

    #expect(error.code == .severalErrors && what == .wrongType)
    #expect(path == "$.name" && target == "name" && column == 9)
    #expect(sentence == "expected a string, found a number")
  }

  @Test(arguments: [
    (#"{"people":[{"name":"Ann"},{}]}"#, nil),
    (#"{"people":[{"name":"Ann"},"#, "fetch it again"),
    (#"{"people":[{"name":"Ann"}}"#, "look at the last record's error"),
  ])
  func `how a feed ended`(text: String, expected: String?) throws {
    let mapper = try Mapper(Self.person)
    let feed = Array(text.utf8)
    var names: [String] = []
    var incomplete: String?

    let records = try mapper.records(in: Feed(feed, at: "$.people[*]", format: .json))
    for record in records { names.append(record.value?.name ?? "?") }
    switch records.verdict {
    case .complete: break
    case .truncated: incomplete = "fetch it again"
    case .malformed, .limit: incomplete = "look at the last record's error"
    case .rejected, .stopped: incomplete = "it was not read to its end"
    @unknown default: incomplete = "it did not come to its end"
    }

    #expect(names == ["Ann", "?"])
    #expect(incomplete == expected)
  }

  @Test func `a reject is a line of JSON and comes back as it was`() throws {
    let mapper = try Mapper(Self.person)

    let record = mapper.decode(#"{"name":7,"friends":[{"name":"Bo"},{}]}"#)
    let reject = try #require(Reject(record))
    let line = reject.json(file: "people.ndjson").description
    let coded = try JSONEncoder().encode(reject)  // the same, and back
    let same = try JSONDecoder().decode(Reject.self, from: coded)

    #expect(line.hasPrefix(#"{"file":"people.ndjson","record":1,"offset":0,"end":39,"line":1,"#))
    #expect(same == reject && same.error.description == reject.error.description)
  }

  // MARK: Updating

  final class Settings {
    var theme: String? = "light"
    var size = 12
    var window = Window()
  }

  final class Window {
    var width = 800
    var height = 600
  }

  @Test func `an update writes what is there, and nothing on error`() throws {
    let window = Mapping.object(Window.self) { field in
      field.make(creating: Window.init, field("width", \.width), field("height", \.height))
    }
    let mapper = try Mapper(
      Mapping.object(Settings.self) { field in
        let theme = field("theme", \.theme)
        let size = field("size", \.size)
        let inside = field("window", \.window, window).mergingUpdates()
        return field.make(creating: Settings.init, theme, size, inside)
      })

    var settings = Settings()
    try mapper.update(&settings, from: #"{"size":14,"window":{"width":1000}}"#.utf8)

    #expect(settings.size == 14 && settings.theme == "light")
    #expect(settings.window.width == 1000 && settings.window.height == 600)

    try mapper.update(&settings, from: #"{"theme":null}"#.utf8)  // nil
    try mapper.update(&settings, from: #"{"size":null}"#.utf8, onNull: .keep)  // still 14

    #expect(settings.theme == nil && settings.size == 14)
    #expect(throws: MappingError.self) {
      try mapper.update(&settings, from: #"{"size":null}"#.utf8)
    }
    #expect(throws: MappingError.self) {
      try mapper.update(&settings, from: #"{"size":15,"window":7}"#.utf8)
    }
    #expect(settings.size == 14)
    #expect(throws: MappingError.self) {
      try mapper.update(&settings, from: #"{}"#.utf8, absent: .required)  // throws
    }
  }

  struct Order {
    var lines = [Line(id: 1, name: "tea", count: 2), Line(id: 2, name: "jam", count: 1)]
  }

  struct Line: Equatable {
    var id: Int
    var name: String
    var count: Int
  }

  @Test func `an update changes elements by their identifiers`() throws {
    let line = Mapping.object(Line.self) { field in
      field.make(
        Line.init, field("id", \.id), field("name", \.name), field("count", \.count))
    }
    let mapper = try Mapper(
      Mapping.object(Order.self) { field in
        field.make(
          Order.init, field("lines", \.lines, .array(of: line)).mergingUpdates(by: \Line.id))
      })

    var order = Order()
    try mapper.update(
      &order, from: #"{"lines":[{"id":2,"count":5},{"id":3,"name":"oil","count":1}]}"#.utf8)

    // tea 2, jam 5, oil 1
    #expect(order.lines.map { "\($0.name) \($0.count)" } == ["tea 2", "jam 5", "oil 1"])
  }

  // MARK: Mappers of your own

  struct Celsius: Equatable { let degrees: Double }

  @Test func `a mapping is converted by functions of your own`() throws {
    let celsius: Mapping<Celsius> = .converted(
      from: .double, { Celsius(degrees: $0) }, reverse: { $0.degrees })

    #expect(try decode(celsius, "21.5").value == Celsius(degrees: 21.5))
    #expect(try encode(celsius, Celsius(degrees: 21.5)) == "21.5")
  }

  @Test func `a named conversion is reused, chained and named in errors`() throws {
    let hex = Conversion<String, Int>("a hexadecimal number") { text in
      guard let number = Int(text, radix: 16) else {
        throw ConversionFailure(expected: "a hexadecimal number")
      }
      return number
    } reverse: {
      String($0, radix: 16)
    }
    let color: Mapping<Int> = .converted(from: .string, by: hex)
    let twice = Conversion<Int, Int>("twice", { $0 * 2 }, reverse: { $0 / 2 })
    let even: Mapping<Int> = .converted(from: .string, by: hex.then(twice))

    #expect(try decode(color, #""ff""#).value == 255)
    #expect(try encode(color, 255) == #""ff""#)
    #expect(try decode(color, #""xy""#).error?.expected == "a hexadecimal number")
    #expect(try decode(even, #""ff""#).value == 510)
    #expect(try encode(even, 510) == #""ff""#)
  }

  @Test func `hooks repair, check and recover values, and clear issues`() throws {
    struct Incomplete: Error {}
    let repaired: Mapping<Person> = .preTransformed(Self.person) { json in
      json["user"] ?? json  // {"user":{…}} or the person itself
    }
    let checked = Self.person.postProcessed { json, person in
      guard json["deleted"] == nil else { throw Incomplete() }
      return person
    }
    let tags: Mapping<[String]> = .array(of: .string, omitsInvalid: true)
    let enough = tags.postProcessed { json, tags, issues in
      if tags.count > 1 { issues.clear() }  // some are enough
      return tags
    }
    let recovered = Self.person.recovering { json in
      json == "nobody" ? Person(name: "", city: nil, friends: []) : nil
    }
    #expect(try decode(enough, #"["a",1,"b"]"#).isClean)
    #expect(try decode(enough, #"["a",1]"#).issues == ["wrongType $[1] → [1]"])

    #expect(try decode(repaired, #"{"user":{"name":"Ann"}}"#).value?.name == "Ann")
    #expect(try decode(checked, #"{"name":"Ann"}"#).value?.name == "Ann")
    #expect(try decode(checked, #"{"name":"Ann","deleted":1}"#).fatal == ["conversionFailed $"])
    #expect(try decode(recovered, #""nobody""#).value?.name == "")
  }

  @Test func `a Codable type is mapped as part of an object`() throws {
    struct Old: Codable, Equatable { let id: Int }
    struct Box: Equatable { let old: Old }
    let box = Mapping.object(Box.self) { field in
      field.make(Box.init, field("old", \.old, .codable()))
    }

    #expect(try decode(box, #"{"old":{"id":7}}"#).value == Box(old: Old(id: 7)))
  }
}
