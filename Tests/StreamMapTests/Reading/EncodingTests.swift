import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Other encodings than UTF-8 are named in the error.
@Suite struct EncodingTests {
  static let text = "[\"a\"]"

  static func encoded(_ width: Int, bigEndian: Bool, mark: Bool) -> [UInt8] {
    ((mark ? [0xFEFF] : []) + text.unicodeScalars.map(\.value)).flatMap { scalar -> [UInt8] in
      let bytes = (0..<width).map { UInt8(truncatingIfNeeded: scalar >> UInt32($0 * 8)) }
      return bigEndian ? bytes.reversed() : bytes
    }
  }

  @Test(arguments: [2, 4], [true, false]) func `another encoding than UTF-8 is named in the error`(
    _ width: Int, _ bigEndian: Bool
  ) throws {
    let name = "UTF-\(width * 8) (\(bigEndian ? "big" : "little")-endian)"
    let mapper = try Mapper(output: .raw)
    for mark in [true, false] {
      let feed = Self.encoded(width, bigEndian: bigEndian, mark: mark)
      for format in FeedFormat.allCases {
        let records = try Routes.run(mapper, feed, at: [], format: format) { $0.description }
        try #require(records.count == 1)
        #expect(
          records[0].error?.description
            == "fatal invalidUTF8 at $ (line 1, column 1, bytes 0..<4): expected UTF-8, found \(name)"
        )
      }
    }
  }

  /// A feed that is shorter than what is looked at.
  @Test func `a very short feed has its encoding named too`() throws {
    let mapper = try Mapper(output: .raw)
    let records = try Routes.run(mapper, [0x31, 0], at: [], format: .json) { $0.description }
    #expect(records.first?.error?.found == "UTF-16 (little-endian)")
    #expect(records.first?.position?.bytes == 0..<2)
    #expect(records.first?.error?.position?.bytes == 0..<2)
  }
}
