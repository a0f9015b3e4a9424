/// A feed whose bytes a function gives at any place, such as an object of a store.
package struct Blob: Sendable {
  /// Fills the start of the memory with the bytes from an offset on; returns how many there are, 0 at the end, less where it fails.
  package typealias Read = @Sendable (UnsafeMutableRawBufferPointer, _ offset: Int) -> Int

  package let name: String
  package let size: Int
  private let read: Read

  package init(named name: String, size: Int, _ read: @escaping Read) {
    self.name = name
    self.size = size
    self.read = read
  }

  /// The bytes from an offset on, to the end, as a feed is read.
  func input(from offset: Int) -> any FeedInput { BlobInput(self, from: offset) }

  /// Reads into a stretch of memory; returns how many bytes there were, 0 at the end.
  func read(
    into bytes: inout [UInt8], _ room: Range<Int>, from offset: Int
  ) throws(MappingError) -> Int {
    let count = bytes.withUnsafeMutableBytes {
      read(UnsafeMutableRawBufferPointer(rebasing: $0[room]), offset)
    }
    return try checked(count, room.count)
  }

  /// Fills the start of the memory; returns how many bytes there were, 0 at the end.
  fileprivate func read(
    into room: UnsafeMutableRawBufferPointer, from offset: Int
  ) throws(MappingError) -> Int {
    try checked(read(room, offset), room.count)
  }

  private func checked(_ count: Int, _ most: Int) throws(MappingError) -> Int {
    if (0...most).contains(count) { return count }
    throw MappingError(
      .io,
      found: count < 0
        ? "cannot read \(name): the callback that reads failed"
        : "cannot read \(name): the callback that reads gave too much")
  }
}

private final class BlobInput: FeedInput {
  private let blob: Blob
  private var offset: Int

  init(_ blob: Blob, from offset: Int) {
    self.blob = blob
    self.offset = offset
  }

  /// It is not known how long it takes.
  var isReady: Bool { true }

  func read(into room: UnsafeMutableRawBufferPointer) throws(MappingError) -> Int {
    let count = try blob.read(into: room, from: offset)
    offset += count
    return count
  }

  func bytes(in range: Range<Int>) -> [UInt8]? { nil }
}
