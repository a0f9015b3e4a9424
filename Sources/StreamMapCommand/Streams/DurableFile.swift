import Foundation

/// Small files and names that survive the machine's end.
enum DurableFile {
  /// Where the other contents of a file are written before they replace it.
  static func draft(of path: String) -> String { path + ".new" }

  /// Replaces a file by other contents: at any time it has either the old ones or the new ones.
  static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let beside = draft(of: path)
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SystemError("write \(path)") }
    do throws(SystemError) {
      defer { close(descriptor) }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR, errno != EAGAIN {
          throw SystemError("write \(path)")
        }
      }
      try sync(descriptor, path)
    } catch {
      unlink(beside)
      throw error
    }
    if rename(beside, path) != 0 { throw SystemError("write \(path)") }
    try syncFolder(of: path)
  }

  /// Removes a file, if it is there.
  static func remove(_ path: String) throws(SystemError) {
    if unlink(path) != 0, errno != ENOENT { throw SystemError("remove \(path)") }
    try syncFolder(of: path)
  }

  /// Has what was written to a file be on the disk; what has none (a pipe, a device) is left alone.
  static func sync(_ descriptor: Int32, _ title: String) throws(SystemError) {
    while fsync(descriptor) != 0 {
      if errno == EINVAL || errno == ENOTSUP || errno == EROFS { return }
      if errno != EINTR { throw SystemError("write \(title)") }
    }
  }

  /// Has the names in a file's folder be on the disk.
  static func syncFolder(of path: String) throws(SystemError) {
    let folder = PathTarget.folder(of: path)
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder may be written to and yet not be read.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    try sync(descriptor, path)
  }
}
