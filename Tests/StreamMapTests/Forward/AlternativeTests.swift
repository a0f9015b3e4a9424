import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private protocol Shape {}
private struct Circle: Shape, Equatable {
  let radius: Double
  static let mapping = Mapping.object(Circle.self) { field in
    field.make(Circle.init, field("radius", \.radius))
  }
}
private struct Square: Shape, Equatable {
  let side: Int
  let label: String?
  static let mapping = Mapping.object(Square.self) { field in
    field.make(Square.init, field("side", \.side), field("label", \.label))
  }
}

private let shape: Mapping<any Shape> = .dispatch(
  on: "type", ["circle": .casting(Circle.mapping), "square": .casting(Square.mapping)])

private let name: Mapping<String> = .firstOf(
  .string, .at("full", .string),
  .joined(Part("first", .string), Part("last", .string)) { "\($0) \($1)" })

/// What becomes of a document: its value, and its errors a line each.
private func outcome<Value>(_ mapping: Mapping<Value>, _ document: String) throws -> String {
  let record = try #require(try Routes.run(mapping, document).first)
  var lines: [String] = []
  switch record.result {
  case .success(let value): lines.append("\(value)")
  case .failure(let error): lines.append(error.fullDescription)
  }
  return (lines + record.issues.map { "issue " + $0.fullDescription }).joined(separator: "\n")
}

@Suite struct AlternativeTests {
  @Test(arguments: [
    (#""Ann""#, "Ann"),
    (#"{"full":"Ann Lee"}"#, "Ann Lee"),
    (#"{"last":"Lee","x":[1,{"full":2}],"first":"Ann"}"#, "Ann Lee"),
  ])
  func `the first alternative that takes the value gives it`(document: String, value: String) throws
  {
    let silent: Mapping<String> = .firstOf(
      [
        .string, .at("full", .string),
        .joined(Part("first", .string), Part("last", .string)) { "\($0) \($1)" },
      ], reportsEarlier: false)
    #expect(try outcome(silent, document) == value)
    #expect(try outcome(name, document).hasPrefix(value))
    #expect(try outcome(.array(of: silent), "[\(document),\(document)]") == "\([value, value])")
  }

  @Test func `what earlier alternatives refused is reported as issues`() throws {
    #expect(
      try outcome(name, #"{"full":"Ann"}"#) == """
        Ann
        issue issue wrongType at $ (record 1, line 1, column 1, bytes 0..<14): expected a string, found an object
        """)
  }

  @Test func `a value that no alternative takes reports all errors`() throws {
    let text = try outcome(name, #"{"full":1}"#)
    #expect(
      text == """
        fatal noAlternative at $ (record 1, line 1, column 1, bytes 0..<10): expected a string, or a String
          - fatal wrongType at $.full (record 1, line 1, column 9, bytes 8..<9): expected a string, found a number
          - fatal missing at $.first (record 1, line 1, column 1, bytes 0..<10): a string is missing
          - fatal missing at $.last (record 1, line 1, column 1, bytes 0..<10): a string is missing
          - fatal wrongType at $ (record 1, line 1, column 1, bytes 0..<10): expected a string, found an object
        """)
  }

  /// What no route reports is no difference between them: the number of issues is said, too.
  @Test(arguments: [
    (DefaultCondition.missing, "{}", 0), (.missingOrInvalid, "{}", 2), (.failing, "{}", 2),
    (.missingOrInvalid, #"{"a":1}"#, 0),
  ])
  func `what stands in for alternatives has its issues from a row, too`(
    _ condition: DefaultCondition, _ document: String, _ count: Int
  ) throws {
    let feed = "\(document)\n\(document)\n"
    let typed: Mapping<Int> = .firstOf(.at("a", .int), .at("b", .int)).default(0, when: condition)
    let values = try Routes.run(
      Mapping<Kept>.object(Kept.self) { field in
        field.make(Kept.init, field("id", \.id), field("$", \.number, typed))
      }, feed, format: .ndjson)
    #expect(values.map { $0.issues.count } == [count, count])
    let output: OutputMapping = .firstOf(.at("a", .int64), .at("b", .int64))
    let texts = try Routes.run(
      output: .object([OutputField("n", from: "$", output.default(.number("0"), when: condition))]),
      feed, format: .ndjson)
    #expect(texts.map { $0.issues.count } == [count, count])
  }

  private struct Kept {
    let id: Int?
    let number: Int
  }

  @Test(arguments: [
    #"{"type":"circle","radius":2.5}"#, #"{"radius":2.5,"x":{"type":"square"},"type":"circle"}"#,
    #"{"radius":2.5,"type":"circle","type":"square"}"#, #"{"ty\u0070e":"circle","radius":2.5}"#,
  ])
  func `the discriminator chooses the mapping wherever it stands`(document: String) throws {
    let value = try #require(try Routes.run(shape, document).first?.value)
    #expect(value as? Circle == Circle(radius: 2.5))
    let many = try #require(try Routes.run(.array(of: shape), "[\(document)]").first?.value)
    #expect(many.first as? Circle == Circle(radius: 2.5))
  }

  @Test(arguments: [
    (
      #"[{"type":"oval","radius":[1,{}]},{"type":"circle","radius":1}]"#,
      "fatal invalidValue at $[0].type (record 1, line 1, column 10, bytes 9..<15): expected one of 'circle', 'square', found another string"
    ),
    (
      #"[{"radius":1}]"#,
      "fatal missing at $[0].type (record 1, line 1, column 2, bytes 1..<13): one of 'circle', 'square' is missing"
    ),
    (
      #"[{"type":{"type":"circle"},"radius":1}]"#,
      "fatal invalidValue at $[0].type (record 1, line 1, column 10, bytes 9..<10): expected one of 'circle', 'square', found an object"
    ),
    (
      "[7]",
      "fatal wrongType at $[0] (record 1, line 1, column 2, bytes 1..<2): expected an object, found a number"
    ),
    (
      #"[{"type":"square","side":1.5}]"#,
      "fatal invalidValue at $[0].side → [0].side (record 1, line 1, column 26, bytes 25..<28): expected an integer (Int), found a number that is not one"
    ),
  ])
  func `a discriminator that chooses nothing is an error`(document: String, error: String) throws {
    let text = try outcome(.array(of: shape), document)
    #expect(text.replacing(" → [0] (", with: " (") == error)
  }

  @Test func `dispatch writes the discriminator back and refuses other types`() throws {
    let mapper = try Mapper(shape)
    let text = String(decoding: try mapper.encode(Circle(radius: 2)), as: UTF8.self)
    #expect(text == #"{"type":"circle","radius":2.0}"#)
    #expect(
      String(decoding: try mapper.encode(Square(side: 2, label: nil)), as: UTF8.self)
        == #"{"type":"square","side":2}"#)
    #expect(throws: MappingError.self) { try mapper.encode(Triangle()) }
  }

  private struct Triangle: Shape {}

  @Test(arguments: [("7", 7), (#""8""#, 8), (#"{"id":9}"#, 9)])
  func `the kind of a value chooses its mapping`(document: String, value: Int) throws {
    let id: Mapping<Int> = .dispatch(byKind: [
      .number: .int, .string: .int(from: .string), .object: .at("id", .int),
    ])
    #expect(try outcome(id, document) == "\(value)")
    #expect(try outcome(.array(of: id), "[\(document)]") == "[\(value)]")
    #expect(
      try outcome(id, "true")
        == "fatal wrongType at $ (record 1, line 1, column 1, bytes 0..<4): expected a number or a string or an object, found a boolean"
    )
  }

  @Test func `the limit of a recorded value holds before its discriminator`() throws {
    var limits = Limits()
    limits.capturedValue = 64
    let document = #"{"radius":"\#(String(repeating: "x", count: 200))","type":"circle"}"#
    let record = try #require(try Routes.run(shape, document, limits: limits).first)
    #expect(record.error?.code == .limitExceeded)
    let first = #"{"type":"circle","radius":1,"x":"\#(String(repeating: "x", count: 200))"}"#
    #expect(
      try Routes.run(shape, first, limits: limits).first?.value as? Circle == Circle(radius: 1))
  }

  /// Alternatives within alternatives: what each level plays doubles with each level.
  @Test func `the limit of replayed bytes holds for each record`() throws {
    let inner: Mapping<Int> = .recursive { .firstOf(.int, .at("a", $0), .at("a", $0)) }
    func nested(_ depth: Int, _ value: String) -> String {
      String(repeating: #"{"a":"#, count: depth) + value + String(repeating: "}", count: depth)
    }
    var limits = Limits()
    limits.replayed = 0
    while try Routes.run(inner, nested(3, "7"), limits: limits).first?.value == nil {
      limits.replayed += 1
    }
    #expect(try Routes.run(inner, nested(3, "7"), limits: limits).first?.value == 7)
    limits.replayed -= 1
    let error = try #require(try Routes.run(inner, nested(3, "7"), limits: limits).first?.error)
    #expect(
      error.description
        == "fatal limitExceeded at $ (record 1, line 1, column 1, bytes 0..<19): expected at most "
        + "\(limits.replayed) bytes of a record read again for alternatives and for fields that share a source "
        + "(Limits.replayed)")
    // Without the limit, 2^200 attempts.
    limits.replayed = 1 << 16
    let deep = try #require(
      try Routes.run(inner, nested(200, #""x""#), limits: limits).first?.error)
    #expect(deep.code == .limitExceeded)
    // A scalar is not played: what is wrong with it is another matter.
    let list = "[" + nested(200, "false") + ",true]"
    let errors = try #require(
      try Routes.run(.array(of: inner), list, limits: limits).first?.error)
    #expect(
      errors.underlying.compactMap { ($0 as? MappingError)?.code } == [
        .limitExceeded, .noAlternative,
      ])
    // The next record has a budget of its own.
    let feed = nested(200, "false") + "\n" + nested(3, "8") + "\n"
    let records = try Routes.run(inner, feed, format: .ndjson, limits: limits)
    #expect(records.map { $0.value } == [nil, 8])
  }

  @Test func `empty, endless or indexed choices are mistakes of the definition`() throws {
    #expect(throws: DefinitionError.self) { try Mapper(Mapping<Int>.firstOf([])) }
    #expect(throws: DefinitionError.self) {
      try Mapper(Mapping<Int>.dispatch(on: "a[0]", ["x": .int]))
    }
    #expect(throws: DefinitionError.self) {
      try Mapper(Mapping<Int>.recursive { number in .firstOf(.int, number) })
    }
  }
}
