import StreamMap
import StreamMapFiles

/// What is read of a feed: its bytes are counted, the first ones are kept in case there is something to say about them, and the
/// last ones where the text of a reject is asked for.
final class CountedInput: FeedInput {
  private let input: any FeedInput
  private(set) var count = 0
  private(set) var notes: FeedNotes
  /// Is called before each piece is read; false ends the feed.
  var progress: (() -> Bool)?
  /// Whether it did.
  private(set) var wasStopped = false
  /// The last bytes; nil if no text is asked for.
  private let recent: RecentText?
  /// How many of them are kept, besides those of the last piece.
  private let kept: Int

  /// - Parameters:
  ///   - input: The feed, not compressed.
  ///   - notes: What is said of it.
  ///   - start: The offset at which it is read; nil if that is its beginning.
  ///   - ahead: How far ahead of a record it may be read whose text is asked for; nil if no text is asked for.
  init(_ input: any FeedInput, _ notes: FeedNotes, from start: Int?, ahead: Int?) {
    self.input = input
    self.notes = notes
    kept = (ahead ?? 0) + RecentText.largest
    recent = ahead.map { _ in RecentText(from: start ?? 0) }
    self.notes.begin(FeedBeginning(isAtStart: start == nil))
  }

  var isReady: Bool { input.isReady }

  func read(into room: UnsafeMutableRawBufferPointer) throws(MappingError) -> Int {
    if progress?() == false {
      wasStopped = true
      throw MappingError(.io, found: "the callback for progress ended the feed")
    }
    let read = try input.read(into: room)
    count += read
    let bytes = UnsafeRawBufferPointer(rebasing: room[..<read]).bindMemory(to: UInt8.self)
    notes.read(bytes)
    if let recent {
      recent.append(bytes)
      recent.forget(before: recent.end - read - kept)
    }
    return read
  }

  func bytes(in range: Range<Int>) -> [UInt8]? { input.bytes(in: range) }

  /// The text of a record that was just read; nil if it is gone, too long, or not asked for.
  func text(of range: Range<Int>) -> String? {
    guard range.count <= RecentText.largest, let bytes = recent?.bytes(in: range) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
