/// How the values of a written feed follow each other.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum FeedLayout: String, Sendable, Hashable, Codable, CaseIterable {
  /// One a line (NDJSON, JSON Lines).
  case ndjson
  /// As the elements of one array, each on a line of its own.
  case array
  /// As a JSON text sequence (RFC 7464): each value after a record separator (0x1E).
  case sequence
}

/// Writes values one at a time, with flat memory.
///
/// ```swift
/// let writer = try mapper.writer(to: .file("people.ndjson"))
/// for person in people where person.age >= 18 { try writer.write(person) }
/// try writer.finish()
/// ```
///
/// Values are encoded into one buffer, which is written whenever it has some 64 KiB. What is written ends with a whole
/// value, also when something fails. Without ``finish()``, the end of an array is missing, and a file does not get its
/// name.
///
/// A value that cannot be encoded leaves nothing behind: the next one may be written after it. After a failure to write,
/// every call throws that error.
///
/// Not thread-safe.
public final class RecordWriter<Value> {
  private let encoder: FeedEncoder<Value>
  private let destination: any FeedOutput
  private var failure: MappingError?
  private var isFinished = false

  init(_ encoder: FeedEncoder<Value>, _ destination: any FeedOutput) {
    self.encoder = encoder
    self.destination = destination
  }

  /// How many values were written.
  public var count: Int { encoder.count }

  /// Writes a value.
  ///
  /// - Throws: ``MappingError``, with the value's number (from 1) in ``MappingError/record`` and the path, if a part
  ///   of the value has no JSON; with the code `io` if the bytes cannot be written, or the writer is finished.
  /// - Complexity: O(*n*) in the number of bytes of the value.
  public func write(_ value: Value) throws(MappingError) {
    try check()
    try encoder.append(value)
    if encoder.output.count >= FeedEncoder<Value>.pieceSize { try flush() }
  }

  /// Hands on all that is written so far, for readers that wait for it.
  ///
  /// - Throws: ``MappingError`` (`io`).
  public func flush() throws(MappingError) {
    try check()
    do throws(MappingError) {
      try write()
    } catch {
      failure = error
      throw error
    }
  }

  /// Ends the feed: writes the rest, ends an array, and gives a file its name.
  ///
  /// - Throws: ``MappingError`` (`io`).
  public func finish() throws(MappingError) {
    try check()
    encoder.finish()
    do throws(MappingError) {
      try write()
      try destination.finish()
      isFinished = true
    } catch {
      failure = error
      throw error
    }
  }

  private func write() throws(MappingError) {
    let output = encoder.output
    if output.count > 0 { try destination.write(UnsafeRawBufferPointer(output.bytes)) }
    output.clear()
  }

  private func check() throws(MappingError) {
    if let failure { throw failure }
    if isFinished { throw MappingError(.io, found: "the feed is finished") }
  }
}

extension Mapper {
  /// A writer of values, one at a time.
  ///
  /// - Parameters:
  ///   - destination: Where the values are written, such as `.file("people.ndjson")`.
  ///   - layout: How they follow each other.
  ///   - options: How each is written; a line has no indentation.
  /// - Returns: The writer.
  /// - Throws: ``MappingError``: with the code `io` if the file cannot be opened; with `invalidDefinition` if the
  ///   mapping cannot encode, a name in ``EncodingOptions/fields`` names no field, or lines would be indented.
  public func writer(
    to destination: FeedDestination, as layout: FeedLayout = .ndjson,
    options: EncodingOptions = EncodingOptions()
  ) throws(MappingError) -> RecordWriter<Value> {
    let encoder = try makeFeedEncoder(as: layout, options)
    return RecordWriter(encoder, try destination.open())
  }

  /// Writes values to a file, a pipe or a socket, or to code of your own, with flat memory.
  ///
  /// ```swift
  /// try mapper.write(people, to: .file("people.ndjson"))
  /// ```
  ///
  /// - Parameters:
  ///   - values: The values; a lazy sequence is never in memory as a whole.
  ///   - destination: Where they are written.
  ///   - layout: How they follow each other.
  ///   - options: How each is written; a line has no indentation.
  /// - Throws: ``MappingError``, as ``writer(to:as:options:)`` and ``RecordWriter/write(_:)``. The values before the one
  ///   that fails are written.
  /// - Complexity: O(*n*) in the number of bytes written.
  public func write(
    _ values: some Sequence<Value>, to destination: FeedDestination,
    as layout: FeedLayout = .ndjson, options: EncodingOptions = EncodingOptions()
  ) throws(MappingError) {
    let writer = try writer(to: destination, as: layout, options: options)
    do throws(MappingError) {
      for value in values { try writer.write(value) }
    } catch {
      try? writer.flush()
      throw error
    }
    try writer.finish()
  }

  /// Writes values that come asynchronously, with flat memory.
  ///
  /// ```swift
  /// try await mapper.write(people, to: .file("people.ndjson"))
  /// ```
  ///
  /// - Parameters:
  ///   - values: The values; the next one is requested when the last one is written.
  ///   - destination: Where they are written.
  ///   - layout: How they follow each other.
  ///   - options: How each is written; a line has no indentation.
  ///   - actor: The actor of the caller.
  /// - Throws: Whatever the sequence throws; `CancellationError` if the task is cancelled; ``MappingError``, as
  ///   ``writer(to:as:options:)`` and ``RecordWriter/write(_:)``. The values before are written, and a file does not get
  ///   its name.
  public func write<Values: AsyncSequence>(
    _ values: Values, to destination: FeedDestination, as layout: FeedLayout = .ndjson,
    options: EncodingOptions = EncodingOptions(),
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws where Values.Element == Value {
    let writer = try writer(to: destination, as: layout, options: options)
    do {
      var iterator = values.makeAsyncIterator()
      while let value = try await iterator.next(isolation: actor) {
        // A sequence need not look at cancellation itself.
        try Task.checkCancellation()
        try writer.write(value)
      }
      // In a cancelled task, sequences may end before their values do.
      try Task.checkCancellation()
    } catch {
      try? writer.flush()
      throw error
    }
    try writer.finish()
  }
}
