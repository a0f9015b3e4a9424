import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What is said of values that were recorded, rejected or absent before something was made of them.
@Suite struct ReplayTests {
  fileprivate struct Pair: Equatable {
    var a: Int
    var b: Int?
    static let mapping = Mapping.object(Pair.self) { field in
      field.make(Pair.init, field("a", \.a), field("b", \.b))
    }
  }

  private struct Refused: Error {}

  /// The errors and issues of a document with their bytes.
  private func errors<Value>(_ mapping: Mapping<Value>, _ document: String) throws -> [String] {
    let record = try #require(try Routes.run(mapping, document).first)
    return ((record.error.map { [$0] } ?? []) + record.issues).map {
      "\($0.code) \($0.path) \($0.position.map { "\($0.bytes)" } ?? "-")"
    }
  }

  @Test func `a container that no alternative takes is reported as a whole`() throws {
    let number: Mapping<Int> = .firstOf(.int, .at("n", .int))
    #expect(try errors(.array(of: number), #"[{"n":"x"}, [1,2]]"#) == ["severalErrors $ 0..<18"])
    #expect(try errors(number, #"{"n":"x"}"#) == ["noAlternative $ 0..<9"])
    #expect(try errors(number, "[1,[2]]") == ["noAlternative $ 0..<7"])
  }

  /// What stands in for a rejected container is mapped on at once, and what goes wrong then is about all of it.
  @Test func `what stands in for a container is mapped on`() throws {
    let texts: Mapping<JSONValue> = .oneWay(from: .string.default("", when: .missingOrInvalid)) {
      _ in [1]
    }
    #expect(try decode(.piped(texts, into: .array(of: .int)), "[2, [3]]").value == [1])
    let refusing: Mapping<Int> = .oneWay(from: .int.default(7, when: .missingOrInvalid)) { _ in
      throw Refused()
    }
    #expect(
      try errors(refusing, #"{"a":[1]}"#) == ["conversionFailed $ 0..<9", "wrongType $ 0..<9"])
  }

  @Test func `the other case takes containers where the discriminator stands`() throws {
    let mapping: Mapping<JSONValue> = .dispatch(
      on: "t.u", ["x": .oneWay(from: Pair.mapping) { .number("\($0.a)") }], otherwise: .json)
    for document in [
      #"{"a":1,"t":{"u":[{"x":1}]},"b":2}"#, #"{"t":{"u":{"u":"x"}}}"#, #"{"t":["x"],"a":{}}"#,
      #"{"t":{"u":null}}"#,
    ] {
      #expect(try decode(mapping, document).value?.description == document)
    }
    #expect(try decode(mapping, #"{"t":{"v":[],"u":"x"},"a":5}"#).value == 5)
    let strict: Mapping<Pair> = .dispatch(on: "t", ["x": Pair.mapping])
    #expect(try errors(strict, #"{"a":1,"t":[2],"b":{"t":"x"}}"#) == ["invalidValue $.t 11..<12"])
  }

  /// The key of a discriminator is no unknown one, in none of the mappings that it may choose, and only there.
  @Test func `the discriminator is known to the mappings that it chooses`() throws {
    let strict = Pair.mapping.unknownKeys(.fail)
    let shared: Mapping<Pair> = .recursive { _ in strict }
    let mapping: Mapping<[Pair]> = .array(
      of: .firstOf(
        shared, .dispatch(on: "t", ["x": shared, "y": .firstOf(.at("in", strict), strict)])))
    #expect(
      try decode(mapping, #"[{"a":1},{"t":"x","a":2},{"a":3,"t":"y"}]"#).value
        == [Pair(a: 1), Pair(a: 2), Pair(a: 3)])
    #expect(try errors(mapping, #"[{"a":1,"t":"z"}]"#) == ["noAlternative $[0] 1..<16"])
    let members: Mapping<[String: Pair]> = .dispatch(on: "t", ["x": .dictionary(of: strict)])
    #expect(
      try decode(members, #"{"t":"x","m":{"a":1,"t":2}}"#).fatal.contains("unknownKey $.m.t → m"))
  }

  @Test func `what is made of an absent value has its path`() throws {
    let refusing: Mapping<Int> = .oneWay(from: .int.default(5)) { _ in throw Refused() }
    let mapping = Mapping.object(Pair.self) { field in
      field.make({ Pair(a: $0, b: $1) }, field("x.y", \.a, refusing), field("b", \.b))
    }
    #expect(try errors(mapping, #"{"b":1}"#) == ["conversionFailed $.x.y 0..<7"])
  }

  @Test func `postprocessing sees null if the value is null or absent`() throws {
    let mapping: Mapping<[String]> = .array(
      of: Mapping<String?>.nullable(.string).postProcessed { json, value in
        json == .null ? "nothing" : value
      }.unwrapped)
    #expect(try decode(mapping, #"["a",null]"#).value == ["a", "nothing"])
    let counted = Mapping.object(Pair.self) { field in
      field.make(
        { Pair(a: $0, b: $1) },
        field("a", \.a, .int.default(1).postProcessed { json, a in json == .null ? -a : a }),
        field("b", \.b))
    }
    #expect(try decode(counted, "{}").value == Pair(a: -1))
    #expect(try decode(counted, #"{"a":null}"#).value == Pair(a: -1))
    #expect(try decode(counted, #"{"a":4}"#).value == Pair(a: 4))
    #expect(
      try decode(Mapping<Int>.int.postProcessed { $1 }, "null").fatal == ["null $"])
  }

  /// A mapping that takes the same value again would have no end.
  @Test func `a mapping that takes the same value again is a mistake`() {
    let itself: Mapping<Pair?> = .recursive { pair in
      Mapping.object { field in field.make({ $0 }, field("$", \.self, pair)) }
    }
    let rest: Mapping<[JSONValue]> = .recursive { rest in
      Mapping.object { field in field.make({ _ in [] }, field(collecting: \.self, rest)) }
    }
    #expect(mistakes(itself).contains { $0.contains("so a value would never end") })
    #expect(mistakes(rest).contains { $0.contains("so a value would never end") })
  }

  @Test func `Codable types are written the same each time`() throws {
    struct Wide: Codable, Hashable { var e = "/", d = 4, c = 3, b = 2, a = 1 }
    for _ in 0..<20 {
      #expect(try encode(.codable(), Wide()) == #"{"a":1,"b":2,"c":3,"d":4,"e":"/"}"#)
    }
  }
}

extension ReplayTests.Pair {
  fileprivate init(a: Int) { self.init(a: a, b: nil) }
}

extension Mapping where Value == String? {
  /// The value, or `none`.
  fileprivate var unwrapped: Mapping<String> {
    .converted(from: self, { $0 ?? "none" }, reverse: { $0 })
  }
}
