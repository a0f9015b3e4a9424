import ArgumentParser
import StreamMap
import StreamMapFiles
import StreamMapPlatform

/// Where and how often a run writes down how far it has come.
struct CheckpointOptions: ParsableArguments {
  @Option(
    name: .customLong("checkpoint"),
    help: ArgumentHelp(
      "The file for the run's progress; the same command continues from it after an end"
        + " of any kind. Needs -o, and inputs that are files. Each of several mappings that writes a file has one: FILE, FILE.2, …",
      valueName: "file"))
  var path: String?

  @Flag(
    help: ArgumentHelp(
      "With --to sqlite: keep the run's progress in the database, in one transaction with the rows. The"
        + " same command continues from it after an end of any kind, and each row is there exactly once."
        + " Needs inputs that are files. Several mappings that write files and tables take --checkpoint, too."
    ))
  var resume = false

  @Option(
    name: .customLong("checkpoint-every"),
    help: ArgumentHelp(
      "How often: seconds as in 30s, or input as in 64MiB (10s).", valueName: "interval"))
  var interval: CheckpointInterval?

  @Option(
    name: .customLong("checkpoint-verify"),
    help: ArgumentHelp(
      "What to compare when a run continues: lengths and ends of its files (quick, the default of"
        + " --checkpoint), or all bytes that were read and written (full, the default of --resume)."
        + " Give the same from the first run on.",
      valueName: "extent"))
  var verification: CheckpointVerification?

  func validate() throws {
    if path != nil || resume { return }
    for (name, isGiven) in [("every", interval != nil), ("verify", verification != nil)]
    where isGiven {
      throw ValidationError("--checkpoint-\(name) is for --checkpoint FILE and --resume.")
    }
  }

  /// Where the checkpoint of a mapping is, if there is to be one: a link is followed.
  ///
  /// - Parameter number: The mapping's, from 1: that of the second is beside that of the first.
  /// - Returns: The path.
  /// - Throws: `ValidationError` if there cannot be such a file.
  func target(_ number: Int) throws -> String? {
    guard let path = path.map({ number == 1 ? $0 : "\($0).\(number)" }) else { return nil }
    guard let target = OutputFile.names(of: path)?.final else {
      throw ValidationError("--checkpoint needs a file: '\(path)' is not one.")
    }
    return target
  }

  /// The checkpoint of a run, if it is to have one.
  func file(
    _ terms: @autoclosure () -> Checkpoint.Terms, _ number: Int, inputs: [String],
    output: String, rejects: String?
  ) throws -> CheckpointKeeper? {
    guard let path = try target(number) else { return nil }
    if output == "-" { throw ValidationError("--checkpoint needs -o FILE.") }
    try Self.checkInputs(inputs, of: "--checkpoint")
    for output in [output, rejects].compactMap(\.self) where OutputFile.names(of: output) == nil {
      throw ValidationError("--checkpoint needs output that is a file: '\(output)' is not one.")
    }
    return CheckpointKeeper(
      in: CheckpointFile(path), every: interval, verification ?? .quick, terms())
  }

  /// The checkpoint of a run that keeps it in its database.
  ///
  /// A checkpoint that stays in a database is compared with whatever has its inputs' names by then, after months perhaps: by all bytes. To
  /// read the inputs again costs little beside the writing of rows.
  func keeper(inDatabase store: any CheckpointStore, _ terms: Checkpoint.Terms) -> CheckpointKeeper
  {
    CheckpointKeeper(in: store, every: interval, verification ?? .full, terms)
  }

  static func checkInputs(_ inputs: [String], of flag: String) throws {
    for input in inputs where !canBeReadAgain(input) {
      throw ValidationError(
        "\(flag) needs inputs that are files and can be read again: '\(input)' is not one.")
    }
  }

  static func canBeReadAgain(_ input: String) -> Bool { input != "-" && mayBeRegular(input) }

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
