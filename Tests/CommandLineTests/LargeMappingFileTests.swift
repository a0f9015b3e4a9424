import Foundation
import Testing

@testable import StreamMapFiles

/// Mapping files with many fields.
@Suite struct LargeMappingFileTests {
  /// Bytes that count how often they are looked at.
  private struct CountedBytes: RandomAccessCollection {
    final class Count { var looks = 0 }

    let bytes: [UInt8]
    let counter = Count()
    var startIndex: Int { 0 }
    var endIndex: Int { bytes.count }

    subscript(index: Int) -> UInt8 {
      counter.looks += 1
      return bytes[index]
    }
  }

  private func json(fields: Int, lineEnd: String = "") -> String {
    let fields = (0..<fields).map {
      "\(lineEnd)\"f\u{e9}\($0)\":{\"from\":\"a\\u0062.k\($0)\",\"type\":\"int64\",\"validate\":{\"min\":0}}"
    }
    return "{\"streammap\":1,\(lineEnd)\"record\":{\(fields.joined(separator: ","))}}"
  }

  @Test(
    "Each byte of a JSON file is looked at a few times, however long its lines are",
    arguments: ["", "\n", "\r\n"])
  func looks(_ lineEnd: String) throws {
    for fields in [10, 1000] {
      let bytes = CountedBytes(bytes: Array(json(fields: fields, lineEnd: lineEnd).utf8))
      let mistakes = FileMistakes(file: "m.json")
      #expect(try JSONNodes.read(bytes, mistakes) != nil)
      #expect(mistakes.isEmpty)
      #expect(bytes.counter.looks < 8 * bytes.bytes.count, "\(fields) fields")
    }
  }

  @Test("Places in a JSON file count characters, in long lines and after others")
  func places() throws {
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

  @Test("JSON and YAML files of many fields say the same")
  func fields() throws {
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

  @Test("Plain scalars of YAML are numbers as its core schema has them")
  func numbers() {
    for text in [
      "007", "0x1F", "0o17", ".5", "1.", "+1", "1.e5", ".inf", "-.Inf", ".NaN", "-.5e-3",
    ] {
      #expect(LocatedNode.Scalar(text: text, isPlain: true).value == nil, "\(text)")
    }
    for text in [
      "0xG", "0x", "0o8", "0o", "-0x1", ".", "+", "1e", "1.5.2", "2026-01-01", "1:30", "-.nan",
      ".INf", "1_000",
    ] {
      #expect(LocatedNode.Scalar(text: text, isPlain: true).value == .string(text), "\(text)")
    }
    for text in ["0", "-1", "1.5", "1e5", "-0.0E-7"] {
      #expect(LocatedNode.Scalar(text: text, isPlain: true).value == .number(text), "\(text)")
    }
  }
}
