/// The mistakes of a mapping file, and of those that it uses, collected so that they are reported all at once.
final class FileMistakes {
  private struct Mistake: Hashable {
    let mark: FileMark
    let message: String
    let suggestion: String?
  }

  private final class Collection {
    /// In the order in which they were opened.
    var files: [String] = []
    var mistakes: [String: Set<Mistake>] = [:]
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

  func add(_ mark: FileMark, _ message: String, suggestion: String? = nil) {
    all.mistakes[file, default: []].insert(
      Mistake(mark: mark, message: message, suggestion: suggestion))
  }

  /// All of them, in the order of the files.
  var found: MappingFile.Mistakes {
    var mistakes: [MappingFile.Mistake] = []
    for file in all.files {
      let sorted = (all.mistakes[file] ?? []).sorted {
        ($0.mark, $0.message) < ($1.mark, $1.message)
      }
      mistakes += sorted.map { mistake in
        MappingFile.Mistake(
          file: file, line: mistake.mark.line, column: mistake.mark.column,
          keys: mistake.mark.keys, message: mistake.message, suggestion: mistake.suggestion)
      }
    }
    return MappingFile.Mistakes(all.files[0], mistakes)
  }
}
