import CScan

/// A value of an output record, in its JSON text.
// The layout is that of `sm_text_cell`; `TokenLayoutTests` hold the two against each other.
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
    guard let start = text.baseAddress, text.count > 0 else { return nil }
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
    let cell = sm_cell_at(text, count, start)
    return JSONCell(
      start: cell.start, end: cell.end, kind: cell.kind, hasEscapes: cell.has_escapes)
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
