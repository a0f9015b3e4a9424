/// One mistake in a mapping file.
struct FileMistake: Hashable {
  let mark: FileMark
  let message: String
}

/// The mistakes of a mapping file, collected so that they are reported all at once.
final class FileMistakes {
  private var mistakes: Set<FileMistake> = []

  var isEmpty: Bool { mistakes.isEmpty }

  func add(_ mark: FileMark, _ message: String) {
    mistakes.insert(FileMistake(mark: mark, message: message))
  }

  /// In the order of the file, one a line, as in `tweets.map.yaml:3:5: unknown key 'tpye'`.
  func text(file: String) -> String {
    let lines = mistakes.sorted { ($0.mark, $0.message) < ($1.mark, $1.message) }
      .map { "\(file):\($0.mark.line):\($0.mark.column): \($0.message)\n" }
    let count = lines.count == 1 ? "1 mistake" : "\(lines.count) mistakes"
    return lines.joined() + "stream-map: \(count) in \(file)\n"
  }
}
