import Hummingbird
import NIOCore
import StreamMap

/// Why a body cannot be read to its end.
enum BodyError: Error {
  /// The connection ended before the body did.
  case cutOff
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
