import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct UUIDTextTests {
  @Test func `random UUIDs are written and read as by Foundation`() throws {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<5000 {
      var bytes: [UInt8] = []
      for _ in 0..<16 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
      let uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
      #expect(written { UUIDText.write(uuid, into: $0) } == uuid.uuidString)
      #expect(convert(uuid.uuidString, UUIDText.parse) == uuid)
      #expect(convert(uuid.uuidString.lowercased(), UUIDText.parse) == uuid)
    }
  }

  /// Every byte at every place: accepted just where it is a digit or the hyphen that belongs there.
  @Test func `every byte is taken only where a UUID allows it`() {
    let text = Array("01234567-89ab-CDEF-0123-456789abcdef".utf8)
    let digits = Set("0123456789abcdefABCDEF".utf8)
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        let isRight = text[index] == UInt8(ascii: "-") ? byte == text[index] : digits.contains(byte)
        let uuid = changed.withUnsafeBufferPointer(UUIDText.parse)
        if (uuid != nil) != isRight { Issue.record("\(byte) at \(index)") }
      }
    }
  }

  @Test(arguments: [
    "", "01234567-89ab-cdef-0123-456789abcde", "01234567-89ab-cdef-0123-456789abcdef0",
    "{01234567-89ab-cdef-0123-456789abcdef}", "0123456789abcdef0123456789abcdef",
    "urn:uuid:01234567-89ab-cdef-0123-456789abcdef", "01234567_89ab-cdef-0123-456789abcdef",
  ])
  func `a UUID text of another length or form is refused`(text: String) {
    #expect(convert(text, UUIDText.parse) == nil)
  }
}
