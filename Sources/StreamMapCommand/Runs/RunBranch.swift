import ArgumentParser
import StreamMap
import StreamMapFiles

/// One mapping of a run as the arguments say it, with its output and its rejects.
struct RunBranch {
  /// A mapping that was read, and what comes of it.
  struct Mapping {
    let settings: MappingFile
    /// The digest of all that says it: the mapping files, or the fields.
    let digest: Digest
    /// What was read of standard input to find it, where none is given.
    let beginning: [UInt8]
    let converter: OutputConverter
    /// How the records are laid out in each file.
    let layout: OutputLayout
    /// The table, where rows of one are written.
    let table: SQLiteTable?
    /// The file of columns, where one is written.
    let columns: ColumnFile?
    /// Where rejects go.
    let rejects: String?
  }

  private let plain: PlainRunCommand
  /// All options that few runs give; nil if none of them is given.
  private let more: RunCommand?
  /// The mapping file; nil if there are fields instead, or nothing.
  private let mapping: MappingArgument?
  /// What messages call it.
  private let name: String?
  /// Where its records go.
  let output: String
  /// Where its rejects go, as an option says.
  private let rejects: String?
  /// From 1.
  private let number: Int
  /// Whether the run has no other mapping.
  private let isAlone: Bool
  /// How the output is divided; nil if it is one file.
  private let division: DivisionOptions.Division?

  /// The mappings of a run, in the order in which they are given; their files are read.
  ///
  /// - Throws: `ValidationError`, or ``ExitStatus``, with a message.
  static func all(_ plain: PlainRunCommand, _ more: RunCommand?) throws -> [RunBranch] {
    let outputs = MappingOption.output(plain.output)
    let rejects = MappingOption.rejects(more?.rejects ?? [])
    let mappings = try mappings(plain, outputs)
    let members = mappings.compactMap(\.argument.file.member)
    let count = max(mappings.count, 1)
    if count > 1 { try refuseForSeveral(plain, more) }
    try outputs.check(members, count, isNeeded: true)
    try rejects.check(members, count, isNeeded: false)
    return try (0..<count).map { index in
      let mapping = mappings.indices.contains(index) ? mappings[index] : nil
      let member = mapping?.argument.file.member
      let (output, division) = try DivisionOptions.division(
        outputs.value(index, member) ?? "-", split: more?.division.split)
      return RunBranch(
        plain: plain, more: more, mapping: mapping?.argument, name: member ?? mapping?.path,
        output: output, rejects: rejects.value(index, member), number: index + 1,
        isAlone: count == 1, division: division)
    }
  }

  /// The mappings of the files that are given.
  private static func mappings(_ plain: PlainRunCommand, _ outputs: MappingOption) throws -> [(
    argument: MappingArgument, path: String
  )] {
    if plain.mapping.isEmpty { return [] }
    guard plain.field.isEmpty else {
      throw ValidationError("Give either --mapping or --field, not both.")
    }
    let values = try SetArgument.values(plain.set)
    let isAlone = plain.mapping.count == 1
    return try plain.mapping.enumerated().flatMap { index, path in
      let all = try MappingArgument.all(path, values, isAlone: isAlone) { file in
        let output = outputs.value(index, file.member) ?? "-"
        let isTable = (try? outputFormat(file, output, plain)) == .sqlite
        return isTable ? TableDefinition.problems(of: file, for: .sqlite) : []
      }
      if !isAlone, all.contains(where: { $0.file.member != nil }) {
        throw ValidationError(
          "\(FileReading.title(of: path)) has several mappings: give it as the only -m.")
      }
      return all.map { ($0, path) }
    }
  }

  /// Refuses what is about one mapping, where there are several.
  private static func refuseForSeveral(_ plain: PlainRunCommand, _ more: RunCommand?) throws {
    let inFile: [(flag: String, isGiven: Bool)] = [
      ("--records", !plain.records.isEmpty), ("--table", more?.table.name != nil),
      ("--key", more?.table.key.isEmpty == false), ("--mode", more?.table.mode != nil),
    ]
    for option in inFile where option.isGiven {
      throw ValidationError(
        "\(option.flag) is about one mapping, and there are several: say it in the mapping files.")
    }
    if more?.part.part != nil {
      throw ValidationError(
        "--part is about one mapping, and there are several: give each mapping a run of its own.")
    }
  }

  /// Notes the files that the options name.
  func note(in files: inout RunFiles) throws {
    if division == nil {
      files.writeOutput(output)
    } else if checkpoint?.path != nil {
      throw ValidationError("--checkpoint needs one output file: '\(output)' is several.")
    } else {
      files.writeSeveral(output)
    }
    if let path = try checkpoint?.target(number) { files.writeCheckpoint(path) }
  }

  /// The mapping, with what the options say of it.
  ///
  /// - Parameters:
  ///   - input: The run's first input: it tells the fields, where nothing says a mapping.
  ///   - files: The files of the run, to which those of the mapping come.
  /// - Returns: The mapping.
  /// - Throws: `ValidationError`, or ``ExitStatus``, with a message.
  func load(_ input: String, _ files: inout RunFiles) throws -> Mapping {
    var (settings, digest, beginning) = try read(input)
    try override(&settings)
    let table = try TableOptions.table(settings, output, checkpoint, isAlone: isAlone)
    if table != nil, division != nil {
      throw ValidationError("--to sqlite writes one file: '\(output)' is several.")
    }
    // Named by the mapping file.
    if let table, output == "-" { files.willWrite(table.path, as: .output) }
    let columns = try ColumnFile(
      settings, output, isDivided: division != nil, hasCheckpoint: checkpoint?.path != nil)
    let (converter, layout) = try converter(settings)
    let rejects = try rejectsPath(settings)
    // The first is the mapping file itself.
    for used in settings.files.dropFirst() { files.read(used, as: .used) }
    if let rejects { files.willWrite(rejects, as: .rejects) }
    return Mapping(
      settings: settings, digest: digest, beginning: beginning, converter: converter,
      layout: layout, table: table, columns: columns, rejects: rejects)
  }

  /// Opens what has to be open before the run begins.
  func order(_ made: Mapping, _ inputs: [String], _ files: RunFiles, _ part: RunPart?) throws
    -> Conversion.Order
  {
    // PERF: only made for a checkpoint, because it prints what the mapping file says.
    let terms = { self.terms(made, inputs, part) }
    let target: RunTarget
    var keeper: CheckpointKeeper?
    if let table = made.table {
      (target, keeper) = try opened(table, terms(), rejects: made.rejects)
    } else if let columns = made.columns {
      target = .columns(columns)
    } else if let division {
      target = try opened(
        division, made.layout, files, hidesValues: made.converter.hidesValues)
    } else {
      target = .file(output)
      keeper = try checkpoint?.file(
        terms(), number, inputs: inputs, output: output, rejects: made.rejects)
    }
    return Conversion.Order(
      converter: made.converter, settings: made.settings, target: target, rejects: made.rejects,
      checkpoint: keeper, name: isAlone ? nil : name.map { FileReading.title(of: $0) })
  }

  /// Refuses a part that has no good meaning for this mapping.
  func checkPart(_ made: Mapping, _ inputs: [String]) throws {
    if let more {
      try more.part.check(inputs, made.settings, more.choice, isDivided: division != nil)
    }
  }

  private var checkpoint: CheckpointOptions? { more?.checkpoint }
  private var isResumed: Bool { checkpoint?.resume ?? false }
  private var choice: FeedChoice { more?.choice.choice ?? FeedChoice() }

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
    _ division: DivisionOptions.Division, _ layout: OutputLayout, _ files: RunFiles,
    hidesValues: Bool
  ) throws -> RunTarget {
    let made: OutputFiles
    do throws(SystemError) {
      made = try OutputFiles(
        output, division.kind, layout,
        mostFiles: more?.limits.files?.bytes ?? OutputFiles.defaultMost, hidesValues: hidesValues,
        taken: files.taken.files(of: number), refusal: { files.reasonNotToWrite($0) })
    } catch {
      StandardError.write("stream-map: \(error)")
      throw error.status
    }
    return .files(made)
  }

  // MARK: Without a mapping

  /// The mapping, its digest, and what was read of standard input for it, where none is given.
  ///
  /// Rows are made of all members that the first records have; in any other form records are copied.
  private func unmapped(_ input: String) throws -> (MappingFile, Digest, [UInt8]) {
    var digest = Digest()
    let format = try OutputName(output).format(plain.outputFormat)
    switch format {
    case .csv, .tsv, .pgcopy, .sqlite, .parquet, .arrow:
      let path = try plain.records.first.map { try PathPattern(argument: $0) }
      let feed = try SampledFeed(
        [input], at: path, plain.inputFormat, most: FeedSample.mostRecords, isReadAgain: true)
      let (text, columns) = feed.mapping(plain.inputFormat, for: format)
      if more?.isQuiet != true {
        StandardError.write("stream-map: \(feed.choice(ofColumns: columns))")
      }
      digest.add(text)
      var file = try Self.mapping(text, feed.origin)
      if feed.sample.isEmptyArray {
        if format.hasColumns || format == .sqlite { throw feed.noRecords() }
        // No column is known.
        file.output.rows.hasHeader = false
      }
      return (file, digest, feed.beginning)
    case .ndjson, .json, .pretty, .text:
      let text = "{ streammap: 1, record: $ }"
      digest.add(text)
      return (try Self.mapping(text, .none), digest, [])
    }
  }

  private static func mapping(_ text: String, _ origin: FieldOrigin) throws -> MappingFile {
    do {
      return try MappingFile(made: text, origin: origin)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  // MARK: The mapping

  /// The mapping, with a digest of all that says it: a file's, or that of the fields; and what was read of standard input for it.
  private func read(_ input: String) throws -> (MappingFile, Digest, [UInt8]) {
    if let mapping { return (mapping.file, mapping.digest, []) }
    guard plain.set.isEmpty else { throw ValidationError("--set is for --mapping FILE.") }
    if plain.field.isEmpty,
      !plain.records.isEmpty || plain.outputFormat != nil || !plain.output.isEmpty
    {
      return try unmapped(input)
    }
    guard !plain.field.isEmpty else {
      let commands = RootCommand.configuration.subcommands.compactMap {
        $0.configuration.commandName
      }
      let meant = plain.inputs.first.flatMap { FirstInput.hint($0, commands: commands) }
      if meant == nil { try FeedFile.lookOrTell(at: plain.inputs) }
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
  private static func outputFormat(
    _ settings: MappingFile, _ output: String, _ plain: PlainRunCommand
  ) throws -> OutputFormat {
    try OutputName(output).format(plain.outputFormat ?? settings.output.format)
  }

  /// Flags win over the file.
  private func override(_ settings: inout MappingFile) throws {
    if !plain.records.isEmpty {
      settings.records = try plain.records.map { try PathPattern(argument: $0) }
    }
    if let inputFormat = plain.inputFormat { settings.format = inputFormat.format }
    settings.output.format = try Self.outputFormat(settings, output, plain)
    try more?.table.override(&settings.output)
    if plain.omitsHeader { settings.output.rows.hasHeader = false }
    if plain.isSafe { settings.output.rows.isSafe = true }
    more?.limits.apply(to: &settings.limits)
    if let errors = more?.errors {
      settings.errors.mode = errors
    } else if rejects != nil {
      settings.errors.mode = .reject
    }
    let (maxErrors, maxErrorRatio) = (more?.maxErrors, more?.maxErrorRatio)
    if maxErrors != nil || maxErrorRatio != nil, settings.errors.mode == .fail {
      let flag = maxErrors != nil ? "--max-errors" : "--max-error-ratio"
      throw ValidationError("\(flag) is for --errors skip and --errors reject.")
    }
    if more?.resync == true {
      guard settings.errors.mode != .fail else {
        throw ValidationError("--resync is for --errors skip and --errors reject.")
      }
      settings.errors.resynchronizes = true
    }
    if let maxErrors { settings.errors.budget.count = maxErrors }
    if let maxErrorRatio { settings.errors.budget.ratio = maxErrorRatio }
    // Given by a flag, it makes nothing of the file's budget.
    if settings.errors.mode == .fail {
      settings.errors.budget = ErrorBudget()
      settings.errors.resynchronizes = false
    }
  }

  /// The settings that have to be the same for a run to be continued.
  private func terms(_ made: Mapping, _ inputs: [String], _ part: RunPart?) -> Checkpoint.Terms {
    let settings = made.settings
    var mapping = made.digest
    for path in settings.records { mapping.add(path.description) }
    mapping.add("\(settings.format) \(settings.output) \(choice)")
    var rejection = Digest()
    if settings.errors.resynchronizes { rejection.add("resync") }
    rejection.add("\(settings.errors.mode) \(settings.limits) \(more?.omitsRaw ?? false)")
    rejection.add(made.rejects ?? "")
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
  private func converter(_ settings: MappingFile) throws -> (OutputConverter, OutputLayout) {
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
    let columns = settings.columns(as: settings.output.format ?? .ndjson)
    let converter =
      if let columns {
        try OutputConverter(plan, columns: columns, size: ColumnOutput.size)
      } else {
        OutputConverter(plan, layout: written)
      }
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
