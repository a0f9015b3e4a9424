import ArgumentParser
import StreamMap
import StreamMapFiles

/// `stream-map ddl`: prints the statement that makes a table for a mapping's records.
struct DDLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ddl",
    abstract: "Prints CREATE TABLE for the records of a mapping.",
    discussion: """
      stream-map ddl events.map.yaml --for postgres --key id | psql
      stream-map -m events.map.yaml --to pgcopy events.ndjson | psql -c 'COPY events FROM STDIN'

      All that a mapping file can say: stream-map help mapping
      """)

  @OptionGroup
  var mappingFile: MappingFileArguments

  @Option(name: .customLong("for"), help: "The database: postgres, sqlite or duckdb.")
  var dialect: SQLDialect

  @Option(
    help: ArgumentHelp("The table's name (the mapping's name, or 'records').", valueName: "name"))
  var table: String?

  @Option(
    help: ArgumentHelp(
      "A column of the primary key. May be repeated.", valueName: "column"))
  var key: [String] = []

  func run() throws {
    let files = try MappingArgument.all(mappingFile.neededPath, nil) { file in
      var file = file
      if let table { file.output.table = table }
      return TableDefinition.problems(of: file, for: dialect)
    }.map(\.file)
    for (flag, isGiven) in [("table", table != nil), ("key", !key.isEmpty)]
    where isGiven && files.count > 1 {
      throw ValidationError(
        "--\(flag) is about one mapping, and the file has several: say it there, under output.")
    }
    for file in files { try write(file) }
  }

  private func write(_ file: MappingFile) throws {
    var file = file
    if let table { file.output.table = table }
    if !key.isEmpty { file.output.key = key }
    let definition: TableDefinition
    do throws(DefinitionError) {
      definition = try TableDefinition(dialect, of: file)
    } catch {
      throw ValidationError(
        "--for \(dialect.rawValue): \(error.mistakes.map(\.reason).joined(separator: "; ")).")
    }
    if let mistake = definition.keyMistake { throw ValidationError("--key: \(mistake).") }
    try StandardOutput.write(definition.statement + ";")
  }
}
