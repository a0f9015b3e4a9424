import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct OutputConverterTests {
  private struct Result: Equatable {
    var output = ""
    var codes: [ErrorCode] = []
    var dropped = 0
  }

  /// Converts feeds that arrive in pieces of a size; the output is taken after each record.
  private func convert(
    _ plan: OutputPlan, _ layout: OutputLayout, _ feeds: [String], pieces: Int, jobs: Int
  ) throws -> Result {
    let converter = OutputConverter(plan, layout: layout)
    converter.jobs = jobs
    var result = Result()
    func take() {
      converter.takeOutput { result.output += String(decoding: $0, as: UTF8.self) }
      #expect(converter.outputCount == 0)
    }
    for (number, feed) in feeds.enumerated() {
      try converter.begin(format: .concatenated, file: "\(number).json")
      var rest = Array(feed.utf8)[...]
      var kept: [UInt8] = []
      feed: while true {
        switch converter.next() {
        case .input:
          kept = Array(rest.prefix(pieces))
          if let room = converter.room {
            kept = Array(kept.prefix(room.count))
            room.copyBytes(from: kept)
          }
          rest = rest.dropFirst(kept.count)
          let isFinal = rest.isEmpty
          // The bytes have to stay until more is asked for.
          let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: kept.count)
          _ = memory.initialize(from: kept)
          memories.values.append(memory)
          converter.input(UnsafeBufferPointer(memory), isFinal: isFinal)
        case .record(let record):
          if let error = record.error { result.codes.append(error.code) }
          take()
        case .records(let mapped, let dropped, _):
          #expect(jobs > 1 && mapped + dropped > 0)
          result.dropped += dropped
          take()
        case .dropped: result.dropped += 1
        case .end: break feed
        }
      }
    }
    converter.finish()
    take()
    return result
  }

  private final class Memories {
    var values: [UnsafeMutableBufferPointer<UInt8>] = []
    deinit { for memory in values { memory.deallocate() } }
  }
  private let memories = Memories()

  private func plan(where condition: Condition? = nil) throws -> OutputPlan {
    try OutputPlan(
      .object([
        OutputField("n", from: "n", .int64), OutputField("f", .file),
        OutputField("day", contextValue: 0, named: "day"),
      ]), at: [PathPattern(parsing: "$.items[*]")],
      context: [
        ContextDefinition(
          "day", at: PathPattern(parsing: "$.day"), .string, standIn: .string("none"),
          mayComeLate: true)
      ], where: condition)
  }

  private let feeds = [
    #"{"items":[{"n":1}],"day":"Mon"}{"day":"Tue","items":[{"n":2},{"n":"x"},{"n":3}]}"#,
    #"{"items":[]}"#, #"{"day":7,"items":[{"n":4}]}"#,
  ]

  @Test(arguments: [1, 2, 3], [1, 7, 1000])
  func `records follow each other as lines, each with what came before it`(jobs: Int, pieces: Int)
    throws
  {
    let result = try convert(plan(), .lines, feeds, pieces: pieces, jobs: jobs)
    #expect(
      result.output
        == #"{"n":1,"f":"0.json","day":"none"}"# + "\n" + #"{"n":2,"f":"0.json","day":"Tue"}"#
        + "\n"
        + #"{"n":3,"f":"0.json","day":"Tue"}"# + "\n" + #"{"n":4,"f":"2.json","day":"none"}"# + "\n"
    )
    #expect(result.codes == [.wrongType, .wrongType] && result.dropped == 0)
  }

  @Test(arguments: [1, 3])
  func `the records that a condition keeps make one array over all feeds`(jobs: Int) throws {
    let all = try convert(plan(where: .field("n")), .array, feeds, pieces: 9, jobs: jobs)
    #expect(NaiveJSON(Array(all.output.utf8))?.written.count ?? 0 > 100)
    #expect(all.output.hasPrefix("[\n{") && all.output.hasSuffix("}\n]\n"))
    let none = try convert(
      plan(where: .calculated("false")), .array, feeds, pieces: 9, jobs: jobs)
    #expect(none.output == "[]\n" && none.dropped == 5)
  }
}
