/// Decodes messages, each of which is one JSON document: those of a queue, a socket, a stream of events.
///
/// ```swift
/// let decoder = try mapper.messageDecoder()
/// for message in messages {
///   switch decoder.decode(message).result {
///   case .success(let event): handle(event)
///   case .failure(let error): log("\(error)")
///   }
/// }
/// ```
///
/// Values, issues, errors and their addresses are those of ``Mapper/decode(_:)-(FeedBuffer)``. It keeps its memory from message to
/// message and does not share it. So a message of 315 bytes costs 1.1 to 1.2 times as much as a record of a feed.
/// After a message of more than 1 MiB it gives its memory back. A message that fails changes nothing for the next one.
///
/// Not thread-safe: one decoder decodes one message at a time. Code of the mapping must not call the decoder that
/// calls it. Make one for each connection or thread.
public final class MessageDecoder<Value> {
  // PERF: constants, so that nothing keeps them alive during a call.
  @usableFromInline let engine: FeedEngine
  @usableFromInline let taker: ValueTaker<Value>
  private let makeEngine: () throws(MappingError) -> (FeedEngine, ValueTaker<Value>)
  /// A message of more bytes has an engine of its own, whose memory is given back.
  @usableFromInline static var largestKept: Int { 1 << 20 }

  init(
    _ makeEngine: @escaping () throws(MappingError) -> (FeedEngine, ValueTaker<Value>)
  ) throws(MappingError) {
    (engine, taker) = try makeEngine()
    self.makeEngine = makeEngine
  }

  /// Decodes one message.
  ///
  /// - Parameter message: One JSON document in UTF-8, with or without a byte-order mark; read in place.
  /// - Returns: The value and its issues, or the error. The number and the position count from the message's start.
  /// - Complexity: O(*n*) in the number of bytes.
  // PERF: inlinable, so that a program gets code for its own type; see `ValueTaker`.
  @inlinable
  public func decode(_ message: some FeedBuffer) -> Record<Value> {
    message.withBytes { decode(contiguous: $0) }
  }

  /// Decodes one message in a string, whose UTF-8 is read in place.
  ///
  /// - Parameter message: One JSON document.
  /// - Returns: The value and its issues, or the error.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  public func decode(_ message: String) -> Record<Value> {
    var message = message
    return message.withUTF8 { decode(contiguous: $0) }
  }

  /// Decodes one message in a span of bytes.
  ///
  /// - Parameter message: One JSON document in UTF-8, with or without a byte-order mark.
  /// - Returns: The value and its issues, or the error. The number and the position count from the message's start.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  public func decode(_ message: Span<UInt8>) -> Record<Value> {
    message.withUnsafeBufferPointer { decode(contiguous: $0) }
  }

  @inlinable
  func decode(contiguous bytes: UnsafeBufferPointer<UInt8>) -> Record<Value> {
    if bytes.count > Self.largestKept { return decodeLarge(bytes) }
    return taker.record(engine.take(document: bytes))
  }

  /// Decodes a message by an engine that is made for it; where memory has run out, by the one that is there.
  @usableFromInline
  @inline(never)
  func decodeLarge(_ message: UnsafeBufferPointer<UInt8>) -> Record<Value> {
    let (engine, taker) = (try? makeEngine()) ?? (engine, taker)
    return taker.record(engine.take(document: message))
  }
}

extension Mapper {
  /// A decoder for messages that come one at a time.
  ///
  /// ``decode(_:)-(FeedBuffer)`` does the same in one call, and from any thread. A separate decoder costs less for small
  /// messages.
  ///
  /// - Returns: A decoder that nothing else uses.
  /// - Throws: ``MappingError`` if memory runs out.
  public func messageDecoder() throws(MappingError) -> MessageDecoder<Value> {
    // The mapper keeps decoders that are not in use: none of them must keep the mapper's.
    var alone = self
    alone.idleDecoders = Pool()
    return try MessageDecoder { [alone] () throws(MappingError) in
      try alone.makeEngine(FeedRequest(alone.wholeText, format: .json))
    }
  }
}
