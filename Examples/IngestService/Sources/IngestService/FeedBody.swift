import Hummingbird
import NIOCore
import StreamMap

/// Why a body is no whole feed.
enum BodyError: Error {
  /// The connection ended before the body did.
  case cutOff
  /// The body is a part of the feed, and the rest comes in another request.
  case partIsOver
}

/// The body of a request, whose bytes are counted as they come.
struct CountedBody: AsyncSequence, Sendable {
  let body: RequestBody
  /// What the header `Content-Length` says.
  let length: Int?
  let feed: RunningFeed

  func makeAsyncIterator() -> Iterator {
    Iterator(body: body.makeAsyncIterator(), missing: length, feed: feed)
  }

  struct Iterator: AsyncIteratorProtocol {
    var body: RequestBody.AsyncIterator
    var missing: Int?
    let feed: RunningFeed

    mutating func next() async throws -> ByteBuffer? {
      feed.waitsForClient()
      let buffer: ByteBuffer?
      do {
        buffer = try await body.next()
      } catch let error as CancellationError {
        throw error
      } catch {
        throw BodyError.cutOff
      }
      feed.received(buffer?.readableBytes ?? 0)
      missing = missing.map { $0 - (buffer?.readableBytes ?? 0) }
      // A body that is shorter than it says must not pass for a whole feed, however the connection ended.
      if buffer == nil, let missing, missing > 0 { throw BodyError.cutOff }
      return buffer
    }
  }
}

/// The buffers of a request that is not the last of its feed: after them comes no end, but an error that says so.
///
/// Without it a record that is cut in two by the end of a part would be taken for a truncated one.
struct PartOfFeed<Buffers: AsyncSequence>: AsyncSequence where Buffers.Element: FeedBuffer {
  let buffers: Buffers
  let isLast: Bool

  func makeAsyncIterator() -> Iterator {
    Iterator(buffers: buffers.makeAsyncIterator(), isLast: isLast)
  }

  struct Iterator: AsyncIteratorProtocol {
    var buffers: Buffers.AsyncIterator
    let isLast: Bool

    mutating func next() async throws -> Buffers.Element? {
      let buffer = try await buffers.next()
      if buffer == nil, !isLast { throw BodyError.partIsOver }
      return buffer
    }
  }
}

extension PartOfFeed: Sendable where Buffers: Sendable {}
