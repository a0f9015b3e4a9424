import StreamMap

/// The mistakes of a mapping file, and of those that it uses, collected so that they are reported all at once.
final class FileMistakes {
  private struct Mistake: Hashable {
    let mark: FileMark
    let message: String
    let suggestion: String?
    let note: String?
  }

  /// The most characters of a message: more than any has that is about names of a usual length.
  private static let longestMessage = 2000

  private final class Collection {
    /// In the order in which they were opened.
    var files: [String] = []
    var mistakes: [ExactText: Set<Mistake>] = [:]
    var texts: [ExactText: String] = [:]
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

  /// Notes what is in the file, so that mistakes can be shown there; of what was not meant to be a mapping file nothing is shown.
  func note(text: String) {
    if Self.mentionsVersion(text) { all.texts[ExactText(file)] = text }
  }

  // PERF: over bytes, since a mapping file may be long.
  private static func mentionsVersion(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      let key = "streammap".utf8
      return bytes.indices.dropLast(key.count - 1).contains {
        bytes[$0] == UInt8(ascii: "s") && bytes[$0..<$0 + key.count].elementsEqual(key)
      }
    }
  }

  /// Whether lines of the file may be shown.
  var showsText: Bool { all.texts[ExactText(file)] != nil }

  /// Adds a mistake.
  ///
  /// Whatever of the file is in its words, they are bounded, and a terminal takes nothing of them for commands.
  /// Adds a mistake that ends with what was meant, if that is known: a name, or what to write instead.
  func add(_ mark: FileMark, _ message: String, meant: OtherWords.Meaning?) {
    switch meant {
    case .name(let name): add(mark, message, suggestion: name)
    case .advice(let advice): add(mark, "\(message): \(advice)")
    case .nothing, nil: add(mark, message)
    }
  }

  func add(_ mark: FileMark, _ message: String, suggestion: String? = nil, note: String? = nil) {
    func shown(_ text: String) -> String { ShownText.excerpt(text, Self.longestMessage) }
    all.mistakes[ExactText(file), default: []].insert(
      Mistake(
        mark: mark, message: shown(message), suggestion: suggestion.map(shown),
        note: note.map(shown)))
  }

  /// All of them, in the order of the files.
  var found: MappingFile.Mistakes {
    var mistakes: [MappingFile.Mistake] = []
    for file in all.files {
      let sorted = (all.mistakes[ExactText(file)] ?? []).sorted {
        ($0.mark, ExactText($0.message)) < ($1.mark, ExactText($1.message))
      }
      var excerpts = all.texts[ExactText(file)].map { SourceExcerpts(of: $0) }
      mistakes += sorted.map { mistake in
        let (line, column) = (mistake.mark.line, mistake.mark.column)
        return MappingFile.Mistake(
          file: file, line: line, column: column, keys: mistake.mark.keys,
          message: mistake.message, suggestion: mistake.suggestion, note: mistake.note,
          excerpt: excerpts?.excerpt(line: line, column: column))
      }
    }
    return MappingFile.Mistakes(all.files[0], mistakes)
  }
}
