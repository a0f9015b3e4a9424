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

  @Flag(help: "Make enums of texts with few different values; without it, comments list these.")
  var enums = false

  @Flag(
    inversion: .prefixedNo,
    help:
      "Show values of the feed in comments; without either, they are shown unless the output is a file."
  )
  var samples: Bool?

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
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many records are looked at, from the beginning (10000).", valueName: "number"))
  var sampleRecords = FeedSample.mostRecords

  @Argument(
    help: ArgumentHelp(
      "The feed, or several of one kind; standard input without it, or for '-'.", valueName: "feed")
  )
  var feeds: [String] = []

  func validate() throws {
    if swift, schema { throw ValidationError("Give --swift or --schema, not both.") }
    if sampleRecords < 1 { throw ValidationError("--sample-records takes 1 or more.") }
  }

  func run() throws {
    for feed in feeds { try MappingGuess.refuse(asFeed: feed, of: "infer") }
    Interruption.install()
    let path = try records.map { try PathPattern(argument: $0) }
    let mapping = try inferred(path)
    if schema {
      try StandardOutput.write(mapping.schema)
    } else {
      try StandardOutput.write(swift ? mapping.swift : mapping.yaml, terminator: "")
    }
  }

  private func inferred(_ path: PathPattern?) throws -> InferredMapping {
    let feeds = feeds.isEmpty ? ["-"] : feeds
    let sampled = try SampledFeed(feeds, at: path, inputFormat, most: sampleRecords)
    var choices = InferChoices()
    choices.hasEnums = enums
    choices.showsSamples = samples ?? !StandardStreams.outputIsFile
    let names = feeds.map { $0 == "-" ? "a feed" : $0 }
    return InferredMapping(
      of: sampled.sample, format: inputFormat.map(\.rawValue), feed: names.joined(separator: ", "),
      choices)
  }
}
