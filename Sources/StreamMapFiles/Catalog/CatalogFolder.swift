import StreamMap
import StreamMapPlatform

/// The folder of a catalog: what lies in it, and nothing else.
struct CatalogFolder {
  /// A mapping file, by its path from the folder on.
  struct Member {
    let name: String
    let path: String
  }

  /// What is wrong with something in the folder.
  struct Problem: Hashable {
    let path: String
    let reason: String
  }

  /// What lies in the folder.
  struct Listing {
    var members: [Member] = []
    var problems: [Problem] = []
    /// The folders that could not be looked into.
    var unreadable: [String] = []
  }

  private static let endings = [".map.yaml", ".map.yml", ".map.json"]
  /// The most mapping files, and the most folders inside each other: a folder with more was not meant to be a catalog.
  private static let mostMembers = 10_000
  private static let mostDepth = 32

  /// The path as it was given, without a slash at its end.
  let path: String
  /// The path without links.
  let realPath: String

  /// - Throws: ``UnreadableFile`` if there is no such folder.
  init(_ path: String) throws(UnreadableFile) {
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    realPath = try Self.realPath(path)
  }

  /// The path of something in the folder.
  func path(of member: String) -> String { path == "/" ? "/" + member : "\(path)/\(member)" }

  // MARK: Looking

  /// The mapping files in the folder and in those inside it; hidden ones are left out.
  ///
  /// - Throws: ``UnreadableFile`` if the folder itself cannot be looked into.
  func listing() throws(UnreadableFile) -> Listing {
    var listing = Listing()
    guard look(into: "", depth: 0, &listing) else {
      throw UnreadableFile(listing.problems.last?.reason ?? "cannot open \(path)")
    }
    return listing
  }

  /// Looks into a folder by its path from the folder on, with a slash at its end; false if that cannot be.
  private func look(into folder: String, depth: Int, _ listing: inout Listing) -> Bool {
    let opened = path(of: folder)
    guard depth < Self.mostDepth, let directory = opendir(opened) else {
      let reason = depth < Self.mostDepth ? Self.reason() : "too many folders inside each other"
      listing.problems.append(Problem(path: folder, reason: "cannot open \(opened): \(reason)"))
      listing.unreadable.append(folder)
      return false
    }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let bytes = Self.name(of: entry)
      if bytes.first == UInt8(ascii: ".") { continue }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        // Shown with what stands for the bytes that are none.
        let shown = folder + String(decoding: bytes, as: UTF8.self)
        listing.problems.append(Problem(path: shown, reason: "the name is not UTF-8"))
        continue
      }
      note(name, in: folder, depth: depth, &listing)
    }
    return true
  }

  private func note(_ name: String, in folder: String, depth: Int, _ listing: inout Listing) {
    let member = folder + name
    var status = stat()
    guard lstat(path(of: member), &status) == 0 else { return }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    // A link that leads nowhere is said where the file is read.
    if isLink { _ = stat(path(of: member), &status) }
    if status.st_mode & S_IFMT == S_IFDIR {
      if isLink {
        let reason = "a link to a folder is not followed"
        listing.problems.append(Problem(path: member, reason: reason))
      } else {
        _ = look(into: member + "/", depth: depth + 1, &listing)
      }
      return
    }
    guard
      let ending = Self.endings.first(where: {
        name.utf8.count > $0.utf8.count && name.hasSuffix($0)
      })
    else { return }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      let shown = String(member.map { $0.unicodeScalars.contains { $0.value < 0x20 } ? "?" : $0 })
      listing.problems.append(Problem(path: shown, reason: "the name has a control character"))
    } else if listing.members.count == Self.mostMembers {
      let reason = "a catalog has at most \(Self.mostMembers) mapping files"
      listing.problems.append(Problem(path: member, reason: reason))
    } else {
      listing.members.append(Member(name: String(member.dropLast(ending.count)), path: member))
    }
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    // PERF: and safe: an entry has only as many bytes as its name takes, so it is not copied whole.
    guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { return [] }
    let start = UnsafeRawPointer(entry) + offset
    return Array(
      UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self)))
    )
  }

  // MARK: Reading

  /// Reads a file that lies in the folder, wherever links lead on the way.
  ///
  /// - Throws: ``UnreadableFile``, also if it lies outside the folder.
  func bytes(of file: String, upTo most: Int) throws(UnreadableFile) -> (
    bytes: [UInt8], stamp: FileStamp
  ) {
    let target = try Self.realPath(file)
    let start = realPath == "/" ? "/" : realPath + "/"
    guard target.hasPrefix(start) else {
      throw UnreadableFile("cannot open \(file): it lies outside the catalog's folder")
    }
    let descriptor = try open(target.dropFirst(start.count), of: file)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.unreadable("read", file) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw UnreadableFile("cannot read \(file): not a file")
    }
    let stamp = FileStamp(status)
    guard Int(status.st_size) <= most else {
      throw UnreadableFile("cannot read \(file): File too large")
    }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = StreamMapPlatform.read(descriptor, &room, room.count)
      if count == 0 { return (bytes, stamp) }
      if count < 0, errno != EINTR { throw Self.unreadable("read", file) }
      bytes += room[..<max(count, 0)]
      if bytes.count > most { throw UnreadableFile("cannot read \(file): File too large") }
    }
  }

  /// Opens what has no links on its way; a link that was put there meanwhile is not followed.
  private func open(_ target: Substring, of file: String) throws(UnreadableFile) -> Int32 {
    var descriptor = StreamMapPlatform.open(realPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let steps = target.split(separator: "/")
    for (index, step) in steps.enumerated() where descriptor >= 0 {
      let kind = index == steps.count - 1 ? O_NONBLOCK : O_DIRECTORY
      let next = openat(descriptor, String(step), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind)
      let code = errno
      close(descriptor)
      errno = code
      descriptor = next
    }
    guard descriptor >= 0 else { throw Self.unreadable("open", file) }
    return descriptor
  }

  private static func realPath(_ path: String) throws(UnreadableFile) -> String {
    // Whatever comes after it would be left out without a word.
    guard !path.utf8.contains(0) else {
      throw UnreadableFile("cannot open a file whose path has U+0000 in it")
    }
    guard let found = realpath(path, nil) else { throw unreadable("open", path) }
    defer { free(found) }
    return String(cString: found)
  }

  private static func unreadable(_ verb: String, _ file: String) -> UnreadableFile {
    UnreadableFile("cannot \(verb) \(file): \(reason())")
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
