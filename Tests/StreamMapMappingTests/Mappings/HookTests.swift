import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private let numbers: Mapping<[Int]> = .array(of: .int, omitsInvalid: true)

private struct Odd: Error {}

private struct Row: Equatable {
  var ids: [Int]
  var name: String
}

private func row(_ ids: Mapping<[Int]>) -> Mapping<Row> {
  Mapping.object(Row.self) { field in
    field.make(
      Row.init, field("ids", \.ids, ids),
      field("name", \.name, .string.default("-", when: .missingOrInvalid)))
  }
}

@Suite("Hooks after a mapping")
struct HookTests {
  @Test
  func `a hook sees the issues of its value and no others`() throws {
    let seen = Locked<[String]>([])
    let mapping = row(
      numbers.postProcessed { json, ids, issues in
        seen.withLock { $0 = issues.errors.map { "\($0.code) \($0.path) \($0.record ?? 0)" } }
        return ids
      })
    let feed = #"[{"name":1,"ids":[1]},{"name":7,"ids":[1,"x",2,null]}]"#
    let records = try Routes.run(mapping, feed, at: ["$[*]"])
    #expect(seen.withLock { $0 } == ["wrongType $[1].ids[1] 2", "null $[1].ids[3] 2"])
    #expect(records.map { $0.value?.ids } == [[1], [1, 2]])
    #expect(records.map(\.issues.count) == [1, 3])
  }

  @Test
  func `a hook may clear only the issues of its value`() throws {
    let cleared = row(
      numbers.postProcessed { json, ids, issues in
        issues.clear()
        #expect(issues.isEmpty)
        return ids
      })
    let decoded = try decode(cleared, #"{"name":7,"ids":[1,"x",2,null]}"#)
    #expect(decoded.value == Row(ids: [1, 2], name: "-"))
    #expect(decoded.issues == ["wrongType $.name → name"])
    let some = row(
      numbers.postProcessed { json, ids, issues in
        issues.clear { $0.code == .null }
        return ids
      })
    #expect(
      try decode(some, #"{"name":"","ids":[1,"x",2,null]}"#).issues == [
        "wrongType $.ids[1] → ids[1]"
      ])
  }

  @Test
  func `a hook may report an issue and still give a value`() throws {
    let mapping: Mapping<Int> = .int.postProcessed { json, value, issues in
      if value % 2 == 1 { issues.report(Odd()) }
      return value
    }
    let decoded = try decode(.array(of: mapping), "[1,2]")
    #expect(decoded.value == [1, 2])
    #expect(decoded.issues == ["conversionFailed $[0] → [0]"])
    let record = try Mapper(mapping).decode("1".utf8)
    #expect(record.issues.first?.underlying.first is Odd)
    #expect(record.issues.first?.severity == .issue)
  }

  @Test
  func `an error thrown by a hook tells what was expected`() throws {
    let mapping: Mapping<Int> = .int.postProcessed { json, value, issues in throw Odd() }
    let error = try Mapper(mapping).decode("1".utf8).error
    #expect(error?.message == "expected an integer (Int)")
    #expect(error?.underlying.count == 1)
    let filled: Mapping<Int> = mapping.default(3, when: .failing)
    #expect(try decode(filled, "1").value == 3)
  }

  @Test
  func `a hook works on Optional properties, threads and updates`() throws {
    struct Maybe: Equatable { var ids: [Int]? }
    let mapping = Mapping.object(Maybe.self) { field in
      field.make(
        Maybe.init,
        field(
          "ids", \.ids,
          numbers.postProcessed { json, ids, issues in
            issues.clear()
            return ids.reversed()
          }))
    }
    #expect(try decode(mapping, #"{"ids":[1,"x",2]}"#).value == Maybe(ids: [2, 1]))
    #expect(try decode(mapping, "{}").value == Maybe(ids: nil))
    let feed = String(repeating: "{\"ids\":[1,\"x\",2]}\n", count: 200)
    var records = 0
    for record in try Mapper(mapping).records(in: Feed(Array(feed.utf8), format: .ndjson), jobs: 3)
    {
      #expect(record.value == Maybe(ids: [2, 1]) && record.issues.isEmpty)
      records += 1
    }
    #expect(records == 200)
    var value = Maybe(ids: nil)
    let issues = try Mapper(mapping).update(&value, from: #"{"ids":[1,"x",2]}"#.utf8)
    #expect(value == Maybe(ids: [2, 1]) && issues.isEmpty)
    #expect(try encode(mapping, value) == #"{"ids":[2,1]}"#)
  }

  @Test
  func `a recovery may be silent`() throws {
    let silent: Mapping<Int> = .int.recovering(reportsErrors: false) { json in 0 }
    let decoded = try decode(.array(of: silent), #"[1,"x",{}]"#)
    #expect(decoded.value == [1, 0, 0] && decoded.isClean)
    let loud: Mapping<Int> = .int.recovering { json in 0 }
    #expect(try decode(.array(of: loud), #"[1,"x"]"#).issues == ["wrongType $[1] → [1]"])
    let vain: Mapping<Int> = .int.recovering(reportsErrors: false) { json in nil }
    #expect(try decode(vain, #""x""#).fatal == ["noAlternative $"])
  }

  @Test
  func `hooks and split mappings encode their own way as alternatives`() throws {
    let processed: Mapping<Int> = .int.postProcessed { json, value, issues in value }
    #expect(try encode(.firstOf(processed, .int(from: .string)), 3) == "3")
    let split: Mapping<Int> = .decoding(.int, encoding: .int(from: .string))
    #expect(try encode(.array(of: .firstOf(split, .int)), [3]) == #"["3"]"#)
    // What the case writes would not choose it again.
    #expect(throws: MappingError.self) { try encode(.dispatch(byKind: [.number: split]), 3) }
    #expect(try encode(.preTransformed(split, { $0 }), 3) == #""3""#)
  }

  private struct Tree: Mappable, Equatable {
    var name: String
    var below: [Tree] = []
    static let mapping = Mapping.object(Tree.self) { field in
      field.make(
        Tree.init, field("name", \.name),
        field("below", \.below, .array(of: Mapping<Tree>.declared.oneWay()).default([])))
    }
  }

  @Test
  func `a mapping that is found by its type decodes as one side of a split`() throws {
    let document = #"{"name":"a","below":[{"name":"b","below":[{"name":"c"}]}]}"#
    let tree = Tree(name: "a", below: [Tree(name: "b", below: [Tree(name: "c")])])
    #expect(try decode(.declared, document).value == tree)
    let oneWay = Mapping<Tree>.declared.oneWay()
    #expect(try decode(oneWay, document).value == tree)
    #expect(try decode(.nullable(oneWay), "null").value == .some(nil))
    #expect(
      try decode(
        .array(of: oneWay.validated(Rule("a", expecting: "a") { $0.name == "a" })),
        "[\(document),{\"name\":\"b\"}]"
      )
      .fatal == ["validationFailed $[1] → [1]"])
    let split: Mapping<Tree> = .decoding(.declared, encoding: .at("tree", .declared))
    #expect(try decode(split, document).value == tree)
    #expect(try encode(split, Tree(name: "x")) == #"{"tree":{"name":"x","below":[]}}"#)
    let endless: Mapping<Tree> = .recursive { .decoding($0, encoding: .declared) }
    #expect(!mistakes(endless).isEmpty)
  }

  @Test
  func `a choice of no kinds is a mistake, repeated kinds are not`() throws {
    #expect(
      mistakes(.accepting([], .string) as Mapping<String>)
        == ["'accepting' names no kind, so it would take no value: name at least one"])
    let twice: Mapping<String> = .accepting([.string, .string], .string)
    #expect(try decode(twice, #""a""#).value == "a")
    struct Maybe: Equatable { var text: String? }
    let maybe = Mapping.object(Maybe.self) { field in
      field.make(Maybe.init, field("t", \.text, .accepting([.string, .null], .string)))
    }
    #expect(try decode(maybe, #"{"t":null}"#).value == Maybe(text: nil))
  }
}
