import Foundation
import StreamMapMacros
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Mappable(keys: .snakeCase)
private struct Person: Equatable {
  let firstName: String
  @Key("address.city") let city: String?
  var age = 0
  @Mapped(.url(schemes: ["https"])) let homepageURL: URL?
  @Key(literal: "a.b") private(set) var `default`: [String: Double] = [:]
  var children: [Person] = []
  @Unmapped var isSelected = false
  static let limit = 3
  var isAdult: Bool { age > 17 }
}

/// Its initialiser is not called; its observer neither.
@Mappable
private struct Guarded: Equatable {
  let number: Int
  private(set) var changes = 0
  var text: String = "-" { didSet { changes += 1 } }
  init?(even: Int) {
    guard even.isMultiple(of: 2) else { return nil }
    number = even
  }
}

@propertyWrapper
private struct Trimmed: Equatable {
  private var text: String
  var wrappedValue: String {
    get { text }
    set { text = newValue.trimmingCharacters(in: .whitespaces) }
  }
  init(wrappedValue: String) { text = wrappedValue.trimmingCharacters(in: .whitespaces) }
}

private enum Names {
  typealias Maybe = String?

  @Mappable
  struct Shapes: Equatable {
    let a, b: Int
    let maybe: Maybe
    let long: Int?
    // swift-format-ignore
    var forced: Int!
    var inferred = Names.origin
    var made: [Names.Inner] = []
    @Trimmed var trimmed: String
    let `class`: Bool
  }

  @Mappable(keys: .upperCamelCase)
  struct Inner: Equatable { let deepValue: UInt8 }

  static let origin = Inner(deepValue: 9)

  @Mappable struct Account: Equatable {
    var name: String
    var age = 0
  }

  @Mappable fileprivate struct Hidden: Equatable { let value: Int }
}

@Mappable
private struct Page<Item: Equatable>: Equatable {
  let items: [Item]
  let next: Tree<Item>?
}

@Mappable
private struct Tree<Value: Equatable>: Equatable {
  let value: Value
  let children: [Tree<Value>]

  @Mappable
  struct Leaf: Equatable { let value: Value? }
}

/// The parameter is in no property.
@Mappable private struct Tagged<Tag>: Equatable { let id: Int }

@Mappable(keys: .custom { "x-" + $0.uppercased() })
private struct Custom: Equatable {
  let one: Int
  @Key("two.three") let other: Int
}

extension PropertyKeys {
  fileprivate static let digits = custom(KeyCase.snakeCase.separatingDigits.key)
}

@Mappable(keys: .digits) private struct Digits: Equatable { let address2Line: String }

@Mappable(types: [
  .of(Date.self, .date(since1970: .seconds)), .of(Bool.self, .converted(from: .int, by: .flag)),
])
private struct Event: Equatable {
  let date: Date
  let end: Date?
  let all: [Foundation.Date?]
  let named: [String: Date]
  let days: Set<Date>
  var isOpen = true
  @Mapped(.date) let text: Date
}

extension Conversion where Source == Int, Target == Bool {
  fileprivate static var flag: Conversion {
    Conversion("a flag", { $0 != 0 }, reverse: { $0 ? 1 : 0 })
  }
}

@Suite struct MappableStructTests {
  @Test func `a struct with properties of all kinds is mapped`() throws {
    let ann: Person = try roundTrip(
      #"{"x":[{}],"first_name":"Ann","address":{"city":"Bonn"},"homepage_url":"https://a.b/","a.b":{"k":1.5},"children":[{"first_name":"Bo","age":3}],"is_selected":true}"#,
      encoded:
        #"{"first_name":"Ann","address":{"city":"Bonn"},"age":0,"homepage_url":"https://a.b/","a.b":{"k":1.5},"children":[{"first_name":"Bo","age":3,"a.b":{},"children":[]}]}"#
    )
    #expect(ann.firstName == "Ann")
    #expect(ann.city == "Bonn")
    #expect(ann.age == 0)
    #expect(ann.homepageURL == URL(string: "https://a.b/"))
    #expect(ann.default == ["k": 1.5])
    #expect(ann.children.map(\.age) == [3])
    #expect(ann.isSelected == false)
  }

  @Test func `all errors of a struct are reported together`() throws {
    #expect(
      try findings(
        Person.self, #"{"age":"x","homepage_url":"ftp://a","children":[{"first_name":1}]}"#) == [
          "fatal wrongType $.age", "fatal invalidValue $.homepage_url",
          "fatal wrongType $.children[0].first_name", "fatal missing $.first_name",
        ])
  }

  @Test func `stored properties are set without initializer or observer`() throws {
    let odd: Guarded = try roundTrip(
      #"{"number":3,"text":"x"}"#, encoded: #"{"number":3,"changes":0,"text":"x"}"#)
    #expect(odd.changes == 0)
  }

  @Test func `properties declared in any way are mapped`() throws {
    let shapes: Names.Shapes = try roundTrip(
      #"{"a":1,"b":2,"forced":3,"made":[{"DeepValue":4}],"trimmed":" t ","class":true}"#,
      encoded:
        #"{"a":1,"b":2,"forced":3,"inferred":{"DeepValue":9},"made":[{"DeepValue":4}],"trimmed":"t","class":true}"#
    )
    #expect(shapes.maybe == nil)
    #expect(shapes.long == nil)
    #expect(shapes.inferred == Names.origin)
  }

  @Test func `a nested fileprivate type is mapped`() throws {
    #expect(try roundTrip(#"{"value":1}"#) as Names.Hidden == Names.Hidden(value: 1))
  }

  @Test func `a struct can be updated by its mapping`() throws {
    let mapper = try Mapper(Names.Account.self)
    var account = Names.Account(name: "Ann", age: 3)
    try mapper.update(&account, from: #"{"name":"Bo"}"#.utf8)
    #expect(account == Names.Account(name: "Bo", age: 3))
    try mapper.update(&account, from: #"{"age":null}"#.utf8)
    #expect(account == Names.Account(name: "Bo", age: 0))
  }

  @Test func `a generic type is mapped`() throws {
    let page: Page<Int> = try roundTrip(
      #"{"items":[1,2],"next":{"value":3,"children":[{"value":4,"children":[]}]}}"#)
    #expect(page.next?.children.first?.value == 4)
    let leaf: Tree<String>.Leaf = try roundTrip(#"{"value":"x"}"#)
    #expect(leaf.value == "x")
    let tagged: Tagged<() -> Void> = try roundTrip(#"{"id":7}"#)
    #expect(tagged.id == 7)
  }

  @Test func `keys can be made by a function`() throws {
    #expect(
      try roundTrip(#"{"x-ONE":1,"two":{"three":2}}"#) as Custom == Custom(one: 1, other: 2))
    #expect(try roundTrip(#"{"address_2_line":"x"}"#) as Digits == Digits(address2Line: "x"))
  }

  @Test func `a mapping for a type holds wherever the type occurs`() throws {
    let event: Event = try roundTrip(
      #"{"date":1,"end":2,"all":[3,null],"named":{"x":4},"days":[5,5],"isOpen":0,"text":"1970-01-01T00:00:06Z"}"#,
      encoded:
        #"{"date":1,"end":2,"all":[3,null],"named":{"x":4},"days":[5],"isOpen":0,"text":"1970-01-01T00:00:06Z"}"#
    )
    #expect(event.date == Date(timeIntervalSince1970: 1))
    #expect(event.all == [Date(timeIntervalSince1970: 3), nil])
    #expect(event.isOpen == false)
    #expect(event.text == Date(timeIntervalSince1970: 6))
  }
}
