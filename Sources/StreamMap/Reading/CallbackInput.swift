/// A feed that a function of another language reads.
package final class CallbackInput: FeedInput {
  private let callback: (UnsafeMutableRawBufferPointer) -> Int
  /// Whether the function said that it failed.
  package private(set) var hasFailed = false

  /// A feed whose bytes come from a function.
  ///
  /// - Parameter callback: Fills the start of the memory; returns how many bytes there are, 0 at the end, less where it fails.
  package init(_ callback: @escaping (UnsafeMutableRawBufferPointer) -> Int) {
    self.callback = callback
  }

  /// It is not known how much it has: it may wait.
  package var isReady: Bool { true }

  package func read(into room: UnsafeMutableRawBufferPointer) throws(MappingError) -> Int {
    let count = callback(room)
    guard count >= 0, count <= room.count else {
      hasFailed = true
      throw MappingError(
        .io, found: count < 0 ? "the callback that reads failed" : "a callback that read too much")
    }
    return count
  }

  package func bytes(in range: Range<Int>) -> [UInt8]? { nil }
}
