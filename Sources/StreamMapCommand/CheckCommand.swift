import ArgumentParser
import StreamMap
import StreamMapFiles

/// `stream-map check`: reads and compiles a mapping file, and reports all its mistakes.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks a mapping file and reports all its mistakes.")

  @Flag(help: "Also print what the mapping does, field by field.")
  var explain = false

  @Option(
    help: ArgumentHelp(
      "Also map a sample, and tell what becomes of its records and which fields found nothing.",
      valueName: "feed"))
  var sample: String?

  @Argument(help: ArgumentHelp("The mapping file (YAML or JSON).", valueName: "file"))
  var file: String

  func run() throws {
    let mapping = try MappingArgument(file).file
    print("\(file): ok")
    if explain { print(mapping.explanation) }
    if let sample { try map(sample, mapping) }
  }

  private func map(_ feed: String, _ mapping: MappingFile) throws {
    do {
      var sample = try Sample(mapping, of: feed)
      try sample.run()
      print(sample.text)
      if sample.status != .success { throw sample.status }
    } catch let error as SystemError {
      StandardError.write("stream-map: \(error)")
      throw ExitStatus.io
    }
  }
}
