/// What makes events of the parts of records, and sends them to a sink.
///
/// There are two, and they send the same events: `YajlSource` goes over JSON text, `IndexSource` over the table of tokens that
/// reading made of it. `RecordMaker.send` has the rule that chooses one for each chunk.
///
/// - Events come in the order of the text, each as soon as its token is whole.
/// - Before each event the source sets the sink's ``EventSink/address`` to its token. Where in the tokens it is, is its own business.
/// - A source belongs to one sink, and is not thread-safe.
protocol EventSource: AnyObject {
  /// The kind of chunk that it takes.
  associatedtype Chunk

  /// Sends all events of a chunk.
  ///
  /// - Parameter chunk: What follows on what was sent before.
  /// - Throws: ``Refusal``; the source has thrown the value away then.
  func send(_ chunk: Chunk) throws(Refusal)

  /// Throws a value away that is not whole: the next chunk starts a new one.
  func reset()
}

/// A source cannot make events of what reading had accepted: yajl refuses it, or memory ran out.
struct Refusal: Error {
  let message: String
}
