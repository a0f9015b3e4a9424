/// A buffer of an asynchronous feed, given to the reader piece by piece.
///
/// The reader reads in place between calls, so a piece is copied to memory that stays where it is.
final class AsyncWindow {
  private lazy var window = FeedWindow()
  private var buffer: [UInt8] = []
  private var position = 0
  private let text: RecentText

  /// A window whose buffers are kept as long as their text may be asked for.
  init(_ text: RecentText) {
    self.text = text
  }

  /// Whether the whole buffer was given.
  var isEmpty: Bool { position == buffer.count }

  /// Takes the next buffer that is not empty, if the last one was given; without one, the feed is over.
  ///
  /// - Throws: What the buffers throw; `CancellationError` where the task is cancelled.
  func fill<Buffers: AsyncIteratorProtocol>(
    from buffers: inout Buffers, isolation actor: isolated (any Actor)?
  ) async throws where Buffers.Element: Collection<UInt8> {
    while isEmpty {
      try Task.checkCancellation()
      text.forget(before: text.end - RecentText.largest)
      guard let buffer = try await buffers.next(isolation: actor) else {
        // In a cancelled task, sequences may end before the feed does.
        return try Task.checkCancellation()
      }
      take(buffer)
    }
  }

  func take(_ bytes: some Collection<UInt8>) {
    buffer = Array(bytes)
    position = 0
    text.append(buffer)
  }

  /// Copies the next piece to where it is to be read; returns its size, or 0 where the buffer is used up.
  func move(into room: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(room.count, buffer.count - position)
    buffer.withUnsafeBytes {
      room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
    }
    position += count
    return count
  }

  /// The next piece; empty where the buffer is used up.
  ///
  /// Valid until the next call.
  func next() -> UnsafeBufferPointer<UInt8> {
    window.bytes(in: 0..<move(into: window.room(from: 0)))
  }
}
