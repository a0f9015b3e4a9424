import StreamMap
import StreamMapPlatform

/// The file to which a path leads, to recognise two names of one file.
struct FileIdentity {
  private let target: PathTarget
  /// The file's status; nil if there is no file.
  private let status: stat?
  /// The path of a file without links; nil if its folder does not exist.
  private let path: String?

  init(_ target: PathTarget) {
    self.target = target
    var status = stat()
    switch target {
    case .descriptor(let number):
      self.status = fstat(number, &status) == 0 ? status : nil
      path = nil
    case .file(let name):
      self.status = stat(name, &status) == 0 ? status : nil
      let folder = PathTarget.folder(of: name)
      path = Self.resolved(folder.isEmpty ? "." : folder)
        .map { $0 + "/" + String(decoding: name.utf8.dropFirst(folder.utf8.count), as: UTF8.self) }
    }
  }

  private static func resolved(_ folder: String) -> String? {
    guard let path = realpath(folder, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  func isSame(as other: FileIdentity) -> Bool {
    if let status, let other = other.status, status.st_dev == other.st_dev,
      status.st_ino == other.st_ino
    {
      return true
    }
    return path != nil && path == other.path
  }

  var isStandardInput: Bool { target == .descriptor(STDIN_FILENO) }

  /// Whether the two are standard output and standard error: a caller who joins them wants them mixed.
  func isJoined(with other: FileIdentity) -> Bool {
    let streams = [PathTarget.descriptor(STDOUT_FILENO), .descriptor(STDERR_FILENO)]
    return target != other.target && streams.contains(target) && streams.contains(other.target)
  }

  /// A terminal, or `/dev/null`.
  var isDevice: Bool { kind == S_IFCHR }

  /// Whether it passes on what is written at one end to the other end.
  var isPipe: Bool { kind == S_IFIFO }

  /// Whether reading it takes what was written to it: this is not so for a socket or a terminal, which have two directions.
  var givesBackWhatIsWritten: Bool { kind == S_IFREG || isPipe }

  /// The noun in messages.
  var noun: String { kind == S_IFREG ? "file" : isPipe ? "pipe" : "stream" }

  /// The kind; a file that does not exist yet becomes a regular file.
  private var kind: mode_t { status.map { $0.st_mode & S_IFMT } ?? S_IFREG }
}
