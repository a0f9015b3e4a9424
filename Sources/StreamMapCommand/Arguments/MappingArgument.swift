import StreamMap
import StreamMapFiles

/// The mapping file that the command is given.
struct MappingArgument {
  let file: MappingFile
  /// The digest of the file and of the files that it uses.
  let digest: Digest

  /// Reads it, from standard input for `-`; its mistakes go to standard error, all at once.
  ///
  /// - Parameters:
  ///   - path: The file's.
  ///   - arguments: The texts of its arguments; nil if it is not run.
  ///   - isAlone: Whether all of them have to be its own. Else others may be for other mappings.
  ///   - check: Finds what else is wrong with it.
  /// - Throws: ``ExitStatus``.
  init(
    _ path: String, _ arguments: [ExactText: String]?, isAlone: Bool = true,
    checking check: @escaping (MappingFile) -> [FieldProblem] = { _ in [] }
  ) throws {
    let bytes = try FileReading.contents(of: path)
    var arguments = arguments
    do throws(MappingFile.Mistakes) {
      if !isAlone, let all = arguments, !all.isEmpty {
        let names = try MappingFile(bytes, named: path, arguments: nil, reading: Self.read)
          .arguments.map { ExactText($0) }
        arguments = all.filter { names.contains($0.key) }
      }
      file = try MappingFile(
        bytes, named: path, arguments: arguments, checking: check, reading: Self.read)
    } catch {
      Self.tell(error)
      throw ExitStatus.mapping
    }
    var digest = Digest()
    digest.add(file.digest)
    // It stands in checkpoints, and an argument may be a secret.
    for (name, text) in (arguments ?? [:]).sorted(by: { $0.key < $1.key }) {
      digest.add(name.text)
      digest.add(SecureHash.sha256.digits(of: Array(text.utf8)))
    }
    self.digest = digest
  }

  private static func read(_ name: String, upTo most: Int) throws(UnreadableFile) -> [UInt8] {
    do throws(SystemError) {
      return try FileReading.bytes(of: name, upTo: most)
    } catch {
      throw UnreadableFile("\(error)")
    }
  }

  private static func tell(_ found: MappingFile.Mistakes) {
    for mistake in found.mistakes {
      StandardError.write(
        named(in: mistake.text(naming: FileReading.title(of: mistake.file))),
        colour: { StandardError.hasColours ? coloured($0) : $0 })
    }
    let count = found.mistakes.count == 1 ? "1 mistake" : "\(found.mistakes.count) mistakes"
    StandardError.write("stream-map: \(count) in \(FileReading.title(of: found.file))")
  }

  /// A mistake of the library, with the command's option instead of the parameter.
  private static func named(in text: String) -> String {
    text.replacing("give it in 'arguments'", with: "give it by --set")
  }

  /// The text of a mistake with its word `error` red and its caret green (ECMA-48, SGR).
  private static func coloured(_ text: String) -> String {
    var text = text
    if let word = text.firstRange(of: " error: ") {
      text.replaceSubrange(word, with: " \u{1B}[1;31merror:\u{1B}[0m ")
    }
    if text.hasSuffix(" ^") {
      text.replaceSubrange(text.index(before: text.endIndex)..., with: "\u{1B}[1;32m^\u{1B}[0m")
    }
    return text
  }
}
