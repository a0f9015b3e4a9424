import Foundation

/// What a path leads to, links followed.
enum PathTarget: Equatable {
  /// What the process was started with: standard input and output, `/dev/stderr`, `/dev/fd/3`.
  ///
  /// It is used as it is. Opened again by its path, a file behind it would be emptied, and written from its start.
  case descriptor(Int32)
  /// A file by its last name, which is no link; it may not be there.
  case file(String)

  /// As many links in a row as the system follows.
  private static let mostLinks = 40

  /// What is read from a path: `-` is standard input.
  static func reading(_ path: String) -> PathTarget { following(path, dash: STDIN_FILENO) }

  /// What is written to a path: `-` is standard output.
  static func writing(_ path: String) -> PathTarget { following(path, dash: STDOUT_FILENO) }

  /// Links are followed one by one: the last may lead to a descriptor, or to what is not there yet.
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

  /// With its last slash; empty for the current one.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}
