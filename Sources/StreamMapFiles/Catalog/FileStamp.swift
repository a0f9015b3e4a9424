import StreamMapPlatform

/// Shows that a file is another one, or has other bytes, without reading it.
struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let modified: [Int]

  /// That of the file at a path, links followed; nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    // The time of the change of the inode, too: programs that copy files set the other one back.
    #if canImport(Darwin)
    let times = [status.st_mtimespec, status.st_ctimespec]
    #else
    let times = [status.st_mtim, status.st_ctim]
    #endif
    modified = times.flatMap { [Int($0.tv_sec), Int($0.tv_nsec)] }
  }
}
