import ArgumentParser
import StreamMap
import StreamMapFiles

/// `stream-map check`: reads and compiles a mapping file, and reports all its mistakes.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks a mapping file and reports all its mistakes.",
    discussion: """
      stream-map check tweets.map.yaml
      stream-map check tweets.map.yaml --sample tweets.json

      All that a mapping file can say: stream-map help mapping
      """)

  @Option(
    help: ArgumentHelp(
      "Also map a sample, '-' for standard input, and report what becomes of its records and which"
        + " fields found nothing.",
      valueName: "feed"))
  var sample: String?

  @Option(
    help: ArgumentHelp(
      "A value for an argument (args) of the file, as in 'day=2026-11-22'. May be repeated.",
      valueName: "name=value"))
  var set: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many records of the sample are mapped, from its beginning (10000).", valueName: "number")
  )
  var sampleRecords: Int?

  @OptionGroup
  var mappingFile: MappingFileArguments

  func validate() throws {
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
    // Only a file that maps something needs all its arguments.
    let mappings = try MappingArgument.all(
      file, sample == nil && values.isEmpty ? nil : values
    ) { file in
      file.output.format == .sqlite ? TableDefinition.problems(of: file, for: .sqlite) : []
    }.map(\.file)
    try MappingFileArguments.refuse(sample, forSeveral: mappings)
    try StandardOutput.show("\(FileReading.title(of: file)): ok")
    guard let sample else { return }
    FeedFile.hint(at: [sample])
    var status = ExitStatus.success
    for mapping in mappings {
      if let member = mapping.member { try StandardOutput.show("\n\(member):") }
      let found = try map(sample, mapping)
      if status == .success { status = found }
    }
    if status != .success { throw status }
  }

  private func map(_ feed: String, _ mapping: MappingFile) throws -> ExitStatus {
    do {
      var sample = try Sample(mapping, of: feed, most: sampleRecords ?? 10_000)
      try sample.run()
      try StandardOutput.show(sample.text)
      return sample.status
    } catch let error as SystemError {
      StandardError.write("stream-map: \(error)")
      throw error.status
    }
  }
}
