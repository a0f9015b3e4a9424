import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Values in another form, by every route.
@Suite struct ShapeTests {
  /// What an output mapping of the member `x` makes of values, or the codes and paths of the errors.
  private func outputs(_ mapping: OutputMapping, _ values: String...) throws -> [String] {
    let mapping = OutputMapping.object([OutputField("f", from: "x", mapping)])
    return try values.map { value in
      let records = try Routes.run(output: mapping, "{\"x\":\(value)}")
      let record = try #require(records.first)
      if let error = record.error { return "\(error.code) \(error.path)" }
      return String("\(try record.get())".dropFirst(5).dropLast())
    }
  }

  @Test func `JSON in a string is mapped like any other`() throws {
    #expect(
      try outputs(
        .parsingJSON(.object([OutputField("id", from: "a.id", .int64)])),
        #""{\"a\":{\"id\":7}}""#, #"" {\"a\" : {\"id\":\"x\"}}""#, #""{\"a\":1""#, #""""#, "1",
        "null",
        #""{\"a\":{\"id\":1,\"id\":2}}""#, #""[1] 2""#)
        == [
          #"{"id":7}"#, "wrongType $.x.a.id", "invalidValue $.x", "invalidValue $.x",
          "wrongType $.x", "null $.x", #"{"id":2}"#, "invalidValue $.x",
        ])
    #expect(
      try outputs(
        .parsingJSON(.raw), #""[1.50,\"\\u00e9\\n\",null]""#, #""null""#, #""\"\\ud800\"""#,
        #""007""#, "\"\\u0001\"", "\"[1,]\"")
        == [
          #"[1.50,"é\n",null]"#, "null", "invalidValue $.x", "invalidValue $.x",
          "invalidValue $.x", "invalidValue $.x",
        ])
    #expect(
      try outputs(.nullable(.parsingJSON(.int8)), "null", #""null""#, #""5""#)
        == ["null", "null", "5"])
  }

  @Test func `JSON in a string keeps the limits of the mapper`() throws {
    var limits = Limits()
    limits.depth = 5
    let mapping = OutputMapping.object([OutputField("f", from: "x", .parsingJSON(.raw))])
    let mapper = try Mapper(output: mapping, limits: limits)
    #expect(mapper.decode(#"{"x":"[[[[[1]]]]]"}"#.utf8).value != nil)
    let error = mapper.decode(#"{"x":"[[[[[[1]]]]]]"}"#.utf8).error
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("Limits.depth") == true)
  }

  @Test func `deep JSON in strings inside strings is mapped without deep recursion`() throws {
    let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    let twice = JSONValue.string(JSONValue.string(deep).description).description
    #expect(try outputs(.parsingJSON(.parsingJSON(.raw)), twice) == [deep])
  }

  @Test func `texts are split and arrays are joined`() throws {
    #expect(
      try outputs(.splitting(by: " "), #""a \"b\" c""#, #""""#, #"" ""#, "1")
        == [#"["a","\"b\"","c"]"#, "[]", #"["",""]"#, "wrongType $.x"])
    #expect(
      try outputs(
        OutputMapping.array(of: .nullable(.any)).joined(by: "\"\n"), #"["a",1.50,true,"\\"]"#, "[]",
        "[null]", #""a""#)
        == [#""a\"\n1.50\"\ntrue\"\n\\""#, #""""#, "invalidValue $.x", "wrongType $.x"])
  }

  @Test func `elements and members are counted`() throws {
    #expect(
      try outputs(.count, "[]", "[[1,2],{}]", #"{"a":[1,2],"b":1,"a":2}"#, "{}", "1", "null")
        == ["0", "2", "2", "0", "wrongType $.x", "null $.x"])
  }

  @Test func `an object becomes a list of entries and a list an object`() throws {
    #expect(
      try outputs(
        .entries(key: "name", value: "value"), #"{"a":1,"b\"":{"c":[]},"a":2}"#, "{}", "[]")
        == [
          #"[{"name":"a","value":2},{"name":"b\"","value":{"c":[]}}]"#, "[]", "wrongType $.x",
        ])
    #expect(
      try outputs(
        .fromEntries(key: "k", value: "v", into: .dictionary(of: .nullable(.int8))),
        #"[{"k":"a","v":1},{"v":2,"k":7},{"k":true},{"k":"a","v":3}]"#, #"[{"v":1}]"#, "[1]", "[]",
        #"[{"k":"a","v":"x"}]"#)
        == [
          #"{"a":3,"7":2,"true":null}"#, "invalidValue $.x", "invalidValue $.x", "{}",
          "wrongType $.x.a",
        ])
  }

  @Test func `values that are wrapped in objects of one member are what these hold, at any depth`()
    throws
  {
    let dynamo: KeyValuePairs<String, WrappedContent> = [
      "S": .value, "N": .number, "NULL": .null, "L": .value, "M": .members, "é": .value,
    ]
    let cases = [
      (#"{"N":"7.50"}"#, "7.50"), (#"{"N":["1","-2e3",3]}"#, "[1,-2e3,3]"), (#"{"N":[]}"#, "[]"),
      (#"{"NULL":{"S":["a"]}}"#, "null"),
      (#"{"L":[{"S":"a"},{"N":"1"},2,{"NULL":true}]}"#, #"["a",1,2,null]"#),
      // The members of a map are no wrappers, whatever their names are; what they hold is wrapped.
      (#"{"M":{"S":{"N":"1"}}}"#, #"{"S":1}"#),
      (#"{"M":{"N":{"M":{"N":{"S":"a"}}}}}"#, #"{"N":{"N":"a"}}"#),
      (#"{"M":5}"#, "5"), (#"{"M":[{"S":"a"}]}"#, #"["a"]"#),
      (#"{"S":{"S":{"S":"deep"}}}"#, #""deep""#),
      // Any other object stays.
      (#"{"S":"a","N":"1"}"#, #"{"S":"a","N":"1"}"#),
      (#"{"x":{"N":"3"},"y":[{"S":"{"}]}"#, #"{"x":3,"y":["{"]}"#),
      ("{}", "{}"), ("[]", "[]"), ("7", "7"), (#""S""#, #""S""#),
      // The last one of a key counts; a key is the same however it is written, and never another one that looks alike.
      (#"{"S":{"N":"1"},"S":{"N":"2"}}"#, "2"), (#"{"\u0053":"x"}"#, #""x""#),
      (#"{"e\u0301":1}"#, #"{"e\u0301":1}"#.replacing("\\u0301", with: "\u{301}")),
      (#"{"N":"07"}"#, "invalidValue $.x"), (#"{"N":null}"#, "invalidValue $.x"),
      (#"{"N":[["1"]]}"#, "invalidValue $.x"),
      (#"{"N":{"S":"1"}}"#, "invalidValue $.x"), (#"{"L":[{"N":"x"}]}"#, "invalidValue $.x"),
    ]
    for (json, expected) in cases {
      #expect(
        try outputs(.unwrapping(dynamo, into: .nullable(.raw)), json) == [expected], "\(json)")
      let typed = try Mapper(Mapping<JSONValue?>.nullable(.unwrapping(dynamo, into: .json)))
      let value = typed.decode(json.utf8)
      #expect(
        value.error.map { _ in "invalidValue $.x" } == (expected.hasPrefix("i") ? expected : nil),
        "\(json)")
      if let value = try? value.get() {
        #expect((value ?? .null).description == expected, "\(json)")
      }
    }
    // Each level of wrappers is read once, not once for each level around it.
    let depth = 200
    let deep =
      String(repeating: #"{"M":{"k":"#, count: depth) + #"{"N":"1"}"#
      + String(repeating: "}}", count: depth)
    #expect(
      try outputs(.unwrapping(dynamo), deep)
        == [String(repeating: #"{"k":"#, count: depth) + "1" + String(repeating: "}", count: depth)]
    )
    #expect(throws: DefinitionError.self) {
      try Mapper(output: .unwrapping(["a": .value, "a": .number]))
    }
  }

  @Test func `typed values have the same forms and go back`() throws {
    struct Size: Equatable {
      let name: String
      let size: Int
    }
    let size = Mapping.object(Size.self) { field in
      field.make(Size.init, field("name", \.name), field("size", \.size))
    }
    let sizes = try Mapper(
      Mapping<[Size]>.entries(key: "name", value: "size", into: .array(of: size)))
    let made = try sizes.decode(#"{"S":1,"M":2,"S":3}"#.utf8).get()
    #expect(made == [Size(name: "S", size: 3), Size(name: "M", size: 2)])
    #expect(try String(decoding: sizes.encode(made), as: UTF8.self) == #"{"S":3,"M":2}"#)

    let tags = try Mapper(
      Mapping<[String: String]>.fromEntries(key: "K", value: "V", into: .dictionary(of: .string)))
    let tag = try tags.decode(#"[{"K":"env","V":"live"},{"K":"env","V":"test"}]"#.utf8).get()
    #expect(tag == ["env": "test"])
    #expect(
      try String(decoding: tags.encode(tag), as: UTF8.self) == #"[{"K":"env","V":"test"}]"#)
    #expect(tags.decode(#"[{"V":1}]"#.utf8).error?.code == .invalidValue)

    let text = try Mapper(Mapping<[Int]>.parsingJSON(.array(of: .int)))
    #expect(try text.decode(#""[1, 2]""#.utf8).get() == [1, 2])
    #expect(try String(decoding: text.encode([1, 2]), as: UTF8.self) == #""[1,2]""#)
    #expect(text.decode(#""[1, ]""#.utf8).error?.code == .invalidValue)
    #expect(text.decode(#""[1,\"x\"]""#.utf8).error?.path.description == "$[1]")

    let count = try Mapper(Mapping<Int>.count)
    #expect(try count.decode("[1,[2,3]]".utf8).get() == 2)
    #expect(try count.decode(#"{"a":1,"a":2}"#.utf8).get() == 1)
    #expect(count.decode("1".utf8).error?.code == .wrongType)
  }
}
