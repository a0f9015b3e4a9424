/// Where a token is in the feed.
///
/// Start, end and the line's start count from the feed's first byte, the line from 1.
///
/// The layout is that of `sm_token` in `walk.h`: the walker's table is read as an array of these.
@usableFromInline
struct FeedToken: BitwiseCopyable, Sendable {
  var start: UInt64
  @usableFromInline var end: UInt64
  private var lineAndTag: UInt64
  var lineStart: UInt64

  /// The line's bits are below those of the token's kind; the tag's bits are above them.
  private static let escapes: UInt64 = 1 << 41
  private static let key: UInt64 = 1 << 42
  private static let absent: UInt64 = 1 << 43
  private static let tagShift: UInt64 = 44

  init(start: UInt64 = 0, end: UInt64 = 0, line: UInt64 = 0, lineStart: UInt64 = 0) {
    self.start = start
    self.end = end
    lineAndTag = line & (Self.escapes - 1)
    self.lineStart = lineStart
  }

  /// A token without a line, of a text that is not part of a feed.
  init(_ range: Range<Int>, isKey: Bool) {
    self.init(start: UInt64(clamping: range.lowerBound), end: UInt64(clamping: range.upperBound))
    if isKey { lineAndTag |= Self.key }
  }

  static let none = FeedToken()

  /// 0 if the source has no addresses.
  var line: UInt64 { lineAndTag & (Self.escapes - 1) }

  /// Whether it is a key's.
  var isKey: Bool { lineAndTag & Self.key != 0 }

  /// Whether it is that of a string or key with escapes; only known for an index (``RecordChunk``).
  var hasEscapes: Bool { lineAndTag & Self.escapes != 0 }

  /// Whether it is a null in the place of a skipped element: it has no text.
  var isAbsent: Bool { lineAndTag & Self.absent != 0 }

  /// Whether its text shows at once what it is.
  var isPlain: Bool { lineAndTag & (Self.escapes | Self.absent) == 0 }

  /// The text of a token of an index.
  ///
  /// It starts at `origin` plus `start` in memory. The origin is that of the walker's step; `walk.h` says how long the text stays
  /// there.
  @inline(__always)
  func text(from origin: UInt) -> UnsafeBufferPointer<UInt8> {
    let first = UnsafePointer<UInt8>(bitPattern: origin &+ UInt(truncatingIfNeeded: start))
    return UnsafeBufferPointer(start: first, count: length)
  }

  /// The number of its bytes.
  var length: Int { Int(truncatingIfNeeded: end &- start) }

  /// The tag of a key that the selection names, as given there; else 0.
  var tag: Int { Int(truncatingIfNeeded: lineAndTag >> Self.tagShift) }

  var position: SourcePosition? {
    guard line > 0 else { return nil }
    return SourcePosition(
      bytes: Int(clamping: start)..<Int(clamping: max(start, end)),
      line: line < Uncounted.line ? Int(clamping: line) : 0,
      column: Int(clamping: start &- lineStart &+ 1))
  }
}
