/// A whole record as a table of its values, found by their place instead of by their order; `CScan/row.c` makes it.
struct RecordRow: BitwiseCopyable {
  /// The first one is that of the record.
  let cells: UnsafeMutablePointer<RowCell>
  /// What the positions of cells count from.
  let text: UnsafePointer<UInt8>
  /// How many bytes of the text are in memory.
  let readable: Int
  /// What reads the parts of containers that are closed.
  let walker: OpaquePointer

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
    case .object, .array, .null, .absent, .blocked, .members, .head: nil
    default: Token(kind: .number, text: text(of: cell))
    }
  }

  /// Where a container is; nil if only its parts are known.
  func place(ofContainer cell: UnsafeMutablePointer<RowCell>) -> Place? {
    if cell.pointee.isClosed { return Place(cell.pointee) }
    guard cell.pointee.start > 0, cell.pointee.kind == .object || cell.pointee.kind == .array else {
      return nil
    }
    let first = cells + Int(cell.pointee.start)
    guard first.pointee.isHead || first.pointee.isBlock else { return nil }
    return Place(first.pointee)
  }

  /// A range of the text.
  struct Place: BitwiseCopyable {
    var start: UInt32
    var end: UInt32

    init(start: UInt32, end: UInt32) {
      self.start = start
      self.end = end
    }

    /// Where a scalar, a key or a closed container is.
    init(_ cell: RowCell) { self.init(start: cell.start, end: cell.end) }
  }
}

/// A value in a row.
///
/// The layout is that of `sm_cell` in `walk.h`.
struct RowCell: BitwiseCopyable {
  /// Where it is, or where its parts are.
  ///
  /// A scalar, a key and a closed container have the place of their text. An open object has the first cell of its block, and the first
  /// key that is not named. An open array has the cell of its first element, and their number.
  var start: UInt32 = 0
  var end: UInt32 = 0
  /// For an element: the cell of the next one; for a key: the next key, whose value is in the cell after it.
  var next: UInt32 = 0
  var kind: Kind
  var hasEscapes = false
  /// Whether a container's cell says where it is, instead of where its parts are.
  var isClosed = false

  /// Whether it stands before the elements of an array, and says where the array is.
  @inline(__always)
  var isHead: Bool { kind == .head }

  /// Whether it is the first cell of a block, and says where the container is.
  @inline(__always)
  var isBlock: Bool { isClosed && hasEscapes }

  /// Whether it is a scalar, but no null, that is written without an escape.
  @inline(__always)
  var isPlainScalar: Bool { !hasEscapes && (kind == .string || kind.isOtherScalar) }

  /// The first byte of the value's text; 0 if there is no value.
  struct Kind: BitwiseCopyable, Equatable {
    let byte: UInt8

    static let absent = Kind(byte: 0)
    /// A path leads to it through a value that paths cannot go through.
    static let blocked = Kind(byte: 1)
    /// The members of an object from one of its keys on.
    static let members = Kind(byte: 2)
    /// Before the elements of an array: where it is.
    static let head = Kind(byte: 3)
    static let null = Kind(byte: UInt8(ascii: "n"))
    static let string = Kind(byte: UInt8(ascii: "\""))
    static let object = Kind(byte: UInt8(ascii: "{"))
    static let array = Kind(byte: UInt8(ascii: "["))
    static let `true` = Kind(byte: UInt8(ascii: "t"))
    static let `false` = Kind(byte: UInt8(ascii: "f"))

    /// Whether it is a digit or a minus sign.
    @inline(__always)
    var isNumber: Bool { byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-") }

    /// Whether there is no value but null.
    @inline(__always)
    var isMissing: Bool { byte == UInt8(ascii: "n") || byte < 2 }

    var isContainer: Bool { self == .object || self == .array || self == .members }

    /// Whether it is a number or a boolean.
    @inline(__always)
    var isOtherScalar: Bool { isNumber || self == .true || self == .false }

    /// What JSON calls a value; nil if there is no value.
    var json: JSONKind? {
      switch self {
      case .absent, .blocked, .head: nil
      case .null: .null
      case .string: .string
      case .object, .members: .object
      case .array: .array
      case .true, .false: .boolean
      default: .number
      }
    }
  }
}
