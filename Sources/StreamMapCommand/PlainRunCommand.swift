import ArgumentParser
import StreamMap
import StreamMapFiles

/// `stream-map run` with no options but those that most runs give.
///
/// PERF: the parser's work grows with the options that a command declares, and with their types. So arguments are parsed as this
/// first, and as ``RunCommand``, which has these options and all others, where that fails.
struct PlainRunCommand: ParsableCommand {
  // PERF: the parser looks for requests of completions only in a command that has none above it.
  static let configuration = CommandConfiguration(_superCommandName: "stream-map")

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The mapping file (YAML or JSON), '-' for standard input. Several, each with an -o FILE of its own, map the feeds in one pass.",
      valueName: "file"))
  var mapping: [String] = []

  @Option(
    help: ArgumentHelp(
      "Instead of a mapping file, a field: 'id', 'name=user.screen_name', 'n:int64=user.count', or 'n:int64?' for one"
        + " that may be missing; or several between commas. May be repeated.",
      valueName: "field"))
  var field: [String] = []

  @Option(
    help: ArgumentHelp(
      "A value for an argument (args) of the mapping file, as in 'day=2026-11-22'. May be repeated.",
      valueName: "name=value"))
  var set: [String] = []

  @Option(
    help: ArgumentHelp(
      "Where the records are, as in '$.statuses[*]'. May be repeated.", valueName: "path"))
  var records: [String] = []

  @Option(
    name: .customLong("from"),
    help: "The feed's format.")
  var inputFormat: InputFormat?

  @Option(
    name: .customLong("to"),
    help: "The output's form.")
  var outputFormat: OutputFormat?

  @Flag(name: .customLong("no-header"), help: "Leave out the line with the names (csv, tsv).")
  var omitsHeader = false

  @Flag(
    name: .customLong("csv-safe"),
    help: "Put an apostrophe before texts that a spreadsheet would take for formulas (csv, tsv).")
  var isSafe = false

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Where to write, '-' (the default) for standard output. A file is written beside its final"
        + " name and renamed when it is complete; a name that ends in .gz, .zst, .xz or .bz2 compresses it,"
        + " and .csv, .tsv (also .csv.gz), .db, .parquet or .arrow tell the form. With fields, as in"
        + " 'out/{service}.ndjson', each record goes to the file of its values. Once for each mapping: NAME=FILE, where one"
        + " file has several.",
      valueName: "file"))
  var output: [String] = []

  @Argument(
    help: ArgumentHelp(
      "Feeds, also compressed by gzip, zstd, xz or bzip2; standard input without any, or for '-'.",
      valueName: "input"))
  var inputs: [String] = []

  func run() throws { try Run(self).run() }
}
