import StreamMap
import StreamMapCompression
import StreamMapFiles
import StreamMapPlatform

/// A feed that is read piece by piece; it keeps some earlier bytes if their text may be asked for.
///
/// Compressed input is recognised by its first bytes, and decompressed: every offset here is one of the decompressed text.
final class FeedFile {
  /// The most text of a rejected record that is shown.
  static let textSize = OutputConverter.largestText
  /// How many times as large compressed input may become.
  static let defaultExpansion = 1000
  private static let windowSize = 256 << 10
  private static let pieceSize = windowSize + textSize
  /// The size at first: a file that became shorter has lost bytes that were still to be read.
  private var sizeAtFirst: Int
  /// Where a part of the file ends that is read; nil if all of it is.
  private let partEnd: Int?

  var name: String { source.name }
  /// What messages call it.
  let source: FeedName
  private(set) var bytesRead = 0
  private var descriptor: Int32
  /// Whether a read may block.
  private var mayBlock: Bool
  private let mostExpansion: Int
  /// Set once the first bytes say that the input is compressed.
  private var decompression: Decompression?
  /// How many bytes before the last read ones are kept, if their text may be asked for.
  private let historySize: Int?
  /// What was read of the input already, and comes first.
  private var unread: ArraySlice<UInt8>

  // Invariant: allocated in `init`, freed in `deinit`. With history, `memory[..<end]` holds the last bytes read, up to
  // `bytesRead`.
  private let memory: UnsafeMutableRawBufferPointer
  private var end = 0

  /// Opens a file, or standard input for `-`.
  ///
  /// An earlier run may have read the bytes of a file before an offset.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - ahead: How far ahead of the last piece a record may end whose text is asked for; nil if no text is asked for.
  ///   - offset: Where to resume.
  ///   - partEnd: Where to end, if only a part of a file is read.
  ///   - mostExpansion: How many times as large compressed input may become.
  ///   - beginning: What was read of standard input already; it is not compressed.
  /// - Throws: ``SystemError``.
  init(
    _ path: String, ahead: Int? = nil, from offset: Int = 0, to partEnd: Int? = nil,
    mostExpansion: Int = defaultExpansion, startingWith beginning: [UInt8] = []
  ) throws(SystemError) {
    source = FeedName(path)
    unread = beginning[...]
    self.partEnd = partEnd
    self.mostExpansion = mostExpansion
    descriptor = path == "-" ? STDIN_FILENO : FileReading.open(path)
    guard descriptor >= 0 else { throw SystemError("open \(path)") }
    var status = stat()
    mayBlock = fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
    PipeRoom.enlarge(descriptor)
    sizeAtFirst = mayBlock ? 0 : Int(status.st_size)
    historySize = ahead.map { $0 + Self.textSize }
    // Twice the history, so that no byte is moved more than once.
    let history = historySize ?? 0
    memory = .allocate(byteCount: history + max(history, Self.windowSize), alignment: 64)
    if offset > 0 { try seek(to: offset) }
  }

  /// Checks that a feed is there, can be read, and is not a folder; it is not opened.
  ///
  /// - Throws: ``SystemError``.
  static func look(at path: String) throws(SystemError) {
    guard case .file = PathTarget.reading(path) else { return }
    var status = stat()
    guard stat(path, &status) == 0,
      faccessat(AT_FDCWD, path, R_OK, Int32(AT_EACCESS)) == 0
    else { throw SystemError("open \(path)") }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw SystemError("read \(path)", "it is a folder")
    }
  }

  /// Checks feeds in the same way, and says what is wrong with the first that is.
  ///
  /// - Throws: ``ExitStatus``.
  static func lookOrTell(at paths: [String]) throws {
    do {
      for path in paths { try look(at: path) }
    } catch let error as SystemError {
      StandardError.write("stream-map: \(error)")
      throw error.status
    }
  }

  /// Says that input is waited for, where a terminal is the input.
  static func hint(at inputs: [String]) {
    guard inputs.contains("-"), isatty(STDIN_FILENO) == 1 else { return }
    StandardError.write("stream-map: reading the feed from the terminal; Ctrl-D ends it")
  }

  /// Refuses a compressed file for what a run does with it, such as `use a checkpoint with`: reading cannot start in its middle.
  static func refuseCompressed(_ path: String, to purpose: String = "use a checkpoint with")
    throws(SystemError)
  {
    let descriptor = FileReading.open(path)
    guard descriptor >= 0 else { throw SystemError("open \(path)") }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: CompressionFormat.longestSignature)
    var count = -1
    repeat {
      count = StreamMapPlatform.read(descriptor, &start, start.count)
    } while count < 0 && (errno == EINTR || errno == EAGAIN)
    if count < 0 { throw SystemError("read \(path)") }
    guard let format = CompressionFormat(startOf: start.prefix(count)) else { return }
    throw SystemError(
      "\(purpose) \(path)",
      "it is compressed (\(format)), and reading could not continue in its middle; decompress it first",
      status: .usage)
  }

  /// Goes to an offset; the kept bytes before it are as if they had just been read.
  private func seek(to offset: Int) throws(SystemError) {
    let history = min(offset, Self.textSize)
    guard lseek(descriptor, off_t(offset - history), SEEK_SET) >= 0 else {
      throw SystemError("read \(title)")
    }
    bytesRead = offset - history
    while bytesRead < offset {
      let count = try read(upTo: offset - bytesRead).count
      if Interruption.happened { return }
      if count == 0 { throw SystemError("read \(title)", "it has become shorter") }
    }
  }

  deinit {
    memory.deallocate()
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// The name in messages.
  var title: String { FileReading.title(of: name) }

  /// How many bytes of the input as it lies on the disk were read.
  var place: Int { decompression?.place ?? bytesRead }

  /// Its format: its name tells it, where the mapping does not.
  func format(_ known: FeedFormat) -> FeedFormat {
    known.ofFeed(named: CompressionFormat.plainName(of: name))
  }

  /// Whether a read would not block now, also at the end.
  ///
  /// The result is true if that cannot be known: the read then reports the problem.
  var isReady: Bool { isReady(within: 0) }

  /// Waits for so many milliseconds at most until a read would not block.
  func isReady(within milliseconds: Int32) -> Bool {
    !mayBlock || !unread.isEmpty || isReadable(within: milliseconds)
  }

  /// Reads the next piece; it is empty at the end, or if the run is interrupted.
  ///
  /// - Parameter room: Where to put the piece; without one, the piece is valid until the next one is read.
  /// - Returns: The piece.
  /// - Throws: ``SystemError``.
  func read(into room: UnsafeMutableRawBufferPointer? = nil) throws(SystemError)
    -> UnsafeBufferPointer<UInt8>
  {
    guard let room else { return try read(upTo: Self.pieceSize) }
    if historySize == nil { return try fill(room) }
    let piece = try read(upTo: room.count)
    room.copyMemory(from: UnsafeRawBufferPointer(piece))
    return UnsafeRawBufferPointer(rebasing: room[..<piece.count]).bindMemory(to: UInt8.self)
  }

  private func read(upTo most: Int) throws(SystemError) -> UnsafeBufferPointer<UInt8> {
    if memory.count - end < Self.textSize { keepHistory() }
    let room = UnsafeMutableRawBufferPointer(rebasing: memory[end...].prefix(most))
    let piece = try fill(room)
    end += piece.count
    return piece
  }

  private func fill(_ room: UnsafeMutableRawBufferPointer) throws(SystemError)
    -> UnsafeBufferPointer<UInt8>
  {
    if !unread.isEmpty { return takeUnread(into: room) }
    while true {
      if mayBlock { _ = isReadable(within: -1) }
      if Interruption.happened { return UnsafeBufferPointer(start: nil, count: 0) }
      let most = partEnd.map { min(room.count, max($0 - bytesRead, 0)) } ?? room.count
      if most == 0, partEnd != nil { return UnsafeBufferPointer(start: nil, count: 0) }
      let count = StreamMapPlatform.read(descriptor, room.baseAddress, most)
      if count > 0, bytesRead == 0, decompression == nil {
        let start = try firstBytes(UnsafeMutableRawBufferPointer(rebasing: room[..<count]), room)
        if try decompress(start) { continue }
        bytesRead += start.count
        return UnsafeRawBufferPointer(start).bindMemory(to: UInt8.self)
      }
      if count == 0 { try checkEnd() }
      if count >= 0 {
        bytesRead += count
        return UnsafeRawBufferPointer(rebasing: room[..<count]).bindMemory(to: UInt8.self)
      }
      if errno != EINTR && errno != EAGAIN { throw SystemError("read \(title)") }
    }
  }

  /// The next of the bytes that were read already.
  private func takeUnread(into room: UnsafeMutableRawBufferPointer) -> UnsafeBufferPointer<UInt8> {
    let piece = unread.prefix(room.count)
    unread = unread.dropFirst(piece.count)
    bytesRead += piece.count
    room.copyBytes(from: piece)
    return UnsafeRawBufferPointer(rebasing: room[..<piece.count]).bindMemory(to: UInt8.self)
  }

  /// The first bytes of the feed, enough of them to say whether it is compressed.
  private func firstBytes(
    _ read: UnsafeMutableRawBufferPointer, _ room: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> UnsafeMutableRawBufferPointer {
    var count = read.count
    while CompressionFormat.mayBecome(startOf: room[..<count]), !Interruption.happened {
      if mayBlock { _ = isReadable(within: -1) }
      let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
      let more = StreamMapPlatform.read(descriptor, rest.baseAddress, rest.count)
      if more == 0 { break }
      if more > 0 {
        count += more
      } else if errno != EINTR && errno != EAGAIN {
        throw SystemError("read \(title)")
      }
    }
    return UnsafeMutableRawBufferPointer(rebasing: room[..<count])
  }

  /// Reads decompressed bytes from now on, if the feed starts as a compressed one; false if it does not.
  private func decompress(_ start: UnsafeMutableRawBufferPointer) throws(SystemError) -> Bool {
    guard let format = CompressionFormat(startOf: start) else { return false }
    let decompression = try Decompression(
      of: descriptor, startingWith: Array(start), format, title: title,
      mostExpansion: mostExpansion)
    self.decompression = decompression
    source.compression = format
    descriptor = decompression.descriptor
    mayBlock = true
    sizeAtFirst = 0
    return true
  }

  /// Checks why a feed ends: compressed input must be whole, and a file as long as it was, or longer.
  private func checkEnd() throws(SystemError) {
    if let decompression { return try decompression.checkEnd() }
    var status = stat()
    if !mayBlock, fstat(descriptor, &status) == 0,
      Int(status.st_size) < sizeAtFirst || bytesRead < partEnd ?? 0
    {
      throw SystemError("read \(title)", "it became shorter while it was read")
    }
  }

  /// The fingerprint of the first `count` bytes that were read.
  func fingerprint(ofFirst count: Int, extending whole: inout WholeDigest?) throws(SystemError)
    -> Fingerprint
  {
    let fingerprint = try Fingerprint.of(
      first: count, in: descriptor, title: title, extending: &whole)
    if let fingerprint { return fingerprint }
    throw SystemError("read \(title)", "it became shorter while it was read")
  }

  private func keepHistory() {
    let kept = min(end, historySize ?? 0)
    memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[end - kept..<end]))
    end = kept
  }

  /// Whether a read would not block; also true if waiting is not possible or a signal ended it.
  private func isReadable(within milliseconds: Int32) -> Bool {
    var polled = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: Interruption.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    return poll(&polled, nfds_t(polled.count), milliseconds) != 0
  }

  /// The text from an offset on, up to the length that may be shown, for a feed that is not read any further.
  ///
  /// Nil if the text would have to be waited for, or cannot be read.
  ///
  /// - Parameters:
  ///   - offset: Where it begins.
  ///   - readsOn: Whether what is not read yet belongs to it, too.
  /// - Returns: The text.
  func text(from offset: Int, readsOn: Bool) -> String? {
    let most = offset + Self.textSize
    while readsOn, bytesRead < most, isReady {
      guard let piece = try? read(upTo: most - bytesRead), !piece.isEmpty else { break }
    }
    return text(of: offset..<max(offset, min(most, bytesRead)))
  }

  /// The text of a range of the feed; nil if it is gone or too long to be shown.
  func text(of range: Range<Int>) -> String? {
    let start = bytesRead - end
    guard historySize != nil, range.count <= Self.textSize, range.lowerBound >= start,
      range.upperBound <= bytesRead
    else {
      return nil
    }
    return String(
      decoding: memory[range.lowerBound - start..<range.upperBound - start], as: UTF8.self)
  }
}
