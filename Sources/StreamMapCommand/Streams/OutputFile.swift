import Foundation
import StreamMap
import StreamMapCompression

/// Where output goes.
///
/// A file is written next to its final name, and gets that name only when it is complete, so nobody mistakes half a
/// file for a complete one.
///
/// The end of its name says whether it is compressed. Each piece is then a member of its own, so a file that ends at a piece is good,
/// too.
final class OutputFile {
  /// The reader has gone.
  struct Closed: Error {}

  /// How a file is opened.
  enum Mode {
    /// The file starts empty.
    case new
    /// The file stays as it was left, and is locked against other runs; `start` then tells how much of it stays.
    case kept
  }

  private(set) var bytesWritten = 0
  /// The gate of the file.
  let gate: WriteGate
  private let room: PipeRoom?
  private let compressor: Compressor?
  private let title: String
  private let isOwned: Bool
  /// The name to rename, and the final name.
  private let pending: (partial: String, final: String)?

  /// -1 while the file is closed.
  private var descriptor: Int32

  /// Standard output.
  init() {
    descriptor = STDOUT_FILENO
    gate = WriteGate(STDOUT_FILENO)
    room = PipeRoom(STDOUT_FILENO)
    compressor = nil
    title = "standard output"
    isOwned = false
    pending = nil
  }

  /// A file, or standard output for `-`.
  ///
  /// Without `isAtomic`, the file has its own name from the start, and so has anything that is not a regular file (a
  /// device, a named pipe).
  ///
  /// - Throws: ``SystemError``.
  init(path: String, isAtomic: Bool, _ mode: Mode = .new) throws(SystemError) {
    title = path == "-" ? "standard output" : path
    compressor = try Self.compressor(path)
    if case .descriptor(let number) = PathTarget.writing(path) {
      descriptor = number
      gate = WriteGate(number)
      room = PipeRoom(number)
      isOwned = false
      pending = nil
      return
    }
    isOwned = true
    pending = isAtomic ? Self.names(of: path) : nil
    let name = pending?.partial ?? path
    let flags = mode == .new ? O_WRONLY | O_TRUNC : O_RDWR
    descriptor = open(name, flags | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SystemError("write \(path)") }
    gate = WriteGate(descriptor)
    room = PipeRoom(descriptor)
    if mode == .kept { try lock(name) }
    var status = stat()
    if let pending, stat(pending.final, &status) == 0 {
      fchmod(descriptor, status.st_mode & 0o7777)
    }
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  /// What ends the name of a file that is not complete.
  static let partialEnding = ".partial"

  /// Whether what is written is compressed.
  var isCompressed: Bool { compressor != nil }

  static func compressor(_ path: String) throws(SystemError) -> Compressor? {
    guard let format = CompressionFormat(fileName: path) else { return nil }
    do throws(Compressor.NoMemory) {
      return try Compressor(format)
    } catch {
      throw SystemError("write \(path)", strerror(ENOMEM).map { String(cString: $0) } ?? "")
    }
  }

  /// Where a file is written, and its final name; nil for anything that is not a regular file.
  ///
  /// For a link, the file that it leads to is written.
  static func names(of path: String) -> (partial: String, final: String)? {
    guard case .file(let final) = PathTarget.writing(path) else { return nil }
    var status = stat()
    if lstat(final, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return nil }
    return (final + partialEnding, final)
  }

  /// Locks the file: two runs that continue one file would destroy it.
  private func lock(_ name: String) throws(SystemError) {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { throw SystemError("write \(name)", "another run is writing it") }
      if errno != EINTR { throw SystemError("write \(name)") }
    }
    // The file may have got its final name between opening and locking: then it is not the intended one.
    var opened = stat()
    var named = stat()
    guard fstat(descriptor, &opened) == 0, stat(name, &named) == 0, opened.st_ino == named.st_ino
    else {
      throw SystemError("write \(name)", "another run has just written it")
    }
  }

  /// Writes all of the bytes; if that fails, the file ends as if none of them had been written.
  ///
  /// - Parameter bytes: Complete records.
  /// - Throws: ``Closed``, ``SystemError``, `Compressor.NoMemory`.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    gate.lead(to: descriptor)
    do {
      if let compressor {
        try compressor.compressed(bytes).withUnsafeBytes(writeAll)
      } else {
        try writeAll(bytes)
      }
    } catch {
      bytesWritten -= gate.takeBackPiece()
      throw error
    }
    gate.endPiece()
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = gate.write(UnsafeRawBufferPointer(rebasing: room?.fitting(rest) ?? rest))
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

  /// Forces the written bytes to the disk (`fsync`).
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

  /// Where incomplete output is, if it is not in its final place.
  var partialName: String? { pending?.partial }

  // MARK: Kept files

  /// Whether the file still begins with what was written to it.
  func has(_ beginning: Fingerprint?, extending whole: inout WholeDigest?) throws(SystemError)
    -> Bool
  {
    guard let beginning else { return false }
    return try beginning.isOf(descriptor, title: title, extending: &whole)
  }

  /// Keeps the first `count` bytes, and continues after them.
  func start(after count: Int) throws(SystemError) {
    guard ftruncate(descriptor, off_t(count)) == 0,
      lseek(descriptor, off_t(count), SEEK_SET) == off_t(count)
    else { throw SystemError("write \(title)") }
    bytesWritten = count
    try DurableFile.syncFolder(of: pending?.partial ?? title)
  }

  /// The fingerprint of everything that was written, after it is on the disk.
  func fingerprint(extending whole: inout WholeDigest?) throws(SystemError) -> Fingerprint {
    try sync()
    let fingerprint = try Fingerprint.of(
      first: bytesWritten, in: descriptor, title: title, extending: &whole)
    guard let fingerprint else { throw SystemError("write \(title)", "it has become shorter") }
    return fingerprint
  }

  // MARK: One of several files

  /// What tells a file from others, whatever it is called.
  struct Identity: Hashable {
    let device: dev_t
    let number: ino_t
  }

  /// One of the files of a run that writes several.
  ///
  /// Links are not followed. The file has its contents until it is made empty.
  ///
  /// - Parameters:
  ///   - path: Its final name.
  ///   - title: What messages call it.
  ///   - gate: The gate of all of them: one is written at a time.
  ///   - compressor: That of all of them, if there is one.
  /// - Throws: ``SystemError``.
  init(part path: String, title: String, _ gate: WriteGate, _ compressor: Compressor?)
    throws(SystemError)
  {
    self.title = title
    self.gate = gate
    self.compressor = compressor
    room = nil
    isOwned = true
    let partial = path + Self.partialEnding
    pending = (partial, path)
    descriptor = open(partial, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
    guard descriptor >= 0 else { throw SystemError("write \(title)") }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError("write \(title)", "it is not a regular file")
    }
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      fchmod(descriptor, status.st_mode & 0o7777)
    }
  }

  /// What tells the open file from others.
  var identity: Identity {
    var status = stat()
    fstat(descriptor, &status)
    return Identity(device: status.st_dev, number: status.st_ino)
  }

  func empty() throws(SystemError) {
    if ftruncate(descriptor, 0) != 0 { throw SystemError("write \(title)") }
  }

  var isSuspended: Bool { descriptor < 0 }

  /// Closes the file for a while.
  func suspend() {
    guard descriptor >= 0 else { return }
    gate.lead(to: -1)
    close(descriptor)
    descriptor = -1
  }

  /// Opens it again, to go on at its end.
  func resume() throws(SystemError) {
    guard let pending else { return }
    descriptor = open(pending.partial, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0, lseek(descriptor, 0, SEEK_END) >= 0 else {
      throw SystemError("write \(title)")
    }
  }
}
