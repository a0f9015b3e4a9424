import Foundation

/// Where output goes.
///
/// A file is written beside its final name and has it only when it is complete, so that nobody
/// takes half a file for a whole one.
final class OutputFile {
  /// The reader has gone.
  struct Closed: Error {}

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
  init(path: String, isAtomic: Bool) throws(SystemError) {
    title = path
    isOwned = true
    var status = stat()
    let exists = stat(path, &status) == 0
    let isRegular = !exists || status.st_mode & S_IFMT == S_IFREG
    // Of a symbolic link the file behind it is replaced.
    var link = stat()
    let isLink = lstat(path, &link) == 0 && link.st_mode & S_IFMT == S_IFLNK
    let final = isLink ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
    pending = isAtomic && isRegular ? (final + ".partial", final) : nil
    descriptor = open(pending?.partial ?? path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SystemError("write \(path)") }
    if exists, pending != nil { fchmod(descriptor, status.st_mode & 0o7777) }
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  /// Writes all of the bytes.
  ///
  /// - Throws: ``Closed``, ``SystemError``.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
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

  /// The output is complete: the file gets its name.
  func commit() throws(SystemError) {
    guard let pending else { return }
    if rename(pending.partial, pending.final) != 0 { throw SystemError("write \(title)") }
  }

  /// Where incomplete output is, if it did not go where it belongs.
  var partialName: String? { pending?.partial }
}
