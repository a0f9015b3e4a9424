import Foundation
import StreamMap

/// Loads mapping files, and writes their mistakes to standard error, all at once.
enum MappingFileLoader {
  /// The file and its compiled form.
  static func load(_ path: String) throws -> (MappingFile, OutputConverter) {
    let mistakes = FileMistakes(file: path)
    if let file = read(try FileReading.contents(of: path), mistakes) {
      return file
    }
    StandardError.write(mistakes.text, terminator: "")
    throw ExitStatus.mapping
  }

  private static func read(
    _ bytes: [UInt8], _ mistakes: FileMistakes
  ) -> (MappingFile, OutputConverter)? {
    guard let root = root(bytes, mistakes) else { return nil }
    let used = UsedFiles(in: mistakes.file)
    var file = MappingFileReader(mistakes, used).file(root)
    file.digest.add(bytes)
    file.digest.add(used.digest.text)
    guard mistakes.isEmpty else { return nil }
    do throws(DefinitionError) {
      return (file, try file.converter())
    } catch {
      for mistake in error.mistakes {
        mistakes.add(mark(of: mistake.place, mistake.reason, in: root), "\(mistake)")
      }
      return nil
    }
  }

  /// A file's root; nil after a mistake that leaves nothing to look at.
  static func root(_ bytes: [UInt8], _ mistakes: FileMistakes) -> LocatedNode? {
    guard var text = String(validating: bytes, as: UTF8.self) else {
      mistakes.add(.start, "not UTF-8")
      return nil
    }
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    do throws(DefinitionError) {
      return try root(text, mistakes)
    } catch {
      mistakes.add(.start, "\(error)")
      return nil
    }
  }

  /// By the file's name; if that says nothing, what is JSON is read as JSON.
  private static func root(_ text: String, _ mistakes: FileMistakes) throws(DefinitionError)
    -> LocatedNode?
  {
    switch URL(fileURLWithPath: mistakes.file).pathExtension.lowercased() {
    case "json": return try JSONNodes.read(text, mistakes)
    case "yaml", "yml": return YAMLNodes.read(text, mistakes)
    default:
      let unheard = FileMistakes(file: mistakes.file)
      return try JSONNodes.read(text, unheard) ?? YAMLNodes.read(text, mistakes)
    }
  }

  /// The place of what the compiler found: that it found it means that the file alone does not show
  /// it.
  private static func mark(of place: String, _ mistake: String, in root: LocatedNode) -> FileMark {
    let isContext = place == "records" && mistake.hasPrefix("the context value")
    let keys = isContext ? ["context"] : place == "records" ? ["input", "records"] : ["record"]
    var node = root
    for key in keys {
      guard case .map(let entries) = node.content,
        let entry = entries.first(where: { $0.key == key })
      else {
        break
      }
      node = entry.value
    }
    return node.mark
  }
}
