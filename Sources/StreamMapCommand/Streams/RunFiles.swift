import StreamMap
import StreamMapFiles
import StreamMapPlatform

/// The files of a run, compared before anything is written: a file that is written must not be any other file of the run.
struct RunFiles {
  /// The role of a file in the run, in the order in which messages name them.
  enum Role: String {
    case input
    case mapping = "mapping file"
    case used = "used file"
    case index
    case newIndex = "unfinished index"
    case output
    case partialOutput = "unfinished output"
    case rejects
    case checkpoint
    case newCheckpoint = "new checkpoint"
  }

  private struct File {
    let role: Role
    let path: String
    let identity: FileIdentity
    let isWritten: Bool

    var title: String {
      path == "-"
        ? "the \(role.rawValue) (standard \(isWritten ? "output" : "input"))"
        : "the \(role.rawValue) \(ShownText.of(path))"
    }
  }

  /// The inputs are separate: there may be very many, and they are not compared with each other.
  private var inputs: [File] = []
  private var others: [File] = []
  /// The paths of outputs that are several files.
  private var several: [(path: String, identity: FileIdentity)] = []
  /// What these have made.
  let taken = TakenFiles()

  mutating func read(_ path: String, as role: Role) {
    let identity = FileIdentity(.reading(path))
    let file = File(role: role, path: path, identity: identity, isWritten: false)
    if role == .input { inputs.append(file) } else { others.append(file) }
  }

  mutating func willWrite(_ path: String, as role: Role) {
    let identity = FileIdentity(.writing(path))
    others.append(File(role: role, path: path, identity: identity, isWritten: true))
  }

  /// Adds an output, and the file that it is until it is complete.
  mutating func writeOutput(
    _ path: String, as role: Role = .output, unfinished: Role = .partialOutput
  ) {
    willWrite(path, as: role)
    if let partial = OutputFile.names(of: path)?.partial { willWrite(partial, as: unfinished) }
  }

  /// Adds an output that is several files: a path without their numbers, or one with fields.
  mutating func writeSeveral(_ path: String) {
    several.append((path, FileIdentity(.file(path))))
  }

  /// Adds a checkpoint, and the file that replaces it.
  mutating func writeCheckpoint(_ path: String) {
    willWrite(path, as: .checkpoint)
    willWrite(DurableFile.draft(of: path), as: .newCheckpoint)
  }

  /// Compares the files that are known so far.
  ///
  /// - Throws: ``ExitStatus/usage``, with a message, if two files are the same that must differ.
  func check() throws {
    if inputs.count(where: { $0.path == "-" }) > 1 {
      StandardError.write("stream-map: standard input is given twice; nothing was written")
      throw ExitStatus.usage
    }
    for (index, file) in others.enumerated() {
      for other in inputs + others[..<index] where Self.clash(other, file) {
        StandardError.write(
          "stream-map: \(other.title) and \(file.title) are the same \(file.identity.noun); "
            + "nothing was written")
        throw ExitStatus.usage
      }
    }
    for (index, one) in several.enumerated() {
      // The folder of the path need not be there.
      for other in several[..<index]
      where other.path == one.path || other.identity.isSame(as: one.identity) {
        StandardError.write(
          "stream-map: the outputs \(ShownText.of(other.path)) and \(ShownText.of(one.path)) "
            + "are the same files; nothing was written")
        throw ExitStatus.usage
      }
    }
  }

  /// Why a file whose name comes from a record must not be written; nil if it may.
  func reasonNotToWrite(_ path: String) -> String? {
    let identity = FileIdentity(.file(path))
    let other = (inputs + others).first { identity.isSame(as: $0.identity) }
    return other.map { "it is \($0.title)" }
  }

  private static func clash(_ one: File, _ other: File) -> Bool {
    guard one.identity.isSame(as: other.identity) else { return false }
    switch (one.isWritten, other.isWritten) {
    case (false, false):
      // Files may be read twice. Bytes that a stream gave for a mapping are not available for a feed.
      return one.role == .input
        && (one.identity.isPipe || one.identity.isStandardInput && other.identity.isStandardInput)
    case (true, true):
      return !one.identity.isDevice && !one.identity.isJoined(with: other.identity)
    default:
      return one.identity.givesBackWhatIsWritten
    }
  }
}
