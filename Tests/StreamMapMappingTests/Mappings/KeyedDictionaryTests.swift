import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Dictionaries whose keys are values: both ways, by every route, and what is wrong with a key.
@Suite struct KeyedDictionaryTests {
  enum Plan: String, CaseIterable { case free, team, café }

  private func decoded<Key, Member: Sendable>(
    _ mapping: Mapping<[Key: Member]>, _ text: String
  ) throws -> [Key: Member]? {
    try Routes.run(mapping, text).first?.value
  }

  private func mistake<Key, Member: Sendable>(
    _ mapping: Mapping<[Key: Member]>, _ text: String
  ) throws -> MappingError? {
    try Mapper(mapping).decode(text).error
  }

  @Test func `keys are numbers, identifiers, cases and dates, and are written back`() throws {
    let hours: Mapping<[Int: Double]> = .dictionary(keyedBy: .number, of: .double)
    #expect(try decoded(hours, #"{"7":0.5,"-12":1.25}"#) == [7: 0.5, -12: 1.25])
    #expect(
      String(decoding: try Mapper(hours).encode([7: 0.5, -12: 1.25]), as: UTF8.self)
        == #"{"-12":1.25,"7":0.5}"#)

    let id = try #require(UUID(uuidString: "0E0F4C3A-7B1D-4E9A-9C57-0123456789AB"))
    let users: Mapping<[UUID: [String]]> = .dictionary(keyedBy: .uuid, of: .array(of: .string))
    #expect(try decoded(users, #"{"0e0f4c3a-7b1d-4e9a-9c57-0123456789ab":["a"]}"#) == [id: ["a"]])

    let prices: Mapping<[Plan: Decimal]> = .dictionary(keyedBy: .rawValue, of: .decimal)
    #expect(try decoded(prices, #"{"free":0,"te\u0061m":9.90}"#) == [.free: 0, .team: 9.9])
    #expect(
      String(decoding: try Mapper(prices).encode([.team: 9.9, .free: 0]), as: UTF8.self)
        == #"{"free":0,"team":9.9}"#)

    let days: Mapping<[Date: Int]> = .dictionary(keyedBy: .dateFormat("yyyy-MM-dd"), of: .int)
    #expect(try decoded(days, #"{"1970-01-02":1}"#) == [Date(timeIntervalSince1970: 86_400): 1])
    #expect(try decoded(hours, "{}") == [:])
  }

  @Test func `a wrong key is an error that names it`() throws {
    let hours: Mapping<[Int: Double]> = .dictionary(keyedBy: .number, of: .double)
    let error = try #require(try mistake(hours, #"{"7":1,"x'":2}"#))
    #expect(error.code == .invalidValue && error.path == JSONPath([]))
    #expect(error.expected == #"a text that is an integer (Int) for each key; one is 'x\''"#)
    let prices: Mapping<[Plan: Int]> = .dictionary(keyedBy: .rawValue, of: .int)
    #expect(
      try mistake(prices, #"{"other":1}"#)?.expected
        == "one of 'free', 'team', 'café' for each key; one is 'other'")
    // The same letters, composed of other code points.
    #expect(try mistake(prices, #"{"cafe\u0301":1}"#)?.code == .invalidValue)
    let hidden = hours.redacted()
    #expect(try mistake(hidden, #"{"secret":2}"#)?.description.contains("secret") == false)
  }

  @Test func `two keys for one value are an error, and so are two values with one text`() throws {
    let users: Mapping<[UUID: Int]> = .dictionary(keyedBy: .uuid, of: .int)
    let text =
      #"{"0e0f4c3a-7b1d-4e9a-9c57-0123456789ab":1,"0E0F4C3A-7B1D-4E9A-9C57-0123456789AB":2}"#
    #expect(try mistake(users, text)?.code == .duplicateKey)
    let parity = Conversion<String, Int>("parity") { _ in
      0
    } reverse: {
      $0 % 2 == 0 ? "even" : "odd"
    }
    let mapper = try Mapper(Mapping<[Int: Int]>.dictionary(keyedBy: parity, of: .int))
    #expect(throws: MappingError.self) { try mapper.encode([2: 1, 4: 2]) }
  }

  @Test func `a key that comes twice follows the policy of duplicate keys`() throws {
    let hours: Mapping<[Int: Int]> = .dictionary(keyedBy: .number, of: .int)
    #expect(try decoded(hours, #"{"7":1,"7":2}"#) == [7: 2])
    var registry = Registry()
    registry.duplicateKeys = .fail
    #expect(
      try Mapper(hours, registry: registry).decode(#"{"7":1,"7":2}"#).error?.code == .duplicateKey)
  }

  @Test func `a conversion with a mistake, and one without a way back, are told apart`() throws {
    let mistaken = Mapping<[Int: Int]>.dictionary(
      keyedBy: Conversion("bad", mistake: "write it differently"), of: .int)
    #expect(throws: DefinitionError.self) { try Mapper(mistaken) }
    let oneWay = Mapping<[Int: Int]>.dictionary(
      keyedBy: Conversion<String, Int>("length") { $0.utf8.count }, of: .int)
    #expect(try Mapper(oneWay).decode(#"{"ab":1}"#).get() == [2: 1])
    #expect(throws: (any Error).self) { try Mapper(oneWay).encode([2: 1]) }
  }
}
