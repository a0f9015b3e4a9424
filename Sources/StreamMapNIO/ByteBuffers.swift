import NIOCore
import StreamMap

extension AsyncSequence {
  /// The same bytes in buffers of NIO, as the bodies of responses and requests are.
  ///
  /// ```swift
  /// let body = try mapper.encoded(people, as: .array).byteBuffers()
  /// return Response(status: .ok, body: .init(asyncSequence: body))
  /// ```
  ///
  /// - Parameter allocator: Makes the buffers.
  /// - Returns: A buffer for each one of this sequence, made when it is asked for.
  public func byteBuffers(
    allocator: ByteBufferAllocator = ByteBufferAllocator()
  ) -> ByteBuffers<Self> where Element: FeedBuffer {
    ByteBuffers(base: self, allocator: allocator)
  }
}

/// Bytes in buffers of NIO; `byteBuffers(allocator:)` makes it.
public struct ByteBuffers<Base: AsyncSequence>: AsyncSequence where Base.Element: FeedBuffer {
  /// A buffer.
  public typealias Element = ByteBuffer

  fileprivate let base: Base
  fileprivate let allocator: ByteBufferAllocator

  /// An iterator at the start of the bytes.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator(), allocator: allocator)
  }

  /// Makes the buffers, one at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var base: Base.AsyncIterator
    fileprivate let allocator: ByteBufferAllocator

    /// The next buffer; nil at the end.
    ///
    /// - Throws: What the base throws.
    public mutating func next() async throws -> ByteBuffer? { try await next(isolation: nil) }

    /// The next buffer, on the actor of the caller; nil at the end.
    ///
    /// - Throws: What the base throws.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ByteBuffer? {
      guard let bytes = try await base.next(isolation: actor) else { return nil }
      return bytes.withFeedBytes { allocator.buffer(bytes: $0) }
    }
  }
}

extension ByteBuffers: Sendable where Base: Sendable {}

@available(*, unavailable)
extension ByteBuffers.AsyncIterator: Sendable {}
