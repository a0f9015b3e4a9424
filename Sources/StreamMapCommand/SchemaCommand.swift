import ArgumentParser
import StreamMap
import StreamMapFiles

/// `stream-map schema`: prints the JSON Schema of what a mapping writes, or of mapping files.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON Schema of the records that a mapping writes, or of mapping files.",
    discussion: """
      stream-map schema events.map.yaml > events.schema.json
      stream-map schema events.map.yaml --input > feed.schema.json
      stream-map schema events.map.yaml --arrow
      stream-map schema --mapping-file > mapping-file.schema.json

      All that a mapping file can say: stream-map help mapping
      """)

  @OptionGroup
  var given: MappingFileArguments

  @Option(
    help: ArgumentHelp(
      "A value for an argument (args) of the mapping file, as in 'day=2026-11-22'. May be repeated.",
      valueName: "name=value"))
  var set: [String] = []

  @Flag(help: "Print the schema of the records that the mapping takes instead.")
  var input = false

  @Flag(help: "Print the schema of mapping files instead, for editors.")
  var mappingFile = false

  @Flag(help: "Print the columns of the records instead, with the types of Apache Arrow.")
  var arrow = false

  @Flag(help: "With --arrow: print them as JSON.")
  var json = false

  func validate() throws {
    if mappingFile {
      guard given.path == nil, set.isEmpty, !input, !arrow else {
        throw ValidationError("--mapping-file is about all mapping files: give it alone.")
      }
    } else if given.path == nil {
      throw ValidationError("Give a mapping file, or --mapping-file.")
    }
    if input, arrow { throw ValidationError("Give --input or --arrow, not both.") }
    if json, !arrow { throw ValidationError("--json is for --arrow; the other schemas are JSON.") }
  }

  func run() throws {
    guard let path = given.path else {
      return try StandardOutput.write(MappingSchema.text, terminator: "")
    }
    // The types of arguments are known without their values.
    let values = try SetArgument.values(set)
    let file = try MappingArgument(path, values.isEmpty ? nil : values).file
    if arrow {
      let columns = ColumnPlan(file.record)
      return try json
        ? StandardOutput.write(columns.json.indented()) : StandardOutput.show(columns.description)
    }
    try StandardOutput.write(
      input
        ? InputSchema.text(of: file.source, named: file.name)
        : OutputSchema(omitsNulls: file.output.omitsNulls).text(of: file.record, named: file.name))
  }
}
