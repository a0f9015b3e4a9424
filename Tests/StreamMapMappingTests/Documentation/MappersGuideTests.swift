import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The Swift of the guide Mappers, compiled and run.
@Suite struct MappersGuideTests {
  @Test func `the Mappers guide shows only code that is tested here`() throws {
    try GuideLines.expectTested(guide: "Mappers", by: #filePath)
  }

  private struct Point: Equatable {
    let x: Int
    let y: Int
  }

  @Test func `an object is mapped by members and paths, both ways`() throws {
    let point = Mapping.object(Point.self) { field in
      let x = field("x", \.x)  // a member
      let y = field("at.list[1]", \.y)  // through an object, an element
      return field.make(Point.init, x, y)
    }

    let text = #"{"x":1,"at":{"list":[null,2]}}"#
    #expect(try decode(point, text).value == Point(x: 1, y: 2))
    #expect(try encode(point, Point(x: 1, y: 2)) == text)
    #expect(try decode(point, #"{"x":"a"}"#).fatal.count == 2)
  }

  @Test func `a class instance is created and then filled by its fields`() throws {
    final class Settings {
      var theme: String? = "light"
      var origin = ""
    }
    let settings = Mapping.object(Settings.self) { field in
      let theme = field(.key("ui.theme"), \.theme)  // a key with a dot in it
      let origin = field(constant: "feed", \.origin)
      return field.make(creating: Settings.init, theme, origin)
    }

    let value = try #require(try decode(settings, #"{"ui.theme":"dark"}"#).value)
    #expect(value.theme == "dark" && value.origin == "feed")
    #expect(try encode(settings, value) == #"{"ui.theme":"dark"}"#)
  }

  @Test func `scalars are read by their exact type and range`() throws {
    let name: Mapping<String> = .string
    let count: Mapping<Int> = .int  // 7, 7.0 and 7e0, for they are whole
    let price: Mapping<Decimal> = .decimal  // exact to 38 digits

    #expect(try decode(name, "7").fatal == ["wrongType $"])
    #expect(try decode(count, "7e0").value == 7)
    #expect(try decode(count, "1e30").fatal == ["numberOutOfRange $"])
    #expect(try decode(price, "9.90").value == 9.9)
  }

  @Test func `defaults stand in for null, wrong or missing values`() throws {
    let nickname: Mapping<String?> = .nullable(.string)
    let size: Mapping<Int> = .int.default(12)
    let rank: Mapping<Int> = .int.default(0, when: .missingOrInvalid)
    let tags: Mapping<[String]> = .array(of: .string).default([], when: .failing)
    let color: Mapping<String> = .string.reverseDefault("black")

    #expect(try decode(nickname, "null").value == .some(nil))
    #expect(try decode(size, "null").value == 12)
    #expect(try decode(rank, #""first""#).issues == ["wrongType $"])
    #expect(try decode(tags, "[7]").value == [])
    #expect(try encode(color, "red") == #""red""#)
  }

  @Test func `arrays, sets, dictionaries and tuples are mapped by their elements`() throws {
    let list: Mapping<[Int]> = .array(of: .int)
    let some: Mapping<[Int]> = .array(of: .int, omitsInvalid: true)  // bad elements are left out
    let set: Mapping<Set<Int>> = .set(of: .int)
    let prices: Mapping<[String: Decimal]> = .dictionary(of: .decimal)
    let perHour: Mapping<[Int: Double]> = .dictionary(keyedBy: .number, of: .double)  // {"7": 0.5}
    let pair: Mapping<(String, Int)> = .tuple(.string, .int)

    #expect(try decode(list, "[1,2]").value == [1, 2])
    #expect(try decode(some, "[1,null]").value == [1])
    #expect(try Mapper(set).decode("[1,1]").get() == [1])
    #expect(try decode(prices, #"{"a":1}"#).value == ["a": 1])
    #expect(try decode(perHour, #"{"7":0.5}"#).value == [7: 0.5])
    #expect(try decode(pair, #"["a",1]"#).value?.1 == 1)
  }

  private struct Tree: Equatable {
    let name: String
    let children: [Tree]
  }

  @Test func `a recursive mapping reads and writes a tree`() throws {
    let tree: Mapping<Tree> = .recursive { tree in
      .object { field in
        let name = field("name", \.name)
        let children = field("children", \.children, .array(of: tree))
        return field.make(Tree.init, name, children)
      }
    }

    let text = #"{"name":"a","children":[{"name":"b","children":[]}]}"#
    #expect(try encode(tree, try #require(try decode(tree, text).value)) == text)
  }

  @Test func `whole parts are kept as values, raw JSON or text`() throws {
    let payload: Mapping<JSONValue> = .json
    let raw: Mapping<RawJSON> = .raw
    let text: Mapping<String> = .text

    #expect(try decode(payload, "[1]").value == [1])
    #expect(try encode(raw, try #require(try decode(raw, "[1.50]").value)) == "[1.50]")
    #expect(try decode(text, "1.50").value == "1.50")
  }

  private enum Status: String, CaseIterable {
    case active
    case deleted
  }

  @Test func `an enumeration is mapped by raw values or a table`() throws {
    let status: Mapping<Status> = .enumeration(of: .string)
    let short: Mapping<Status> = .enumeration(["A": .active, "D": .deleted])
    let level: Mapping<String> = .enumeration(of: .int, [0: "low", 1: "high"])

    #expect(try decode(status, #""active""#).value == .active)
    #expect(try decode(status, #""x""#).error?.expected == "one of 'active', 'deleted'")
    #expect(try encode(short, .deleted) == #""D""#)
    #expect(try decode(level, "1").value == "high")
  }

  @Test func `numbers, texts and booleans are mapped from each other`() throws {
    let count: Mapping<Int> = .int(from: .string)  // "12"
    let price: Mapping<Decimal> = .decimal(from: .string, .grouped(by: ","))  // "1,235.50"
    let label: Mapping<String> = .string(from: .int)  // 12
    let flag: Mapping<Bool> = .bool(from: .int)  // 0 or 1

    #expect(try decode(count, #""12""#).value == 12)
    #expect(try encode(price, 1235.5) == #""1,235.5""#)
    #expect(try decode(label, "12").value == "12")
    #expect(try encode(flag, true) == "1")
  }

  @Test func `dates are written in the form that their mapping names`() throws {
    let placed: Mapping<Date> = .date  // "2026-11-21T09:30:00Z": RFC 3339
    let day: Mapping<Date> = .date(format: "dd/MM/yyyy")
    let seen: Mapping<Date> = .date(since1970: .milliseconds)
    let mail: Mapping<Date> = .date(.rfc822)
    let old: Mapping<Date> = .date(.dotNet)  // "/Date(1390186634595)/"
    let some: Mapping<Date> = .anyDate  // any of the text forms

    let date = Date(timeIntervalSince1970: 0)
    #expect(try encode(placed, date) == #""1970-01-01T00:00:00Z""#)
    #expect(try encode(day, date) == #""01/01/1970""#)
    #expect(try encode(seen, Date(timeIntervalSince1970: 1.5)) == "1500")
    #expect(try encode(mail, date) == #""Thu, 1 Jan 1970 00:00:00 GMT""#)
    #expect(try encode(old, date) == #""/Date(0)/""#)
    #expect(try decode(some, #""/Date(0)/""#).value == date)
    #expect(try decode(day, #""2026-11-21""#).error?.expected == "a date (dd/MM/yyyy)")
  }

  @Test func `URLs, UUIDs and data are mapped from their text forms`() throws {
    let link: Mapping<URL> = .url  // absolute or relative
    let page: Mapping<URL> = .url(.absoluteURL)  // with a scheme
    let safe: Mapping<URL> = .url(schemes: ["https"])
    let id: Mapping<UUID> = .uuid
    let image: Mapping<Data> = .data  // base64

    #expect(try decode(link, #""a/b""#).isClean)
    #expect(try decode(page, #""a/b""#).fatal == ["invalidValue $"])
    #expect(try decode(safe, #""http://a.com""#).error?.expected == "a URL (https)")
    #expect(try decode(id, #""x""#).fatal == ["invalidValue $"])
    #expect(try encode(image, Data([0])) == #""AA==""#)
  }

  @Test func `the first alternative that takes a value maps it`() throws {
    let id: Mapping<Int> = .firstOf(.int, .int(from: .string), .at("id", .int))

    let text = try decode(id, #""7""#)
    #expect(text.value == 7 && text.issues == ["wrongType $"])
    #expect(try decode(id, #"{"id":7}"#).value == 7)
    #expect(try decode(id, "true").error?.code == .noAlternative)
    #expect(try encode(id, 7) == "7")
  }

  private protocol Shape { var area: Double { get } }
  private struct Circle: Shape {
    let radius: Double
    var area: Double { .pi * radius * radius }
  }
  private struct Square: Shape {
    let side: Double
    var area: Double { side * side }
  }

  @Test func `a discriminator or the kind of value chooses the mapping`() throws {
    let shape: Mapping<any Shape> = .dispatch(
      on: "type",
      [
        "circle": .casting(
          Mapping.object(Circle.self) { field in
            field.make(Circle.init, field("radius", \.radius))
          }),
        "square": .casting(
          Mapping.object(Square.self) { field in
            field.make(Square.init, field("side", \.side))
          }),
      ])
    let count: Mapping<Int> = .dispatch(byKind: [
      .number: .int,
      .array: .converted(from: .array(of: .json), { $0.count }, reverse: { _ in [] }),
    ])
    let word: Mapping<String> = .accepting([.string, .number], .text)

    #expect(try decode(shape, #"{"type":"square","side":2}"#).value?.area == 4)
    #expect(try encode(shape, Square(side: 2)) == #"{"type":"square","side":2.0}"#)
    #expect(try decode(shape, #"{"type":"line"}"#).fatal.count == 1)
    #expect(try decode(count, "[true,null]").value == 2)
    #expect(try decode(word, "true").fatal == ["wrongType $"])
  }

  @Test func `a mapping takes values from a path or several places`() throws {
    let owner: Mapping<String> = .at("account.owner", .string)  // {"account":{"owner":"Ann"}}
    let wrapped: Mapping<String> = .wrapped(in: ["account", "owner"], owner)  // "Ann"
    let full: Mapping<String> = .joined(
      Part("first", .string), Part("last", .string), by: { "\($0) \($1)" })

    #expect(try encode(owner, "Ann") == #"{"account":{"owner":"Ann"}}"#)
    #expect(try decode(wrapped, #""Ann""#).value == "Ann")
    #expect(try decode(full, #"{"first":"Ann","last":"Lee"}"#).value == "Ann Lee")
    #expect(throws: MappingError.self) { try encode(full, "Ann Lee") }
  }

  @Test func `mappings are converted, split and threaded in steps`() throws {
    let length: Mapping<Int> = .oneWay(from: .string) { $0.count }
    let half: Mapping<Int> = .converted(from: .int, { $0 / 2 }, reverse: { $0 * 2 })
    let lenient: Mapping<Int> = .decoding(.firstOf(.int, .int(from: .string)), encoding: .int)
    let list: Mapping<[Int]> = .piped(
      .converted(from: .json, { .array([$0]) }, reverse: { $0[0] ?? .null }), into: .array(of: .int)
    )

    #expect(try decode(length, #""abc""#).value == 3)
    #expect(try encode(half, 4) == "8")
    #expect(try encode(lenient, 7) == "7")
    #expect(try decode(list, "7").value == [7])
    #expect(try encode(list, [7]) == "7")
  }

  private struct Order: Equatable {
    let id: Int
    let others: [String: JSONValue]
  }

  @Test func `unknown and duplicate keys are reported, refused or collected`() throws {
    let point = Mapping.object(Point.self) { field in
      field.make(Point.init, field("x", \.x), field("y", \.y))
    }
    .unknownKeys(.report).duplicateKeys(.fail)
    let order = Mapping.object(Order.self) { field in
      field.make(Order.init, field("id", \.id), field(collecting: \.others))
    }

    #expect(try decode(point, #"{"x":1,"y":2,"z":3}"#).issues == ["unknownKey $.z"])
    #expect(try decode(point, #"{"x":1,"y":2,"x":3}"#).fatal.count == 1)
    #expect(try encode(order, Order(id: 1, others: ["z": 3])) == #"{"id":1,"z":3}"#)
  }
}
