import Foundation
import StreamMap
import StreamMapFiles
import Testing

@testable import CommandLineTests

/// What a program makes of a mapping file is what the command makes of it.
@Suite struct EmbeddingTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  @Test(arguments: [
    ("orders", nil),
    (
      "catalog",
      #"""
      {"meta":{"day":"2026-11-21"},"catalog":{"items":[{"sku":1,"st":"A","price":"9.90"},{"sku":2,"st":"D"},
      {"sku":3,"st":"A","price":-1},{"sku":4,"st":"A","other":"\u00e9"}]}}
      {"catalog":{"items":[{"sku":5,"st":"A"}]},"meta":{"day":"x"}}
      """#
    ),
  ])
  func `a mapper yields the command's bytes and fails where it rejects`(
    _ example: String, _ text: String?
  ) throws {
    let examples = ReadmeTests.root.appending(path: "Examples")
    let mapping = examples.appending(path: "\(example).map.yaml").path
    var feed = examples.appending(path: "\(example).ndjson").path
    if let text { feed = command.url(try command.write(text, to: "feed.json")).path }
    let mapper = try MappingFile(contentsOf: mapping).mapper()
    for jobs in [1, 3] {
      let result = try command.run(
        "-m", mapping, feed, "--rejects", "r", "--jobs", "\(jobs)")
      let records = try mapper.records(in: Feed(.file(feed)), jobs: jobs)
      var output = ""
      var failed = 0
      for record in records {
        if let json = record.value { output += "\(json)\n" } else { failed += 1 }
      }
      #expect(output == result.output)
      #expect(!output.isEmpty)
      #expect(try command.read("r").split(separator: "\n").count == failed)
      #expect(failed > 0)
    }
  }
}
