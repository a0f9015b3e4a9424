import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Members that no field names, kept beside the fields.
@Suite struct OutputRestTests {
  private func run(
    _ fields: [OutputField], _ rest: OutputRest, _ feed: String,
    change: (OutputMapping) -> OutputMapping = { $0 }, limits: Limits = Limits()
  ) throws -> Record<RawJSON> {
    let mapping = change(.object(fields, rest: rest))
    return try #require(Routes.run(output: mapping, feed, limits: limits).first)
  }

  private let id = OutputField("id", from: "a", .int64)

  @Test func `other members come after the fields, as they stand and in their order`() throws {
    let feed =
      #"{"z":[1.50,{"q":1e2,"q":2}],"a":7,"t\u006F":"x\n\u00e9\/","n":null,"e":{},"b":true}"#
    #expect(
      try run([id], .kept, feed).get().description
        == #"{"id":7,"z":[1.50,{"q":1e2,"q":2}],"to":"x\né/","n":null,"e":{},"b":true}"#)
    #expect(try run([id], .dropped, feed).get().description == #"{"id":7}"#)
    #expect(try run([], .kept, #"{"b":[],"c":{}}"#).get().description == #"{"b":[],"c":{}}"#)
    #expect(try run([], .kept, "{}").get().description == "{}")
  }

  @Test func `a member that a field's path leads through is named by it`() throws {
    let fields = [OutputField("x", from: "u.x", .nullable(.any))]
    #expect(
      try run(fields, .kept, #"{"u":{"x":1,"y":2},"v":3}"#).get().description == #"{"x":1,"v":3}"#)
  }

  @Test(arguments: [
    (["p"], #"{"id":1,"q":{"s":[1,{"t":2}],"u":3},"r":[0,1,2]}"#),
    (["q.*", "p.x"], #"{"id":1,"p":1,"q":{},"r":[0,1,2]}"#),
    (["q.s[0]", "r[1:]"], #"{"id":1,"p":1,"q":{"s":[{"t":2}],"u":3},"r":[0]}"#),
    (["q.s[*].t", "r[*]"], #"{"id":1,"p":1,"q":{"s":[1,{}],"u":3},"r":[]}"#),
    (["q.*.t", "q.s[1].t", "r[:1]", "/q/u"], #"{"id":1,"p":1,"q":{"s":[1,{}]},"r":[1,2]}"#),
    (["q.s.*", "q", "none.x"], #"{"id":1,"p":1,"r":[0,1,2]}"#),
  ])
  func `what is at a dropped path is left out`(_ paths: [String], _ expected: String) throws {
    let feed = #"{"p":1,"a":1,"q":{"s":[1,{"t":2}],"u":3},"r":[0,1,2]}"#
    #expect(try run([id], .kept(except: paths), feed).get().description == expected)
  }

  @Test func `a member with the name of a field is left out and reported`() throws {
    let record = try run([id], .kept, #"{"id":9,"a":1,"b":2,"\u0069d":8}"#)
    #expect(try record.get().description == #"{"id":1,"b":2}"#)
    #expect(
      record.issues.map { "\($0.code.rawValue) \($0.path)" }
        == ["duplicateKey $.id", "duplicateKey $.id"])
    #expect(try run([id], .kept(except: ["id"]), #"{"id":9,"a":1}"#).issues.isEmpty)
  }

  @Test func `of members with the same key the policy says which is kept`() throws {
    let feed = #"{"b":1,"c":2,"b":[3],"a":0}"#
    func kept(_ policy: DuplicateKeyPolicy) throws -> Record<RawJSON> {
      try run([id], .kept, feed) { $0.duplicateKeys(policy) }
    }
    #expect(try kept(.last).get().description == #"{"id":0,"b":[3],"c":2}"#)
    #expect(try kept(.first).get().description == #"{"id":0,"b":1,"c":2}"#)
    #expect(try kept(.report).get().description == #"{"id":0,"b":[3],"c":2}"#)
    #expect(try kept(.report).issues.map(\.code) == [.duplicateKey])
    #expect(try kept(.fail).error?.code == .duplicateKey)
  }

  @Test func `many members with the same keys are told apart`() throws {
    let members = (0..<300).map { #""k\#($0 % 100)":\#($0)"# }.joined(separator: ",")
    let expected = (200..<300).map { #""k\#($0 - 200)":\#($0)"# }.joined(separator: ",")
    #expect(try run([], .kept, "{\(members)}").get().description == "{\(expected)}")
  }

  @Test func `objects inside each other keep their own rest`() throws {
    let inner = OutputMapping.object(
      [OutputField("y", from: "x", .any)], rest: .kept(except: ["s"]))
    let fields = [
      OutputField("list", from: "l", .array(of: inner, omitsInvalid: true)),
      OutputField("one", from: "o", .nullable(inner)),
      OutputField("self", from: "$", .object([OutputField("m", from: "m", .any)], rest: .kept)),
    ]
    let feed =
      #"{"m":1,"k":2,"l":[{"p":3,"x":1,"s":0},{"q":1},{"x":2,"s":[0],"r":[]}],"o":{"w":{},"x":5}}"#
    #expect(
      try run(fields, .kept, feed).get().description == """
        {"list":[{"y":1,"p":3},{"y":2,"r":[]}],"one":{"y":5,"w":{}},\
        "self":{"m":1,"k":2,"l":[{"p":3,"x":1,"s":0},{"q":1},{"x":2,"s":[0],"r":[]}],"o":{"w":{},"x":5}},"k":2}
        """)
  }

  @Test func `nulls that are left out are left out of the rest, but not inside it`() throws {
    let mapper = try Mapper(
      output: .object([OutputField("a", from: "a", .nullable(.any))], rest: .kept),
      omitsNulls: true)
    let record = mapper.decode(#"{"a":null,"b":null,"c":[null,{"d":null}],"e":"null"}"#.utf8)
    #expect(try record.get().description == #"{"c":[null,{"d":null}],"e":"null"}"#)
  }

  @Test func `an alternative that fails leaves nothing of its rest`() throws {
    let first = OutputMapping.object([OutputField("n", from: "n", .int8)], rest: .kept)
    let second = OutputMapping.object([], rest: .kept(except: ["n"]))
    let mapping = OutputMapping.array(of: .firstOf(first, second, reportsEarlier: false))
    let records = try Routes.run(output: mapping, #"[{"x":1,"n":"no"},{"x":2,"n":3},{"y":1}]"#)
    #expect(try records[0].get().description == #"[{"x":1},{"n":3,"x":2},{"y":1}]"#)
  }

  @Test func `unknown keys are reported although they are kept, but dropped ones are known`() throws
  {
    let record = try run([id], .kept(except: ["p", "q.x"]), #"{"a":1,"p":1,"q":{"x":1},"r":2}"#) {
      $0.unknownKeys(.report)
    }
    #expect(try record.get().description == #"{"id":1,"q":{},"r":2}"#)
    #expect(record.issues.map(\.path.description) == ["$.q", "$.r"])
  }

  @Test func `what is kept is bounded by the limits`() throws {
    var limits = Limits()
    limits.capturedValue = 20
    let large = #"{"a":1,"b":[1,2,3],"c":[4,5,6,7,8,9,10]}"#
    let error = try run([id], .kept, large, limits: limits).error
    #expect(error?.code == .limitExceeded)
    #expect(try run([id], .kept(except: ["c"]), large, limits: limits).error == nil)
    limits = Limits()
    limits.members = 2
    #expect(try run([id], .kept, #"{"b":1,"c":2,"a":1}"#, limits: limits).error == nil)
    #expect(
      try run([id], .kept, #"{"b":1,"c":2,"d":3,"a":1}"#, limits: limits).error?.code
        == .limitExceeded)
  }

  @Test func `dropped paths that say nothing are mistakes`() {
    func mistakes(_ paths: [String]) -> [String] {
      do throws(DefinitionError) {
        _ = try Mapper(output: .object([id], rest: .kept(except: paths)))
        return []
      } catch {
        return error.mistakes.map(\.reason)
      }
    }
    #expect(
      mistakes(["a.b", "[0]", "x..y", "..z", "q[", "$", "*"]) == [
        "dropped path 'a.b': a field names 'a', so it is not among the members that are kept",
        "dropped path '[0]': it has to begin with the key of a member",
        "dropped path 'x..y': ..y looks at any depth, but what is dropped has one place",
        "dropped path '..z': it has to begin with the key of a member",
        "dropped path 'q[': it ends inside [ (at character 3)",
        "dropped path '$': it has to begin with the key of a member",
        "dropped path '*': it has to begin with the key of a member",
      ])
  }

  @Test func `other members are kept or collected, not both`() {
    let fields = [OutputField(collecting: "others")]
    let error = #expect(throws: DefinitionError.self) {
      try Mapper(output: .object(fields, rest: .kept))
    }
    #expect(error?.mistakes.first?.reason.contains("not both") == true)
  }

  @Test func `the explanation says what is kept`() throws {
    let plan = try Mapper(output: .object([id], rest: .kept(except: ["b", "c.*"]))).plan
    #expect("\(plan)".hasSuffix("\n  other members: as they stand, except b, c.*"))
  }
}
