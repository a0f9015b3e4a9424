import StreamMapMacros
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Sub: Equatable, Mappable {
  var type: String
  var v: Int
  static let mapping = Mapping.object(Sub.self) { field in
    field.make(Sub.init, field("type", \.type), field("v", \.v))
  }
}

@Mappable(discriminator: "type") private enum Kind: Equatable {
  case sub(Sub)
  case other
}
@Mappable(discriminator: "type") private enum Text: Equatable {
  case text(String)
  case other
}
@Mappable(discriminator: "type") private enum List: Equatable {
  case list([Int])
  case other
}

/// What a dispatch encodes, it decodes as the same case; or it encodes nothing.
@Suite struct DiscriminatorTests {
  private func written<Value>(_ mapper: Mapper<Value>, _ value: Value) throws -> String {
    String(decoding: try mapper.encode(value), as: UTF8.self)
  }

  @Test func `a case that takes no objects is a mistake`() throws {
    let reason = "the case takes no objects, but the member that chooses it is in an object"
    func mistakes<Value>(_ mapping: Mapping<Value>) -> [String] {
      let error = #expect(throws: DefinitionError.self) { try Mapper(mapping) }
      return error?.mistakes.map { "\($0)" } ?? []
    }
    #expect(mistakes(Mapping<Int>.dispatch(on: "type", ["n": .int])) == ["case 'n': \(reason)"])
    #expect(mistakes(Text.mapping) == ["case 'text': \(reason)"])
    #expect(mistakes(List.mapping) == ["case 'list': \(reason)"])
    #expect(
      mistakes(
        Mapping<[Int]>.array(
          of: .dispatch(on: "type", ["n": .firstOf(.int, .int(from: .string))])))
        == ["[*], case 'n': \(reason)"])
    let error = #expect(throws: DefinitionError.self) {
      try Mapper(output: .dispatch(on: "type", [("n", .string), ("o", .object([]))]))
    }
    #expect(error?.mistakes.map { "\($0)" } == ["case 'n': \(reason)"])
    // What may take objects is none, and neither is what takes all others.
    _ = try Mapper(Mapping<Int>.dispatch(on: "t", ["n": .at("n", .int)], otherwise: .int))
    _ = try Mapper(Mapping<JSONValue>.dispatch(on: "t", ["n": .json]))
    _ = try Mapper(
      Mapping<Int>.dispatch(on: "t", ["n": .dispatch(byKind: [.object: .at("n", .int)])]))
  }

  @Test func `a member of the case by the discriminator's name has to choose the case`() throws {
    let mapper = try Mapper(Kind.self)
    let right = Kind.sub(Sub(type: "sub", v: 1))
    #expect(try written(mapper, right) == #"{"type":"sub","v":1}"#)
    #expect(try mapper.decode(mapper.encode(right)).get() == right)
    for wrong in ["zzz", "other", ""] {
      let error = #expect(throws: MappingError.self) {
        try mapper.encode(.sub(Sub(type: wrong, v: 1)))
      }
      #expect(error?.code == .noAlternative)
      let inner = error?.underlying.compactMap { $0 as? MappingError } ?? []
      #expect(inner.contains { $0.path.description == "$.type" && $0.code == .invalidValue })
    }
  }

  @Test func `cases that share a type are told apart by their own member`() throws {
    let mapper = try Mapper(
      Mapping<Sub>.dispatch(on: "type", ["a": Sub.mapping, "b": Sub.mapping]))
    let value = Sub(type: "b", v: 2)
    #expect(try written(mapper, value) == #"{"type":"b","v":2}"#)
    #expect(try mapper.decode(mapper.encode(value)).get() == value)
    #expect(throws: MappingError.self) { try mapper.encode(Sub(type: "c", v: 2)) }
  }

  /// A case that takes no value back.
  private static let closed: Mapping<JSONValue> = .converted(
    from: .json, { $0 },
    reverse: { (_: JSONValue) -> JSONValue in throw ConversionFailure(expected: "nothing") })

  @Test func `a value of all others must not be one that chooses a case`() throws {
    let mapper = try Mapper(
      Mapping<JSONValue>.dispatch(on: "meta.type", ["a": Self.closed], otherwise: .json))
    let free: JSONValue = ["meta": ["type": "z"]]
    #expect(try mapper.decode(mapper.encode(free)).get() == free)
    #expect(try mapper.decode(mapper.encode([1])).get() == [1])
    #expect(throws: MappingError.self) { try mapper.encode(["meta": ["type": "a"], "x": 1]) }
  }

  @Test func `a value that the fallback writes as null is refused`() throws {
    let mapper = try Mapper(
      Mapping<JSONValue>.dispatch(on: "type", ["a": Self.closed], otherwise: .json))
    #expect(mapper.decode("null").error?.code == .null)
    let error = #expect(throws: MappingError.self) { try mapper.encode(.null) }
    #expect(error?.code == .noAlternative)
    #expect(try mapper.decode(mapper.encode(true)).get() == true)
  }

  @Test func `a discriminator inside an object goes into the object that the case writes`() throws {
    let inner: Mapping<Int> = .at("meta.n", .int)
    let mapper = try Mapper(Mapping<Int>.dispatch(on: "meta.kind.name", ["a": inner]))
    #expect(try written(mapper, 7) == #"{"meta":{"kind":{"name":"a"},"n":7}}"#)
    #expect(try mapper.decode(mapper.encode(7)).get() == 7)
    let blocked = try Mapper(Mapping<Int>.dispatch(on: "meta.kind", ["a": .at("meta", .int)]))
    #expect(throws: MappingError.self) { try blocked.encode(7) }
  }

  @Test func `a case that takes all members has the discriminator among them`() throws {
    let mapper = try Mapper(
      Mapping<[String: String]>.dispatch(on: "type", ["a": .dictionary(of: .string)]))
    let value = ["type": "a", "x": "y"]
    #expect(try mapper.decode(mapper.encode(value)).get() == value)
    #expect(throws: MappingError.self) { try mapper.encode(["x": "y"]) }
    #expect(throws: MappingError.self) { try mapper.encode(["type": "b"]) }
  }

  @Test func `what a case writes has to be of the case's kind`() throws {
    let mapper = try Mapper(
      Mapping<Int>.dispatch(byKind: [
        .number: .decoding(.int, encoding: .int(from: .string)), .string: .int(from: .string),
      ]))
    #expect(try written(mapper, 7) == #""7""#)
    let lost = try Mapper(
      Mapping<Int>.dispatch(byKind: [.number: .decoding(.int, encoding: .int(from: .string))]))
    #expect(throws: MappingError.self) { try lost.encode(7) }
    let json = try Mapper(Mapping<JSONValue>.accepting([.string, .null], .json))
    #expect(try written(json, "x") == #""x""# && written(json, .null) == "null")
    #expect(throws: MappingError.self) { try json.encode(1) }
  }
}
