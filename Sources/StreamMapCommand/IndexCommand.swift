import ArgumentParser
import StreamMap
import StreamMapFiles

/// `stream-map index`: writes where a feed can be cut into parts.
struct IndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Writes where a feed can be cut, for run --part.",
    discussion: """
      stream-map index export.json --records '$.people[*]' -o export.smx
      stream-map -m people.map.yaml --part 3/8 --index export.smx export.json -o 3.ndjson

      The feed is read once, and nothing is mapped. The index is for this feed, for these record paths and this format, and for
      the context of the mapping file; the rest of the mapping may be another one. Lines are only counted: what is in them is checked, and held
      against the limits, by the run that maps them.

      All that a mapping file can say: stream-map help mapping
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The mapping file (YAML or JSON): where the records are, and what is mapped around them (context).",
      valueName: "file"))
  var mapping: [String] = []

  @Option(
    help: ArgumentHelp(
      "A value for an argument (args) of the mapping file, as in 'day=2026-11-22'. May be repeated.",
      valueName: "name=value"))
  var set: [String] = []

  @Option(
    help: ArgumentHelp(
      "Where the records are, as in '$.statuses[*]'. May be repeated. Without it, and without a mapping file, each"
        + " document or line is one.", valueName: "path"))
  var records: [String] = []

  @Option(
    name: .customLong("from"),
    help: "The feed's format.")
  var inputFormat: InputFormat?

  @Option(help: ArgumentHelp("How far the places are from each other (64MiB).", valueName: "size"))
  var every: ByteSize?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Where to write, '-' for standard output; the feed's name with .smx without it.",
      valueName: "file"))
  var output: String?

  @OptionGroup(title: "Limits (sizes as in 1000, 64KiB, 16MiB)")
  var limits: LimitOptions

  @Argument(help: ArgumentHelp("The feed: a file that is not compressed.", valueName: "feed"))
  var feed: String

  func validate() throws {
    if !set.isEmpty, mapping.isEmpty { throw ValidationError("--set is for --mapping FILE.") }
  }

  func run() throws {
    guard CheckpointOptions.canBeReadAgain(feed) else {
      throw ValidationError("index needs a file: '\(feed)' is not one.")
    }
    let mapping = try MappingFileArguments.only(mapping)
    try MappingGuess.refuse(asFeed: feed, of: "index", takes: "--mapping")
    let output = output ?? feed + ".smx"
    try OutputName(output).refuseCompression(of: "an index")
    var files = RunFiles()
    files.read(feed, as: .input)
    if let mapping { files.read(mapping, as: .mapping) }
    files.writeOutput(output, as: .index, unfinished: .newIndex)
    try files.check()
    let settings = try settings(mapping)
    do {
      try FeedFile.look(at: feed)
      try FeedFile.refuseCompressed(feed, to: "cut")
      let index = try FeedIndex(
        of: .file(feed), for: try settings.mapper(), every: every?.bytes ?? 64 << 20)
      let bytes = try IndexFile.bytes(of: index)
      try OutputFile.write(bytes, to: output)
    } catch is OutputFile.Closed {
      return
    } catch let error as SystemError {
      StandardError.write("stream-map: \(error)")
      throw error.status
    } catch let error as MappingError {
      StandardError.write("stream-map: \(feed): \(error)")
      throw ExitStatus(endedBy: error)
    } catch let error as DefinitionError {
      throw ValidationError("\(error)")
    }
  }

  /// What the feed is read by.
  private func settings(_ mapping: String?) throws -> MappingFile {
    var settings =
      if let mapping {
        try MappingArgument(mapping, try SetArgument.values(set)).file
      } else {
        try MappingFile(yaml: "{ streammap: 1, record: $ }")
      }
    if !records.isEmpty {
      settings.records = try records.map { try PathPattern(argument: $0) }
    }
    if let inputFormat { settings.format = inputFormat.format }
    limits.apply(to: &settings.limits)
    return settings
  }
}
