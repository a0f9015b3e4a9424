import ArgumentParser
import StreamMap

/// `stream-map run`: maps feeds.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    // It is parsed alone, where that is possible: see `RootCommand.parsed`.
    _superCommandName: "stream-map",
    abstract: "Maps feeds (the default command).",
    discussion: """
      stream-map -m tweets.map.yaml tweets.json
      curl … | stream-map --records '$.statuses[*]' --field id:int64 --field name=user.screen_name
      stream-map -m tweets.map.yaml --to sqlite -o tweets.db --key id --mode upsert tweets.ndjson

      All that a mapping file can say: stream-map help mapping
      """)

  @OptionGroup
  var plain: PlainRunCommand

  @Option(help: "What becomes of a record that cannot be mapped.")
  var errors: ErrorMode?

  @Option(
    help: ArgumentHelp(
      "Where rejected records go, one line of JSON each; '-' for standard output, with -o FILE. Once for each mapping, as -o.",
      valueName: "file"))
  var rejects: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many records may be rejected before the run ends (--errors skip or reject).",
      valueName: "number"))
  var maxErrors: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The share of records that may be rejected, from 0 to 1; checked from the thousandth record on.",
      valueName: "share"))
  var maxErrorRatio: Double?

  @Flag(
    help:
      "After a malformed record inside a document, continue at the next one (--errors skip or reject). One thread maps."
  )
  var resync = false

  @Flag(name: .customLong("no-raw"), help: "Leave out the text of rejected records.")
  var omitsRaw = false

  @Flag(
    name: [.customShort("q"), .customLong("quiet")],
    help: "Print errors only: nothing about fields, keys and records that are not errors.")
  var isQuiet = false

  @Option(help: ArgumentHelp("Print figures to standard error: human or json.", valueName: "form"))
  var stats: Statistics.Form?

  @Option(
    help: ArgumentHelp(
      "How progress is shown on standard error: auto (a line that stays in its place, on a terminal), json (a line each"
        + " second) or off. SIGUSR1 asks for it once, whatever is given.", valueName: "form"))
  var progress = ProgressReport.Form.auto

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many threads map (1 to 64). The output is the same for any number.", valueName: "number")
  )
  var jobs = 1

  @Option(
    help: ArgumentHelp(
      "How records are parsed: \(RecordParser.choices). The output is the same.",
      valueName: "parser"))
  var parser = RecordParser.auto

  @OptionGroup(title: "Several files")
  var division: DivisionOptions

  @OptionGroup(title: "Some of the records")
  var choice: ChoiceOptions

  @OptionGroup(title: "A part of a feed")
  var part: PartOptions

  @OptionGroup(title: "Tables (--to sqlite)")
  var table: TableOptions

  @OptionGroup(title: "Checkpoints")
  var checkpoint: CheckpointOptions

  @OptionGroup(title: "Limits (sizes as in 1000, 64KiB, 16MiB)")
  var limits: LimitOptions

  func validate() throws {
    guard (1...64).contains(jobs) else { throw ValidationError("--jobs takes 1 to 64.") }
    if let maxErrors, maxErrors < 0 { throw ValidationError("--max-errors takes 0 or more.") }
    if let maxErrorRatio, !(0...1).contains(maxErrorRatio) {
      throw ValidationError("--max-error-ratio takes 0 to 1.")
    }
  }

  func run() throws { try Run(plain, more: self).run() }
}
