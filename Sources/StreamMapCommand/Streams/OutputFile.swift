import Foundation

/// Where output goes.
///
/// A file is written beside its final name and has it only when it is complete, so that nobody
/// takes half a file for a whole one.
final class OutputFile {
  /// The reader has gone.
  struct Closed: Error {}

  /// How a file is opened.
  enum Mode {
    /// Empty.
    case new
    /// As it was left, and nobody else's meanwhile: `start` says what stays of it.
    case kept
  }

  private(set) var bytesWritten = 0
  private let descriptor: Int32
  private let title: String
  private let isOwned: Bool
  /// What to rename, and to what.
  private let pending: (partial: String, final: String)?

  /// Standard output.
  init() {
    descriptor = STDOUT_FILENO
    title = "standard output"
    isOwned = false
    pending = nil
  }

  /// A file; without `isAtomic` it is written under its own name from the start, and so is anything
  /// that is no regular file (a device, a named pipe).
  init(path: String, isAtomic: Bool, _ mode: Mode = .new) throws(SystemError) {
    title = path
    isOwned = true
    var status = stat()
    let exists = stat(path, &status) == 0
    let isRegular = !exists || status.st_mode & S_IFMT == S_IFREG
    pending = isAtomic && isRegular ? Self.names(of: path) : nil
    let name = pending?.partial ?? path
    let flags = mode == .new ? O_WRONLY | O_TRUNC : O_RDWR
    descriptor = open(name, flags | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SystemError("write \(path)") }
    if mode == .kept { try lock(name) }
    if exists, pending != nil { fchmod(descriptor, status.st_mode & 0o7777) }
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  /// Where a file is written, and the name that it has in the end.
  static func names(of path: String) -> (partial: String, final: String) {
    // Of a symbolic link the file behind it is replaced.
    var link = stat()
    let isLink = lstat(path, &link) == 0 && link.st_mode & S_IFMT == S_IFLNK
    let final = isLink ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
    return (final + ".partial", final)
  }

  /// Two runs that go on with one file would destroy it.
  private func lock(_ name: String) throws(SystemError) {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { throw SystemError("write \(name)", "another run is writing it") }
      if errno != EINTR { throw SystemError("write \(name)") }
    }
    // It may have got its final name between the opening and the lock: then it is not what was meant.
    var opened = stat()
    var named = stat()
    guard fstat(descriptor, &opened) == 0, stat(name, &named) == 0, opened.st_ino == named.st_ino
    else {
      throw SystemError("write \(name)", "another run has just written it")
    }
  }

  /// Writes all of the bytes; where that fails, a file ends as if none of them had been written.
  ///
  /// - Parameter bytes: Whole records.
  /// - Throws: ``Closed``, ``SystemError``.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let before = bytesWritten
    do {
      try writeAll(bytes)
    } catch {
      takeBack(bytesWritten - before)
      throw error
    }
  }

  /// Cuts off the last bytes, if it is a file and nobody else's writing goes to its end.
  private func takeBack(_ count: Int) {
    var status = stat()
    guard count > 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      fcntl(descriptor, F_GETFL) & O_APPEND == 0
    else { return }
    let end = lseek(descriptor, 0, SEEK_CUR) - off_t(count)
    if end >= 0, ftruncate(descriptor, end) == 0 {
      lseek(descriptor, end, SEEK_SET)
      bytesWritten -= count
    }
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Foundation.write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
        bytesWritten += count
      } else if errno == EAGAIN {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&polled, 1, -1)
      } else if errno == EPIPE {
        throw Closed()
      } else if errno != EINTR {
        throw SystemError("write \(title)")
      }
    }
  }

  /// Has what was written be on the disk.
  func sync() throws(SystemError) {
    try DurableFile.sync(descriptor, title)
  }

  /// The output is complete: the file gets its name.
  func commit() throws(SystemError) {
    guard let pending else { return }
    try sync()
    if rename(pending.partial, pending.final) != 0 { throw SystemError("write \(title)") }
    try DurableFile.syncFolder(of: pending.final)
  }

  /// Where incomplete output is, if it did not go where it belongs.
  var partialName: String? { pending?.partial }

  // MARK: Kept files

  /// Whether the file still begins with what was written to it.
  func has(_ beginning: Fingerprint) throws(SystemError) -> Bool {
    try Fingerprint.of(first: beginning.bytes, in: descriptor, title: title) == beginning
  }

  /// Keeps the first so many bytes, and goes on behind them.
  func start(behind count: Int) throws(SystemError) {
    guard ftruncate(descriptor, off_t(count)) == 0,
      lseek(descriptor, off_t(count), SEEK_SET) == off_t(count)
    else { throw SystemError("write \(title)") }
    bytesWritten = count
    try DurableFile.syncFolder(of: pending?.partial ?? title)
  }

  /// That of all that was written, which is on the disk then.
  func savedFingerprint() throws(SystemError) -> Fingerprint {
    try sync()
    guard
      let fingerprint = try Fingerprint.of(first: bytesWritten, in: descriptor, title: title)
    else {
      throw SystemError("write \(title)", "it has become shorter")
    }
    return fingerprint
  }
}
