import StreamMap
import StreamMapFiles

/// What is read of a feed: its bytes are counted, and the first ones are kept in case there is something to say about them.
final class CountedInput: FeedInput {
  private let input: any FeedInput
  private(set) var count = 0
  private(set) var notes: FeedNotes

  /// - Parameters:
  ///   - input: The feed, not compressed.
  ///   - notes: What is said of it.
  ///   - isAtStart: Whether it is read from its beginning.
  init(_ input: any FeedInput, _ notes: FeedNotes, isAtStart: Bool) {
    self.input = input
    self.notes = notes
    self.notes.begin(isAtStart: isAtStart)
  }

  var isReady: Bool { input.isReady }

  func read(into room: UnsafeMutableRawBufferPointer) throws(MappingError) -> Int {
    let read = try input.read(into: room)
    count += read
    let bytes = UnsafeRawBufferPointer(rebasing: room[..<read])
    notes.read(bytes.bindMemory(to: UInt8.self))
    return read
  }

  func bytes(in range: Range<Int>) -> [UInt8]? { input.bytes(in: range) }
}
