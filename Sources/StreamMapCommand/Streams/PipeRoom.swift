import StreamMapPlatform

/// How many records fit into a pipe at once.
///
/// A larger write waits in its middle for the reader. If a signal stops the run then, the pipe contains a part of a
/// record, which cannot be taken back.
struct PipeRoom {
  private static let lineFeed = UInt8(ascii: "\n")
  #if os(Linux)
  // The system header's names for these are not imported.
  private static let setSizeOfPipe: Int32 = 1031
  private static let sizeOfPipe: Int32 = 1032
  /// What Linux allows to any user.
  private static let largest: Int32 = 1 << 20
  #endif

  private let descriptor: Int32
  private let capacity: Int
  private let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
  /// The sizes of the writes whose bytes may still be in the pipe, the oldest first, and their sum.
  private var writes: [Int] = []
  private var bytesOfWrites = 0

  /// Makes a pipe larger, if the system allows it; does nothing to what is no pipe.
  ///
  /// PERF: at first a pipe holds 64 KiB, and the two programs wait for each other at each of them: they take twice as long.
  static func enlarge(_ descriptor: Int32) {
    #if os(Linux)
    let size = fcntl(descriptor, sizeOfPipe)
    if size > 0, size < largest { _ = fcntl(descriptor, setSizeOfPipe, largest) }
    #endif
  }

  /// The room of a pipe, which becomes larger; nil if it is not a pipe, or the system does not tell its size.
  init?(_ descriptor: Int32) {
    #if os(Linux)
    Self.enlarge(descriptor)
    let capacity = fcntl(descriptor, Self.sizeOfPipe)
    guard capacity > 0 else { return nil }
    self.descriptor = descriptor
    self.capacity = Int(capacity)
    #else
    return nil
    #endif
  }

  /// The bytes to write next: waits until the pipe has room for a complete record, and returns as many as fit.
  ///
  /// A record that is larger than the pipe is returned as it is.
  ///
  /// - Parameter bytes: Lines, one record each.
  /// - Returns: The first of these lines.
  mutating func fitting(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let count = poll(&polled, 1, -1)
      // If the reader has gone, the write reports it.
      if count > 0, polled.revents & Int16(POLLOUT) == 0 { return bytes }
      let room = free()
      if bytes.count <= room { return bytes }
      if let end = bytes.prefix(room).lastIndex(of: Self.lineFeed) { return bytes[...end] }
      let record = bytes.firstIndex(of: Self.lineFeed).map { bytes[...$0] } ?? bytes
      if record.count > capacity { return record }
      // There is room, but not enough: no call says when there is more.
      usleep(1000)
    }
  }

  /// Says that so many bytes were written.
  mutating func note(_ count: Int) {
    // More writes than pages tell nothing.
    if writes.count == capacity / pageSize { (writes, bytesOfWrites) = ([], 0) }
    writes.append(count)
    bytesOfWrites += count
  }

  /// The number of bytes that certainly fit; a writable pipe has at least one page.
  private mutating func free() -> Int {
    var count: Int32 = 0
    guard ioctl(descriptor, UInt(FIONREAD), &count) == 0 else { return pageSize }
    return max(capacity - pages(waiting: Int(count)) * pageSize, pageSize)
  }

  /// The most pages that so many bytes take.
  ///
  /// A write may leave a part of its last page empty, and the first page may be partly read. But the end of the next write goes into that
  /// part if it fits. So, after the first page, two neighbours have more bytes than one page.
  private mutating func pages(waiting: Int) -> Int {
    while let first = writes.first, bytesOfWrites - first >= waiting {
      writes.removeFirst()
      bytesOfWrites -= first
    }
    if waiting == 0 { return 0 }
    let most = (2 * waiting + pageSize - 1) / pageSize + 2
    // Others write there, too.
    if waiting > bytesOfWrites { return most }
    return min(writes.reduce(0) { $0 + ($1 + pageSize - 1) / pageSize }, most)
  }
}
