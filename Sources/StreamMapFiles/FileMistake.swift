/// One mistake in a mapping file.
struct FileMistake: Hashable {
  let mark: FileMark
  let message: String
}

/// The mistakes of a mapping file, and of those that it uses, collected so that they are reported all at once.
final class FileMistakes {
  private final class Collection {
    /// In the order in which they were opened.
    var files: [String] = []
    var mistakes: [String: Set<FileMistake>] = [:]
  }

  /// The file that the mistakes are in.
  let file: String
  private let all: Collection

  init(file: String) {
    self.file = file
    all = Collection()
    all.files.append(file)
  }

  /// Those of another file that this one uses.
  init(file: String, usedIn other: FileMistakes) {
    self.file = file
    all = other.all
    if !all.files.contains(file) { all.files.append(file) }
  }

  /// Whether there are none in any of the files.
  var isEmpty: Bool { all.mistakes.isEmpty }

  func add(_ mark: FileMark, _ message: String) {
    all.mistakes[file, default: []].insert(FileMistake(mark: mark, message: message))
  }

  /// In the order of the files, one a line, as in `tweets.map.yaml:3:5: unknown key 'tpye'`.
  var text: String {
    var lines: [String] = []
    for file in all.files {
      lines += (all.mistakes[file] ?? []).sorted { ($0.mark, $0.message) < ($1.mark, $1.message) }
        .map { "\(file):\($0.mark.line):\($0.mark.column): \($0.message)\n" }
    }
    let count = lines.count == 1 ? "1 mistake" : "\(lines.count) mistakes"
    return lines.joined() + "stream-map: \(count) in \(all.files[0])\n"
  }
}
