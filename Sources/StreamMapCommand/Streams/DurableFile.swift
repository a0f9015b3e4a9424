import Foundation

/// Small files and names that survive a crash of the machine.
enum DurableFile {
  /// Where the new contents of a file are written before they replace it.
  static func draft(of path: String) -> String { path + ".new" }

  /// Replaces the contents of a file: at any time it has either the old ones or the new ones.
  static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let beside = draft(of: path)
    let descriptor = try openDraft(of: path)
    // The lock ends with it.
    defer { close(descriptor) }
    do throws(SystemError) {
      guard ftruncate(descriptor, 0) == 0 else { throw SystemError("write \(path)") }
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

  /// Opens the draft of a file for the one process that writes it: another one waits until the draft has the file's name.
  private static func openDraft(of path: String) throws(SystemError) -> Int32 {
    let draft = draft(of: path)
    while true {
      let descriptor = open(draft, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw SystemError("write \(path)") }
      // Where a file system has no locks, nobody waits.
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      var (opened, named) = (stat(), stat())
      if fstat(descriptor, &opened) == 0, stat(draft, &named) == 0,
        opened.st_dev == named.st_dev, opened.st_ino == named.st_ino
      {
        return descriptor
      }
      close(descriptor)
    }
  }

  /// Removes a file, if it is there.
  static func remove(_ path: String) throws(SystemError) {
    if unlink(path) != 0, errno != ENOENT { throw SystemError("remove \(path)") }
    try syncFolder(of: path)
  }

  /// Forces the written bytes of a file to the disk (`fsync`); a pipe or a device, which has no disk, is left alone.
  static func sync(_ descriptor: Int32, _ title: String) throws(SystemError) {
    while fsync(descriptor) != 0 {
      if errno == EINVAL || errno == ENOTSUP || errno == EROFS { return }
      if errno != EINTR { throw SystemError("write \(title)") }
    }
  }

  /// Forces the names in a file's folder to the disk.
  static func syncFolder(of path: String) throws(SystemError) {
    let folder = PathTarget.folder(of: path)
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder may be writable but not readable.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    try sync(descriptor, path)
  }
}
