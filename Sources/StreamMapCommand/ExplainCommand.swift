import ArgumentParser
import StreamMap
import StreamMapFiles

/// `stream-map explain`: tells what a mapping file does.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains what a mapping file does, field by field.",
    discussion: """
      stream-map explain orders.map.yaml
      stream-map explain --dot orders.map.yaml | dot -Tsvg > orders.svg
      stream-map explain --sample orders.ndjson orders.map.yaml

      All that a mapping file can say: stream-map help mapping
      """)

  @Flag(help: "Write a graph instead, in the language of Graphviz.")
  var dot = false

  @Option(
    help: ArgumentHelp(
      "Also show how often each path occurs in a feed, '-' for standard input, how many bytes it costs, and which"
        + " fields come from it.", valueName: "feed"))
  var sample: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many records of the sample are looked at, from its beginning (10000).",
      valueName: "number"))
  var sampleRecords: Int?

  @Option(
    help: ArgumentHelp(
      "A value for an argument (args) of the file, as in 'day=2026-11-22'. May be repeated.",
      valueName: "name=value"))
  var set: [String] = []

  @OptionGroup
  var mappingFile: MappingFileArguments

  func validate() throws {
    if dot, sample != nil { throw ValidationError("Give --dot or --sample, not both.") }
    guard let sampleRecords else { return }
    if sample == nil { throw ValidationError("--sample-records is for --sample FEED.") }
    if sampleRecords < 1 { throw ValidationError("--sample-records takes 1 or more.") }
  }

  func run() throws {
    let file = try mappingFile.neededPath
    var files = RunFiles()
    if let sample { files.read(sample, as: .input) }
    files.read(file, as: .mapping)
    try files.check()
    let values = try SetArgument.values(set)
    let mappings = try MappingArgument.all(file, values.isEmpty ? nil : values).map(\.file)
    try MappingFileArguments.refuse(sample, forSeveral: mappings)
    if dot, mappings.count > 1 {
      throw ValidationError("--dot is about one mapping, and the file has several.")
    }
    for (index, mapping) in mappings.enumerated() {
      if dot { return try StandardOutput.show(mapping.graph) }
      if let member = mapping.member {
        try StandardOutput.show((index == 0 ? "" : "\n") + "\(member):")
      }
      try StandardOutput.show(mapping.explanation)
      if let sample { try measure(sample, mapping) }
    }
  }

  private func measure(_ feed: String, _ mapping: MappingFile) throws {
    Interruption.install()
    do {
      var costs = try PathCosts(mapping)
      try costs.read(feed, most: sampleRecords ?? 10_000)
      if let fault = costs.faults.first {
        let more = costs.faults.count > 1 ? " (and \(costs.faults.count - 1) more)" : ""
        StandardError.write("stream-map: \(FileReading.title(of: feed)): \(fault)\(more)")
        if costs.count == 0 { throw ExitStatus(endedBy: fault) }
      }
      try StandardOutput.show("\n" + costs.text)
      if costs.count == 0 { throw ExitStatus.unseenPath }
    } catch let error as SystemError {
      StandardError.write("stream-map: \(error)")
      throw error.status
    }
  }
}
