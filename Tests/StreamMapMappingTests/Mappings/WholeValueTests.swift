import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Whole: Equatable {
  var all: JSONValue
  var number: Int?
}

private let whole = Mapping.object(Whole.self) { field in
  field.make(
    Whole.init, field("$", \.all, .json), field("$.n", \.number, .int))
}

private struct Box: Equatable {
  var value: Int?
}

private let box = Mapping.object(Box.self) { field in
  field.make(Box.init, field("$", \.value, .int))
}

@Suite("Fields whose source is the whole value")
struct WholeValueTests {
  @Test
  func `a record that is null maps by its whole value`() throws {
    let records = try Routes.run(box, "[null,1]", at: ["$[*]"])
    #expect(records.map(\.value) == [Box(value: nil), Box(value: 1)])
    let lines = try Routes.run(box, "null\n1\n", format: .ndjson)
    #expect(lines.map(\.value) == [Box(value: nil), Box(value: 1)])
    #expect(try decode(box, "null").value == Box(value: nil))
    #expect(try decode(whole, "null").value == Whole(all: .null, number: nil))
    #expect(try decode(box, #""x""#).fatal == ["wrongType $ → value"])
  }

  @Test
  func `a field of the whole value judges null itself`() throws {
    let strict = Mapping.object(Box.self) { field in
      field.make({ Box(value: $0) }, field("$", \.value.orZero, .int))
    }
    #expect(try decode(strict, "null").fatal.map { $0.prefix(6) } == ["null $"])
  }

  @Test
  func `a null inside is nil if the outer property is Optional`() throws {
    struct Outer: Equatable { var box: Box }
    struct Maybe: Equatable { var box: Box? }
    #expect(
      try decode(
        Mapping.object(Outer.self) { field in field.make(Outer.init, field("b", \.box, box)) },
        #"{"b":null}"#
      ).value
        == Outer(box: Box(value: nil)))
    #expect(
      try decode(
        Mapping.object(Maybe.self) { field in field.make(Maybe.init, field("b", \.box, box)) },
        #"{"b":null}"#
      ).value
        == Maybe(box: nil))
    #expect(try decode(.array(of: box), "[null,2]").value == [Box(value: nil), Box(value: 2)])
  }

  @Test
  func `parts of a joined value and root values may be null`() throws {
    let pair: Mapping<String> = .joined(Part("$", .json), Part("$", .nullable(.int))) {
      "\($0) \($1 ?? 0)"
    }
    #expect(try decode(pair, "null").value == "null 0")
    #expect(try decode(Mapping<Int>.at("$", .int.default(3)), "null").value == 3)
  }

  @Test
  func `output records hold null as the interpreter does`() throws {
    let mapping: OutputMapping = .object([
      OutputField("x", from: "$", .raw), OutputField("n", from: "n", .nullable(.any)),
    ])
    for (document, expected) in [
      ("null", #"{"x":null,"n":null}"#), ("7", ""), (#"{"n":1}"#, #"{"x":{"n":1},"n":1}"#),
    ] {
      let record = try #require(try Routes.run(output: mapping, document).first)
      #expect(record.value.map { "\($0)" } ?? "" == expected)
      try Routes.compare(record, mapping.definition, document)
    }
  }

  @Test
  func `errors say which kind or alternatives are expected`() throws {
    func message<Value>(_ mapping: Mapping<Value>, _ document: String) throws -> String? {
      try Mapper(mapping).decode(document.utf8).error?.message
    }
    #expect(
      try message(Mapping<Int>.at("[0]", .int), "{}") == "expected an array, found an object")
    #expect(
      try message(Mapping<(Int, Int)>.tuple(.int, .int), "{}")
        == "expected an array, found an object")
    #expect(try message(Mapping<Int>.at("a", .int), "[]") == "expected an object, found an array")
    #expect(
      try message(.firstOf(Mapping<Int>.at("a", .int), .at("b[0]", .int8AsInt)), "{}")
        == "expected an integer (Int), or an Int")
    let output = try Mapper(
      output: .firstOf([
        .at("a", .int64), .at("b", .int64),
        .at("[0]", .string),
      ]))
    #expect(
      output.decode("{}".utf8).error?.message == "expected an integer (Int64), or a string")
    let index = try Mapper(output: .object([OutputField("v", from: "$[0]", .any)]))
    #expect(index.decode("{}".utf8).error?.message == "expected an array, found an object")
  }
}

extension Mapping where Value == Int {
  fileprivate static var int8AsInt: Mapping {
    .converted(from: .int8, { Int($0) }, reverse: { Int8($0) })
  }
}

extension Optional where Wrapped == Int {
  fileprivate var orZero: Int { self ?? 0 }
}
