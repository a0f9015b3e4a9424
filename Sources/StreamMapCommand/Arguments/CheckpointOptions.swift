import ArgumentParser
import Foundation
import StreamMapFiles

/// Where and how often a run writes down how far it has come.
struct CheckpointOptions: ParsableArguments {
  @Option(
    name: .customLong("checkpoint"),
    help: ArgumentHelp(
      "The file for the run's progress; the same command continues from it after an end"
        + " of any kind. Needs -o, and inputs that are files.",
      valueName: "file"))
  var path: String?

  @Option(
    name: .customLong("checkpoint-every"),
    help: ArgumentHelp(
      "How often: seconds as in 30s, or input as in 64MiB (10s).", valueName: "interval"))
  var interval: CheckpointInterval?

  @Option(
    name: .customLong("checkpoint-verify"),
    help: ArgumentHelp(
      "What to compare when a run continues: lengths and ends of its files (quick, the default), or"
        + " all bytes that were read and written (full). Give full from the first run on.",
      valueName: "extent"))
  var verification: CheckpointVerification?

  func validate() throws {
    if path != nil { return }
    if interval != nil { throw ValidationError("--checkpoint-every is for --checkpoint FILE.") }
    if verification != nil {
      throw ValidationError("--checkpoint-verify is for --checkpoint FILE.")
    }
  }

  /// Where the checkpoint is, if there is to be one: a link is followed.
  func target() throws -> String? {
    guard let path else { return nil }
    guard case .file(let target) = PathTarget.writing(path) else {
      throw ValidationError("--checkpoint needs a file: '\(path)' is not one.")
    }
    return target
  }

  /// The checkpoint of a run, if it is to have one.
  func file(
    _ terms: @autoclosure () -> Checkpoint.Terms, inputs: [String], output: String,
    rejects: String?
  ) throws -> CheckpointFile? {
    guard let path = try target() else { return nil }
    if output == "-" { throw ValidationError("--checkpoint needs -o FILE.") }
    for input in inputs where input == "-" || !Self.mayBeRegular(input) {
      throw ValidationError(
        "--checkpoint needs inputs that are files and can be read again: '\(input)' is not one.")
    }
    for output in [output, rejects].compactMap(\.self) where OutputFile.names(of: output) == nil {
      throw ValidationError("--checkpoint needs output that is a file: '\(output)' is not one.")
    }
    return CheckpointFile(path, every: interval, verification ?? .quick, terms())
  }

  /// Whether it is a regular file, or not there.
  private static func mayBeRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }
}

/// How an earlier run's files are compared with what its checkpoint says of them.
enum CheckpointVerification: String, NamedChoice {
  /// By their lengths, first and last bytes.
  case quick
  /// By all bytes that were read and written.
  case full
}

/// How often a checkpoint is written: `30s`, or after so much input: `64MiB`.
enum CheckpointInterval: ExpressibleByArgument, Equatable {
  case seconds(Int)
  case bytes(Int)

  init?(argument: String) {
    if argument.hasSuffix("s"), let seconds = Int(argument.dropLast()), seconds > 0 {
      self = .seconds(seconds)
    } else if let size = ByteSize(argument: argument) {
      self = .bytes(size.bytes)
    } else {
      return nil
    }
  }
}
