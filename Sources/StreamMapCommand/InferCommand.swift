import ArgumentParser
import StreamMap
import StreamMapFiles

/// `stream-map infer`: writes a mapping file that takes the records of a feed.
struct InferCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Writes a mapping file for the records of a feed, to start from.",
    discussion: """
      stream-map infer tweets.json > tweets.map.yaml
      stream-map infer --swift events.ndjson.gz

      All that a mapping file can say: stream-map help mapping
      """)

  /// What is written.
  enum Form {
    case yaml, swift, schema
  }

  @Flag(help: "Write types with @Mappable instead, for a program.")
  var swift = false

  @Flag(help: "Write the JSON Schema of the records instead.")
  var schema = false

  @Option(
    help: ArgumentHelp(
      "Where the records are, as in '$.statuses[*]'. Without it, they are the lines of a feed of lines, or the elements"
        + " of a document's largest array.", valueName: "path"))
  var records: String?

  @Option(
    name: .customLong("from"),
    help: "The feed's format.")
  var inputFormat: InputFormat?

  @Option(
    help: ArgumentHelp(
      "How many records are looked at, from the beginning (10000).", valueName: "number"))
  var sampleRecords = FeedSample.mostRecords

  @Argument(
    help: ArgumentHelp("The feed; standard input without it, or for '-'.", valueName: "feed"))
  var feed = "-"

  func validate() throws {
    if swift, schema { throw ValidationError("Give --swift or --schema, not both.") }
    if sampleRecords < 1 { throw ValidationError("--sample-records takes 1 or more.") }
  }

  func run() throws {
    Interruption.install()
    let path = try records.map { try PathPattern(argument: $0) }
    FeedFile.hint(at: [feed])
    let mapping = try inferred(path)
    if schema {
      try StandardOutput.write(mapping.schema)
    } else {
      try StandardOutput.write(swift ? mapping.swift : mapping.yaml, terminator: "")
    }
  }

  private func inferred(_ path: PathPattern?) throws -> InferredMapping {
    let title = FileReading.title(of: feed)
    let sample: FeedSample
    do {
      try FeedFile.look(at: feed)
      let file = try FeedFile(feed)
      sample = try FeedSample(
        at: path, format: file.format(inputFormat?.format ?? .auto), most: sampleRecords
      ) { try file.read() }
    } catch let error as SystemError {
      StandardError.write("stream-map: \(error)")
      throw error.status
    } catch let error as DefinitionError {
      throw ValidationError("\(error)")
    }
    if let fault = sample.faults.first {
      let count = sample.faults.count
      StandardError.write(
        "stream-map: \(title): \(fault)\(count > 1 ? " (and \(count - 1) more)" : "")")
      if sample.count == 0 { throw ExitStatus(endedBy: fault) }
    }
    if sample.count == 0 {
      StandardError.write("stream-map: \(title): there are no records to infer a mapping from")
      throw ExitStatus.unseenPath
    }
    return InferredMapping(
      of: sample, format: inputFormat.map(\.rawValue), feed: feed == "-" ? "a feed" : feed)
  }
}
