import Foundation
import StreamMapFoundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Values that are trees: as deep as they may be on a thread with a small stack, and an error where they would be deeper.
@Suite struct TreeDepthTests {
  private static let most = JSONValue.maximumDepth
  private static let kept = Locked<[JSONValue]>([])

  /// An array in an array, so many of them.
  private static func nested(_ levels: Int, _ core: String = "") -> String {
    String(repeating: "[", count: levels) + core + String(repeating: "]", count: levels)
  }

  private static func objects(_ levels: Int) -> String {
    String(repeating: #"{"k":"#, count: levels) + "1" + String(repeating: "}", count: levels)
  }

  private var limits: Limits {
    var limits = Limits()
    limits.depth = 1_000_000
    return limits
  }

  @Test
  func `the deepest tree is handled with a stack of 512 KiB`() throws {
    for text in [Self.nested(Self.most, "7,null"), Self.objects(Self.most)] {
      let limits = limits
      let problems = try onThread { () -> [String] in
        var problems: [String] = []
        do {
          let mapper = try Mapper(Mapping<JSONValue>.json, limits: limits)
          let value = try mapper.decode(text.utf8).get()
          let again = try mapper.decode(text.utf8).get()
          let other = try mapper.decode(
            text.replacing("1", with: "2").replacing("7", with: "8").utf8
          )
          .get()
          if value != again || value == other { problems.append("compared") }
          if Set([value, again, other]).count != 2 { problems.append("hashed") }
          if value.description != text { problems.append("described") }
          if try mapper.encode(value) != Array(text.utf8) { problems.append("encoded") }
          var options = EncodingOptions()
          options.sortsKeys = true
          if try mapper.encode(value, options: options) != Array(text.utf8) {
            problems.append("sorted")
          }
          let foundation = try mapper.encode(asFoundationObject: value)
          if mapper.decode(foundationObject: foundation).value != value {
            problems.append("Foundation")
          }
          if mapper.convert(value, to: mapper).value != value { problems.append("converted") }
        } catch {
          problems.append("\(error)")
        }
        return problems
      }
      #expect(problems == [])
    }
  }

  /// The error on which all routes agree.
  private func error<Value>(_ mapping: Mapping<Value>, _ document: String) throws -> MappingError {
    let mapper = try Mapper(mapping, limits: limits)
    let records = try Routes.run(
      mapper, Array(document.utf8), at: [], format: .json, pieceSizes: [1, 7, 32]
    ) { _ in "" }
    return try #require(records.first?.error)
  }

  @Test
  func `a deeper tree is an error at its place by every route`() throws {
    let deep = Self.nested(Self.most + 1)
    let document = #"{"a":1,"t":\#(deep)}"#
    struct Row {
      let a: Int
      let others: [String: JSONValue]
    }
    let direct = try error(.at("t", .json), document)
    #expect(direct.code == .limitExceeded && "\(direct.path)" == "$.t")
    #expect(direct.position?.bytes == 11..<11 + deep.utf8.count)
    #expect(
      direct.expected
        == "at most 512 levels of nesting in a value that is a tree (JSONValue.maximumDepth)")
    let collected = Mapping.object(Row.self) { field in
      field.make(Row.init, field("a", \Row.a), field(collecting: \Row.others))
    }
    #expect(try error(collected, document).code == .limitExceeded)
    let rewritten: Mapping<Int> = .at("t", .preTransformed(.int) { _ in 1 })
    #expect(try error(rewritten, document).code == .limitExceeded)
    let seen = Mapping.object(Row.self) { field in
      field.make(
        Row.init, field("a", \Row.a),
        field("none", \Row.others, .dictionary(of: .json).default([:]))
      )
    }
    .postProcessed { _, row in row }
    #expect(try error(seen, document).code == .limitExceeded)
    // A part within the bound passes in all of them.
    let shallow = #"{"a":1,"t":\#(Self.nested(Self.most - 1))}"#
    #expect(try Mapper(collected, limits: limits).decode(shallow.utf8).value?.a == 1)
  }

  @Test
  func `output records bound the parts that rules and functions look at`() throws {
    let deep = Self.nested(20_000)
    let document = #"{"t":\#(deep)}"#
    func outcome(_ mapping: OutputMapping) throws -> Record<RawJSON> {
      let mapper = try Mapper(output: mapping, limits: limits)
      let record = mapper.decode(document.utf8)
      for jobs in [1, 2] {
        let lines = Array((document + "\n" + document + "\n").utf8)
        let records = Array(try mapper.records(in: Feed(lines, format: .ndjson), jobs: jobs))
        #expect(records.map { $0.error?.code } == [record.error?.code, record.error?.code])
      }
      return record
    }
    let plain: OutputMapping = .object([OutputField("t", from: "t", .raw)])
    #expect(try outcome(plain).value?.bytes.count == document.utf8.count)
    let anything = Rule<JSONValue>("anything", expecting: "anything") { _ in true }
    let looking: [OutputMapping] = [
      .object([OutputField("t", from: "t", .raw.validated([anything]))]),
      plain.validated([anything]),
      .converted(from: plain, expected: "another") { $0 },
      .object([OutputField("t", from: "t", .array(of: .raw).validated([anything]))]),
      .object([OutputField(collecting: "others")]),
    ]
    for mapping in looking { #expect(try outcome(mapping).error?.code == .limitExceeded) }
  }

  @Test
  func `deeper trees made by a program are compared and described without stack`() throws {
    func tree(_ core: JSONValue) -> JSONValue {
      (0..<20_000).reduce(core) { tree, _ in .object([.init("k", .array([tree, 1]))]) }
    }
    // Kept for good: to release them takes stack.
    let (a, b, c) = (tree(1), tree(1), tree(2))
    Self.kept.withLock { $0 += [a, b, c] }
    let same = try onThread {
      a == b && a != c && a.hashValue == b.hashValue && a.description == b.description
        && a.flaw(mostLevels: .max) == nil
    }
    #expect(same)
  }

  @Test
  func `a value written by way of a tree keeps to the bound`() throws {
    let text = Self.nested(Self.most + 1)
    let mapper = try Mapper(Mapping<RawJSON>.raw, limits: limits)
    let raw = try mapper.decode(text.utf8).get()
    #expect(try mapper.encode(raw) == Array(text.utf8))
    var options = EncodingOptions()
    options.sortsKeys = true
    func code(_ body: () throws -> Void) -> ErrorCode? {
      do {
        try body()
        return nil
      } catch { return (error as? MappingError)?.code }
    }
    #expect(code { _ = try mapper.encode(raw, options: options) } == .limitExceeded)
    #expect(code { _ = try mapper.encode(asFoundationObject: raw) } == .limitExceeded)
    let rewritten = try Mapper(.piped(.json, into: Mapping<RawJSON>.raw), limits: limits)
    #expect(code { _ = try rewritten.encode(raw) } == .limitExceeded)
  }

  @Test
  func `two values are equal just where members, order and number texts are`() {
    let values: [JSONValue] = [
      nil, true, false, 1, .number("1.0"), "1", "", [], [1], [1, [2]], [[1], 2], [1, [3]], [:],
      ["a": 1], ["a": 2], ["b": 1], ["a": 1, "b": 1], ["b": 1, "a": 1], ["a": [1]], ["a": [:]],
      [[[]], []], [[], [[]]],
    ]
    for (i, a) in values.enumerated() {
      for (j, b) in values.enumerated() { #expect((a == b) == (i == j), "\(a) \(b)") }
    }
    #expect(Set(values + values).count == values.count)
  }
}
