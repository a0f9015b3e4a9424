import Foundation
import Testing

/// Mapping files with many fields.
@Suite struct LargeMappingFileTests {
  private func json(fields: Int) -> String {
    let fields = (0..<fields).map {
      "\"f\u{e9}\($0)\":{\"from\":\"a\\u0062.k\($0)\",\"type\":\"int64\",\"validate\":{\"min\":0}}"
    }
    return "{\"streammap\":1,\"record\":{\(fields.joined(separator: ","))}}"
  }

  @Test
  func `places in a JSON mapping file count characters, not bytes`() throws {
    let command = try Command()
    let text = json(fields: 3).replacing(
      "\"type\":\"int64\",\"validate\":{\"min\":0}}}}", with: "\"tpye\":7}}}")
    try command.write(text, to: "m.json")
    try command.write(text.replacing(",", with: ",\n\t"), to: "lines.json")
    func place(_ file: String) throws -> String {
      let error = try command.run("check", file).errors
      return String(error.prefix { $0 != " " })
    }
    let line = text.unicodeScalars
    let column = try #require(String(line).range(of: "\"tpye\"")).lowerBound
    #expect(
      try place("m.json") == "m.json:1:\(line.distance(from: line.startIndex, to: column) + 1):")
    #expect(try place("lines.json") == "lines.json:9:2:")
  }

  @Test
  func `JSON and YAML files of many fields mean the same`() throws {
    let command = try Command()
    let count = 2000
    try command.write(json(fields: count), to: "m.json")
    try command.write(
      "streammap: 1\nrecord:\n"
        + (0..<count).map {
          "  f\u{e9}\($0): { from: ab.k\($0), type: int64, validate: { min: 0 } }\n"
        }.joined(),
      to: "m.yaml")
    let feed = "{\"ab\":{\((0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ","))}}\n"
    let output = "{\((0..<count).map { "\"f\u{e9}\($0)\":\($0)" }.joined(separator: ","))}\n"
    for file in ["m.json", "m.yaml"] {
      let result = try command.run("-m", file, input: feed)
      #expect(result.errors.isEmpty)
      #expect(result.output == output)
    }
  }
}
