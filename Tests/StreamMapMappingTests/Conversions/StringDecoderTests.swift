import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Suite struct StringDecoderTests {
  /// Reads from memory of just its size, and writes into such memory.
  private func replaced(_ content: String) -> String? {
    let bytes = Array(content.utf8)
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    defer {
      text.deallocate()
      room.deallocate()
    }
    _ = text.initialize(from: bytes)
    return StringDecoder.decode(UnsafeBufferPointer(text), into: room).map {
      String(decoding: UnsafeBufferPointer(start: room, count: $0), as: UTF8.self)
    }
  }

  private func escape(_ unit: UInt16, upper: Bool) -> String {
    let digits = String(unit, radix: 16, uppercase: upper)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  @Test func `each short escape is replaced wherever it stands`() {
    let escapes = [
      ("\\\"", "\""), ("\\\\", "\\"), ("\\/", "/"), ("\\b", "\u{8}"), ("\\f", "\u{C}"),
      ("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"),
    ]
    for before in 0..<40 {
      for after in [0, 1, 15, 16, 17, 33] {
        let (start, end) = (
          String(repeating: "x", count: before), String(repeating: "é", count: after)
        )
        for (written, meant) in escapes {
          #expect(replaced(start + written + end) == start + meant + end)
          #expect(
            replaced(start + written + written + end + written) == start + meant + meant + end
              + meant)
        }
      }
    }
  }

  @Test func `every code unit is its character, and half a pair is refused`() {
    var wrong: [UInt16] = []
    for unit in UInt16.min...UInt16.max {
      let meant = Unicode.Scalar(unit).map { "a" + String($0) + "b" }
      for upper in [false, true] where replaced("a" + escape(unit, upper: upper) + "b") != meant {
        wrong.append(unit)
      }
    }
    #expect(wrong.prefix(5) == [])
  }

  @Test func `two halves are one character, and nothing else is after the first`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      guard let scalar = Unicode.Scalar(UInt32.random(in: 0x10000...0x10FFFF, using: &random))
      else { continue }
      let pair = Array(String(scalar).utf16)
      let (high, low) = (escape(pair[0], upper: true), escape(pair[1], upper: false))
      #expect(replaced(high + low) == String(scalar))
      #expect(replaced(low + high) == nil)
      #expect(replaced(high + "\\n" + low) == nil)
      #expect(replaced(high + high) == nil)
      #expect(replaced(high + low.dropLast()) == nil)
    }
  }

  @Test(arguments: [
    "\\", "x\\", "\\x", "\\u", "\\u1", "\\u12", "\\u123", "\\u123g", "\\u/123", "\\u:123",
    "\\u@123",
    "\\u`123", "\\uG123", "\\U0041", "\\ud800", "\\ud800x", "\\ud800\\", "\\ud800\\u",
    "\\ud800\\u0041",
    "\\ud800\\udbff", "\\udc00", "\\\u{0}", "0123456789abcdef\\", "\\N",
  ])
  func `a wrong escape is refused`(content: String) {
    #expect(replaced(content) == nil)
    #expect(replaced("twenty plain bytes.." + content) == nil)
  }

  @Test func `a decoder takes strings of all lengths up to its largest`() {
    let decoder = StringDecoder(largest: 3000)
    for length in [0, 1, 1024, 1025, 3000, 5, 3001, 7] {
      let content = Array("\\n".utf8) + Array(repeating: UInt8(ascii: "x"), count: length)
      let decoded = content.suffix(length).withUnsafeBufferPointer {
        decoder.decoded($0).map(Array.init)
      }
      #expect(decoded == (length <= 3000 ? Array(content.suffix(length)) : nil))
    }
    let all = StringDecoder(largest: .max)
    let long = Array(repeating: Array("\\u00e9".utf8), count: 1 << 18).flatMap { $0 }
    #expect(long.withUnsafeBufferPointer { all.decoded($0)?.count } == 1 << 19)
    all.trim()
    let short = Array("a\\tb".utf8)
    #expect(short.withUnsafeBufferPointer { all.decoded($0).map(Array.init) } == Array("a\tb".utf8))
  }

  @Test func `text without escapes stays as it is, at every length`() {
    for length in 0..<70 {
      let text = String(repeating: "0123456789", count: 7).prefix(length)
      #expect(replaced(String(text)) == String(text))
    }
  }
}
