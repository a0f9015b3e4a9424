/// A buffer of an asynchronous feed, given to the reader piece by piece.
///
/// The reader reads in place between calls, so a piece is copied to memory that stays where it is.
final class AsyncWindow {
  // Invariant: allocated in `init`, freed in `deinit`.
  private let memory: UnsafeMutableBufferPointer<UInt8>
  private var buffer: [UInt8] = []
  private var position = 0

  init() {
    memory = .allocate(capacity: FeedWindow.size)
    memory.initialize(repeating: 0)
  }

  deinit {
    memory.deallocate()
  }

  /// Whether all of the buffer was given.
  var isEmpty: Bool { position == buffer.count }

  func take(_ bytes: some Collection<UInt8>) {
    buffer = Array(bytes)
    position = 0
  }

  /// The next piece; none where the buffer is used up.
  ///
  /// Valid until the next call.
  func next() -> UnsafeBufferPointer<UInt8> {
    let count = min(memory.count, buffer.count - position)
    _ = memory.update(fromContentsOf: buffer[position..<position + count])
    position += count
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory)[..<count])
  }
}
