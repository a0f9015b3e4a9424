import Testing

@testable import StreamMap

private let numbers: Mapping<[Int]> = .array(of: .optionally(.int))

private struct Odd: Error {}

private struct Row: Equatable {
  var ids: [Int]
  var name: String
}

private func row(_ ids: Mapping<[Int]>) -> Mapping<Row> {
  Mapping.object(Row.self) { field in
    field.make(
      Row.init, field("ids", \.ids, ids), field("name", \.name, .string.optionally(default: "-")))
  }
}

@Suite("Hooks behind a mapping")
struct HookTests {
  @Test("A hook sees the issues of its value, with their addresses, and no others")
  func sees() throws {
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

  @Test("A hook may clear the issues of its value: those of others stay")
  func clears() throws {
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

  @Test("A hook may report, and still give a value")
  func reports() throws {
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

  @Test("What a hook throws is an error that says what the mapping expects")
  func throwing() throws {
    let mapping: Mapping<Int> = .int.postProcessed { json, value, issues in throw Odd() }
    let error = try Mapper(mapping).decode("1".utf8).error
    #expect(error?.message == "expected an integer (Int)")
    #expect(error?.underlying.count == 1)
    let filled: Mapping<Int> = mapping.nonFatally(default: 3)
    #expect(try decode(filled, "1").value == 3)
  }

  @Test("Hooks work on Optional properties, in several threads, and in updates of other properties")
  func elsewhere() throws {
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
    for record in try Mapper(mapping).records(in: Array(feed.utf8), format: .ndjson, jobs: 3) {
      #expect(record.value == Maybe(ids: [2, 1]) && record.issues.isEmpty)
      records += 1
    }
    #expect(records == 200)
    var value = Maybe(ids: nil)
    let issues = try Mapper(mapping).update(&value, from: #"{"ids":[1,"x",2]}"#.utf8)
    #expect(value == Maybe(ids: [2, 1]) && issues.isEmpty)
    #expect(try encode(mapping, value) == #"{"ids":[2,1]}"#)
  }

  @Test("Recovering may be silent")
  func recovering() throws {
    let silent: Mapping<Int> = .int.recovering(reportsErrors: false) { json in 0 }
    let decoded = try decode(.array(of: silent), #"[1,"x",{}]"#)
    #expect(decoded.value == [1, 0, 0] && decoded.isClean)
    let loud: Mapping<Int> = .int.recovering { json in 0 }
    #expect(try decode(.array(of: loud), #"[1,"x"]"#).issues == ["wrongType $[1] → [1]"])
    let vain: Mapping<Int> = .int.recovering(reportsErrors: false) { json in nil }
    #expect(try decode(vain, #""x""#).fatal == ["noAlternative $"])
  }

  @Test("Hooks, and mappings that go back another way, do so as alternatives, too")
  func reverse() throws {
    let processed: Mapping<Int> = .int.postProcessed { json, value, issues in value }
    #expect(try encode(.firstOf(processed, .int(from: .string)), 3) == "3")
    let split: Mapping<Int> = .split(forward: .int, reverse: .int(from: .string))
    #expect(try encode(.array(of: .firstOf(split, .int)), [3]) == #"["3"]"#)
    #expect(try encode(.dispatch(byKind: [.number: split]), 3) == #""3""#)
    #expect(try encode(.preTransformed(split, { $0 }), 3) == #""3""#)
  }

  @Test("A choice of no kinds says so in its own name, and a kind named twice is one")
  func only() throws {
    #expect(
      mistakes(.only([], .string) as Mapping<String>)
        == ["'only' names no kind, so it would take no value: name at least one"])
    let twice: Mapping<String> = .only([.string, .string], .string)
    #expect(try decode(twice, #""a""#).value == "a")
    struct Maybe: Equatable { var text: String? }
    let maybe = Mapping.object(Maybe.self) { field in
      field.make(Maybe.init, field("t", \.text, .only([.string, .null], .string)))
    }
    #expect(try decode(maybe, #"{"t":null}"#).value == Maybe(text: nil))
  }
}
