/// What a converter has made and has not given out yet: text, or columns.
protocol PendingOutput: AnyObject {
  /// How many bytes there are: of text, or of values.
  var count: Int { get }
  /// The text; nil if there are columns.
  var text: OutputBuffer? { get }
  /// How other threads write records at once.
  var form: BatchWorker<OutputStretch>.Form { get }
  /// Makes, for another thread, what takes the text of a record into the output of its batch.
  var taking: Taking { get }

  /// Whether there is so much that a piece of it is to be taken: so many bytes of text, or all that a batch of columns has.
  func hasPiece(of size: Int) -> Bool
  /// Prepares for the records of an engine, if one thread maps.
  func begin(_ engine: FeedEngine)
  /// Adds a record by its text; nothing if there is a failure.
  func add(_ text: UnsafeBufferPointer<UInt8>) -> RowFailure?
  /// Adds records that another thread has made.
  func add(_ stretch: OutputStretch, of engine: ParallelEngine<OutputStretch>) -> RowFailure?
  /// Adds the records that come next as long as nothing has to be done after each, until there is enough.
  func addRecords(of engine: FeedEngine, enough: Int) -> FeedEngine.WrittenRecords
  /// Takes a piece, and leaves other memory for what comes next.
  func take(leaving empty: OutputPiece) throws(MappingError) -> OutputPiece
  /// Continues after what another converter wrote: records, or nothing.
  func resume(afterRecords hasRecords: Bool)
  /// Adds what ends the output.
  func end()
}

extension PendingOutput {
  typealias Taking =
    @Sendable (BatchWorker<OutputStretch>.Output) -> (UnsafeBufferPointer<UInt8>) -> OutputStretch
}
