import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Conversions in mappings: both ways, and what their failures say.
@Suite struct ConversionMappingTests {
  enum Status: Hashable { case active, deleted }

  struct Row {
    let born: Date
    let sent: Date?
    let seen: Date
    let count: Int
    let price: Decimal
    let code: String
    let isOpen: Bool
    let isNew: Bool
    let status: Status
    let bytes: Data
  }

  private let row = Mapping.object(Row.self) { field in
    field.make(
      Row.init, field("born", \.born, .date(format: "yyyy-MM-dd")),
      field("sent", \.sent, .date(.rfc822)), field("seen", \.seen, .date(since1970: .milliseconds)),
      field("count", \.count, .int(from: .string)),
      field("price", \.price, .decimal(from: .string, .grouped(by: ","))),
      field("code", \.code, .string(from: .int)),
      field("open", \.isOpen, .bool(from: .int)),
      field("new", \.isNew, .bool(from: .string)),
      field("st", \.status, .enumeration(["A": .active, "D": .deleted])),
      field("bytes", \.bytes, .data))
  }

  @Test func `values convert both ways by their mappings`() throws {
    let text =
      #"{"born":"2014-04-01","sent":"Tue, 14 Jan 2014 14:35:32 GMT","seen":1390186634595,"#
      + #""count":"12","price":"1,234.50","code":7,"open":1,"new":"yes","st":"D","bytes":"Zm9v"}"#
    let mapper = try Mapper(row)
    let value = try #require(try Routes.run(row, text).first?.value)
    #expect(value.born == Date(timeIntervalSince1970: 1_396_310_400))
    #expect(value.sent == Date(timeIntervalSince1970: 1_389_710_132))
    #expect(value.seen == Date(timeIntervalSince1970: 1_390_186_634.595))
    #expect(value.count == 12)
    #expect(value.price == 1234.5)
    #expect(value.code == "7")
    #expect(value.isOpen && value.isNew)
    #expect(value.status == .deleted)
    #expect(value.bytes == Data("foo".utf8))
    let json = String(decoding: try mapper.encode(value), as: UTF8.self)
    #expect(
      json == text.replacing("yes", with: "true").replacing("1,234.50", with: "1,234.5"))
  }

  enum Drink: String, Mappable, CaseIterable { case tea, café, cacao }

  /// Texts that the plan knows and such that it does not take the same way.
  @Test func `an enum case is found by the code points of its text, escaped or not`() throws {
    let text = #"["tea","caf\u00e9","\u0074ea",null,"cacao"]"#
    let drinks = try Routes.run(Mapping<[Drink?]>.array(of: .declared), text).first?.value
    #expect(drinks == [.tea, .café, .tea, nil, .cacao])
    let other = try #require(try Routes.run(Mapping<Drink>.declared, #""cafe\u0301""#).first?.error)
    #expect(other.code == .invalidValue)
    let checked = Mapping<[Drink]>.array(of: .declared.validated(.oneOf([.tea, .cacao])))
    let errors = try #require(try Routes.run(checked, #"["tea","café","te"]"#).first?.error)
    #expect(
      errors.underlying.compactMap { $0 as? MappingError }.map { "\($0.path) \($0.code)" }
        == ["$[1] validationFailed", "$[2] invalidValue"])
    let levels = Mapping<[Int?]>.array(of: .nullable(.enumeration(["low": 1, "high": 2])))
    #expect(try Routes.run(levels, #"["high",null,"low"]"#).first?.value == [2, nil, 1])
  }

  @Test func `a failed conversion tells its address and expectation`() throws {
    let text =
      #"{"born":"2014-02-30","sent":"Mon, 14 Jan 2014 14:35:32 GMT","seen":"1000","#
      + #""count":"x","price":"1,23","code":"7","open":2,"new":"on","st":"X","bytes":"Zg"}"#
    let error = try #require(try Routes.run(row, text).first?.error)
    let found = error.underlying.compactMap { $0 as? MappingError }.map {
      "\($0.path) \($0.code.rawValue): \($0.expected ?? "")"
    }
    #expect(
      found == [
        "$.born invalidValue: a date (yyyy-MM-dd)", "$.sent invalidValue: a date (RFC 822)",
        "$.seen wrongType: a number (Double)",
        "$.count invalidValue: a text that is an integer (Int)",
        "$.price invalidValue: a text that is a number (Decimal, at most 38 digits)",
        "$.code wrongType: an integer (Int)", "$.open invalidValue: 0 or 1",
        "$.new invalidValue: true, false, 1, 0, yes or no",
        "$.st invalidValue: one of 'A', 'D'", "$.bytes invalidValue: bytes in base64",
      ])
  }

  @Test func `each shorthand converts its source to its type`() throws {
    func decode<Value>(_ mapping: Mapping<Value>, _ text: String) throws -> Value {
      try #require(try Routes.run(mapping, text).first?.value)
    }
    #expect(try decode(.anyDate, #""/Date(0)/""#) == Date(timeIntervalSince1970: 0))
    #expect(
      try decode(.date(since: Date(timeIntervalSinceReferenceDate: 0), unit: .hours), "24")
        == Date(timeIntervalSinceReferenceDate: 86400))
    #expect(try decode(.data(.base64URL), #""_w""#) == Data([0xFF]))
    #expect(try decode(.uint8(from: .string), #""255""#) == .max)
    #expect(try decode(.double(from: .string), #""0.5""#) == 0.5)
    #expect(try decode(.float(from: .string), #""0.5""#) == 0.5)
    let one = #""1""#
    #expect(try decode(.int8(from: .string), one) == 1)
    #expect(try decode(.int16(from: .string), one) == 1)
    #expect(try decode(.int32(from: .string), one) == 1)
    #expect(try decode(.int64(from: .string), one) == 1)
    #expect(try decode(.uint(from: .string), one) == 1)
    #expect(try decode(.uint16(from: .string), one) == 1)
    #expect(try decode(.uint32(from: .string), one) == 1)
    #expect(try decode(.uint64(from: .string, .grouped(by: " ")), #""1 000""#) == 1000)
    #expect(try decode(.string(from: .double), "1") == "1")
    #expect(try decode(.string(from: .decimal), "1.50") == "1.5")
    #expect(try decode(.enumeration(of: .int, [1: Status.active]), "1") == .active)
    #expect(try decode(.int(from: .string).default(5), "null") == 5)
    #expect(
      try decode(.array(of: .int(from: .string), omitsInvalid: true), #"["1",2,"x","3"]"#) == [
        1, 3,
      ])
    // The source's own policy for null comes first.
    #expect(try decode(.int(from: .string.default("9")), "null") == 9)
  }

  @Test func `a mistaken conversion is a mistake of its field`() {
    struct Pair {
      let a: Date
      let b: [Status?]
    }
    let mapping = Mapping.object(Pair.self) { field in
      field.make(
        Pair.init, field("a", \.a, .date(format: "YYYY-MM-dd")),
        field("b", \.b, .array(of: .nullable(.enumeration(["A": .active, "B": .active])))))
    }
    let error = #expect(throws: DefinitionError.self) { try Mapper(mapping) }
    #expect(
      error?.mistakes.map(\.description) == [
        "Pair, field 1 (a): date format 'YYYY-MM-dd': Y is the year of a week; for the calendar year write y",
        "Pair, field 2 (b), [*]: the table maps both 'A' and 'B' to active, so it cannot be reversed; "
          + "list each value once",
      ])
  }

  @Test func `a conversion without a reverse cannot encode`() throws {
    let text: Mapping<String> = .converted(from: .int, by: .description)
    #expect(text.definition.operations?.isReversible == false)
    #expect(Mapping.nullable(text).definition.operations?.isReversible == false)
    #expect(Mapping<Date>.anyDate.definition.operations?.isReversible == true)
    #expect(try Routes.run(text, "12").first?.value == "12")
    #expect(throws: MappingError.self) { try Mapper(text).encode("12") }
  }
}
