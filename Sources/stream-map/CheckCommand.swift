import ArgumentParser
import StreamMap

/// `stream-map check`: reads and compiles a mapping file, and reports all its mistakes.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks a mapping file and reports all its mistakes.")

  @Flag(help: "Also print what the mapping does, field by field.")
  var explain = false

  @Argument(help: ArgumentHelp("The mapping file (YAML or JSON).", valueName: "file"))
  var file: String

  func run() throws {
    let (_, converter) = try MappingFileLoader.load(file)
    print("\(file): ok")
    if explain { print(converter.explanation) }
  }
}
