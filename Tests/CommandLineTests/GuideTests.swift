import Foundation
import Testing

/// The mapping files of the guides are read and run, and make of a record what they show.
///
/// A block is a mapping file without its first line. Comments stand after it: a record, an arrow, what it becomes.
@Suite struct GuideTests {
  private static let guides = ReadmeTests.root.appending(path: "Sources/StreamMap/StreamMap.docc")

  private struct Example {
    let file: String
    var records: [(input: String, output: String)] = []

    init(_ block: String) {
      let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
      file = "streammap: 1\n" + lines.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
      let comments = lines.filter { $0.hasPrefix("# ") }.map { $0.dropFirst(2) }
        .joined(separator: "\n").replacing("\n→", with: " →")
      for record in comments.split(separator: "\n") {
        let sides = record.components(separatedBy: " → ")
        records.append((sides[0], sides.count == 2 ? sides[1] : "nothing is shown"))
      }
    }
  }

  @Test(arguments: ["MappingFile", "Mappers", "Validation"])
  func `each mapping file in the guides gives the output it shows`(guide: String) throws {
    let text = try String(
      contentsOf: Self.guides.appending(path: "\(guide).md"), encoding: .utf8)
    let blocks = text.components(separatedBy: "```yaml\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(blocks.count >= 1)
    for block in blocks {
      let example = Example(block)
      #expect(!example.records.isEmpty, "\(block)")
      let command = try Command()
      try command.write(example.file, to: "guide.map.yaml")
      // What `use` of the guide refers to.
      try command.write("streammap: 1\nrecord: { city: city }\n", to: "address.map.yaml")
      // The table that `lookup` of the guide refers to.
      try command.write("code,name\nCH,Switzerland\n", to: "countries.csv")
      try command.write("cc,nr,city,staff\nCH,7,Bern,12\n", to: "shops.csv")
      // Where records have a place, the input is a document.
      let format = block.contains("records:") ? "auto" : "ndjson"
      let result = try command.run(
        "-m", "guide.map.yaml", "--from", format,
        input: example.records.map { $0.input + "\n" }.joined())
      #expect(
        result.output == example.records.map { $0.output + "\n" }.joined(),
        "\(block)\(result.errors)")
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  /// All pages with mapping files are among those that are run.
  @Test func `each guide with mapping files is among those run`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.guides.path)
      .filter { $0.hasSuffix(".md") }
    for name in names where !["MappingFile.md", "Mappers.md", "Validation.md"].contains(name) {
      let text = try String(contentsOf: Self.guides.appending(path: name), encoding: .utf8)
      #expect(!text.contains("```yaml"), "\(name)")
    }
  }
}
