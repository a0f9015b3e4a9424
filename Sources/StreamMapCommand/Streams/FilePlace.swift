import StreamMapPlatform

/// A place for a file that the command writes.
///
/// Everything that the command opens for writing, gives a name, or removes, it does here: `scripts/check writing` finds what is elsewhere.
struct FilePlace {
  /// The folders that names of values lead to; nil if the path is a plain one.
  private let tree: FolderTree?
  /// Counted from the tree's root, where there is a tree.
  private let path: String
  /// What messages call it: they must not show a path with values that are hidden.
  let title: String
  /// What they call the file that it is to become.
  private let wholeTitle: String

  /// A plain path: the links among its folders are followed.
  init(_ path: String) {
    self.init(path, below: nil, title: path)
  }

  /// A path below a folder: no link among its own folders is followed.
  init(_ path: String, below tree: FolderTree?, title: String) {
    self.init(path, below: tree, title: title, of: title)
  }

  private init(_ path: String, below tree: FolderTree?, title: String, of wholeTitle: String) {
    self.tree = tree
    self.path = path
    self.title = title
    self.wholeTitle = wholeTitle
  }

  /// The place of another file in the same folder.
  func adding(_ ending: String) -> FilePlace {
    FilePlace(path + ending, below: tree, title: title + ending, of: wholeTitle)
  }

  /// The folder's descriptor and the name in it.
  private var name: (folder: Int32, name: String) {
    get throws(SystemError) {
      guard let tree else { return (AT_FDCWD, path) }
      return try tree.place(of: path, wholeTitle)
    }
  }

  // MARK: Status

  /// Identifies a file, whatever its name.
  struct Identity: Hashable {
    let device: dev_t
    let number: ino_t

    init(_ status: stat) {
      device = status.st_dev
      number = status.st_ino
    }

    /// The open file's.
    init(_ descriptor: Int32) {
      var status = stat()
      fstat(descriptor, &status)
      self.init(status)
    }
  }

  /// The file with the name, links not followed; nil if nothing has it.
  private func status() throws(SystemError) -> stat? {
    let (folder, name) = try name
    var status = stat()
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// The file that has the name now; nil if none has.
  func identity() throws(SystemError) -> Identity? { try status().map { Identity($0) } }

  // MARK: Opening

  /// How many times other runs may take the name while it is taken here.
  private static let mostTries = 100

  /// Makes a file that was not there, and locks it: nothing that another program put there is written through.
  ///
  /// A file that an ended run left there is removed; links and other things stay, and are an error.
  ///
  /// - Parameters:
  ///   - title: What messages call the file that it is to become.
  ///   - waits: Whether another run that writes it is waited for; else that is an error.
  /// - Returns: The open file.
  /// - Throws: ``SystemError``.
  func makeDraft(_ title: String, waits: Bool = false) throws(SystemError) -> Int32 {
    for _ in 0..<Self.mostTries {
      let (folder, name) = try name
      let descriptor = openat(
        folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        guard Self.lock(descriptor, waits: waits) else {
          close(descriptor)
          throw SystemError("write \(self.title)", "another run is writing it")
        }
        if try identity() == Identity(descriptor) { return descriptor }
        // Another run took it for what an ended one left, before it was locked.
        close(descriptor)
        continue
      }
      guard errno == EEXIST else { throw SystemError("write \(title)") }
      try removeDraft(title, waits: waits)
    }
    throw SystemError("write \(title)", "other runs write it again and again")
  }

  /// Removes what a run that has ended left.
  private func removeDraft(_ title: String, waits: Bool) throws(SystemError) {
    guard let status = try status() else { return }
    try check(status)
    let (folder, name) = try name
    let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    var descriptor = openat(folder, name, O_RDONLY | flags)
    if descriptor < 0, errno == EACCES { descriptor = openat(folder, name, O_WRONLY | flags) }
    if descriptor < 0, errno == ENOENT { return }
    guard descriptor >= 0 else { throw SystemError("write \(title)") }
    // The lock ends with it.
    defer { close(descriptor) }
    guard Self.lock(descriptor, waits: waits) else {
      throw SystemError("write \(self.title)", "another run is writing it")
    }
    // It may have got its final name by now: then it is not the intended one.
    guard try identity() == Identity(descriptor) else { return }
    if unlinkat(folder, name, 0) != 0, errno != ENOENT { throw SystemError("write \(title)") }
  }

  /// Opens the draft of an earlier run as it was left, and locks it: two runs that continue one file would destroy it.
  func openDraft(_ title: String) throws(SystemError) -> Int32 {
    let (folder, name) = try name
    let descriptor = openat(
      folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let error = SystemError("write \(title)")
      if let status = try status() { try check(status) }
      throw error
    }
    do throws(SystemError) {
      var status = stat()
      if fstat(descriptor, &status) == 0 { try check(status) }
      try lockOrRefuse(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Opens the draft again that this run made, to continue at its end.
  func reopenDraft(_ identity: Identity, _ title: String) throws(SystemError) -> Int32 {
    let (folder, name) = try name
    let descriptor = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0, lseek(descriptor, 0, SEEK_END) >= 0 else {
      throw SystemError("write \(title)")
    }
    guard Identity(descriptor) == identity else {
      close(descriptor)
      throw SystemError("write \(title)", "another run has written it since")
    }
    return descriptor
  }

  /// Opens what has the name, or makes it: links are followed, devices and pipes stay what they are.
  ///
  /// - Parameter isKept: Whether it stays as it was left, and is locked against other runs.
  /// - Returns: The open file.
  /// - Throws: ``SystemError``.
  func openInPlace(isKept: Bool) throws(SystemError) -> Int32 {
    let flags = isKept ? O_RDWR : O_WRONLY | O_TRUNC
    let descriptor = open(path, flags | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SystemError("write \(title)") }
    do throws(SystemError) {
      if isKept { try lockOrRefuse(descriptor) }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Locks an open file; false if another process has it.
  ///
  /// Where a file system has no locks, nothing is locked.
  private static func lock(_ descriptor: Int32, waits: Bool = false) -> Bool {
    while flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      if errno != EINTR { return true }
    }
    return true
  }

  private func lockOrRefuse(_ descriptor: Int32) throws(SystemError) {
    guard Self.lock(descriptor) else {
      throw SystemError("write \(title)", "another run is writing it")
    }
    // The file may have got its final name between opening and locking: then it is not the intended one.
    var named = stat()
    let (folder, name) = try name
    guard fstatat(folder, name, &named, 0) == 0, Identity(named) == Identity(descriptor) else {
      throw SystemError("write \(title)", "another run has just written it")
    }
  }

  /// Refuses anything but a regular file.
  private func check(_ status: stat) throws(SystemError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFLNK: throw SystemError("write \(title)", "it is a link, which is not followed")
    default: throw SystemError("write \(title)", "it is not a regular file")
    }
  }

  // MARK: Names

  /// The rights of the file that has the name; nil if there is no regular file.
  func rights() throws(SystemError) -> mode_t? {
    guard let status = try status(), status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status.st_mode & 0o7777
  }

  /// Gives the name to a file that is complete: what had the name before is replaced, if it is a regular file or a link.
  ///
  /// - Parameters:
  ///   - draft: Where the file is, in the same folder.
  ///   - identity: What it has to be.
  /// - Throws: ``SystemError``.
  func take(_ draft: FilePlace, _ identity: Identity) throws(SystemError) {
    guard try draft.identity() == identity else {
      throw SystemError("write \(title)", "another program has removed or replaced \(draft.title)")
    }
    if let status = try status(), ![S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) {
      throw SystemError("write \(title)", "it is not a regular file")
    }
    let (folder, name) = try name
    let (draftFolder, draftName) = try draft.name
    if renameat(draftFolder, draftName, folder, name) != 0 { throw SystemError("write \(title)") }
  }

  /// Removes the file, if it is there.
  func remove() throws(SystemError) {
    let (folder, name) = try name
    if unlinkat(folder, name, 0) != 0, errno != ENOENT { throw SystemError("remove \(title)") }
  }

  // MARK: The disk

  /// Identifies its folder among others of the same tree.
  var folderKey: [UInt8] { Array(PathTarget.folder(of: path).utf8) }

  /// Forces the names in the file's folder to the disk.
  func syncFolder() throws(SystemError) {
    let folder = tree == nil ? PathTarget.folder(of: path) : ""
    let descriptor = openat(
      try name.folder, folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder may be writable but not readable.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    try Self.sync(descriptor, title)
  }

  /// Forces the written bytes of a file to the disk (`fsync`); a pipe or a device, which has no disk, is left alone.
  static func sync(_ descriptor: Int32, _ title: String) throws(SystemError) {
    while fsync(descriptor) != 0 {
      if errno == EINVAL || errno == ENOTSUP || errno == EROFS { return }
      if errno != EINTR { throw SystemError("write \(title)") }
    }
  }
}
