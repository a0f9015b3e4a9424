/// Takes events: one call for each token of a JSON value, in the order of its text.
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
  final var address = FeedToken.none

  /// The approximate number of bytes of the value so far that the sink holds, for a limit.
  var size: Int { 0 }

  /// Takes elements of the array that is open from the tokens of an index, without an event for each, as far as that is shorter.
  ///
  /// A source may ask wherever an element of an array may come.
  ///
  /// - Returns: The first token that is not taken: its event comes next.
  func takeAhead(
    _ first: UnsafePointer<FeedToken>, to end: UnsafePointer<FeedToken>, from origin: UInt
  ) -> UnsafePointer<FeedToken> { first }

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
