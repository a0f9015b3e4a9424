import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// A record with one value.
private struct Holder<Value> {
  let value: Value
}

/// The values, errors and issues of documents, as text.
private func outcomes<Value>(_ mapping: Mapping<Value>, _ documents: [String]) throws -> [String] {
  let holder = Mapping.object(Holder<Value>.self) { field in
    field.make(Holder.init, field("v", \.value, mapping).named("v"))
  }
  let mapper = try Mapper(holder)
  var options = EncodingOptions()
  options.nils = .null
  let text: (Holder<Value>) -> String = { holder in
    let bytes = try? mapper.encode(holder, options: options)
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? "not encoded"
  }
  return try documents.map { document in
    // As text: dictionaries describe themselves in any order.
    let records = try Routes.run(mapper, Array(document.utf8), at: [], format: .json, text)
    let decoded = Decoded(try #require(records.first))
    return "\(document): \(decoded.value.map(text) ?? "none") \(decoded.fatal) \(decoded.issues)"
  }
}

private func outcomes(_ mapping: OutputMapping, _ documents: [String]) throws -> [String] {
  let holder: OutputMapping = .object([OutputField("v", from: "v", mapping)])
  return try documents.map { document in
    let decoded = Decoded(try #require(try Routes.run(output: holder, document).first))
    return "\(document): \(decoded.value?.description ?? "none") \(decoded.fatal) \(decoded.issues)"
  }
}

/// Expects both mappings to make the same JSON, errors and issues of each document.
private func expectSame<Value>(
  _ typed: Mapping<Value>, _ output: OutputMapping, _ values: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let documents = ["{}", #"{"v":null}"#] + values.map { #"{"v":\#($0)}"# }
  #expect(
    try outcomes(typed, documents) == outcomes(output, documents), sourceLocation: sourceLocation)
}

/// `Mapping` and `OutputMapping` mean the same by the same words.
@Suite struct DialectTests {
  private static let numbers = ["7", "-7", "1e2", "300", "70000", "5000000000", #""x""#, "true"]

  @Test func `whole numbers have the same ranges`() throws {
    func expectSameRange<Value>(_ typed: Mapping<Value>, _ output: OutputMapping) throws {
      for number in Self.numbers { try expectSame(typed, output, number) }
    }
    try expectSameRange(.int8, .int8)
    try expectSameRange(.int16, .int16)
    try expectSameRange(.int32, .int32)
    try expectSameRange(.int64, .int64)
    try expectSameRange(.uint8, .uint8)
    try expectSameRange(.uint16, .uint16)
    try expectSameRange(.uint32, .uint32)
    try expectSameRange(.uint64, .uint64)
  }

  @Test func `other scalars and whole values are the same`() throws {
    try expectSame(.url, .url, #""https://a.b/c""#, #""""#, "7")
    try expectSame(.url(schemes: ["http"]), .url(schemes: ["http"]), #""http://a""#, #""ftp://a""#)
    try expectSame(.raw, .raw, #"{"a":[1.50,null]}"#, "7")
  }

  @Test(arguments: DefaultCondition.allCases)
  func `a default replaces the same values`(condition: DefaultCondition) throws {
    let typed = Mapping<Int64>.int64.default(1, when: condition)
    let output = OutputMapping.int64.default(1, when: condition)
    try expectSame(typed, output, "7", #""x""#)
    // Around another default.
    for inner in DefaultCondition.allCases {
      try expectSame(
        Mapping<Int64>.int64.default(2, when: inner).default(1, when: condition),
        OutputMapping.int64.default(2, when: inner).default(1, when: condition), "7", #""x""#)
    }
    let array = Mapping<[Int64]>.array(of: .int64).default([], when: condition)
    try expectSame(
      array, OutputMapping.array(of: .int64).default([], when: condition), "[7]", #"["x"]"#)
  }

  @Test(arguments: DefaultCondition.allCases)
  func `nil replaces the same values`(condition: DefaultCondition) throws {
    try expectSame(
      Mapping<Int64?>.nullable(.int64, when: condition), .nullable(.int64, when: condition),
      "7", #""x""#)
    // The default inside stays.
    for inner in DefaultCondition.allCases {
      try expectSame(
        Mapping<Int64?>.nullable(.int64.default(2, when: inner), when: condition),
        .nullable(.int64.default(2, when: inner), when: condition), "7", #""x""#)
    }
    try expectSame(
      Mapping<Int64?>.decoding(
        .nullable(.at("a.b", .int64), when: condition), encoding: .nullable(.int64)),
      .nullable(.at("a.b", .int64), when: condition), #"{"a":{"b":7}}"#, #"{"a":{}}"#, "7")
  }

  @Test func `the conditions of a default mean what they say`() throws {
    let documents = ["{}", #"{"v":null}"#, #"{"v":"x"}"#]
    func texts(_ mapping: OutputMapping) throws -> [String] {
      try outcomes(mapping, documents).map { String($0.drop { $0 != " " }.dropFirst()) }
    }
    #expect(
      try texts(.int8.default(1)) == [
        #"{"v":1} [] []"#, #"{"v":1} [] []"#, #"none ["wrongType $.v → v"] []"#,
      ])
    #expect(
      try texts(.int8.default(2).default(1, when: .missingOrInvalid)) == [
        #"{"v":1} [] ["missing $.v → v"]"#, #"{"v":1} [] ["null $.v → v"]"#,
        #"{"v":1} [] ["wrongType $.v → v"]"#,
      ])
    #expect(
      try texts(.int8.default(2).default(1, when: .failing)) == [
        #"{"v":2} [] []"#, #"{"v":2} [] []"#, #"{"v":1} [] ["wrongType $.v → v"]"#,
      ])
    #expect(
      try texts(.nullable(.int8.default(2), when: .missingOrInvalid)) == [
        #"{"v":2} [] ["missing $.v → v"]"#, #"{"v":2} [] ["null $.v → v"]"#,
        #"{"v":2} [] ["wrongType $.v → v"]"#,
      ])
    #expect(
      try texts(.nullable(.int8.default(2), when: .failing)) == [
        #"{"v":2} [] []"#, #"{"v":2} [] []"#, #"{"v":null} [] ["wrongType $.v → v"]"#,
      ])
  }

  @Test func `arrays and dictionaries leave out and refuse the same`() throws {
    let list = #"[1,"x",null,4]"#
    try expectSame(Mapping<[Int64]>.array(of: .int64), .array(of: .int64), list, "[1]", "{}")
    try expectSame(
      Mapping<[Int64]>.array(of: .int64, omitsInvalid: true),
      .array(of: .int64, omitsInvalid: true), list, "[1]", "{}")
    let twice = #"{"a":1,"b":2,"a":3}"#
    for policy in [DuplicateKeyPolicy.last, .first, .report, .fail] {
      try expectSame(
        Mapping<[String: Int64]>.dictionary(of: .int64).duplicateKeys(policy),
        OutputMapping.dictionary(of: .int64).duplicateKeys(policy), twice)
      try expectSame(
        Mapping<Int64>.decoding(
          Mapping.at("a", .int64).duplicateKeys(policy), encoding: .int64),
        OutputMapping.at("a", .int64).duplicateKeys(policy), twice)
    }
  }

  @Test func `alternatives are given one by one or as an array`() throws {
    let values = ["7", #""x""#, #"{"n":8}"#, "[]"]
    let typed: [Mapping<RawJSON>] = [.accepting(.number, .raw), .accepting(.string, .raw)]
    let output: [OutputMapping] = [
      .dispatch(byKind: [.number: .raw]), .dispatch(byKind: [.string: .raw]),
    ]
    for value in values {
      try expectSame(.firstOf(typed), .firstOf(output), value)
      try expectSame(.firstOf(typed[0], typed[1]), .firstOf(output[0], output[1]), value)
      try expectSame(
        .firstOf(typed[0], typed[1], reportsEarlier: false),
        .firstOf(output[0], output[1], reportsEarlier: false), value)
    }
  }

  @Test func `a dispatch takes a literal, or cases that are made at run time`() throws {
    let members = [#"{"t":{"k":"a"},"n":1}"#, #"{"n":1}"#, #"{"t":{"k":"b"},"n":1}"#, "1"]
    let labels = ["a", "c"]
    for value in members {
      // Encoding would add the discriminator.
      try expectSame(
        .decoding(
          Mapping<RawJSON>.dispatch(on: "t.k", ["a": .raw, "c": .raw]), encoding: .raw),
        .dispatch(on: "t.k", ["a": .raw, "c": .raw]), value)
      try expectSame(
        .decoding(
          Mapping<RawJSON>.dispatch(on: "t.k", labels.map { ($0, .raw) }, otherwise: .raw),
          encoding: .raw),
        .dispatch(on: "t.k", labels.map { ($0, .raw) }, otherwise: .raw), value)
    }
    let kinds: [JSONKind] = [.number, .string]
    for value in ["7", #""x""#, "true"] {
      try expectSame(
        Mapping<RawJSON>.dispatch(byKind: [.number: .raw, .string: .raw]),
        .dispatch(byKind: [.number: .raw, .string: .raw]), value)
      try expectSame(
        Mapping<RawJSON>.dispatch(byKind: kinds.map { ($0, .raw) }, otherwise: .raw),
        .dispatch(byKind: kinds.map { ($0, .raw) }, otherwise: .raw), value)
    }
  }

  @Test(arguments: ["a[0]", "a[", "$"])
  func `a place that cannot choose is the same mistake`(path: String) {
    let output: OutputMapping = .dispatch(on: .path(path), ["x": .raw])
    let error = #expect(throws: DefinitionError.self) { try Mapper(output: output) }
    #expect(
      error?.mistakes.map(\.reason)
        == mistakes(Mapping<RawJSON>.dispatch(on: .path(path), ["x": .raw])))
  }

  @Test func `policies for keys belong to the same mappings`() {
    for output in [
      OutputMapping.raw.unknownKeys(.fail), .raw.duplicateKeys(.fail),
      OutputMapping.dictionary(of: .raw).unknownKeys(.fail),
    ] {
      let error = #expect(throws: DefinitionError.self) { try Mapper(output: output) }
      #expect(error?.mistakes.count == 1)
    }
    #expect(mistakes(Mapping<RawJSON>.raw.unknownKeys(.fail)).count == 1)
    #expect(mistakes(Mapping<RawJSON>.raw.duplicateKeys(.fail)).count == 1)
    #expect(mistakes(Mapping<[String: RawJSON]>.dictionary(of: .raw).unknownKeys(.fail)).count == 1)
  }

  @Test func `unknown members are reported or refused`() throws {
    let fields = [OutputField("a", from: "a", .any)]
    let feed = #"{"a":1,"b":2}"#
    func decoded(_ policy: UnknownKeyPolicy) throws -> Decoded<RawJSON> {
      let mapping = OutputMapping.object(fields).unknownKeys(policy)
      return Decoded(try #require(try Routes.run(output: mapping, feed).first))
    }
    #expect(try decoded(.ignore).isClean)
    #expect(try decoded(.report).issues == ["unknownKey $.b"])
    #expect(try decoded(.fail).fatal == ["unknownKey $.b"])
  }

  @Test func `rules are given one by one or as an array`() throws {
    let small = Rule<JSONValue>("small", expecting: "small") { $0 == 1 || $0 == 2 }
    let odd = Rule<JSONValue>("odd", expecting: "odd") { $0 == 1 || $0 == 3 }
    // Null is not among them: in an output record it is nil, about which no rule is asked.
    let documents = ["1", "2", "3", "4"].map { #"{"v":\#($0)}"# }
    let expected = try outcomes(OutputMapping.raw.validated(small, odd), documents)
    #expect(expected[1].contains("validationFailed") && expected[3].contains("validationFailed"))
    #expect(try outcomes(OutputMapping.raw.validated([small, odd]), documents) == expected)
    #expect(try outcomes(Mapping<JSONValue>.json.validated(small, odd), documents) == expected)
    #expect(try outcomes(Mapping<JSONValue>.json.validated([small, odd]), documents) == expected)
  }
}
