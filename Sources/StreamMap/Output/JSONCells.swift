/// A value of an output record, in its JSON text.
struct JSONCell: BitwiseCopyable {
  /// Where it starts and ends in the text, with the quotes of a string.
  var start: Int
  var end: Int
  /// Its first byte; 0 if there is no value, or null.
  var kind: UInt8
  /// For a string.
  var hasEscapes: Bool

  static let none = JSONCell(start: 0, end: 0, kind: 0, hasEscapes: false)
}

/// Goes over JSON text that is known to be right: our own writer has just written it.
///
/// Text that is not right gives wrong cells, but nothing is read outside it.
struct JSONCells {
  let text: UnsafePointer<UInt8>
  let count: Int

  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return nil }
    self.text = start
    count = text.count
  }

  /// Whether there is such a byte.
  @inline(__always)
  func has(_ byte: Unicode.Scalar, at index: Int) -> Bool {
    index < count && text[index] == UInt8(ascii: byte)
  }

  /// The value that starts at an index, which is inside the text.
  @inline(__always)
  func cell(at start: Int) -> JSONCell {
    let kind = text[start]
    switch kind {
    case UInt8(ascii: "\""):
      var hasEscapes = false
      let end = endOfString(at: start, &hasEscapes)
      return JSONCell(start: start, end: end, kind: kind, hasEscapes: hasEscapes)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return JSONCell(start: start, end: endOfContainer(at: start), kind: kind, hasEscapes: false)
    case UInt8(ascii: "n"):
      return JSONCell(start: start, end: endOfToken(at: start), kind: 0, hasEscapes: false)
    default:
      return JSONCell(start: start, end: endOfToken(at: start), kind: kind, hasEscapes: false)
    }
  }

  /// Where a number or a word ends.
  @inline(__always)
  private func endOfToken(at start: Int) -> Int {
    var index = start
    while index < count {
      let byte = text[index]
      // A comma, or a closing bracket or brace.
      if byte == UInt8(ascii: ",") || byte & 0xDF == 0x5D { break }
      index &+= 1
    }
    return index
  }

  /// Where a string ends, after its quote.
  @inline(__always)
  func endOfString(at start: Int, _ hasEscapes: inout Bool) -> Int {
    var index = start &+ 1
    while true {
      // PERF: eight bytes a step, up to one that is a quote or a backslash.
      while index &+ 8 <= count {
        let word = UInt64(
          littleEndian: UnsafeRawPointer(text).loadUnaligned(
            fromByteOffset: index, as: UInt64.self))
        let hits =
          ByteWord.hits(of: UInt8(ascii: "\""), in: word)
          | ByteWord.hits(of: UInt8(ascii: "\\"), in: word)
        if hits == 0 {
          index &+= 8
          continue
        }
        index &+= hits.trailingZeroBitCount >> 3
        break
      }
      while index < count, text[index] != UInt8(ascii: "\""), text[index] != UInt8(ascii: "\\") {
        index &+= 1
      }
      guard index < count else { return count }
      if text[index] == UInt8(ascii: "\"") { return index &+ 1 }
      hasEscapes = true
      index &+= 2
    }
  }

  /// Where an object or an array ends, after its brace or bracket.
  private func endOfContainer(at start: Int) -> Int {
    var index = start
    var depth = 0
    while index < count {
      switch text[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth &-= 1
        if depth == 0 { return index &+ 1 }
      case UInt8(ascii: "\""):
        var hasEscapes = false
        index = endOfString(at: index, &hasEscapes)
        continue
      default: break
      }
      index &+= 1
    }
    return count
  }

  /// Calls `body` with where each element starts of the array that starts at an index; it returns where the element ends.
  @inline(__always)
  func forEachElement(at array: Int, _ body: (Int) -> Int) {
    var index = array &+ 1
    while index < count, text[index] != UInt8(ascii: "]") {
      // Text that is not right must not be looked at for ever.
      index = max(body(index), index &+ 1)
      if has(",", at: index) { index &+= 1 }
    }
  }

  /// The bytes of a cell.
  @inline(__always)
  func bytes(of cell: JSONCell) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text + cell.start, count: cell.end &- cell.start)
  }

  /// The bytes between the quotes of a string.
  @inline(__always)
  func inside(_ string: JSONCell) -> UnsafeBufferPointer<UInt8> {
    let count = string.end &- string.start &- 2
    return UnsafeBufferPointer(start: text + string.start + 1, count: max(count, 0))
  }
}

/// Eight bytes at once.
enum ByteWord {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// The high bit of each byte that is this one; bits above the lowest may be wrong.
  @inline(__always)
  static func hits(of byte: UInt8, in word: UInt64) -> UInt64 {
    let rest = word ^ (ones &* UInt64(byte))
    return (rest &- ones) & ~rest & (ones &* 0x80)
  }
}
