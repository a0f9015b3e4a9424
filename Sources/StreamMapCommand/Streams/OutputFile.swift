import StreamMap
import StreamMapCompression
import StreamMapPlatform

/// Where output goes.
///
/// A file is written next to its final name, and gets that name only when it is complete, so half a
/// file is never mistaken for a complete one.
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
  private var room: PipeRoom?
  let compressor: Compressor?
  private let title: String
  private let isOwned: Bool
  /// A file that is not complete.
  private struct Pending {
    /// Where it is, and where it will be.
    let draft: FilePlace
    let final: FilePlace
    /// The draft's path.
    let path: String
    let identity: FilePlace.Identity
  }

  /// Nil if the file has its name from the start.
  private let pending: Pending?

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
  /// One that is short is not compressed, and waits for another run that writes it.
  ///
  /// Without `isAtomic`, the file has its own name from the start, and so has anything that is not a regular file (a
  /// device, a named pipe).
  ///
  /// - Throws: ``SystemError``.
  init(
    path: String, isAtomic: Bool, _ mode: Mode = .new, draft ending: String = partialEnding,
    isShort: Bool = false
  ) throws(SystemError) {
    title = path == "-" ? "standard output" : path
    compressor = isShort ? nil : try Self.compressor(path)
    if case .descriptor(let number) = PathTarget.writing(path) {
      descriptor = number
      gate = WriteGate(number)
      room = PipeRoom(number)
      isOwned = false
      pending = nil
      return
    }
    isOwned = true
    if isAtomic, let names = Self.names(of: path, draft: ending) {
      let draft = FilePlace(names.partial)
      descriptor =
        try mode == .new ? draft.makeDraft(title, waits: isShort) : draft.openDraft(title)
      pending = Pending(
        draft: draft, final: FilePlace(names.final, below: nil, title: title), path: names.partial,
        identity: FilePlace.Identity(descriptor))
    } else {
      descriptor = try FilePlace(path).openInPlace(isKept: mode == .kept)
      pending = nil
    }
    gate = WriteGate(descriptor)
    room = PipeRoom(descriptor)
    try takeRights()
  }

  /// Writes all of a file, or to a pipe or device: a regular file has the old contents or the new ones at any time.
  ///
  /// - Parameters:
  ///   - bytes: What is written, as it is.
  ///   - path: Where; `-` is standard output.
  ///   - ending: The ending of a file's name until it is complete.
  /// - Throws: ``Closed``, ``SystemError``.
  static func write(_ bytes: [UInt8], to path: String, draft ending: String = partialEnding) throws
  {
    let file = try OutputFile(path: path, isAtomic: true, draft: ending, isShort: true)
    do {
      try bytes.withUnsafeBytes { try file.write($0) }
      try file.commit()
    } catch {
      try? file.pending?.draft.remove()
      throw error
    }
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  /// The ending of a file's name that is not complete.
  static let partialEnding = ".partial"

  /// Whether what is written is compressed.
  var isCompressed: Bool { compressor != nil }

  /// Whether it is a pipe or a socket, whose reader may be slow.
  var waits: Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

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
  static func names(of path: String, draft ending: String = partialEnding) -> (
    partial: String, final: String
  )? {
    guard case .file(let final) = PathTarget.writing(path) else { return nil }
    var status = stat()
    if lstat(final, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return nil }
    return (final + ending, final)
  }

  /// The file has the rights of the one that it replaces.
  private func takeRights() throws(SystemError) {
    if let rights = try pending?.final.rights() { fchmod(descriptor, rights) }
  }

  /// Writes all of the bytes; if that fails, the file ends as if none of them had been written.
  ///
  /// - Parameter bytes: Complete records.
  /// - Throws: ``Closed``, ``SystemError``, `Compressor.NoMemory`.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    if let compressor {
      try compressor.compressed(bytes).withUnsafeBytes(writePiece)
    } else {
      try writePiece(bytes)
    }
  }

  /// Writes all of the bytes as they are; if that fails, the file ends as if none of them had been written.
  func writePiece(_ bytes: UnsafeRawBufferPointer) throws {
    gate.lead(to: descriptor)
    do {
      try writeAll(bytes)
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
        room?.note(count)
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
    try FilePlace.sync(descriptor, title)
  }

  /// The output is complete: the file gets its name.
  func commit() throws(SystemError) {
    try takeName()
    try pending?.final.syncFolder()
  }

  /// The file is complete and gets its name, which is not forced to the disk yet.
  func takeName() throws(SystemError) {
    guard let pending else { return }
    try sync()
    try pending.final.take(pending.draft, pending.identity)
  }

  /// Where it is when it is complete; nil if it has its name from the start.
  var finalPlace: FilePlace? { pending?.final }

  /// Where incomplete output is, if it is not in its final place.
  var partialName: String? { pending?.path }

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
    guard gate.cut(to: count) else { throw SystemError("write \(title)") }
    bytesWritten = count
    try (pending?.draft ?? FilePlace(title)).syncFolder()
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

  /// One of the files of a run that writes several; it has no contents.
  ///
  /// - Parameters:
  ///   - draft: Where it is until it is complete.
  ///   - final: Where it will be.
  ///   - gate: The gate of all of them: one is written at a time.
  ///   - compressor: That of all of them, if there is one.
  /// - Throws: ``SystemError``.
  init(part draft: FilePlace, _ final: FilePlace, _ gate: WriteGate, _ compressor: Compressor?)
    throws(SystemError)
  {
    title = final.title
    self.gate = gate
    self.compressor = compressor
    room = nil
    isOwned = true
    descriptor = try draft.makeDraft(title)
    pending = Pending(
      draft: draft, final: final, path: draft.title, identity: FilePlace.Identity(descriptor))
    try takeRights()
  }

  /// Identifies the file; nil if it has its name from the start.
  var identity: FilePlace.Identity? { pending?.identity }

  var isSuspended: Bool { descriptor < 0 }

  /// Closes the file for a while.
  func suspend() {
    guard descriptor >= 0 else { return }
    gate.lead(to: -1)
    close(descriptor)
    descriptor = -1
  }

  /// Opens it again, to continue at its end.
  func resume() throws(SystemError) {
    guard let pending else { return }
    descriptor = try pending.draft.reopenDraft(pending.identity, title)
  }
}
