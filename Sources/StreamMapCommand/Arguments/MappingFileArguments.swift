import ArgumentParser
import StreamMap
import StreamMapFiles

/// The mapping file of a command that takes nothing else: alone, or by `-m` as a run takes it.
struct MappingFileArguments: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The mapping file, as a run takes it; or give it alone.", valueName: "file"))
  var mapping: [String] = []

  @Argument(
    help: ArgumentHelp(
      "The mapping file (YAML or JSON), '-' for standard input.", valueName: "file"))
  var file: String?

  func validate() throws {
    guard mapping.count + (file == nil ? 0 : 1) > 1 else { return }
    if let file, !mapping.isEmpty, file != "-", FirstInput.exists(file),
      !MappingGuess.isMapping(file)
    {
      throw ValidationError(
        "'\(file)' is no mapping file, and one is given by --mapping: check and explain take a feed by --sample."
      )
    }
    throw ValidationError("Give one mapping file, alone or by --mapping.")
  }

  /// The only mapping file that an option gives; nil without it.
  static func only(_ paths: [String]) throws -> String? {
    if paths.count > 1 { throw ValidationError("Give one mapping file by --mapping.") }
    return paths.first
  }

  /// Refuses a sample that can be read once, where each of several mappings needs it.
  static func refuse(_ sample: String?, forSeveral mappings: [MappingFile]) throws {
    guard let sample, mappings.count > 1, !CheckpointOptions.canBeReadAgain(sample) else { return }
    throw ValidationError(
      "The file has several mappings, and each reads the sample: '\(sample)' can be read once.")
  }

  /// Its path; nil if it was not given.
  var path: String? { mapping.first ?? file }

  /// Its path, which has to be given.
  var neededPath: String {
    get throws {
      guard let path else { throw ValidationError("Give a mapping file, as in m.yaml.") }
      return path
    }
  }
}
