import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Meeting: Equatable {
  var id: Int?
}

private func meeting(_ mapping: Mapping<Int>) -> Mapping<Meeting> {
  Mapping.object(Meeting.self) { field in field.make(Meeting.init, field("$", \.id, mapping)) }
}

private let joined: Mapping<Int> = .joined(Part("a", .int), Part("b", .int)) { $0 * 10 + $1 }

/// Decodes, and holds the outcome against the interpreter.
private func outcome(_ mapping: OutputMapping, _ document: String) throws -> String {
  let record = try #require(try Routes.run(output: mapping, document).first)
  try Routes.compare(record, mapping.definition, document)
  return record.value.map { "\($0)" } ?? record.error?.code.rawValue ?? ""
}

@Suite("What is absent inside of a value")
struct AbsentInsideTests {
  @Test(arguments: ["{}", #"{"a":{}}"#, #"{"a":null}"#, #"{"a":{"b":null}}"#])
  func `nil stands in where nothing is at the path`(document: String) throws {
    let mappings: [Mapping<Int>] = [
      .at("a.b", .int), .at("a", .at("b", .int)),
      .converted(from: .at("a.b", .int), { $0 }, reverse: { $0 }),
      .firstOf(.at("a.b", .int), .at("a.c", .int)),
    ]
    for mapping in mappings {
      let decoded = try decode(meeting(mapping), document)
      #expect(decoded.value == Meeting(id: nil) && decoded.isClean)
      let explicit = try decode(.nullable(mapping), document)
      #expect(explicit.value == .some(nil) && explicit.isClean)
      let filled = try decode(mapping.default(7), document)
      #expect(filled.value == 7 && filled.isClean)
      #expect(try decode(mapping, document).fatal.count == 1)
      let reported = try decode(mapping.default(7, when: .failing), document)
      #expect(reported.value == 7 && !reported.issues.isEmpty)
      let record = try Mapper(meeting(mapping)).decode(document.utf8)
      try Routes.compare(record, meeting(mapping).definition, document)
    }
  }

  @Test(arguments: [#"{"a":{"b":"x"}}"#, #"{"a":7}"#, #"{"a":[]}"#])
  func `a wrong value inside is still an error`(document: String) throws {
    #expect(try decode(meeting(.at("a.b", .int)), document).fatal.count == 1)
    #expect(
      try decode(meeting(.firstOf(.at("a.b", .int), .at("c", .int))), document).fatal.count == 1)
  }

  @Test
  func `a member that an inner object lacks is an error`() throws {
    struct Person: Equatable { var name: String }
    let person = Mapping.object(Person.self) { field in
      field.make(Person.init, field("name", \.name))
    }
    let mapping: Mapping<Person?> = .nullable(.at("person", person))
    #expect(try decode(mapping, "{}").value == .some(nil))
    #expect(try decode(mapping, #"{"person":{}}"#).fatal == ["missing $.person.name → name"])
  }

  @Test(arguments: ["{}", #"{"a":1}"#, #"{"a":null,"b":2}"#])
  func `nil stands in for a joined value with an absent part`(document: String) throws {
    let decoded = try decode(meeting(joined), document)
    #expect(decoded.value == Meeting(id: nil) && decoded.isClean)
    let explicit: Mapping<Int?> = .nullable(joined)
    #expect(try decode(explicit, document).value == .some(nil))
    #expect(!(try decode(joined, document).fatal.isEmpty))
  }

  @Test
  func `a joined value reports wrong parts and takes right ones`() throws {
    #expect(try decode(meeting(joined), #"{"a":"x"}"#).fatal.contains("wrongType $.a → id"))
    #expect(try decode(meeting(joined), #"{"a":1,"b":2}"#).value == Meeting(id: 12))
  }

  @Test
  func `a property that says notNull inside is required`() throws {
    #expect(try decode(meeting(.at("b", .int.notNull())), "{}").fatal == ["missing $.b → id"])
  }

  @Test
  func `errors before an absent value stay reported`() throws {
    let list: Mapping<[Int?]> = .array(of: .nullable(.at("a", .int)))
    let decoded = try decode(list, #"[{"a":"x"},{},{"a":1},{}]"#)
    #expect(decoded.fatal == ["wrongType $[0].a → [0]"])
    var limits = Limits()
    limits.errorsPerRecord = 1
    let records = try Routes.run(
      .array(of: .nullable(.at("a", .int)), omitsInvalid: true) as Mapping<[Int?]>,
      #"[{"a":"x"},{},{"a":1},{}]"#,
      limits: limits)
    #expect(records.first?.value == [nil, 1, nil])
  }

  @Test
  func `output mappings treat absent values as the interpreter does`() throws {
    let inside: OutputMapping = .at("a.b", .int64)
    let first: OutputMapping = .firstOf([inside, .at("c", .string)])
    for document in ["{}", #"{"a":null}"#, #"{"a":{"b":null},"c":null}"#] {
      #expect(try outcome(.nullable(inside), document) == "null")
      #expect(try outcome(.nullable(first), document) == "null")
      #expect(try outcome(first.default(.string("x")), document) == #""x""#)
      #expect(try outcome(first, document) == "noAlternative")
    }
    #expect(try outcome(.nullable(first), #"{"a":{"b":"x"}}"#) == "noAlternative")
    #expect(try outcome(.nullable(first), #"{"c":"x"}"#) == #""x""#)
    #expect(try outcome(.nullable(OutputMapping.string.default(.string("x"))), "null") == #""x""#)
  }
}
