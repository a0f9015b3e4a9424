/// A buffer of an asynchronous feed, given to the reader piece by piece.
///
/// The reader reads in place between calls, so a piece is copied to memory that stays where it is.
package final class AsyncWindow {
  private lazy var window = FeedWindow()
  private var buffer: [UInt8] = []
  private var position = 0
  private let text: RecentText?

  /// A window whose buffers are kept as long as their text may be asked for.
  init(_ text: RecentText) {
    self.text = text
  }

  /// A window whose buffers are not kept.
  package init() {
    text = nil
  }

  /// Whether the whole buffer was given.
  package var isEmpty: Bool { position == buffer.count }

  package func take(_ bytes: some Collection<UInt8>) {
    buffer = Array(bytes)
    position = 0
    text?.append(buffer)
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
