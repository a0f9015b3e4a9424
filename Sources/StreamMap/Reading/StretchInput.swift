/// A stretch of a feed: another input, from where it stands up to an offset.
final class StretchInput: FeedInput {
  private let input: any FeedInput
  private var offset: Int
  private let end: Int

  /// The bytes up to `end` of an input that stands at `offset`.
  init(_ input: any FeedInput, from offset: Int, to end: Int) {
    self.input = input
    self.offset = offset
    self.end = end
  }

  var isReady: Bool { offset >= end || input.isReady }

  func read(into room: UnsafeMutableRawBufferPointer) throws(MappingError) -> Int {
    let most = min(room.count, end - offset)
    if most <= 0 { return 0 }
    let count = try input.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<most]))
    // An early end would look like the end of the stretch.
    if count == 0 {
      throw MappingError(
        .io,
        found: "a feed that became shorter: it ends at byte \(offset), and a part of it at \(end)")
    }
    offset += count
    return count
  }

  func bytes(in range: Range<Int>) -> [UInt8]? { input.bytes(in: range) }
}
