#if canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Where the bytes of a written feed go, in pieces that end with whole values.
protocol FeedOutput: AnyObject {
  /// Writes all of a piece.
  ///
  /// - Throws: ``MappingError`` (`io`); then the output ends with the piece before, if it can be cut back.
  func write(_ piece: UnsafeRawBufferPointer) throws(MappingError)

  /// Says that the feed is complete.
  func finish() throws(MappingError)
}

/// Code that takes the bytes.
final class BufferOutput: FeedOutput {
  private let take: (UnsafeRawBufferPointer) throws -> Void

  init(_ take: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.take = take
  }

  func write(_ piece: UnsafeRawBufferPointer) throws(MappingError) {
    do {
      try take(piece)
    } catch {
      throw MappingError(.io, found: "the buffers are not taken", underlying: [error])
    }
  }

  func finish() throws(MappingError) {}
}

/// A file, a pipe or a socket.
///
/// If a piece cannot be written, a regular file is cut back to the pieces before. Signals, locks and checkpoints belong to the command,
/// which has an output of its own.
final class FileOutput: FeedOutput {
  private let descriptor: Int32
  private let isOwned: Bool
  private let name: String
  /// The name to rename, and the final name.
  private let pending: (partial: String, final: String)?

  /// Opens a file to be written from its start, under another name until it is complete.
  init(path: String) throws(MappingError) {
    name = path
    isOwned = true
    let final = Self.target(of: path)
    var status = stat()
    let exists = stat(final, &status) == 0
    pending =
      exists && status.st_mode & S_IFMT != S_IFREG ? nil : (final + ".partial", final)
    descriptor = open(
      pending?.partial ?? final, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    // A user who may not read the old file may not read the new one, either.
    if pending != nil, exists { fchmod(descriptor, status.st_mode & 0o7777) }
  }

  /// Writes to an open descriptor, which stays open.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    isOwned = false
    name = "file descriptor \(descriptor)"
    pending = nil
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  /// The file that a path leads to.
  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  func write(_ piece: UnsafeRawBufferPointer) throws(MappingError) {
    var rest = piece[...]
    while !rest.isEmpty {
      let count = writeBytes(UnsafeRawBufferPointer(rebasing: rest), to: descriptor)
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      let code = errno
      // Someone has set the descriptor to O_NONBLOCK.
      if code == EAGAIN {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&polled, 1, -1)
      } else if code != EINTR {
        takeBack(piece.count - rest.count)
        throw Self.failure(name, code)
      }
    }
  }

  /// Cuts the last bytes off, if they are the end of a file that no one else appends to.
  private func takeBack(_ count: Int) {
    var status = stat()
    let end = lseek(descriptor, 0, SEEK_CUR)
    guard count > 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      end == status.st_size, fcntl(descriptor, F_GETFL) & O_APPEND == 0,
      ftruncate(descriptor, end - off_t(count)) == 0
    else { return }
    lseek(descriptor, end - off_t(count), SEEK_SET)
  }

  func finish() throws(MappingError) {
    guard let pending else { return }
    guard fsync(descriptor) == 0, rename(pending.partial, pending.final) == 0 else {
      throw Self.failure(name, errno)
    }
  }

  private static func failure(_ name: String, _ code: Int32) -> MappingError {
    MappingError(.io, found: "cannot write \(name): \(String(cString: strerror(code)))")
  }
}

/// The system's `write`; a method has its name.
private func writeBytes(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
