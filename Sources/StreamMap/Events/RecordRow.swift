/// A whole record as a table of its values, found by their place instead of by their order; `CScan/row.c` makes it.
struct RecordRow: BitwiseCopyable {
  /// The record's own block is the first.
  let cells: UnsafeMutablePointer<RowCell>
  /// What the positions of cells count from.
  let text: UnsafePointer<UInt8>
  /// How many bytes from there on are in memory.
  let readable: Int

  /// The text of a cell's scalar, strings with their quotes.
  @inline(__always)
  func text(of cell: UnsafeMutablePointer<RowCell>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: text + Int(cell.pointee.start),
      count: Int(truncatingIfNeeded: cell.pointee.end &- cell.pointee.start))
  }

  /// The text of a string without its quotes.
  @inline(__always)
  func characters(of cell: UnsafeMutablePointer<RowCell>) -> UnsafeBufferPointer<UInt8> {
    // A string has both quotes.
    UnsafeBufferPointer(
      start: text + Int(cell.pointee.start) + 1,
      count: Int(truncatingIfNeeded: cell.pointee.end &- cell.pointee.start &- 2))
  }

  /// The token of a scalar whose text shows at once what it is; nil for null, for containers, and for strings with escapes.
  @inline(__always)
  func plainToken(of cell: UnsafeMutablePointer<RowCell>) -> Token? {
    switch cell.pointee.kind {
    case .string:
      cell.pointee.hasEscapes ? nil : Token(kind: .string, text: characters(of: cell))
    case .true: Token(kind: .boolean, isTrue: true)
    case .false: Token(kind: .boolean)
    case .object, .array, .null, .absent: nil
    default: Token(kind: .number, text: text(of: cell))
    }
  }
}

/// A value in a row.
///
/// The layout is that of `sm_cell` in `walk.h`.
struct RowCell: BitwiseCopyable {
  /// For a scalar: where its text starts and ends; for an object: the first cell of its block; for an array: the cell of its
  /// first element, and how many there are.
  var start: UInt32 = 0
  var end: UInt32 = 0
  /// For an element: the cell of the next one.
  var next: UInt32 = 0
  var kind: Kind
  var hasEscapes = false

  /// The first byte of the value's text; 0 if there is no value.
  struct Kind: BitwiseCopyable, Equatable {
    let byte: UInt8

    static let absent = Kind(byte: 0)
    static let null = Kind(byte: UInt8(ascii: "n"))
    static let string = Kind(byte: UInt8(ascii: "\""))
    static let object = Kind(byte: UInt8(ascii: "{"))
    static let array = Kind(byte: UInt8(ascii: "["))
    static let `true` = Kind(byte: UInt8(ascii: "t"))
    static let `false` = Kind(byte: UInt8(ascii: "f"))

    /// Whether it is a digit or a minus sign.
    @inline(__always)
    var isNumber: Bool { byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-") }
  }
}
