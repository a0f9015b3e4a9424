import Foundation
import Testing

@Suite("Statistics")
struct StatisticsTests {
  private struct Figures: Decodable {
    let records: Int
    let mapped: Int
    let rejected: Int
    let dropped: Int
    let issues: Int
    let bytes: Int
    let outputBytes: Int
    let seconds: Double
    let mbPerS: Double
    let peakMemoryBytes: Int
  }

  private let feed = "{\"a\":1}\n{\"a\":\"x\"}\n{\"a\":\"y\"}\n"

  @Test func `JSON statistics are the last line of standard error`() throws {
    let result = try Command().run(
      "--field", "a:int8", "--errors", "skip", "--stats", "json", input: feed)
    let last = try #require(result.errors.split(separator: "\n").last)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let figures = try decoder.decode(Figures.self, from: Data(last.utf8))
    #expect(figures.records == 3)
    #expect(figures.mapped == 1)
    #expect(figures.rejected == 2)
    #expect(figures.dropped == 0)
    #expect(figures.issues == 0)
    #expect(figures.bytes == feed.utf8.count)
    #expect(figures.outputBytes == "{\"a\":1}\n".utf8.count)
    #expect(figures.seconds > 0)
    #expect(figures.mbPerS > 0)
    #expect(figures.peakMemoryBytes > 1 << 20)
  }

  @Test func `JSON statistics are the last line after an error too`() throws {
    let result = try Command().run("--field", "a:int8", "--stats", "json", input: feed)
    #expect(result.status == 7)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.last?.hasPrefix("{\"records\":2,\"mapped\":1,\"rejected\":1,") == true)
  }

  @Test func `human statistics have a line for each figure`() throws {
    let result = try Command().run("--field", "a", "--stats", "human", input: feed)
    #expect(
      result.errors.hasPrefix("records      3\nmapped       3\nrejected     0\ndropped      0\n"))
    #expect(result.errors.contains("input        \(feed.utf8.count) bytes\n"))
  }
}
