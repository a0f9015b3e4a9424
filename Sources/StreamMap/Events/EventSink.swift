/// What takes events: one call for each token of a JSON value, in the order of its text.
///
/// Everything meets here. The sources are: yajl over text, the index of a record's tokens, the reverse walk over a typed value, a
/// value of Foundation's types, and a recorded tape. The sinks are: the machine that builds values, the JSON writers, the builder
/// of values of Foundation's types, and a tape.
///
/// For `{"a":[1,"x"]}` the calls are beginObject, key(a), beginArray, number(1), string(x), endArray, endObject.
///
/// - Bytes are valid only during the call.
/// - Strings and keys are unescaped, well-formed UTF-8; numbers are number texts of RFC 8259.
/// - A source calls in the order of the grammar: a sink does not check it.
///
/// It is a class, not a protocol with generic users: C callbacks cannot be generic, and a call through the class's table is the
/// cheapest call that can be made from them.
class EventSink {
  /// The token of the coming event; a source that has tokens sets it before each call.
  final var address = SourceAddress.none

  /// The approximate number of bytes of the value so far that the sink holds, for a limit.
  var size: Int { 0 }

  func null() {}
  func bool(_ value: Bool) {}
  func number(_ text: UnsafeBufferPointer<UInt8>) {}
  func string(_ text: UnsafeBufferPointer<UInt8>) {}
  func key(_ text: UnsafeBufferPointer<UInt8>) {}
  /// The same event for a key that is known beforehand.
  func key(_ prepared: PreparedKey) { key(prepared.text) }
  func beginObject() {}
  func endObject() {}
  func beginArray() {}
  func endArray() {}
}

extension EventSink {
  @inline(__always)
  final func number(_ text: String) { Self.withBytes(text) { number($0) } }
  @inline(__always)
  final func string(_ text: String) { Self.withBytes(text) { string($0) } }
  @inline(__always)
  final func key(_ text: String) { Self.withBytes(text) { key($0) } }

  @inline(__always)
  private static func withBytes(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    if text.utf8.withContiguousStorageIfAvailable(body) == nil {
      var native = text
      native.withUTF8(body)
    }
  }
}

/// A key that is sent often, with its JSON text.
struct PreparedKey: BitwiseCopyable {
  /// How many bytes after `member` have to be readable, so that it can be copied in whole vectors.
  static let padding = 16

  let text: UnsafeBufferPointer<UInt8>
  /// `,"key":` with the escapes it needs.
  let member: UnsafeBufferPointer<UInt8>
}

/// Where a token is in the feed.
///
/// Start, end and the line's start count from the feed's first byte, the line from 1.
///
/// The layout is that of `sm_token` in `walk.h`: the walker's table is read as an array of these.
@usableFromInline
struct SourceAddress: BitwiseCopyable, Sendable {
  var start: UInt64
  var end: UInt64
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

  static let none = SourceAddress()

  /// 0 where the source has no addresses.
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
      bytes: Int(clamping: start)..<Int(clamping: max(start, end)), line: Int(clamping: line),
      column: Int(clamping: start &- lineStart &+ 1))
  }
}
