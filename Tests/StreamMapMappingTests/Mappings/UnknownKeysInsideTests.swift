import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Keys that nothing reads, in objects that paths lead through, by every route.
@Suite struct UnknownKeysInsideTests {
  /// The paths of the unknown keys of a document.
  private func unknown(_ object: OutputMapping, _ document: String) throws -> [String] {
    let refused = try #require(
      try Routes.run(output: object.unknownKeys(.fail), document).first)
    let reported = try #require(
      try Routes.run(output: object.unknownKeys(.report), document).first)
    func paths(_ errors: [MappingError]) -> [String] {
      errors.flatMap {
        $0.code == .severalErrors ? $0.underlying.compactMap { $0 as? MappingError } : [$0]
      }
      .filter { $0.code == .unknownKey }.map(\.path.description)
    }
    let found = paths(reported.issues)
    #expect(paths(refused.error.map { [$0] } ?? []) == found)
    #expect((refused.value == nil) == !found.isEmpty)
    return found
  }

  private func object(_ paths: String...) -> OutputMapping {
    .object(paths.map { OutputField($0, from: .path($0), .nullable(.raw)) })
  }

  @Test func `a key beside the end of a path is unknown`() throws {
    #expect(try unknown(object("user.id"), #"{"user":{"id":1,"vip":2}}"#) == ["$.user.vip"])
    #expect(try unknown(object("user.id"), #"{"user":{"id":{"x":1}}}"#) == [])
    #expect(
      try unknown(object("a.b.c", "a.d"), #"{"a":{"x":1,"b":{"c":1,"y":2},"d":{"z":3}},"e":4}"#)
        == ["$.a.x", "$.a.b.y", "$.e"])
    #expect(
      try unknown(object("t[1].x"), #"{"t":[{"q":1},{"x":1,"y":2},{"r":3}]}"#) == ["$.t[1].y"])
    #expect(try unknown(object("user.id"), #"{"user":null}"#) == [])
  }

  @Test func `a key is known where something takes the object as a whole`() throws {
    let document = #"{"user":{"id":1,"vip":{"x":1}}}"#
    #expect(try unknown(object("user", "user.id"), document) == [])
    #expect(try unknown(object("user", "user.vip.y"), document) == [])
    let counted: OutputMapping = .object([
      OutputField("u", from: "user.id", .raw), OutputField("n", calculated: "length(user)"),
    ])
    #expect(try unknown(counted, document) == ["$.user.vip"])
    let looked: OutputMapping = .object([
      OutputField("u", from: "user.id", .raw), OutputField("n", calculated: "user.vip.x"),
    ])
    #expect(try unknown(looked, document) == [])
    let chosen: OutputMapping = .object([
      OutputField("u", from: "user.id", .raw),
      OutputField(
        "c", cases: [(.value(at: "user.rank"), OutputField("c", from: "user.vip", .raw))],
        isNullable: true),
    ])
    #expect(try unknown(chosen, document) == [])
    let inner: OutputMapping = .object([
      OutputField("u", from: "user.id", .raw),
      OutputField("all", from: "$", .object([OutputField("v", from: "user.vip", .raw)])),
    ])
    #expect(try unknown(inner, document) == [])
    #expect(try unknown(inner, #"{"user":{"id":1,"vip":1,"x":1}}"#) == ["$.user.x"])
  }

  @Test func `the member that chooses a case is known`() throws {
    let mapping: OutputMapping = .dispatch(
      on: "meta.kind", [("a", object("meta.id").unknownKeys(.fail))])
    let records = try Routes.run(
      output: .array(of: mapping),
      #"[{"meta":{"kind":"a","id":1}},{"meta":{"kind":"a","id":1,"x":2}}]"#)
    #expect(records.first?.error.map { "\($0.code) \($0.path)" } == "unknownKey $[1].meta.x")
  }

  @Test func `of an object that comes twice, only the one that counts is asked`() throws {
    let twice = #"{"user":{"vip":1},"user":{"id":1}}"#
    #expect(try unknown(object("user.id").duplicateKeys(.last), twice) == [])
    #expect(try unknown(object("user.id").duplicateKeys(.first), twice) == ["$.user.vip"])
    #expect(
      try unknown(
        object("user.id").duplicateKeys(.last), #"{"user":{"vip":1},"user":{"id":1,"x":2}}"#)
        == ["$.user.x"])
  }

  @Test func `keys of dictionaries around it are not disturbed`() throws {
    let mapping = OutputMapping.dictionary(
      of: .object([
        OutputField("u", from: "user.id", .raw), OutputField("all", from: "$", .raw),
        OutputField("n", from: "n", .int64),
      ]).unknownKeys(.report))
    let record = try #require(
      try Routes.run(
        output: mapping,
        #"{"first":{"user":{"id":1,"vip":2},"n":"x"},"second":{"user":{"id":1},"n":2}}"#
      ).first)
    #expect(record.issues.map(\.path.description) == ["$.first.user.vip"])
    #expect(record.error?.path.description == "$.first.n")
  }
}
