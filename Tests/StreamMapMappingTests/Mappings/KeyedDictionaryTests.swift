import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Dictionaries whose keys are values: both ways, by every route, and what is wrong with a key.
@Suite struct KeyedDictionaryTests {
  enum Plan: String, CaseIterable { case free, team, café }

  /// What all routes make of a document.
  private func records<Key, Member: Sendable>(
    _ mapping: Mapping<[Key: Member]>, _ text: String
  ) throws -> [Record<[Key: Member]>] {
    try Routes.run(Mapper(mapping), Array(text.utf8), at: [], format: .json) { members in
      members.map { "\($0): \($1)" }.sorted().joined(separator: ", ")
    }
  }

  private func decoded<Key, Member: Sendable>(
    _ mapping: Mapping<[Key: Member]>, _ text: String
  ) throws -> [Key: Member]? {
    try records(mapping, text).first?.value
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

  @Test func `a wrong key is an error at this key, and the others are still looked at`() throws {
    let hours: Mapping<[Int: Double]> = .dictionary(keyedBy: .number, of: .double)
    let text = #"{"7":1,\#n "x'":[2],"8":"y"}"#
    for record in try records(hours, text) {
      let errors = record.error?.leaves ?? []
      #expect(errors.map(\.code) == [.invalidValue, .wrongType])
      #expect(errors.map(\.path.description) == ["$['x\\'']", "$.8"])
      #expect(errors.first?.target?.description == "$['x\\'']")
      #expect(errors.first?.expected == "a text that is an integer (Int)")
      #expect(errors.first?.found == "another key")
    }
    let position = try #require(try mistake(hours, text)?.leaves.first?.position)
    #expect(position.line == 2 && position.column == 2 && position.bytes == 9..<13)

    let prices: Mapping<[Plan: Int]> = .dictionary(keyedBy: .rawValue, of: .int)
    #expect(try mistake(prices, #"{"other":1}"#)?.expected == "one of 'free', 'team', 'café'")
    // The same letters, composed of other code points.
    #expect(try mistake(prices, #"{"cafe\u0301":1}"#)?.code == .invalidValue)
    let hidden = try mistake(hours.redacted(), #"{"secret":2}"#)
    #expect(hidden?.code == .invalidValue && hidden?.description.contains("secret") == false)
    #expect(hidden?.expected == "a key that the mapping can convert")
  }

  @Test func `a wrong key follows the policy for what fails inside`() throws {
    let hours: Mapping<[Int: Int]> = .dictionary(keyedBy: .number, of: .int)
    let record = try Mapper(hours.default([:], when: .failing)).decode(#"{"7":1,"x":2}"#)
    #expect(record.value == [:])
    #expect(record.issues.map(\.path.description) == ["$.x"])
    let lists: Mapping<[[Int: Int]]> = .array(of: hours, omitsInvalid: true)
    #expect(try Mapper(lists).decode(#"[{"7":1},{"x":2},{"8":3}]"#).value == [[7: 1], [8: 3]])
  }

  @Test func `an error of a key's own conversion is told at the key`() throws {
    struct Odd: Error {}
    let even = Conversion<String, Int>("even") { text in
      guard text.utf8.count % 2 == 0 else { throw Odd() }
      return text.utf8.count
    }
    let texts: Mapping<[Int: Int]> = .dictionary(keyedBy: even, of: .int)
    let error = try mistake(texts, #"{"ab":1,"abc":2}"#)
    #expect(error?.code == .conversionFailed && error?.path.description == "$.abc")
    #expect(error?.underlying.first is Odd)
  }

  @Test func `two keys for one value are an error, and so are two values with one text`() throws {
    let users: Mapping<[UUID: Int]> = .dictionary(keyedBy: .uuid, of: .int)
    let text =
      #"{"0e0f4c3a-7b1d-4e9a-9c57-0123456789ab":1,"0E0F4C3A-7B1D-4E9A-9C57-0123456789AB":2}"#
    let error = try #require(try mistake(users, text))
    #expect(error.code == .duplicateKey)
    #expect(error.path == JSONPath([.key("0E0F4C3A-7B1D-4E9A-9C57-0123456789AB")]))
    #expect(error.position?.bytes == 42..<80)
    // Two that Swift's String would take for one are two keys.
    let lengths = Conversion<String, Int>("length") {
      $0.utf8.count
    } reverse: {
      "\($0)"
    }
    let texts: Mapping<[Int: Int]> = .dictionary(keyedBy: lengths, of: .int)
    #expect(try decoded(texts, #"{"é":1,"e\u0301":2}"#) == [2: 1, 3: 2])
    let parity = Conversion<String, Int>("parity") { _ in
      0
    } reverse: {
      $0 % 2 == 0 ? "even" : "odd"
    }
    let mapper = try Mapper(Mapping<[Int: Int]>.dictionary(keyedBy: parity, of: .int))
    #expect(throws: MappingError.self) { try mapper.encode([2: 1, 4: 2]) }
    #expect(throws: MappingError.self) { try mapper.convert([2: 1, 4: 2], to: mapper).get() }
  }

  @Test func `a key that comes twice follows the policy of duplicate keys`() throws {
    let hours: Mapping<[Int: Int]> = .dictionary(keyedBy: .number, of: .int)
    #expect(try decoded(hours, #"{"7":1,"7":2}"#) == [7: 2])
    var registry = Registry()
    registry.duplicateKeys = .fail
    let error = try Mapper(hours, registry: registry).decode(#"{"7":1,"7":2}"#).error
    #expect(error?.code == .duplicateKey && error?.path.description == "$.7")
    registry.duplicateKeys = .first
    #expect(try Mapper(hours, registry: registry).decode(#"{"7":1,"7":2}"#).value == [7: 1])
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
