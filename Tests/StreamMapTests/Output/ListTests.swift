import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Steps on the elements of an array, and texts made of several values, by every route.
@Suite struct ListTests {
  /// What a mapping makes of the member `x`, or the codes and paths of the errors.
  private func outputs(_ mapping: OutputMapping, _ values: String...) throws -> [String] {
    let mapping = OutputMapping.object([OutputField("f", from: "x", mapping)])
    return try values.map { value in
      let records = try Routes.run(output: mapping, "{\"x\":\(value)}")
      let record = try #require(records.first)
      if let error = record.error { return "\(error.code) \(error.path)" }
      return String("\(try record.get())".dropFirst(5).dropLast())
    }
  }

  private func list(_ steps: ListStep..., into mapping: OutputMapping = .nullable(.raw))
    -> OutputMapping
  {
    .list(steps, into: mapping)
  }

  @Test func `elements are taken from either end`() throws {
    let values = ["[1,[2],{\"a\":3}]", "[null]", "[]"]
    for (step, expected) in [
      (ListStep.element(0), ["1", "null", "null"]), (.element(-1), [#"{"a":3}"#, "null", "null"]),
      (.element(-3), ["1", "null", "null"]), (.element(-4), ["null", "null", "null"]),
      (.element(3), ["null", "null", "null"]),
    ] {
      #expect(try outputs(list(step), values[0], values[1], values[2]) == expected, "\(step)")
    }
    #expect(
      try outputs(list(.element(0), into: .int64), "[]", "[7]", "{}", "null")
        == ["null $.x", "7", "wrongType $.x", "null $.x"])
    #expect(try outputs(list(.element(-1), into: .int64).default(.number("0")), "[]") == ["0"])
    #expect(
      try outputs(list(.slice(from: -2, to: nil)), "[1,2,3]", "[1]", "[]")
        == ["[2,3]", "[1]", "[]"])
    #expect(
      try outputs(list(.reverse, .slice(from: 1, to: 9)), "[1,2,3]", "[]") == ["[2,1]", "[]"])
  }

  @Test func `conditions choose elements`() throws {
    let isOpen = Condition.value(at: "s", .equalTo("o"))
    let values = [#"[{"s":"o","n":1},{"s":"c","n":2},{"n":3},4,{"s":"c","s":"o"}]"#, "[]"]
    #expect(
      try outputs(list(.filter(isOpen), .values(at: "n")), values[0], values[1]) == ["[1]", "[]"])
    #expect(try outputs(list(.filter(isOpen), .count), values[0], values[1]) == ["2", "0"])
    #expect(try outputs(list(.any(isOpen)), values[0], values[1]) == ["true", "false"])
    #expect(try outputs(list(.all(isOpen)), values[0], values[1]) == ["false", "true"])
    #expect(
      try outputs(
        list(.filter(.calculated("number(n) > 1 and s == \"a\\\"\"")), .values(at: "n")),
        #"[{"n":"2","s":"a\u0022"},{"n":1,"s":"a\""},{"n":3,"s":""}]"#) == [#"["2"]"#])
    #expect(
      try outputs(list(.any(.calculated("n > 1"))), #"[{"n":2},{"n":"x"}]"#, #"[{"n":"x"}]"#)
        == ["true", "invalidValue $.x"])
  }

  @Test func `numbers are added exactly`() throws {
    let big = "99999999999999999999999999999999999999"
    #expect(
      try outputs(list(.sum), "[0.1,0.2,null,-1e2]", "[]", "[1,\"2\"]", "[\(big),1]", "[-0]")
        == ["-99.7", "0", "invalidValue $.x", "1e38", "0"])
    #expect(
      try outputs(list(.sum), "[\(big),0.1]", "[1e200]")
        == ["numberOutOfRange $.x", "numberOutOfRange $.x"])
    #expect(
      try outputs(list(.mean), "[1,2]", "[1,1,2]", "[null]", "[]")
        == ["1.5", "1.3333333333333333333333333333333333333", "null", "null"])
    #expect(
      try outputs(list(.numbers, .sum), #"["1.50",2,null]"#, #"["01"]"#, "[true]", #"["\u0031"]"#)
        == ["3.5", "invalidValue $.x", "invalidValue $.x", "1"])
    #expect(
      try outputs(
        list(.values(at: "a.b"), .sum), #"[{"a":{"b":1}},{"a":{}},{"a":7},{"a":{"b":null}}]"#)
        == ["1"])
  }

  @Test func `numbers and texts have an order`() throws {
    #expect(
      try outputs(list(.least), "[2,1.0,1]", #"["b","a","é"]"#, "[null]", "[1,\"a\"]", "[true]")
        == ["1.0", #""a""#, "null", "invalidValue $.x", "invalidValue $.x"])
    #expect(
      try outputs(list(.greatest), "[2,2.0,1e400,-1]", #"["b\n","b"]"#) == ["1e400", #""b\n""#])
    #expect(
      try outputs(
        list(.sort(by: "k")),
        #"[{"k":2,"n":1},{"n":2},{"k":1e1,"n":3},{"k":2.0,"n":4},{"k":null,"n":5},{"k":-3}]"#)
        == [#"[{"k":-3},{"k":2,"n":1},{"k":2.0,"n":4},{"k":1e1,"n":3},{"n":2},{"k":null,"n":5}]"#])
    #expect(
      try outputs(list(.sort(by: "$")), #"["b","a\"","a"]"#, "[[1]]")
        == [#"["a","a\"","b"]"#, "invalidValue $.x"])
  }

  @Test func `what is equal by value comes once`() throws {
    #expect(
      try outputs(
        list(.unique(by: "$")),
        #"[1,1.0,"1",{"a":1,"b":2},{"b":2.0,"a":1},null,null,[1],[1e0],true,false]"#)
        == [#"[1,"1",{"a":1,"b":2},null,[1],true,false]"#])
    #expect(
      try outputs(
        list(.unique(by: "k"), .values(at: "n")),
        #"[{"k":1,"n":1},{"k":1.0,"n":2},{"n":3},{"n":4}]"#)
        == ["[1,3]"])
    #expect(try outputs(list(.flatten), "[[1,[2]],3,[],{}]") == ["[1,[2],3,{}]"])
  }

  @Test func `an error says which element was wrong`() throws {
    let mapping = OutputMapping.object([OutputField("f", from: "x", list(.reverse, .sum))])
    let error = try Mapper(output: mapping).decode(#"{"x":[1,"a",2]}"#.utf8).error
    #expect(error?.message.contains("numbers; the element [1] is a string") == true)
    let undecided = OutputMapping.object([
      OutputField("f", from: "x", list(.filter(.calculated("a > 1"))))
    ])
    let other = try Mapper(output: undecided).decode(#"{"x":[{"a":2},{}]}"#.utf8).error
    #expect(other?.message.contains("column 1 of 'a > 1' for the element [1]") == true)
  }

  @Test func `steps that cannot be used are mistakes of the mapping`() {
    for (steps, reason) in [
      ([], "a list has no steps"), ([.count, .reverse], "has to be the last one"),
      ([.values(at: "a[")], "it ends inside"),
      ([.filter(.field("a"))], "cannot look at fields of the output"),
      ([.any(.calculated("a +"))], "a value is missing"),
    ] as [([ListStep], String)] {
      let error = #expect(throws: DefinitionError.self) {
        try Mapper(output: .object([OutputField("f", from: "x", .list(steps, into: .raw))]))
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains(reason), "\(reason)")
    }
  }

  // MARK: Templates and queries

  @Test func `a template puts values into a text`() throws {
    let template = OutputMapping.template(
      TextTemplate(
        [
          .text("\"{"), .value(0), .optional([.text("["), .value(1), .value(0), .text("]")]),
          .text("}"),
        ],
        text: "…"), of: [.path("a"), .path("b.c")], duplicateKeys: .last, expected: "an object")
    #expect(
      try outputs(
        .nullable(template), #"{"a":"x\"","b":{"c":1.0}}"#, #"{"a":true}"#, #"{"b":{"c":1}}"#,
        #"{"a":1,"b":{"c":null}}"#, #"{"a":1,"b":{"c":[]}}"#, "1")
        == [
          #""\"{x\"[1.0x\"]}""#, #""\"{true}""#, "null", #""\"{1}""#, "wrongType $.x.b.c",
          "wrongType $.x",
        ])
    #expect(try outputs(template, "{}") == ["missing $.x.a"])
  }

  @Test func `a template has its values where nulls are left out of the output, too`() throws {
    let template = OutputMapping.template(
      TextTemplate([.optional([.text("["), .value(0), .text("]")]), .value(1)], text: "…"),
      of: [.path("a"), .path("b")], duplicateKeys: .last, expected: "an object")
    let mapping = OutputMapping.object([OutputField("f", from: "$", template)])
    let mapper = try Mapper(output: mapping, omitsNulls: true)
    for (feed, text) in [
      ("{\"b\":2}", "2"), ("{\"a\":null,\"b\":2}", "2"), ("{\"a\":1,\"b\":2}", "[1]2"),
    ] {
      #expect(try mapper.decode(feed.utf8).get().description == "{\"f\":\"\(text)\"}")
    }
  }

  @Test func `a query becomes an object of texts`() throws {
    #expect(
      try outputs(
        .parsingQuery(.string, into: .dictionary(of: .string)), #""a=1&b=x+%C3%A9%22&c&&=d&a=2=3""#,
        #""""#, #""a=%zz""#, #""%ff""#, #""a%""#, "1")
        == [
          #"{"a":"2=3","b":"x é\"","c":"","":"d"}"#, "{}", "invalidValue $.x", "invalidValue $.x",
          "invalidValue $.x", "wrongType $.x",
        ])
  }
}
