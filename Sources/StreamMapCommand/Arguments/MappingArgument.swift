import StreamMapFiles

/// The mapping file that the command is given.
struct MappingArgument {
  let file: MappingFile
  /// Of what the file and those that it uses say.
  let digest: Digest

  /// Reads it, from standard input for `-`; its mistakes go to standard error, all at once.
  ///
  /// - Throws: ``ExitStatus``.
  init(_ path: String) throws {
    let bytes = try FileReading.contents(of: path)
    var used = Digest()
    do throws(MappingFile.Mistakes) {
      file = try MappingFile(bytes, named: path) { name, most throws(UnreadableFile) in
        do throws(SystemError) {
          let bytes = try FileReading.bytes(of: name, upTo: most)
          used.add(name)
          used.add(bytes)
          return bytes
        } catch {
          throw UnreadableFile("\(error)")
        }
      }
    } catch {
      StandardError.write(Self.text(error))
      throw ExitStatus.mapping
    }
    var digest = Digest()
    digest.add(bytes)
    digest.add(used.text)
    self.digest = digest
  }

  private static func text(_ found: MappingFile.Mistakes) -> String {
    let lines = found.mistakes.map { $0.line(naming: FileReading.title(of: $0.file)) }
    let count = lines.count == 1 ? "1 mistake" : "\(lines.count) mistakes"
    return lines.joined(separator: "\n")
      + "\nstream-map: \(count) in \(FileReading.title(of: found.file))"
  }
}
