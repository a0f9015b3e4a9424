import ArgumentParser
import StreamMap
import StreamMapFiles

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

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The mapping file (YAML or JSON), '-' for standard input.", valueName: "file"))
  var mapping: String?

  @Option(
    help: ArgumentHelp(
      "Instead of a mapping file, a field: 'id', 'name=user.screen_name', 'n:int64=user.count'."
        + " May be repeated.",
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
    help: "The feed's format: auto, json, ndjson, concat or seq.")
  var inputFormat: InputFormat?

  @Option(
    name: .customLong("to"),
    help: "The output's form: ndjson, json, pretty, csv, tsv, text, pgcopy or sqlite.")
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
        + " and .csv or .tsv (also .csv.gz) tell the form. With fields, as in 'out/{service}.ndjson', each"
        + " record goes to the file of its values.",
      valueName: "file"))
  var output: String?

  @Option(help: "What becomes of a record that cannot be mapped: fail, skip or reject.")
  var errors: ErrorMode?

  @Option(
    help: ArgumentHelp(
      "Where rejected records go, one line of JSON each; '-' for standard output, with -o FILE.",
      valueName: "file"))
  var rejects: String?

  @Option(
    help: ArgumentHelp(
      "How many records may be rejected before the run ends (--errors skip or reject).",
      valueName: "number"))
  var maxErrors: Int?

  @Option(
    help: ArgumentHelp(
      "The share of records that may be rejected, from 0 to 1; checked from the thousandth record on.",
      valueName: "share"))
  var maxErrorRatio: Double?

  @Flag(name: .customLong("no-raw"), help: "Leave out the text of rejected records.")
  var omitsRaw = false

  @Flag(
    name: [.customShort("q"), .customLong("quiet")],
    help: "Print errors only: nothing about fields, keys and records that are no error.")
  var isQuiet = false

  @Option(help: ArgumentHelp("Print figures to standard error: human or json.", valueName: "form"))
  var stats: Statistics.Form?

  @Option(
    help: ArgumentHelp(
      "How progress is told on standard error: auto (a line that stays in its place, on a terminal), json (a line each"
        + " second) or off. SIGUSR1 asks for it once, whatever is given.", valueName: "form"))
  var progress = ProgressReport.Form.auto

  @Option(
    help: ArgumentHelp(
      "How many threads map (1 to 64). The output is the same for any number.", valueName: "number")
  )
  var jobs = 1

  @Option(
    help: ArgumentHelp(
      "How records are parsed: auto, index or yajl. The output is the same.",
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

  @Argument(
    help: ArgumentHelp(
      "Feeds, also compressed by gzip, zstd, xz or bzip2; standard input without any, or for '-'.",
      valueName: "input"))
  var inputs: [String] = []

  func validate() throws {
    guard (1...64).contains(jobs) else { throw ValidationError("--jobs takes 1 to 64.") }
    if let maxErrors, maxErrors < 0 { throw ValidationError("--max-errors takes 0 or more.") }
    if let maxErrorRatio, !(0...1).contains(maxErrorRatio) {
      throw ValidationError("--max-error-ratio takes 0 to 1.")
    }
  }

  func run() throws {
    if checkpoint.path != nil { try choice.refuse("--checkpoint") }
    if checkpoint.resume { try choice.refuse("--resume") }
    Interruption.install()
    let inputs = inputs.isEmpty ? ["-"] : inputs
    let output = output ?? "-"
    var files = RunFiles()
    for input in inputs { files.read(input, as: .input) }
    if let mapping { files.read(mapping, as: .mapping) }
    if let index = part.index { files.read(index, as: .index) }
    let division = try division.division(output)
    if division == nil {
      files.writeOutput(output)
    } else if checkpoint.path != nil {
      throw ValidationError("--checkpoint needs one output file: '\(output)' is several.")
    }
    if let path = try checkpoint.target() { files.writeCheckpoint(path) }
    // Before the mapping is read, too: it may come by the same stream as a feed.
    try files.check()
    var (settings, digest) = try load()
    try override(&settings, output)
    let table = try table.table(settings, output, checkpoint)
    if table != nil, division != nil {
      throw ValidationError("--to sqlite writes one file: '\(output)' is several.")
    }
    // Named by the mapping file.
    if let table, output == "-" { files.write(table.path, as: .output) }
    let (converter, layout) = try converter(settings, division)
    let rejects = try rejectsPath(settings)
    // The first is the mapping file itself.
    for used in settings.files.dropFirst() { files.read(used, as: .used) }
    if let rejects { files.write(rejects, as: .rejects) }
    try files.check()
    try part.check(inputs, settings, choice, isDivided: division != nil)
    let part = try part.run(of: inputs, settings)
    // PERF: only made for a checkpoint, because it prints what the mapping file says.
    let terms = { self.terms(settings, digest, inputs, output, rejects, part) }
    let target: RunTarget
    let keeper: CheckpointKeeper?
    if let table {
      (target, keeper) = try open(table, terms(), rejects: rejects)
    } else if let division {
      target = try open(division, output, layout, files, hidesValues: converter.hidesValues)
      keeper = nil
    } else {
      target = .file(output)
      keeper = try checkpoint.file(terms(), inputs: inputs, output: output, rejects: rejects)
    }
    let report = ProgressReport(
      progress, isQuiet: isQuiet, inputs: inputs, output: output, part: part?.reading.bytes.count)
    let conversion = FeedRun(
      converter: converter, settings, choice.choice, part: part,
      mostExpansion: limits.expansion?.bytes ?? FeedFile.defaultExpansion, isQuiet: isQuiet, report)
    throw try conversion.run(
      inputs: inputs, output: target, rejects: rejects, omitsRaw: omitsRaw, statistics: stats,
      checkpoint: keeper)
  }

  /// Opens the database of a table, with the checkpoint in it, if there is to be one.
  private func open(_ table: SQLiteTable, _ terms: Checkpoint.Terms, rejects: String?) throws -> (
    RunTarget, CheckpointKeeper?
  ) {
    do {
      // Before a database is made.
      if checkpoint.resume { try CheckpointOptions.checkInputs(terms.inputs, of: "--resume") }
      for input in terms.inputs {
        try FeedFile.look(at: input)
        if checkpoint.resume { try FeedFile.refuseCompressed(input) }
      }
      return try checkpoint.open(table, terms, rejects: rejects)
    } catch let error as SystemError {
      StandardError.write("stream-map: \(error)")
      throw error.status
    }
  }

  /// The files of an output that is divided.
  private func open(
    _ division: DivisionOptions.Division, _ output: String, _ layout: OutputLayout,
    _ files: RunFiles, hidesValues: Bool
  ) throws -> RunTarget {
    let made: OutputFiles
    do throws(SystemError) {
      made = try OutputFiles(
        output, division.kind, layout, mostFiles: limits.files?.bytes ?? OutputFiles.defaultMost,
        hidesValues: hidesValues, refusal: { files.reasonNotToWrite($0) })
    } catch {
      StandardError.write("stream-map: \(error)")
      throw error.status
    }
    return .files(made)
  }

  /// The mapping, with a digest of all that says it: a file's, or that of the fields.
  ///
  /// Without either, records are copied, if the command says where they are or how they are written.
  private func load() throws -> (MappingFile, Digest) {
    if let mapping {
      guard field.isEmpty else {
        throw ValidationError("Give either --mapping or --field, not both.")
      }
      let argument = try MappingArgument(mapping, try SetArgument.values(set)) { file in
        let isTable = (outputFormat ?? file.output.format) == .sqlite
        return isTable ? TableDefinition.problems(of: file, for: .sqlite) : []
      }
      return (argument.file, argument.digest)
    }
    guard set.isEmpty else { throw ValidationError("--set is for --mapping FILE.") }
    if field.isEmpty, !records.isEmpty || outputFormat != nil {
      let text = "{ streammap: 1, record: $ }"
      var digest = Digest()
      digest.add(text)
      return (try MappingFile(yaml: text), digest)
    }
    guard !field.isEmpty else {
      let commands = ["run", "check"]
      let meant = inputs.first.flatMap { Suggestion.nearest(to: $0, among: commands) }
      throw ValidationError(
        "A mapping is missing: give --mapping FILE, or --field for each field"
          + (meant.map { Suggestion.hint("stream-map \($0)") } ?? "."))
    }
    var digest = Digest()
    for field in field { digest.add(field) }
    let fields = try field.map { try FieldArgument.field($0) }
    return (try Self.compiled { () throws(DefinitionError) in try MappingFile(fields) }, digest)
  }

  /// Flags win over the file.
  private func override(_ settings: inout MappingFile, _ output: String) throws {
    if !records.isEmpty {
      settings.records = try records.map { try PathPattern(argument: $0) }
    }
    if let inputFormat { settings.format = inputFormat.format }
    settings.output.format =
      outputFormat ?? settings.output.format ?? OutputFormat(fileName: output) ?? .ndjson
    try table.override(&settings.output)
    if omitsHeader { settings.output.rows.hasHeader = false }
    if isSafe { settings.output.rows.isSafe = true }
    limits.apply(to: &settings.limits)
    if let errors {
      settings.errors.mode = errors
    } else if rejects != nil {
      settings.errors.mode = .reject
    }
    if maxErrors != nil || maxErrorRatio != nil, settings.errors.mode == .fail {
      let flag = maxErrors != nil ? "--max-errors" : "--max-error-ratio"
      throw ValidationError("\(flag) is for --errors skip and --errors reject.")
    }
    if let maxErrors { settings.errors.budget.count = maxErrors }
    if let maxErrorRatio { settings.errors.budget.ratio = maxErrorRatio }
    // Given by a flag, it makes nothing of the file's budget.
    if settings.errors.mode == .fail { settings.errors.budget = ErrorBudget() }
  }

  /// What has to be the same for a run to be gone on with.
  private func terms(
    _ settings: MappingFile, _ digest: Digest, _ inputs: [String], _ output: String,
    _ rejects: String?, _ part: RunPart?
  ) -> Checkpoint.Terms {
    var mapping = digest
    for path in settings.records { mapping.add(path.description) }
    mapping.add("\(settings.format) \(settings.output) \(choice.choice)")
    var rejection = Digest()
    rejection.add("\(settings.errors.mode) \(settings.limits) \(omitsRaw)")
    rejection.add(rejects ?? "")
    return Checkpoint.Terms(
      mapping: mapping.text, inputs: inputs, output: output, rejection: rejection.text,
      part: part?.name)
  }

  private func rejectsPath(_ settings: MappingFile) throws -> String? {
    guard settings.errors.mode == .reject else {
      if rejects != nil { throw ValidationError("--rejects is for --errors reject.") }
      return nil
    }
    guard let path = rejects ?? settings.errors.rejects else {
      throw ValidationError("--errors reject needs --rejects FILE.")
    }
    return path
  }

  /// What maps, and how the records are laid out in each file.
  private func converter(_ settings: MappingFile, _ division: DivisionOptions.Division?) throws -> (
    OutputConverter, OutputLayout
  ) {
    let plan = try Self.compiled { () throws(DefinitionError) in try settings.plan() }
    let layout = try layout(settings, plan)
    var written = layout
    if let division {
      do throws(DefinitionError) {
        written = try layout.framed(division.template, of: plan.record)
      } catch {
        throw DivisionOptions.mistake(error)
      }
    }
    let converter = OutputConverter(plan, layout: written)
    // What is mapped ahead by others would be for nothing.
    converter.jobs = choice.limit == nil ? jobs : 1
    converter.parser = parser
    return (converter, layout)
  }

  /// Of a file that says the format, mistakes were found when it was read.
  private func layout(_ settings: MappingFile, _ plan: OutputPlan) throws -> OutputLayout {
    let format = settings.output.format ?? .ndjson
    do throws(DefinitionError) {
      return try settings.layout(of: plan, as: format)
    } catch {
      let reasons = error.mistakes.map(\.reason).joined(separator: "; ")
      throw ValidationError("--to \(format): \(reasons).")
    }
  }

  /// What arguments say, compiled: mistakes are theirs.
  private static func compiled<Result>(_ compile: () throws(DefinitionError) -> Result) throws
    -> Result
  {
    do throws(DefinitionError) {
      return try compile()
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
