/// The JSON of values that come asynchronously, in buffers of some 64 KiB: a response, an upload.
///
/// ```swift
/// let body = try mapper.encoded(people, as: .array)
/// for try await buffer in body { try await writer.write(buffer) }
/// ```
///
/// A buffer is made when it is asked for: a slow receiver stops the values. Memory does not grow with the feed: there is one buffer,
/// which ends with a whole value. It can be iterated as often as the values can.
///
/// A cancelled task gets a `CancellationError`. A value that has no JSON ends the feed with an error that has the value's
/// number; the values before it come first. The end of an array is then missing, so that no reader takes the feed for a whole
/// one.
public struct EncodedFeed<Values: AsyncSequence>: AsyncSequence {
  /// Bytes of JSON.
  public typealias Element = [UInt8]

  private let values: Values
  private let makeEncoder: @Sendable () throws(MappingError) -> FeedEncoder<Values.Element>

  init(
    _ values: Values,
    _ makeEncoder: @escaping @Sendable () throws(MappingError) -> FeedEncoder<Values.Element>
  ) {
    self.values = values
    self.makeEncoder = makeEncoder
  }

  /// Goes through the values.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(values: values.makeAsyncIterator(), makeEncoder: makeEncoder)
  }

  /// Goes through the values once.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var values: Values.AsyncIterator
    fileprivate let makeEncoder: @Sendable () throws(MappingError) -> FeedEncoder<Values.Element>
    private var encoder: FeedEncoder<Values.Element>?
    private var isOver = false
    /// The error that is thrown after the values that were encoded before.
    private var failure: (any Error)?

    fileprivate init(
      values: Values.AsyncIterator,
      makeEncoder: @escaping @Sendable () throws(MappingError) -> FeedEncoder<Values.Element>
    ) {
      self.values = values
      self.makeEncoder = makeEncoder
    }

    /// The next buffer; nil at the end.
    ///
    /// - Throws: As ``next(isolation:)``.
    public mutating func next() async throws -> [UInt8]? { try await next(isolation: nil) }

    /// The next buffer, on the actor of the caller; nil at the end.
    ///
    /// - Throws: Whatever the values throw, after the values that were encoded before; ``MappingError``, with the value's
    ///   number (from 1) in
    ///   ``MappingError/record`` and the path, if a part of a value has no JSON; `CancellationError` if the task is cancelled.
    ///   No buffer follows.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
      try Task.checkCancellation()
      if let failure {
        self.failure = nil
        throw failure
      }
      if isOver { return nil }
      do {
        let encoder = try encoder ?? makeEncoder()
        self.encoder = encoder
        while encoder.output.count < FeedEncoder<Values.Element>.pieceSize {
          guard let value = try await values.next(isolation: actor) else {
            // In a cancelled task, sequences may end before their values do.
            try Task.checkCancellation()
            encoder.finish()
            isOver = true
            break
          }
          try Task.checkCancellation()
          try encoder.append(value)
        }
      } catch {
        isOver = true
        guard !(error is CancellationError), let buffer = takeBuffer() else { throw error }
        failure = error
        return buffer
      }
      return takeBuffer()
    }

    /// What is encoded; nil if that is nothing.
    private func takeBuffer() -> [UInt8]? {
      guard let output = encoder?.output, output.count > 0 else { return nil }
      let buffer = Array(output.bytes)
      output.clear()
      return buffer
    }
  }
}

extension EncodedFeed: Sendable where Values: Sendable {}

@available(*, unavailable)
extension EncodedFeed.AsyncIterator: Sendable {}

extension Mapper {
  /// Encodes values that come asynchronously: buffers of JSON, made when they are asked for.
  ///
  /// ```swift
  /// let body = try mapper.encoded(database.people(), as: .array)
  /// ```
  ///
  /// - Parameters:
  ///   - values: The values; the next one is requested when there is room for it.
  ///   - layout: How they follow each other.
  ///   - options: How each is written; a line has no indentation.
  /// - Returns: The buffers.
  /// - Throws: ``MappingError`` (`invalidDefinition`) if the mapping cannot encode, a name in ``EncodingOptions/fields`` names no
  ///   field, or lines would be indented.
  public func encoded<Values: AsyncSequence>(
    _ values: Values, as layout: FeedLayout = .ndjson, options: EncodingOptions = EncodingOptions()
  ) throws(MappingError) -> EncodedFeed<Values> where Values.Element == Value {
    _ = try makeFeedEncoder(as: layout, options)
    return EncodedFeed(values) { () throws(MappingError) in
      try makeFeedEncoder(as: layout, options)
    }
  }
}
