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

  /// The index after the value that starts at an index, which is inside the text.
  @inline(__always)
  func end(ofValueAt start: Int) -> Int { sm_value_end(text, count, start) }

  /// The value of the last member with a key, which has its quotes; nil if there is none, or the text is no object.
  @inline(__always)
  func value(ofMember key: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    var end = 0
    let start = sm_value_of_member(text, count, key.baseAddress, key.count, &end)
    return start == 0 ? nil : UnsafeBufferPointer(start: text + start, count: end &- start)
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

  /// Calls `body` with the text of each element of the array that the text is.
  @inline(__always)
  func forEachElement(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
    var index = 1
    while index < count, text[index] != UInt8(ascii: "]") {
      let end = end(ofValueAt: index)
      try body(UnsafeBufferPointer(start: text + index, count: end &- index))
      index = end &+ 1
    }
  }

  /// Calls `body` with the key, as it is written, and the value of each member of the object that the text is.
  @inline(__always)
  func forEachMember(
    _ body: (_ key: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) throws -> Void
  ) rethrows {
    var index = 1
    while has("\"", at: index) {
      let colon = end(ofValueAt: index)
      guard colon &+ 1 < count else { return }
      let end = end(ofValueAt: colon &+ 1)
      try body(
        UnsafeBufferPointer(start: text + index, count: colon &- index),
        UnsafeBufferPointer(start: text + colon + 1, count: end &- colon &- 1))
      index = end &+ 1
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
