import CScan
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// `FeedToken` reads the memory of the walker's tokens: its layout is that of `sm_token`.
@Suite struct TokenLayoutTests {
  @Test
  func `a token has the same size and alignment in C and Swift`() {
    #expect(MemoryLayout<FeedToken>.size == MemoryLayout<sm_token>.size)
    #expect(MemoryLayout<FeedToken>.stride == MemoryLayout<sm_token>.stride)
    #expect(MemoryLayout<FeedToken>.alignment == MemoryLayout<sm_token>.alignment)
  }

  @Test
  func `each field that C writes is the one that Swift reads`() {
    let mostLine = Int(1) << Int(61 - SM_TAG_BITS) - 1
    let mostTag = Int(1) << Int(SM_TAG_BITS) - 1
    for (line, tag) in [(0, 0), (1, 0), (mostLine, 0), (0, 1), (0, mostTag), (mostLine, mostTag)] {
      for bits in 0..<8 {
        let token = feedToken(
          0x1122_3344_5566_7788, 0x2233_4455_6677_8899, line: line,
          lineStart: 0x3344_5566_7788_99AA,
          isKey: bits & 1 != 0, hasEscapes: bits & 2 != 0, isAbsent: bits & 4 != 0, tag: tag)
        #expect(token.start == 0x1122_3344_5566_7788)
        #expect(token.end == 0x2233_4455_6677_8899)
        #expect(token.lineStart == 0x3344_5566_7788_99AA)
        #expect(token.line == UInt64(line))
        #expect(token.tag == tag)
        #expect(token.isKey == (bits & 1 != 0))
        #expect(token.hasEscapes == (bits & 2 != 0))
        #expect(token.isAbsent == (bits & 4 != 0))
        #expect(token.isPlain == (bits & 6 == 0))
      }
    }
  }

  @Test func `a cell of a row is laid out in C as in Swift`() {
    #expect(MemoryLayout<RowCell>.stride == MemoryLayout<sm_cell>.stride)
    #expect(MemoryLayout<RowCell>.alignment == MemoryLayout<sm_cell>.alignment)
    for hasEscapes in [false, true] {
      var made = sm_cell()
      made.start = 0x1122_3344
      made.end = 0x2233_4455
      made.next = 0x3344_5566
      made.kind = UInt8(ascii: "{")
      made.has_escapes = hasEscapes
      let cell = withUnsafeBytes(of: made) { $0.loadUnaligned(as: RowCell.self) }
      #expect(cell.start == 0x1122_3344 && cell.end == 0x2233_4455 && cell.next == 0x3344_5566)
      #expect(cell.kind == .object && cell.hasEscapes == hasEscapes)
    }
    #expect(RowCell.Kind.absent.byte == UInt8(SM_CELL_ABSENT))
  }

  @Test
  func `a place made in Swift is the token that C makes`() {
    let made = FeedToken(start: 7, end: 9, line: 3, lineStart: 5)
    let token = withUnsafeBytes(of: made) { $0.loadUnaligned(as: sm_token.self) }
    #expect(token.start == 7 && token.end == 9 && token.line == 3 && token.line_start == 5)
    #expect(token.is_key == 0 && token.has_escapes == 0 && token.is_absent == 0 && token.tag == 0)
  }
}
