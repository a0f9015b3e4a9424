import CCompression
import StreamMap

extension AsyncSequence where Element: FeedBuffer {
  /// The buffers compressed, as one member.
  ///
  /// ```swift
  /// let body = try mapper.encoded(people).compressed(as: .zstandard)
  /// ```
  ///
  /// The contents of a buffer can be decompressed once its own bytes are there, so a live feed stays live (of bzip2, a buffer
  /// later); buffers should have some KiB or more, as those of encoded feeds do. Memory is flat, and the next buffer is asked
  /// for when the last one is written: a slow receiver stops the feed.
  ///
  /// If the buffers end with an error, the stream has no end mark, so that no reader takes it for a whole one.
  ///
  /// - Parameter format: The format; browsers know gzip, and most know Zstandard.
  /// - Returns: The sequence of the compressed buffers, of at most 64 KiB each.
  public func compressed(as format: CompressionFormat) -> CompressedBuffers<Self> {
    CompressedBuffers(base: self, format: format)
  }
}

/// Buffers that are compressed as they are asked for; `compressed(as:)` makes it.
public struct CompressedBuffers<Base: AsyncSequence>: AsyncSequence where Base.Element: FeedBuffer {
  /// Compressed bytes.
  public typealias Element = [UInt8]
  /// What the base throws, `Compressor.NoMemory` or `CancellationError`.
  public typealias Failure = any Error

  fileprivate let base: Base
  fileprivate let format: CompressionFormat

  /// An iterator at the start of the bytes.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator(), format: format)
  }

  /// Makes the buffers, one at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: Base.AsyncIterator
    private let format: CompressionFormat
    private var stream: CompressedStream?
    /// What is left of the last buffer, from an offset on.
    private var rest: [UInt8] = []
    private var restStart = 0
    /// Whether all of the last buffer is written.
    private var isDone = true
    /// Whether there are no more buffers.
    private var ends = false
    private var failure: (any Error)?

    fileprivate init(base: Base.AsyncIterator, format: CompressionFormat) {
      self.base = base
      self.format = format
    }

    /// The next buffer; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, ``Compressor/NoMemory``, and what the base throws; every later
    ///   call throws the same.
    public mutating func next() async throws -> [UInt8]? { try await next(isolation: nil) }

    /// The next buffer, on the actor of the caller; nil at the end.
    ///
    /// - Throws: As ``next()``.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
      if let failure { throw failure }
      do {
        return try await made(isolation: actor)
      } catch {
        failure = error
        throw error
      }
    }

    private mutating func made(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
      try Task.checkCancellation()
      let stream = try stream ?? CompressedStream(format)
      self.stream = stream
      while true {
        if isDone {
          if ends { return nil }
          try await takeBuffer(isolation: actor)
        }
        let piece = try stream.piece(of: rest, from: restStart, ends: ends)
        restStart = piece.end
        isDone = piece.isLast
        if !piece.bytes.isEmpty { return piece.bytes }
      }
    }

    private mutating func takeBuffer(isolation actor: isolated (any Actor)?) async throws {
      let buffer = try await base.next(isolation: actor)
      // Some sequences end where their task is cancelled: that is not the end of the bytes.
      if buffer == nil { try Task.checkCancellation() }
      rest.removeAll(keepingCapacity: true)
      restStart = 0
      buffer?.withFeedBytes { rest += $0 }
      ends = buffer == nil
      isDone = false
    }
  }
}

extension CompressedBuffers: Sendable where Base: Sendable {}

@available(*, unavailable)
extension CompressedBuffers.AsyncIterator: Sendable {}

/// A stream that is compressed as one member.
private final class CompressedStream {
  private static let roomSize = 64 << 10
  // Invariant: made in `init`, freed in `deinit`.
  private let stream: OpaquePointer
  private let room: UnsafeMutableBufferPointer<UInt8>

  init(_ format: CompressionFormat) throws(Compressor.NoMemory) {
    guard let stream = smc_stream_make(format.library) else { throw Compressor.NoMemory() }
    self.stream = stream
    room = .allocate(capacity: Self.roomSize)
  }

  deinit {
    smc_stream_free(stream)
    room.deallocate()
  }

  /// Compresses bytes from an offset on, as much as the room holds.
  ///
  /// - Returns: The compressed bytes, the end of what they were made of, and whether all of it is written.
  func piece(of bytes: [UInt8], from start: Int, ends: Bool) throws(Compressor.NoMemory) -> (
    bytes: [UInt8], end: Int, isLast: Bool
  ) {
    var (left, made, isLast) = (bytes.count - start, 0, false)
    let status = bytes.withUnsafeBufferPointer { bytes in
      // The address of nothing is not asked for what it points to.
      var next = bytes.baseAddress.map { $0 + start } ?? UnsafePointer(room.baseAddress)
      return smc_stream_encode(
        stream, &next, &left, room.baseAddress, room.count, &made, ends, &isLast)
    }
    guard status == SMC_FINE else { throw Compressor.NoMemory() }
    return (Array(room[..<made]), bytes.count - left, isLast)
  }
}
