import Foundation

/// How much of some records goes into a pipe at once.
///
/// A write of more waits in its middle for the reader. If the run is told to stop then, the pipe has a part of a record, and
/// nobody can take it back.
struct PipeRoom {
  private static let lineFeed = UInt8(ascii: "\n")
  #if os(Linux)
  // Its name is not imported.
  private static let sizeOfPipe: Int32 = 1032
  #endif

  private let descriptor: Int32
  private let capacity: Int
  private let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// Nil where it is no pipe, or the system does not tell how large it is.
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

  /// The bytes to write next: waits until the pipe takes a whole record, or as many as there is room for.
  ///
  /// A record that is larger than the pipe goes as it is.
  ///
  /// - Parameter bytes: Lines, one record each.
  /// - Returns: The first of them.
  func fitting(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let count = poll(&polled, 1, -1)
      // A reader that has gone is told by the write.
      if count > 0, polled.revents & Int16(POLLOUT) == 0 { return bytes }
      let room = free
      if bytes.count <= room { return bytes }
      if let end = bytes.prefix(room).lastIndex(of: Self.lineFeed) { return bytes[...end] }
      let record = bytes.firstIndex(of: Self.lineFeed).map { bytes[...$0] } ?? bytes
      if record.count > capacity { return record }
      // There is room, but too little: no call tells when there is more.
      usleep(1000)
    }
  }

  /// The bytes that certainly go in; a pipe that can be written to has a page.
  ///
  /// Of the pages in use the first may be read in part, and the last written in part.
  private var free: Int {
    var waiting: Int32 = 0
    guard ioctl(descriptor, UInt(FIONREAD), &waiting) == 0 else { return pageSize }
    let used = waiting > 0 ? (Int(waiting) + pageSize - 2) / pageSize + 1 : 0
    return max(capacity - used * pageSize, pageSize)
  }
}
