import StreamMap

extension MappingFile {
  /// One mistake, in a mapping file or in one that it uses.
  public struct Mistake: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The file, as its path was given or put together.
    public let file: String
    /// The line, from 1 up.
    public let line: Int
    /// The column in characters (Unicode scalars), from 1 up.
    public let column: Int
    /// The keys and the numbers in lists, from 0 up, that lead there, as in `["record", "price", "type"]`; empty for what
    /// concerns the whole file, or a file that is neither YAML nor JSON.
    public let keys: [String]
    /// What is wrong, and what would be right.
    public let message: String
    /// The name that a misspelt one was probably meant to be.
    public let suggestion: String?
    /// What else helps, such as the keys that can be there.
    public let note: String?
    /// The line of the file, shortened where it is long, and below it a line with a caret at the place; nil if the text
    /// is not known.
    public let excerpt: String?

    /// In one line, as in `tweets.map.yaml:3:5: error: unknown key 'tpye' in field 'id'; did you mean 'type'?`.
    public var description: String { line(naming: file) }

    /// In one line, with another name for the file.
    private func line(naming file: String) -> String {
      let hint = suggestion.map { Suggestion.hint($0) } ?? ""
      return "\(file):\(line):\(column): error: \(message)\(hint)"
    }

    /// In several lines, with the place and the note, and with another name for the file.
    package func text(naming file: String) -> String {
      let note = note.map { "\(file):\(line):\(column): note: \($0)" }
      return [line(naming: file), excerpt, note].compactMap(\.self).joined(separator: "\n")
    }
  }

  /// What is wrong with a mapping file and those that it uses: all of it, found before any feed is read.
  ///
  /// ```swift
  /// do {
  ///   _ = try MappingFile(yaml: "streammap: 1\nrecord: { id: { from: id, tpye: int64 } }")
  /// } catch {
  ///   for mistake in error.mistakes { print(mistake) }
  ///   // mapping.yaml:2:27: error: unknown key 'tpye' in field 'id'; did you mean 'type'?
  /// }
  /// ```
  public struct Mistakes: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The file that was read first.
    public let file: String
    /// All mistakes: file by file, in the order of their places.
    public let mistakes: [Mistake]
    /// Whether the file could not be read: the one mistake says why.
    public let isUnreadable: Bool

    init(_ file: String, _ mistakes: [Mistake], isUnreadable: Bool = false) {
      self.file = file
      self.mistakes = mistakes
      self.isUnreadable = isUnreadable
    }

    /// All mistakes, one a line.
    public var description: String { mistakes.map(\.description).joined(separator: "\n") }
  }
}
