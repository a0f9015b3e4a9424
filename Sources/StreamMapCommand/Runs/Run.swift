import ArgumentParser
import StreamMap
import StreamMapFiles

/// A run, as its arguments say it.
struct Run {
  /// What most runs give.
  private var plain: PlainRunCommand
  /// All other options; nil if none of them is given.
  private let more: RunCommand?

  init(_ plain: PlainRunCommand, more: RunCommand? = nil) {
    self.plain = plain
    self.more = more
    guessMapping()
  }

  /// Takes the first input for the mapping file, where it is one and none is given.
  private mutating func guessMapping() {
    guard plain.mapping == nil, plain.field.isEmpty, let first = plain.inputs.first,
      MappingGuess.isMapping(first)
    else { return }
    plain.mapping = first
    plain.inputs.removeFirst()
    if isQuiet { return }
    StandardError.write("stream-map: \(FileReading.title(of: first)) is taken for the mapping (-m)")
  }

  func run() throws {
    if let mistake = FirstInput.output(among: plain.inputs) { throw ValidationError("\(mistake).") }
    if isBare { return try show() }
    if checkpoint?.path != nil { try more?.choice.refuse("--checkpoint") }
    if isResumed { try more?.choice.refuse("--resume") }
    Interruption.install()
    let inputs = plain.inputs.isEmpty ? ["-"] : plain.inputs
    let output = plain.output ?? "-"
    var files = RunFiles()
    for input in inputs { files.read(input, as: .input) }
    if let mapping = plain.mapping { files.read(mapping, as: .mapping) }
    if let index = more?.part.index { files.read(index, as: .index) }
    let division = try DivisionOptions.division(output, split: more?.division.split)
    if division == nil {
      files.writeOutput(output)
    } else if checkpoint?.path != nil {
      throw ValidationError("--checkpoint needs one output file: '\(output)' is several.")
    }
    if let path = try checkpoint?.target() { files.writeCheckpoint(path) }
    // Before the mapping is read, too: it may come by the same stream as a feed.
    try files.check()
    var (settings, digest, beginning) = try load(inputs[0], output)
    try override(&settings)
    let table = try TableOptions.table(settings, output, checkpoint)
    if table != nil, division != nil {
      throw ValidationError("--to sqlite writes one file: '\(output)' is several.")
    }
    // Named by the mapping file.
    if let table, output == "-" { files.willWrite(table.path, as: .output) }
    let columns = try ColumnFile(
      settings, output, isDivided: division != nil, hasCheckpoint: checkpoint?.path != nil)
    let (converter, layout) = try converter(settings, division)
    let rejects = try rejectsPath(settings)
    // The first is the mapping file itself.
    for used in settings.files.dropFirst() { files.read(used, as: .used) }
    if let rejects { files.willWrite(rejects, as: .rejects) }
    try files.check()
    if let more {
      try more.part.check(inputs, settings, more.choice, isDivided: division != nil)
    }
    let part = try more?.part.run(of: inputs, settings)
    // PERF: only made for a checkpoint, because it prints what the mapping file says.
    let terms = { self.terms(settings, digest, inputs, output, rejects, part) }
    let target: RunTarget
    let keeper: CheckpointKeeper?
    if let table {
      (target, keeper) = try opened(table, terms(), rejects: rejects)
    } else if let columns {
      (target, keeper) = (.columns(columns), nil)
    } else if let division {
      target = try opened(division, output, layout, files, hidesValues: converter.hidesValues)
      keeper = nil
    } else {
      target = .file(output)
      keeper = try checkpoint?.file(
        terms(), inputs: inputs, output: output, rejects: rejects)
    }
    let report = ProgressReport(
      more?.progress ?? .auto, isQuiet: isQuiet, inputs: inputs, output: output,
      part: part?.reading.bytes.count)
    let conversion = FeedRun(
      converter: converter, settings, choice, part: part,
      mostExpansion: more?.limits.expansion?.bytes ?? FeedFile.defaultExpansion,
      startingWith: beginning, isQuiet: isQuiet, report)
    throw try conversion.run(
      inputs: inputs, output: target, rejects: rejects, omitsRaw: omitsRaw, statistics: more?.stats,
      checkpoint: keeper)
  }

  private var checkpoint: CheckpointOptions? { more?.checkpoint }
  private var isResumed: Bool { checkpoint?.resume ?? false }
  private var choice: FeedChoice { more?.choice.choice ?? FeedChoice() }
  private var omitsRaw: Bool { more?.omitsRaw ?? false }
  private var isQuiet: Bool { more?.isQuiet ?? false }

  /// Opens the database of a table, with the checkpoint in it, if there is to be one.
  private func opened(_ table: SQLiteTable, _ terms: Checkpoint.Terms, rejects: String?) throws -> (
    RunTarget, CheckpointKeeper?
  ) {
    do {
      // Before a database is made.
      if isResumed { try CheckpointOptions.checkInputs(terms.inputs, of: "--resume") }
      for input in terms.inputs {
        try FeedFile.look(at: input)
        if isResumed { try FeedFile.refuseCompressed(input) }
      }
      return try CheckpointOptions.opened(table, checkpoint, terms, rejects: rejects)
    } catch let error as SystemError {
      StandardError.write("stream-map: \(error)")
      throw error.status
    }
  }

  /// The files of an output that is divided.
  private func opened(
    _ division: DivisionOptions.Division, _ output: String, _ layout: OutputLayout,
    _ files: RunFiles, hidesValues: Bool
  ) throws -> RunTarget {
    let made: OutputFiles
    do throws(SystemError) {
      made = try OutputFiles(
        output, division.kind, layout,
        mostFiles: more?.limits.files?.bytes ?? OutputFiles.defaultMost, hidesValues: hidesValues,
        refusal: { files.reasonNotToWrite($0) })
    } catch {
      StandardError.write("stream-map: \(error)")
      throw error.status
    }
    return .files(made)
  }

  // MARK: Without a mapping

  /// Whether only feeds are given: then there is nothing to do but to show what they are.
  private var isBare: Bool {
    plain.mapping == nil && plain.field.isEmpty && plain.set.isEmpty && plain.records.isEmpty
      && plain.outputFormat == nil && plain.output == nil && more == nil
      && plain.inputs.first.map { $0 != "-" && (try? FeedFile.look(at: $0)) != nil } ?? false
  }

  private func show() throws {
    Interruption.install()
    let feed = try SampledFeed(
      [plain.inputs[0]], at: nil, plain.inputFormat, most: FeedSample.mostRecords)
    try StandardOutput.show(feed.overview)
  }

  /// The mapping, its digest, and what was read of standard input for it, where none is given.
  ///
  /// Rows are made of all members that the first records have; in any other form records are copied.
  private func unmapped(_ input: String, _ output: String) throws -> (MappingFile, Digest, [UInt8])
  {
    var digest = Digest()
    switch try OutputName(output).format(plain.outputFormat) {
    case .csv, .tsv, .pgcopy, .sqlite, .parquet, .arrow:
      let path = try plain.records.first.map { try PathPattern(argument: $0) }
      let feed = try SampledFeed(
        [input], at: path, plain.inputFormat, most: FeedSample.mostRecords, isReadAgain: true)
      let (text, columns) = feed.mapping(plain.inputFormat)
      if !isQuiet { StandardError.write("stream-map: \(feed.choice(ofColumns: columns))") }
      digest.add(text)
      return (try Self.mapping(text), digest, feed.beginning)
    case .ndjson, .json, .pretty, .text:
      let text = "{ streammap: 1, record: $ }"
      digest.add(text)
      return (try Self.mapping(text), digest, [])
    }
  }

  private static func mapping(_ text: String) throws -> MappingFile {
    do {
      return try MappingFile(yaml: text)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// The mapping, with a digest of all that says it: a file's, or that of the fields; and what was read of standard input for it.
  private func load(_ input: String, _ output: String) throws -> (MappingFile, Digest, [UInt8]) {
    if let mapping = plain.mapping {
      guard plain.field.isEmpty else {
        throw ValidationError("Give either --mapping or --field, not both.")
      }
      let argument = try MappingArgument(mapping, try SetArgument.values(plain.set)) { file in
        let isTable = (try? outputFormat(file)) == .sqlite
        return isTable ? TableDefinition.problems(of: file, for: .sqlite) : []
      }
      return (argument.file, argument.digest, [])
    }
    guard plain.set.isEmpty else { throw ValidationError("--set is for --mapping FILE.") }
    if plain.field.isEmpty,
      !plain.records.isEmpty || plain.outputFormat != nil || plain.output != nil
    {
      return try unmapped(input, output)
    }
    guard !plain.field.isEmpty else {
      let commands = RootCommand.configuration.subcommands.compactMap {
        $0.configuration.commandName
      }
      let meant = plain.inputs.first.flatMap { FirstInput.hint($0, commands: commands) }
      throw ValidationError(
        "A mapping is missing: give --mapping FILE, --field for each field, or --to csv for all of them"
          + (meant ?? "."))
    }
    var digest = Digest()
    for field in plain.field { digest.add(field) }
    let fields = try plain.field.flatMap { try FieldArgument.fields($0) }
    return (try Self.compiled { () throws(DefinitionError) in try MappingFile(fields) }, digest, [])
  }

  /// The form of the output: the option's, the file's, or that which the output's name tells.
  private func outputFormat(_ settings: MappingFile) throws -> OutputFormat {
    try OutputName(plain.output ?? "-")
      .format(plain.outputFormat ?? settings.output.format)
  }

  /// Flags win over the file.
  private func override(_ settings: inout MappingFile) throws {
    if !plain.records.isEmpty {
      settings.records = try plain.records.map { try PathPattern(argument: $0) }
    }
    if let inputFormat = plain.inputFormat { settings.format = inputFormat.format }
    settings.output.format = try outputFormat(settings)
    try more?.table.override(&settings.output)
    if plain.omitsHeader { settings.output.rows.hasHeader = false }
    if plain.isSafe { settings.output.rows.isSafe = true }
    more?.limits.apply(to: &settings.limits)
    if let errors = more?.errors {
      settings.errors.mode = errors
    } else if more?.rejects != nil {
      settings.errors.mode = .reject
    }
    let (maxErrors, maxErrorRatio) = (more?.maxErrors, more?.maxErrorRatio)
    if maxErrors != nil || maxErrorRatio != nil, settings.errors.mode == .fail {
      let flag = maxErrors != nil ? "--max-errors" : "--max-error-ratio"
      throw ValidationError("\(flag) is for --errors skip and --errors reject.")
    }
    if let maxErrors { settings.errors.budget.count = maxErrors }
    if let maxErrorRatio { settings.errors.budget.ratio = maxErrorRatio }
    // Given by a flag, it makes nothing of the file's budget.
    if settings.errors.mode == .fail { settings.errors.budget = ErrorBudget() }
  }

  /// The settings that have to be the same for a run to be continued.
  private func terms(
    _ settings: MappingFile, _ digest: Digest, _ inputs: [String], _ output: String,
    _ rejects: String?, _ part: RunPart?
  ) -> Checkpoint.Terms {
    var mapping = digest
    for path in settings.records { mapping.add(path.description) }
    mapping.add("\(settings.format) \(settings.output) \(choice)")
    var rejection = Digest()
    rejection.add("\(settings.errors.mode) \(settings.limits) \(omitsRaw)")
    rejection.add(rejects ?? "")
    return Checkpoint.Terms(
      mapping: mapping.text, inputs: inputs, output: output, rejection: rejection.text,
      part: part?.name)
  }

  private func rejectsPath(_ settings: MappingFile) throws -> String? {
    guard settings.errors.mode == .reject else {
      if more?.rejects != nil { throw ValidationError("--rejects is for --errors reject.") }
      return nil
    }
    guard let path = more?.rejects ?? settings.errors.rejects else {
      throw ValidationError("--errors reject needs --rejects FILE.")
    }
    return path
  }

  /// What maps, and how the records are laid out in each file.
  private func converter(_ settings: MappingFile, _ division: DivisionOptions.Division?) throws -> (
    OutputConverter, OutputLayout
  ) {
    let plan = try Self.compiled { () throws(DefinitionError) in
      try settings.plan(as: settings.output.format ?? .ndjson)
    }
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
    // Records that others map ahead would be for nothing.
    converter.jobs = choice.limit == nil ? more?.jobs ?? 1 : 1
    converter.parser = more?.parser ?? .auto
    return (converter, layout)
  }

  /// If the file says the format, its mistakes were found when it was read.
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
