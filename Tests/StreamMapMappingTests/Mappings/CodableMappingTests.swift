import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Types that Foundation's decoder and encoder map.
@Suite struct CodableMappingTests {
  private struct Point: Codable, Equatable {
    let x: Int
    let y: Double?
  }

  /// It decodes, but does not encode.
  private struct Mark: Decodable, Equatable {
    let firstName: String
  }

  @Test func `a Decodable type is decoded from the JSON of its value`() throws {
    let list: Mapping<[Mark]> = .at("l", .array(of: .decodable()))
    let decoded = try decode(list, #"{"l":[{"firstName":"Ann"},{"firstName":"B\u00e9"}]}"#)
    #expect(decoded.value == [Mark(firstName: "Ann"), Mark(firstName: "Bé")] && decoded.isClean)
  }

  @Test func `what the decoder throws is an error at the value`() throws {
    let list: Mapping<[Mark]> = .array(of: .decodable(), omitsInvalid: true)
    let decoded = try decode(list, #"[{"firstName":7},{"firstName":"Ann"},{}]"#)
    #expect(decoded.value == [Mark(firstName: "Ann")])
    #expect(decoded.issuePlaces == ["conversionFailed $[0]", "conversionFailed $[2]"])
    let error = try #require(
      try Mapper(Mapping<Mark>.decodable()).decode("{}".utf8).error?.underlying.first)
    #expect(error is DecodingError)
  }

  @Test func `a Decodable type is decoded by the decoder that is given`() throws {
    let mark: Mapping<Mark> = .decodable {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return decoder
    }
    #expect(try decode(mark, #"{"first_name":"Ann"}"#).value == Mark(firstName: "Ann"))
    #expect(try decode(mark, #"{"first":"Ann"}"#).fatal == ["conversionFailed $"])
  }

  @Test func `a Decodable type is not encoded`() throws {
    let error = #expect(throws: MappingError.self) {
      try encode(.decodable(), Mark(firstName: "Ann"))
    }
    #expect(error?.code == .invalidDefinition)
  }

  @Test func `a Codable type goes both ways`() throws {
    let points: Mapping<[Point]> = .array(of: .codable())
    let document = #"[{"x":1,"y":0.5},{"x":2}]"#
    #expect(try decode(points, document).value == [Point(x: 1, y: 0.5), Point(x: 2, y: nil)])
    #expect(try encode(points, [Point(x: 1, y: 0.5), Point(x: 2, y: nil)]) == document)
  }
}
