import StreamMapPlatform

/// How many records fit into a pipe at once.
///
/// A larger write waits in its middle for the reader. If a signal stops the run then, the pipe contains a part of a
/// record, which cannot be taken back.
struct PipeRoom {
  private static let lineFeed = UInt8(ascii: "\n")
  #if os(Linux)
  // The system header's name for this is not imported.
  private static let sizeOfPipe: Int32 = 1032
  #endif

  private let descriptor: Int32
  private let capacity: Int
  private let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// Nil if it is not a pipe, or the system does not tell its size.
  init?(_ descriptor: Int32) {
    #if os(Linux)
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
  func fitting(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let count = poll(&polled, 1, -1)
      // If the reader has gone, the write reports it.
      if count > 0, polled.revents & Int16(POLLOUT) == 0 { return bytes }
      let room = free
      if bytes.count <= room { return bytes }
      if let end = bytes.prefix(room).lastIndex(of: Self.lineFeed) { return bytes[...end] }
      let record = bytes.firstIndex(of: Self.lineFeed).map { bytes[...$0] } ?? bytes
      if record.count > capacity { return record }
      // There is room, but not enough: no call says when there is more.
      usleep(1000)
    }
  }

  /// The number of bytes that certainly fit; a writable pipe has at least one page.
  ///
  /// The first page in use may be partly read, and the last one partly written.
  private var free: Int {
    var waiting: Int32 = 0
    guard ioctl(descriptor, UInt(FIONREAD), &waiting) == 0 else { return pageSize }
    let used = waiting > 0 ? (Int(waiting) + pageSize - 2) / pageSize + 1 : 0
    return max(capacity - used * pageSize, pageSize)
  }
}
