import ArgumentParser
import Foundation
import StreamMapFiles

/// Where and how often a run writes down how far it has come.
struct CheckpointOptions: ParsableArguments {
  @Option(
    name: .customLong("checkpoint"),
    help: ArgumentHelp(
      "Where to write down how far the run has come; the same command goes on there after an end"
        + " of any kind. Needs -o, and inputs that are files.",
      valueName: "file"))
  var path: String?

  @Option(
    name: .customLong("checkpoint-every"),
    help: ArgumentHelp(
      "How often: seconds as in 30s, or input as in 64MiB (10s).", valueName: "interval"))
  var interval: CheckpointInterval?

  func validate() throws {
    if interval != nil, path == nil {
      throw ValidationError("--checkpoint-every is for --checkpoint FILE.")
    }
  }

  /// The checkpoint of a run, if it is to have one.
  func file(
    _ terms: Checkpoint.Terms, inputs: [String], output: String?, rejects: String?
  ) throws -> CheckpointFile? {
    guard let path else { return nil }
    guard let output else { throw ValidationError("--checkpoint needs -o FILE.") }
    for input in inputs where input == "-" || !Self.mayBeRegular(input) {
      throw ValidationError(
        "--checkpoint needs inputs that are files and can be read again: '\(input)' is none.")
    }
    for output in [output, rejects].compactMap(\.self) where !Self.mayBeRegular(output) {
      throw ValidationError("--checkpoint needs output that is a file: '\(output)' is none.")
    }
    return CheckpointFile(path, every: interval, terms)
  }

  /// Whether it is a regular file, or not there.
  private static func mayBeRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }
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
