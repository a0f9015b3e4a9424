/// Turns parts of records into events, and sends them to a sink.
///
/// There are two sources, and they send the same events: `YajlSource` goes over JSON text, `IndexSource` over the table of tokens
/// that reading made of it. The rule in `RecordMaker.send` chooses one for each chunk.
///
/// - Events come in the order of the text, each as soon as its token is whole.
/// - Before each event, the source sets the sink's ``EventSink/address`` to the event's token. How it finds the token is its own
///   business.
/// - A source belongs to one sink, and is not thread-safe.
protocol EventSource<Chunk>: AnyObject {
  /// The kind of chunk that it takes.
  associatedtype Chunk

  /// Sends all events of a chunk.
  ///
  /// - Parameter chunk: What comes after what was sent before.
  /// - Throws: ``Refusal``; the source has then thrown the value away.
  func send(_ chunk: Chunk) throws(Refusal)

  /// Throws away a value that is not whole: the next chunk starts a new one.
  func reset()
}

/// A source cannot make events of what reading had accepted: yajl refuses it, an escape is wrong, or memory ran out.
struct Refusal: Error {
  let message: String
}
