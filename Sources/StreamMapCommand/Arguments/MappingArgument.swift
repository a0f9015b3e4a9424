import StreamMap
import StreamMapFiles

/// The mapping file that the command is given.
struct MappingArgument {
  let file: MappingFile
  /// The digest of the file and of the files that it uses.
  let digest: Digest

  /// Reads a file of one mapping, from standard input for `-`; its mistakes go to standard error, all at once.
  ///
  /// - Parameters:
  ///   - path: The file's.
  ///   - arguments: The texts of its arguments; nil if it is not run.
  /// - Throws: ``ExitStatus``.
  init(_ path: String, _ arguments: [ExactText: String]?) throws {
    let bytes = try FileReading.contents(of: path)
    do throws(MappingFile.Mistakes) {
      let file = try MappingFile(bytes, named: path, arguments: arguments, reading: Self.read)
      self.init(file, arguments)
    } catch {
      Self.tell(error)
      throw ExitStatus.mapping
    }
  }

  /// Reads a file of one mapping or of several, from standard input for `-`; its mistakes go to standard error, all at once.
  ///
  /// - Parameters:
  ///   - path: The file's.
  ///   - arguments: The texts of its arguments; nil if it is not run.
  ///   - isAlone: Whether all of them have to be the file's own. Else others may be for other files.
  ///   - check: Finds what else is wrong with a mapping.
  /// - Returns: The mappings, in the order of the file.
  /// - Throws: `ValidationError`, ``ExitStatus``.
  static func all(
    _ path: String, _ arguments: [ExactText: String]?, isAlone: Bool = true,
    checking check: @escaping (MappingFile) -> [FieldProblem] = { _ in [] }
  ) throws -> [MappingArgument] {
    let bytes = try FileReading.contents(of: path)
    let files: [MappingFile]
    do throws(MappingFile.Mistakes) {
      files = try MappingFile.all(
        bytes, named: path, arguments: arguments, isAlone: isAlone, checking: check,
        reading: read)
    } catch {
      tell(error)
      throw ExitStatus.mapping
    }
    if isAlone { try SetArgument.check(arguments ?? [:], files) }
    return files.map { MappingArgument($0, arguments) }
  }

  private init(_ file: MappingFile, _ arguments: [ExactText: String]?) {
    self.file = file
    let names = file.arguments.map { ExactText($0) }
    var digest = Digest()
    digest.add(file.digest)
    // It stands in checkpoints, and an argument may be a secret.
    for (name, text) in (arguments ?? [:]).sorted(by: { $0.key < $1.key })
    where names.contains(name) {
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
