import ArgumentParser
import StreamMap
import StreamMapFiles

/// `stream-map reverse`: maps records back to those that they were made of.
struct ReverseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reverse",
    abstract: "Maps the records of a mapping file back to records of its source, one a line.",
    discussion: """
      stream-map -m orders.map.yaml orders.json > mapped.ndjson
      stream-map reverse -m orders.map.yaml mapped.ndjson

      Names and paths are swapped, objects on the paths made again, tables inverted, dates written as they were, scaled
      numbers divided, split texts joined and joined ones split. What comes from nowhere in the source (const, meta,
      context, arg) is left out. A mapping with a field that has no way back is refused before anything is read.

      All that a mapping file can say: stream-map help mapping
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The mapping file (YAML or JSON), '-' for standard input.", valueName: "file"))
  var mapping: [String] = []

  @Option(
    name: .customLong("from"),
    help: "The format of the records.")
  var inputFormat: InputFormat?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Where to write, '-' (the default) for standard output.", valueName: "file"))
  var output = "-"

  @Option(help: "What becomes of a record that cannot be mapped back.")
  var errors: ErrorMode?

  @Option(
    help: ArgumentHelp("Where rejected records go, one line of JSON each.", valueName: "file"))
  var rejects: String?

  @Flag(
    name: [.customShort("q"), .customLong("quiet")], help: "Print errors only.")
  var isQuiet = false

  @Argument(
    help: ArgumentHelp(
      "Mapped records; standard input without any, or for '-'.", valueName: "input"))
  var inputs: [String] = []

  func validate() throws {
    if rejects != nil, let errors, errors != .reject {
      throw ValidationError("--rejects is for --errors reject.")
    }
    if errors == .reject, rejects == nil {
      throw ValidationError("--errors reject needs --rejects FILE.")
    }
  }

  func run() throws {
    Interruption.install()
    try OutputName(output).refuseUnlessLines(of: "reverse")
    var inputs = inputs
    // As a run does.
    let given = try MappingFileArguments.only(mapping)
    let isGuessed = given == nil && inputs.first.map { MappingGuess.isMapping($0) } ?? false
    guard let mapping = isGuessed ? inputs.removeFirst() : given else {
      throw ValidationError("Give --mapping FILE.")
    }
    if inputs.isEmpty { inputs = ["-"] }
    var files = RunFiles()
    for input in inputs { files.read(input, as: .input) }
    files.read(mapping, as: .mapping)
    files.writeOutput(output)
    if let rejects { files.willWrite(rejects, as: .rejects) }
    try files.check()
    var settings = try reversed(mapping)
    settings.format = inputFormat?.format ?? .auto
    settings.errors.mode = errors ?? (rejects == nil ? .fail : .reject)
    let converter = OutputConverter(try settings.plan(), layout: .lines)
    let order = Conversion.Order(
      converter: converter, settings: settings, target: .file(output), rejects: rejects)
    let run = FeedRun(
      [Conversion(order, FeedChoice())], mostExpansion: FeedFile.defaultExpansion,
      isQuiet: isQuiet, ProgressReport(isQuiet: isQuiet, inputs: inputs, output: output))
    throw try run.run(inputs: inputs, statistics: nil)
  }

  private func reversed(_ mapping: String) throws -> MappingFile {
    let file = try MappingArgument(mapping, nil).file
    do {
      return try file.reversed()
    } catch let refusal as MappingFile.NoWayBack {
      let title = FileReading.title(of: mapping)
      for line in "\(refusal)".split(separator: "\n") {
        StandardError.write("\(title): \(line)")
      }
      StandardError.write("stream-map: \(title) has no way back")
      throw ExitStatus.mapping
    } catch {
      StandardError.write("stream-map: \(FileReading.title(of: mapping)): \(error)")
      throw ExitStatus.mapping
    }
  }
}
