import StreamMap
import StreamMapPlatform

/// The target of a path, after following links.
enum PathTarget: Equatable {
  /// A descriptor that the process was started with: standard input and output, `/dev/stderr`, `/dev/fd/3`.
  ///
  /// It is used directly. Opening it again by its path would empty a file, and write from the file's start.
  case descriptor(Int32)
  /// A file by its last name, which is not a link; the file may not exist.
  case file(String)

  /// The number of links in a row that the system follows.
  private static let mostLinks = 40

  /// The target for reading a path: `-` is standard input.
  static func reading(_ path: String) -> PathTarget { following(path, dash: STDIN_FILENO) }

  /// The target for writing a path: `-` is standard output.
  static func writing(_ path: String) -> PathTarget { following(path, dash: STDOUT_FILENO) }

  /// Links are followed one by one: the last may lead to a descriptor, or to a file that does not exist yet.
  private static func following(_ path: String, dash: Int32) -> PathTarget {
    if path == "-" { return .descriptor(dash) }
    var path = path
    for _ in 0..<mostLinks {
      if let number = descriptor(path) { return .descriptor(number) }
      guard let target = link(at: path) else { break }
      path = target.hasPrefix("/") ? target : folder(of: path) + target
    }
    return .file(path)
  }

  private static func descriptor(_ path: String) -> Int32? {
    switch path {
    case "/dev/stdin": return STDIN_FILENO
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      let folders = ["/dev/fd/", "/proc/self/fd/"]
      guard let folder = folders.first(where: { path.hasPrefix($0) }),
        let number = Int32(path.dropFirst(folder.count)), number >= 0
      else { return nil }
      return number
    }
  }

  private static func link(at path: String) -> String? {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &text, text.count)
    return count > 0
      ? String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  /// The folder of a path, with its last slash; empty for the current folder.
  ///
  /// By bytes: a mark that joins the slash in Swift's eyes is a part of the name.
  static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
      String(decoding: path.utf8[...$0], as: UTF8.self)
    } ?? ""
  }
}
