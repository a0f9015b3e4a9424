import StreamMapPlatform

/// The folders below one that is given, which values in records name.
///
/// They are opened step by step, from one open folder to the next, and no link is followed. So neither a value nor
/// another user of these folders can lead files out of them.
final class FolderTree {
  #if os(Linux)
  /// `O_PATH`, which the system's header has for GNU programs only: a folder need not be readable.
  private static let forNames: Int32 = 0o10_000_000 | O_DIRECTORY | O_CLOEXEC
  #else
  private static let forNames = O_RDONLY | O_DIRECTORY | O_CLOEXEC
  #endif

  /// As it is given, with its last slash; empty for the current folder.
  private let root: String
  private var rootDescriptor: Int32 = -1
  /// The folder that was used last: many files of a feed are in one.
  private var last: (path: String, descriptor: Int32) = ("", -1)

  /// A tree below a folder, whose links are followed; it is made with the first file.
  init(_ root: String) {
    self.root = root
  }

  deinit {
    if last.descriptor >= 0 { close(last.descriptor) }
    if rootDescriptor >= 0 { close(rootDescriptor) }
  }

  /// The folder of a path, which is made where it is not there, and the name in it.
  ///
  /// The descriptor is valid until the next call.
  ///
  /// - Parameters:
  ///   - path: Below the root.
  ///   - title: What messages call it.
  /// - Returns: The folder's descriptor, and the name.
  /// - Throws: ``SystemError``.
  func place(of path: String, _ title: String) throws(SystemError) -> (folder: Int32, name: String)
  {
    let folder = PathTarget.folder(of: path)
    let name = String(decoding: path.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
    return (try descriptor(of: folder, title), name)
  }

  private func descriptor(of folder: String, _ title: String) throws(SystemError) -> Int32 {
    if rootDescriptor < 0 { rootDescriptor = try openRoot(title) }
    if folder.isEmpty { return rootDescriptor }
    if last.descriptor >= 0, last.path.utf8.elementsEqual(folder.utf8) { return last.descriptor }
    var descriptor = rootDescriptor
    for step in folder.split(separator: "/") {
      let next = Self.opened(String(step), in: descriptor)
      let error = next < 0 ? Self.refusal(of: String(step), in: descriptor, title) : nil
      if descriptor != rootDescriptor { close(descriptor) }
      if let error { throw error }
      descriptor = next
    }
    if last.descriptor >= 0 { close(last.descriptor) }
    last = (folder, descriptor)
    return descriptor
  }

  /// Opens a folder by its name, which is not a link, or makes it.
  private static func opened(_ name: String, in folder: Int32) -> Int32 {
    let found = openat(folder, name, forNames | O_NOFOLLOW)
    if found >= 0 || errno != ENOENT { return found }
    if mkdirat(folder, name, 0o777) != 0, errno != EEXIST { return -1 }
    return openat(folder, name, forNames | O_NOFOLLOW)
  }

  /// Why a folder could not be opened just now.
  private static func refusal(of name: String, in folder: Int32, _ title: String) -> SystemError {
    let code = errno
    var status = stat()
    if fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFLNK
    {
      return SystemError(
        "write \(title)", "one of its folders, which values name, is a link, which is not followed")
    }
    errno = code
    return SystemError("write \(title)")
  }

  private func openRoot(_ title: String) throws(SystemError) -> Int32 {
    var end = root.startIndex
    if root.first == "/" { end = root.index(after: end) }
    while let slash = root[end...].firstIndex(of: "/") {
      mkdir(String(root[..<slash]), 0o777)
      end = root.index(after: slash)
    }
    let descriptor = openat(AT_FDCWD, root.isEmpty ? "." : root, Self.forNames)
    guard descriptor >= 0 else { throw SystemError("write \(title)") }
    return descriptor
  }
}
