import Foundation
import StreamMapMacros
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private enum Status: String { case active, deleted }
private struct Money: Codable, Equatable { let cents: Int }
private protocol Shape: Sendable {}
@Mappable private struct Circle: Shape, Equatable { let radius: Double }
@Mappable private struct Square: Shape { let side: Double }

private struct Branch {
  let leaves: [Branch]
}

private let branches: Mapping<Branch> = .recursive { branch in
  .object { field in
    field.make(Branch.init, field("leaves", \.leaves, .array(of: branch)))
  }
}

/// A property for each mapping of the guide Mappers.
@Mappable
private struct Everything {
  @Mapped(.string) var name: String
  @Mapped(.int) var count: Int
  @Mapped(.decimal) var price: Decimal
  @Mapped(.nullable(.string)) var nickname: String?
  @Mapped(.int.default(12)) var size: Int
  @Mapped(.int.default(0, when: .missingOrInvalid)) var rank: Int
  @Mapped(.array(of: .string).default([], when: .failing)) var tags: [String]
  @Mapped(.string.reverseDefault("black")) var color: String
  @Mapped(.array(of: .int, omitsInvalid: true)) var some: [Int]
  @Mapped(.set(of: .int)) var set: Set<Int>
  @Mapped(.dictionary(of: .decimal)) var prices: [String: Decimal]
  @Mapped(.tuple(.string, .int)) var pair: (String, Int)
  @Mapped(branches) var branch: Branch
  @Mapped(.json) var payload: JSONValue
  @Mapped(.raw) var raw: RawJSON
  @Mapped(.text) var text: String
  @Mapped<Status>(.enumeration(of: .string)) var status: Status
  @Mapped<Status>(.enumeration(["A": .active, "D": .deleted])) var short: Status?
  @Mapped<Status>(.enumeration(of: .string).default(.deleted, when: .missingOrInvalid)) var grown:
    Status
  @Mapped(.enumeration(of: .int, [0: "low", 1: "high"])) var level: String
  @Mapped(.int(from: .string)) var digits: Int
  @Mapped(.decimal(from: .string, .grouped(by: ","))) var grouped: Decimal
  @Mapped(.string(from: .int)) var label: String
  @Mapped(.bool(from: .int)) var flag: Bool
  @Mapped(.date) var placed: Date
  @Mapped(.date(format: "dd/MM/yyyy")) var day: Date
  @Mapped(.date(since1970: .milliseconds)) var seen: Date?
  @Mapped(.date(.dotNet)) var old: Date
  @Mapped(.url(.absoluteURL)) var page: URL
  @Mapped(.url(schemes: ["https"])) var safe: URL?
  @Mapped(.uuid) var id: UUID
  @Mapped(.data) var image: Data
  @Mapped<Int>(.firstOf(.int, .int(from: .string), .at("id", .int))) var first: Int
  @Mapped<any Shape>(
    .dispatch(on: "type", ["circle": .casting(Circle.mapping), "square": .casting(Square.mapping)]))
  var shape: any Shape
  @Mapped<Int>(.dispatch(byKind: [.number: .int, .string: .int(from: .string)])) var kinds: Int
  @Mapped(.accepting([.string, .number], .text)) var word: String
  @Mapped(.at("account.owner", .string)) var owner: String
  @Mapped(.wrapped(in: ["o"], .at("o", .string))) var wrapped: String
  @Mapped<Int>(.converted(from: .int, { $0 / 2 }, reverse: { $0 * 2 })) var half: Int
  @Mapped<Int>(.decoding(.firstOf(.int, .int(from: .string)), encoding: .int)) var lenient: Int
  @Mapped(.int.validated(.in(0...9))) var checked: Int
  @Mapped<Money>(.codable()) var money: Money
  @Mapped<Money>(.codable()) var moneys: Money?
  @Mapped<[Circle]>(.declared.default([])) var circles: [Circle]
}

/// The same mappings by hand.
private let byHand = Mapping.object(Everything.self) { field in
  let name = field("name", \.name, .string)
  let count = field("count", \.count, .int)
  let price = field("price", \.price, .decimal)
  let nickname = field("nickname", \.nickname, .nullable(.string))
  let size = field("size", \.size, .int.default(12))
  let rank = field("rank", \.rank, .int.default(0, when: .missingOrInvalid))
  let tags = field("tags", \.tags, .array(of: .string).default([], when: .failing))
  let color = field("color", \.color, .string.reverseDefault("black"))
  let some = field("some", \.some, .array(of: .int, omitsInvalid: true))
  let set = field("set", \.set, .set(of: .int))
  let prices = field("prices", \.prices, .dictionary(of: .decimal))
  let pair = field("pair", \.pair, .tuple(.string, .int))
  let branch = field("branch", \.branch, branches)
  let payload = field("payload", \.payload, .json)
  let raw = field("raw", \.raw, .raw)
  let text = field("text", \.text, .text)
  let status = field("status", \.status, .enumeration(of: .string))
  let short = field("short", \.short, Mapping<Status>.enumeration(["A": .active, "D": .deleted]))
  let grown = field(
    "grown", \.grown, .enumeration(of: .string).default(.deleted, when: .missingOrInvalid))
  let level = field("level", \.level, .enumeration(of: .int, [0: "low", 1: "high"]))
  let digits = field("digits", \.digits, .int(from: .string))
  let grouped = field("grouped", \.grouped, .decimal(from: .string, .grouped(by: ",")))
  let label = field("label", \.label, .string(from: .int))
  let flag = field("flag", \.flag, .bool(from: .int))
  let placed = field("placed", \.placed, .date)
  let day = field("day", \.day, .date(format: "dd/MM/yyyy"))
  let seen = field("seen", \.seen, .date(since1970: .milliseconds))
  let old = field("old", \.old, .date(.dotNet))
  let page = field("page", \.page, .url(.absoluteURL))
  let safe = field("safe", \.safe, .url(schemes: ["https"]))
  let id = field("id", \.id, .uuid)
  let image = field("image", \.image, .data)
  let first = field("first", \.first, .firstOf(.int, .int(from: .string), .at("id", .int)))
  let shape = field(
    "shape", \.shape,
    .dispatch(on: "type", ["circle": .casting(Circle.mapping), "square": .casting(Square.mapping)]))
  let kinds = field(
    "kinds", \.kinds, .dispatch(byKind: [.number: .int, .string: .int(from: .string)]))
  let word = field("word", \.word, .accepting([.string, .number], .text))
  let owner = field("owner", \.owner, .at("account.owner", .string))
  let wrapped = field("wrapped", \.wrapped, .wrapped(in: ["o"], .at("o", .string)))
  let half = field("half", \.half, .converted(from: .int, { $0 / 2 }, reverse: { $0 * 2 }))
  let lenient = field(
    "lenient", \.lenient, .decoding(.firstOf(.int, .int(from: .string)), encoding: .int))
  let checked = field("checked", \.checked, .int.validated(.in(0...9)))
  let money = field("money", \.money, .codable())
  let moneys = field("moneys", \.moneys, Mapping<Money>.codable())
  let circles = field("circles", \.circles, .declared.default([]))
  return field.make(
    Everything.init, name, count, price, nickname, size, rank, tags, color, some, set, prices, pair,
    branch, payload, raw, text, status, short, grown, level, digits, grouped, label, flag, placed,
    day, seen, old, page, safe, id, image, first, shape, kinds, word, owner, wrapped, half, lenient,
    checked, money, moneys, circles)
}

/// What the macro can say is what can be said by hand.
@Suite struct MacroTableTests {
  /// The members of a record in which all is right.
  private static let members: KeyValuePairs = [
    "name": #""tea""#,
    "count": #"7"#,
    "price": #"1.5"#,
    "nickname": #""Bo""#,
    "size": #"3"#,
    "rank": #"4"#,
    "tags": #"["a"]"#,
    "color": #""red""#,
    "some": #"[1,2]"#,
    "set": #"[1]"#,
    "prices": #"{"CHF":9.9}"#,
    "pair": #"["a",1]"#,
    "branch": #"{"leaves":[{"leaves":[]}]}"#,
    "payload": #"{"a":[1.0]}"#,
    "raw": #"{"a":[1.0]}"#,
    "text": #""a""#,
    "status": #""active""#,
    "short": #""A""#,
    "grown": #""active""#,
    "level": #"0"#,
    "digits": #""12""#,
    "grouped": #""1,235.5""#,
    "label": #"12"#,
    "flag": #"1"#,
    "placed": #""2026-11-21T09:30:00Z""#,
    "day": #""21/11/2026""#,
    "seen": #"1500"#,
    "old": #""/Date(1390186634595)/""#,
    "page": #""https://a.b/c""#,
    "safe": #""https://a.b/c""#,
    "id": #""01234567-89AB-CDEF-0123-456789ABCDEF""#,
    "image": #""AQI=""#,
    "first": #"7"#,
    "shape": #"{"type":"circle","radius":2.0}"#,
    "kinds": #"8"#,
    "word": #""w""#,
    "owner": #"{"account":{"owner":"Ann"}}"#,
    "wrapped": #""Ann""#,
    "half": #"8"#,
    "lenient": #"9"#,
    "checked": #"5"#,
    "money": #"{"cents":5}"#,
    "moneys": #"{"cents":5}"#,
    "circles": #"[{"radius":1.0}]"#,
  ]

  private static func text(_ change: (String, String) -> String?) -> String {
    "{" + members.compactMap(change).joined(separator: ",") + "}"
  }

  /// Everything that comes out for a text: the value's JSON, its errors and issues.
  private static func outcome(_ mapper: Mapper<Everything>, _ text: String) throws -> [String] {
    let record = mapper.decode(text)
    let json = try record.value.map { String(decoding: try mapper.encode($0), as: UTF8.self) }
    return [json ?? "-", record.error?.fullDescription ?? "-"]
      + record.issues.map(\.fullDescription)
  }

  @Test func `a mapping in an attribute decodes and encodes as the same mapping by hand`() throws {
    let (macro, hand) = (try Mapper(Everything.self), try Mapper(byHand))
    let whole = Self.text { "\"\($0)\":\($1)" }
    #expect(try Self.outcome(macro, whole) == [whole, "-"])
    #expect(try Self.outcome(hand, whole) == [whole, "-"])
  }

  @Test(arguments: ["absent", "null", "true", "[]", "{}", "-1.5", #""?""#])
  func `a wrong value of any property comes to the same by macro and by hand`(_ wrong: String)
    throws
  {
    let (macro, hand) = (try Mapper(Everything.self), try Mapper(byHand))
    for (name, _) in Self.members {
      let text = Self.text { key, value in
        if key != name { return "\"\(key)\":\(value)" }
        return wrong == "absent" ? nil : "\"\(key)\":\(wrong)"
      }
      #expect(try Self.outcome(macro, text) == Self.outcome(hand, text), "\(name)")
    }
  }
}
