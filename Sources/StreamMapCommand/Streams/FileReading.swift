import Foundation

/// Reads small files whole.
enum FileReading {
  /// Far more than any mapping file; what is larger was not meant to be one.
  static let bound = 16 << 20

  static func contents(of path: String) throws -> [UInt8] {
    do throws(SystemError) {
      return try bytes(of: path)
    } catch {
      StandardError.write("stream-map: \(error)")
      throw ExitStatus.io
    }
  }

  static func bytes(of path: String) throws(SystemError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open \(path)") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= bound {
      let count = Foundation.read(descriptor, &piece, piece.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += piece[..<count]
      } else if errno != EINTR {
        throw SystemError("read \(path)")
      }
    }
    errno = EFBIG
    throw SystemError("read \(path)")
  }
}
