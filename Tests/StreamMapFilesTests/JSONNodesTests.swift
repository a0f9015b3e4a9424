import Testing

@testable import StreamMapFiles

/// Mapping files in JSON, and the places of their parts.
@Suite struct JSONNodesTests {
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

  @Test(arguments: ["", "\n", "\r\n"])
  func `each byte is looked at a few times, however long the lines are`(_ lineEnd: String) throws {
    for count in [10, 1000] {
      let fields = (0..<count).map {
        "\(lineEnd)\"f\u{e9}\($0)\":{\"from\":\"a\\u0062.k\($0)\",\"validate\":{\"min\":0}}"
      }
      let file = "{\"streammap\":1,\(lineEnd)\"record\":{\(fields.joined(separator: ","))}}"
      let bytes = CountedBytes(bytes: Array(file.utf8))
      let mistakes = FileMistakes(file: "m.json")
      #expect(try JSONNodes.read(bytes, mistakes) != nil)
      #expect(mistakes.isEmpty)
      #expect(bytes.counter.looks < 8 * bytes.bytes.count, "\(count) fields")
    }
  }
}
