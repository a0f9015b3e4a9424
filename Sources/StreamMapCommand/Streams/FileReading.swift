import StreamMap
import StreamMapFiles
import StreamMapPlatform

/// Reads small files as a whole.
enum FileReading {
  /// The name of a path in messages.
  static func title(of path: String) -> String {
    path == "-" ? "standard input" : ShownText.of(path)
  }

  /// Opens a file to be read; a descriptor less than 0 if that fails.
  static func open(_ path: String) -> Int32 { StreamMapPlatform.open(path, O_RDONLY | O_CLOEXEC) }

  /// Far more than the size of any mapping file; a larger file is not meant to be one.
  static let bound = 16 << 20

  static func contents(of path: String) throws -> [UInt8] {
    do throws(SystemError) {
      return try bytes(of: path)
    } catch {
      StandardError.write("stream-map: \(error)")
      throw ExitStatus.io
    }
  }

  /// The bytes of a file, or of standard input for `-`.
  static func bytes(of path: String, upTo bound: Int = bound) throws(SystemError) -> [UInt8] {
    let title = title(of: path)
    let descriptor = path == "-" ? STDIN_FILENO : open(path)
    guard descriptor >= 0 else { throw SystemError("open \(title)") }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= bound {
      let count = StreamMapPlatform.read(descriptor, &piece, piece.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += piece[..<count]
      } else if errno == EAGAIN {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&polled, 1, -1)
      } else if errno != EINTR {
        throw SystemError("read \(title)")
      }
    }
    errno = EFBIG
    throw SystemError("read \(title)")
  }

  /// The beginning of the first of some files that has something in it; nothing if it cannot be read.
  static func beginning(of paths: [String]) -> [UInt8] {
    paths.lazy.map { beginning(of: $0) }.first { !$0.isEmpty } ?? []
  }

  private static func beginning(of path: String) -> [UInt8] {
    // Nothing but a file is still there.
    guard case .file = PathTarget.reading(path) else { return [] }
    let descriptor = StreamMapPlatform.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < FeedBeginning.most {
      let count = pread(descriptor, &piece, piece.count, off_t(bytes.count))
      if count > 0 { bytes += piece[..<count] } else if count == 0 || errno != EINTR { break }
    }
    return Array(bytes.prefix(FeedBeginning.most))
  }

  /// Reads a range of a file; false if the file ends earlier.
  static func read(
    _ piece: inout [UInt8], at start: Int, _ descriptor: Int32, _ title: String
  ) throws(SystemError) -> Bool {
    var done = 0
    while done < piece.count {
      let count = piece.withUnsafeMutableBytes {
        pread(
          descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[done...]).baseAddress,
          $0.count - done, off_t(start + done))
      }
      if count == 0 { return false }
      if count > 0 { done += count } else if errno != EINTR { throw SystemError("read \(title)") }
    }
    return true
  }
}
