import Foundation

/// A feed in memory, read-only; contenders in this process read it, so that no disk is measured.
final class MappedFile {
  let path: String
  let bytes: UnsafeBufferPointer<UInt8>

  /// Maps a file; with `removing`, its name is removed at once, and its bytes together with this object.
  init(path: String, removing: Bool = false) throws {
    self.path = path
    defer { if removing { unlink(path) } }
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw BenchmarkError("cannot read \(path)") }
    defer { close(descriptor) }
    let count = Int(lseek(descriptor, 0, SEEK_END))
    guard count > 0, let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      address != MAP_FAILED
    else { throw BenchmarkError("cannot map \(path)") }
    bytes = UnsafeBufferPointer(
      start: UnsafePointer(address.assumingMemoryBound(to: UInt8.self)), count: count)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  var count: Int { bytes.count }

  /// The lines, without their ends.
  var lines: Lines { Lines(feed: self, rest: bytes[...]) }

  struct Lines: Sequence, IteratorProtocol {
    // The memory of a line must live until the next line is asked for.
    let feed: MappedFile
    var rest: UnsafeBufferPointer<UInt8>.SubSequence

    mutating func next() -> UnsafeBufferPointer<UInt8>? {
      withExtendedLifetime(feed) { line() }
    }

    private mutating func line() -> UnsafeBufferPointer<UInt8>? {
      let left = UnsafeBufferPointer(rebasing: rest)
      guard let start = left.baseAddress, !left.isEmpty else { return nil }
      let end = memchr(start, 0x0A, left.count).map {
        UnsafeRawPointer($0) - UnsafeRawPointer(start)
      }
      let count = end ?? left.count
      rest = rest.dropFirst(count + 1)
      return UnsafeBufferPointer(start: start, count: count)
    }
  }

  /// The feed in pieces.
  func forEachChunk(of size: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
    var start = 0
    while start < bytes.count {
      let end = Swift.min(start + size, bytes.count)
      try body(UnsafeBufferPointer(rebasing: bytes[start..<end]))
      start = end
    }
  }
}
