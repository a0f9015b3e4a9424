/// Buffers of bytes that come one at a time, as those of `URLSession.AsyncBytes` and `FileHandle.AsyncBytes` do.
///
/// ```swift
/// let (bytes, _) = try await URLSession.shared.bytes(from: url)
/// for try await record in try mapper.records(in: Feed(GatheredBytes(bytes), at: "$.people[*]")) { … }
/// ```
///
/// A buffer ends after a line feed, or has 16 KiB: a record that is a line is there as soon as its line is over. It can be iterated
/// as often as the bytes can.
public struct GatheredBytes<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
  /// Bytes that came after each other.
  public typealias Element = [UInt8]

  private let bytes: Bytes

  /// Gathers bytes.
  ///
  /// - Parameter bytes: The bytes; no more of them are requested than a buffer takes.
  public init(_ bytes: Bytes) {
    self.bytes = bytes
  }

  /// Goes through the bytes.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(bytes.makeAsyncIterator())
  }

  /// Goes through the bytes once.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline var bytes: Bytes.AsyncIterator
    /// The error that is thrown after the bytes that came before.
    @usableFromInline var failure: (any Error)?
    @usableFromInline var isOver = false

    fileprivate init(_ bytes: Bytes.AsyncIterator) {
      self.bytes = bytes
    }

    /// The next buffer; nil at the end.
    ///
    /// - Throws: As ``next(isolation:)``.
    @inlinable
    public mutating func next() async throws -> [UInt8]? { try await next(isolation: nil) }

    /// The next buffer, on the actor of the caller; nil at the end.
    ///
    /// - Throws: Whatever the bytes throw, after those that came before.
    // PERF: inlinable, since it asks for each byte: generic code would look up the functions for each.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
      if let failure {
        self.failure = nil
        throw failure
      }
      if isOver { return nil }
      var buffer: [UInt8] = []
      do {
        while buffer.count < 16_384 {
          guard let byte = try await bytes.next(isolation: actor) else {
            isOver = true
            break
          }
          buffer.append(byte)
          if byte == UInt8(ascii: "\n") { break }
        }
      } catch {
        isOver = true
        if buffer.isEmpty { throw error }
        failure = error
      }
      return buffer.isEmpty ? nil : buffer
    }
  }
}

extension GatheredBytes: Sendable where Bytes: Sendable {}

@available(*, unavailable)
extension GatheredBytes.AsyncIterator: Sendable {}
