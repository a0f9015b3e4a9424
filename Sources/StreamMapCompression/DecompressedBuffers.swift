import StreamMap

extension AsyncSequence where Element: FeedBuffer {
  /// The buffers decompressed.
  ///
  /// ```swift
  /// for try await record in try mapper.records(in: Feed(request.body.decompressed())) { … }
  /// ```
  ///
  /// gzip, Zstandard, xz and bzip2 are recognised by the first bytes, or given. A stream may have several members, and zeros after
  /// each. What is not compressed passes as it is, without a copy.
  ///
  /// Memory is flat: a piece of at most 64 KiB is made when it is asked for, and the next buffer is asked for when nothing more
  /// can be made of the last one. So a slow consumer stops the reading, and an input that becomes endless costs time only until
  /// it is beyond the limits.
  ///
  /// Damage, an early end and a limit are a ``DecompressionError`` with the offset, after all bytes that are good before it.
  ///
  /// - Parameters:
  ///   - encoding: How they are compressed, as a `Content-Encoding` says it.
  ///   - limits: What they may become.
  /// - Returns: The sequence of the decompressed buffers.
  public func decompressed(
    from encoding: FeedEncoding = .detected, limits: DecompressionLimits = .untrusted
  ) -> DecompressedBuffers<Self> {
    DecompressedBuffers(self, encoding, limits)
  }
}

/// Buffers that are decompressed as they are asked for; `decompressed(from:limits:)` makes it.
public struct DecompressedBuffers<Base: AsyncSequence>: AsyncSequence
where Base.Element: FeedBuffer {
  /// Decompressed bytes.
  public typealias Element = DecompressedBuffer<Base.Element>
  /// What the base throws, ``DecompressionError`` or `CancellationError`.
  public typealias Failure = any Error

  private let base: Base
  private let encoding: FeedEncoding
  private let limits: DecompressionLimits

  init(_ base: Base, _ encoding: FeedEncoding, _ limits: DecompressionLimits) {
    self.base = base
    self.encoding = encoding
    self.limits = limits
  }

  /// An iterator at the start of the bytes.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base.makeAsyncIterator(), encoding, limits)
  }

  /// Makes the buffers, one at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: Base.AsyncIterator
    private var encoding: FeedEncoding
    private let limits: DecompressionLimits
    /// Buffers that were read to find out the format, and are still to be taken.
    private var held: ArraySlice<Base.Element> = []
    private var decompressor: Decompressor?
    /// What is left of the last buffer, from an offset on.
    // A copy: compressed bytes are few, and a buffer may have to be joined each time that it is looked at.
    private var rest: [UInt8] = []
    private var restStart = 0
    private var plainBytes = 0
    private var isOver = false
    private var failure: (any Error)?

    init(
      _ base: Base.AsyncIterator, _ encoding: FeedEncoding, _ limits: DecompressionLimits
    ) {
      self.base = base
      self.encoding = encoding
      self.limits = limits
    }

    /// The next buffer; nil at the end.
    ///
    /// - Throws: ``DecompressionError``, `CancellationError` if the task is cancelled, and what the base throws; every later
    ///   call throws the same.
    public mutating func next() async throws -> DecompressedBuffer<Base.Element>? {
      try await next(isolation: nil)
    }

    /// The next buffer, on the actor of the caller; nil at the end.
    ///
    /// - Throws: As ``next()``.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> DecompressedBuffer<Base.Element>? {
      if let failure { throw failure }
      if isOver { return nil }
      do {
        try Task.checkCancellation()
        if encoding == .detected { try await detect(isolation: actor) }
        if case .compressed(let format) = encoding, decompressor == nil {
          decompressor = try Decompressor(format, limits: limits)
        }
        let buffer =
          if let decompressor {
            try await decompressed(by: decompressor, isolation: actor)
          } else {
            try await plain(isolation: actor)
          }
        isOver = buffer == nil
        return buffer
      } catch {
        failure = error
        throw error
      }
    }

    /// Finds out the format by the first bytes.
    private mutating func detect(isolation actor: isolated (any Actor)?) async throws {
      var start: [UInt8] = []
      while start.isEmpty || CompressionFormat.mayBecome(startOf: start),
        let buffer = try await nextOfBase(isolation: actor)
      {
        buffer.withFeedBytes { bytes in
          start += bytes.prefix(CompressionFormat.longestSignature - start.count)
        }
        held.append(buffer)
      }
      encoding = CompressionFormat(startOf: start).map { .compressed($0) } ?? .identity
    }

    private mutating func plain(
      isolation actor: isolated (any Actor)?
    ) async throws -> DecompressedBuffer<Base.Element>? {
      guard let buffer = try await nextBuffer(isolation: actor) else { return nil }
      plainBytes += buffer.withFeedBytes(\.count)
      if let most = limits.bytes, plainBytes > most {
        throw DecompressionError(.tooManyBytes(limit: most), nil, plainBytes, plainBytes)
      }
      return DecompressedBuffer(bytes: .original(buffer))
    }

    private mutating func decompressed(
      by decompressor: Decompressor, isolation actor: isolated (any Actor)?
    ) async throws -> DecompressedBuffer<Base.Element>? {
      if let piece = try pieceOfRest(decompressor) { return piece }
      while let buffer = try await nextBuffer(isolation: actor) {
        if let piece = try piece(of: buffer, decompressor) { return piece }
      }
      try decompressor.finish()
      return nil
    }

    private mutating func pieceOfRest(
      _ decompressor: Decompressor
    ) throws(DecompressionError) -> DecompressedBuffer<Base.Element>? {
      var used = 0
      let piece = try rest.withUnsafeBufferPointer {
        bytes throws(DecompressionError) -> [UInt8]? in
        var left = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[restStart...])
        let piece = try decompressor.nextPiece(of: &left).map { Array($0) }
        used = bytes.count - left.count
        return piece
      }
      restStart = used
      return piece.map { DecompressedBuffer(bytes: .made($0)) }
    }

    /// The first piece of a buffer; the rest of the buffer is kept.
    private mutating func piece(
      of buffer: Base.Element, _ decompressor: Decompressor
    ) throws(DecompressionError) -> DecompressedBuffer<Base.Element>? {
      rest.removeAll(keepingCapacity: true)
      restStart = 0
      let piece = try buffer.withFeedBytes { bytes throws(DecompressionError) -> [UInt8]? in
        var left = bytes
        let piece = try decompressor.nextPiece(of: &left).map { Array($0) }
        rest += left
        return piece
      }
      return piece.map { DecompressedBuffer(bytes: .made($0)) }
    }

    private mutating func nextBuffer(
      isolation actor: isolated (any Actor)?
    ) async throws -> Base.Element? {
      if let buffer = held.popFirst() { return buffer }
      return try await nextOfBase(isolation: actor)
    }

    private mutating func nextOfBase(
      isolation actor: isolated (any Actor)?
    ) async throws -> Base.Element? {
      let buffer = try await base.next(isolation: actor)
      // Some sequences end where their task is cancelled: that is not the end of the bytes.
      if buffer == nil { try Task.checkCancellation() }
      return buffer
    }
  }
}

extension DecompressedBuffers: Sendable where Base: Sendable {}

/// A buffer of decompressed bytes, or of bytes that were not compressed.
public struct DecompressedBuffer<Original: FeedBuffer>: FeedBuffer {
  enum Bytes {
    case original(Original)
    case made([UInt8])
  }

  let bytes: Bytes

  public func withFeedBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch bytes {
    case .original(let buffer): try buffer.withFeedBytes(body)
    case .made(let bytes): try bytes.withFeedBytes(body)
    }
  }
}

extension DecompressedBuffer: Sendable where Original: Sendable {}
extension DecompressedBuffer.Bytes: Sendable where Original: Sendable {}
