import Foundation
import StreamMapMacros
import Testing

@testable import StreamMapTestSupport

@Mappable(keys: .snakeCase)
private struct Person: Equatable {
  let firstName: String  // "first_name"
  @Key("address.city") let city: String?  // nil if it is absent or null
  var age = 0  // 0 if it is absent or null
  @Mapped(.url(schemes: ["https"])) let homepage: URL?
  var children: [Person] = []  // by its own @Mappable
  @Unmapped var isSelected = false
}

@Mappable(only: ["id", "placed"], types: [.of(Date.self, .date(since1970: .milliseconds))])
private struct Order: Equatable {
  let id: Int
  let placed: Date
  var note = "not from the feed"
}

@Mappable
private final class Window {
  var width = 800
  var height = 600
}

@Mappable
private struct Interval {
  var from: Int
  @Mapped<End>(.enumeration(of: .string).default(.open, when: .missingOrInvalid)) var end: End
  @Key("to", "until") var to: Int
  @Merged var window: Window?

  static func refined(_ mapping: Mapping<Interval>) -> Mapping<Interval> {
    mapping.unknownKeys(.report).validated(
      Rule("order", expecting: "an end after the start") { $0.from <= $0.to })
  }
}

private enum End: String { case open, closed }

@Mappable(keys: .snakeCase)
private enum Status { case active, onHold }  // "active", "on_hold"

@Mappable
private struct Label: Equatable { let text: String }

@Mappable(discriminator: "type")
private enum Shape: Equatable {
  case circle(radius: Double)  // {"type":"circle","radius":2}
  case named(Label)  // {"type":"named", and what a Label has}
  @Key("nothing") case empty  // {"type":"nothing"}
}

@Mappable
private struct Page<Item: Mappable> {
  let items: [Item]
  @Key("paging.next") let next: String?
}

/// The Swift of the guide Macros, compiled and run.
@Suite struct MacrosGuideTests {
  @Test func `the Macros guide shows only code that is tested here`() throws {
    let tests = try String(contentsOfFile: #filePath, encoding: .utf8)
    // Types of tests are private.
    GuideLines.expectTested(
      try GuideLines.document("Sources/StreamMap/StreamMap.docc/Macros.md"),
      by: tests.replacing("private ", with: ""))
  }

  @Test func `a struct is mapped by its macro with keys and defaults`() throws {
    let people = try Mapper(Person.self)
    let ann = try people.decode(#"{"first_name":"Ann","address":{"city":"Bern"}}"#).get()

    #expect(ann == Person(firstName: "Ann", city: "Bern", homepage: nil))
    let text = #"{"first_name":"Ann","address":{"city":"Bern"},"age":0,"children":[]}"#
    #expect(try encode(Person.mapping, ann) == text)
    #expect(
      try decode(Person.mapping, #"{"homepage":"http://a.b"}"#).fatalPlaces
        == ["invalidValue $.homepage", "missing $.first_name"])
  }

  @Test func `a macro maps only the properties that it names`() throws {
    let order = try decode(Order.mapping, #"{"id":1,"placed":1500,"note":"x"}"#).value
    #expect(order == Order(id: 1, placed: Date(timeIntervalSince1970: 1.5)))
  }

  @Test func `an absent property of a class keeps its default`() throws {
    let window = try #require(try decode(Window.mapping, #"{"width":1000}"#).value)
    #expect(window.width == 1000 && window.height == 600)
  }

  @Test func `a type refines its own mapping`() throws {
    let findings = { (text: String) in
      let record = try Mapper(Interval.self).decode(text)
      return (record.error?.leaves ?? record.issues).map { "\($0.code) \($0.path)" }
    }
    #expect(try findings(#"{"from":1,"until":2,"end":"closed"}"#) == [])
    #expect(
      try findings(#"{"from":1,"to":2,"end":"?","x":1}"#).sorted() == [
        "invalidValue $.end", "unknownKey $.x",
      ])
    #expect(try findings(#"{"from":3,"to":2,"end":"open"}"#) == ["validationFailed $"])
  }

  @Test func `an update goes into a merged property`() throws {
    let mapper = try Mapper(Interval.self)
    var interval = try mapper.decode(#"{"from":1,"to":2,"window":{"width":5}}"#).get()
    let window = try #require(interval.window)
    try mapper.update(&interval, from: #"{"window":{"height":7}}"#)
    #expect(interval.window === window && window.width == 5 && window.height == 7)
    try mapper.update(&interval, from: #"{"window":null}"#)
    #expect(interval.window == nil)
    try mapper.update(&interval, from: #"{"window":{"height":9}}"#)
    #expect(interval.window?.height == 9 && interval.window?.width == 800)
  }

  @Test func `an enum is mapped by name or by a discriminator`() throws {
    #expect(try decode(Status.mapping, #""on_hold""#).value == .onHold)
    let shapes = #"[{"type":"circle","radius":2.0},{"type":"named","text":"a"},{"type":"nothing"}]"#
    let values = try #require(try decode(.array(of: Shape.mapping), shapes).value)
    #expect(values == [.circle(radius: 2), .named(Label(text: "a")), .empty])
    #expect(try encode(.array(of: Shape.mapping), values) == shapes)
  }

  @Test func `a generic struct is mapped for its concrete type`() throws {
    let text = #"{"items":[{"text":"a"}],"paging":{"next":"2"}}"#
    let page = try #require(try decode(Page<Label>.mapping, text).value)
    #expect(page.items == [Label(text: "a")] && page.next == "2")
    #expect(try encode(Page<Label>.mapping, page) == text)
  }
}
