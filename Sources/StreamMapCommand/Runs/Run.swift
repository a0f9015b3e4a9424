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
    guard plain.mapping.isEmpty, plain.field.isEmpty, let first = plain.inputs.first,
      MappingGuess.isMapping(first)
    else { return }
    plain.mapping = [first]
    plain.inputs.removeFirst()
    if isQuiet { return }
    StandardError.write("stream-map: \(FileReading.title(of: first)) is taken for the mapping (-m)")
  }

  func run() throws {
    if let mistake = FirstInput.output(among: plain.inputs) { throw ValidationError("\(mistake).") }
    if isBare { return try show() }
    if more?.checkpoint.path != nil { try more?.choice.refuse("--checkpoint") }
    if more?.checkpoint.resume == true { try more?.choice.refuse("--resume") }
    Interruption.install()
    let inputs = plain.inputs.isEmpty ? ["-"] : plain.inputs
    var files = RunFiles()
    for input in inputs { files.read(input, as: .input) }
    if let index = more?.part.index { files.read(index, as: .index) }
    for mapping in plain.mapping { files.read(mapping, as: .mapping) }
    // Before the mappings are read, too: one may come by the same stream as a feed.
    try files.check()
    let branches = try RunBranch.all(plain, more)
    for branch in branches { try branch.note(in: &files) }
    try files.check()
    let mappings = try branches.map { try $0.load(inputs[0], &files) }
    try SetArgument.check(SetArgument.values(plain.set), mappings.map(\.settings))
    try files.check()
    let part = try more?.part.run(of: inputs, branches, mappings)
    let orders = try zip(branches, mappings).map { try $0.order($1, inputs, files, part) }
    let report = ProgressReport(
      more?.progress ?? .auto, isQuiet: isQuiet, inputs: inputs,
      output: branches.first { $0.output == "-" }?.output ?? branches[0].output,
      part: part?.reading.bytes.count)
    let choice = more?.choice.choice ?? FeedChoice()
    let conversions = orders.map {
      Conversion($0, choice, part: part, omitsRaw: more?.omitsRaw ?? false)
    }
    let run = FeedRun(
      conversions, part: part,
      mostExpansion: more?.limits.expansion?.bytes ?? FeedFile.defaultExpansion,
      startingWith: mappings[0].beginning, isQuiet: isQuiet, report)
    throw try run.run(inputs: inputs, statistics: more?.stats)
  }

  private var isQuiet: Bool { more?.isQuiet ?? false }

  // MARK: Without a mapping

  /// Whether only feeds are given: then there is nothing to do but to show what they are.
  private var isBare: Bool {
    plain.mapping.isEmpty && plain.field.isEmpty && plain.set.isEmpty && plain.records.isEmpty
      && plain.outputFormat == nil && plain.output.isEmpty && more == nil
      && plain.inputs.first.map { $0 != "-" && (try? FeedFile.look(at: $0)) != nil } ?? false
  }

  private func show() throws {
    Interruption.install()
    let feed = try SampledFeed(
      [plain.inputs[0]], at: nil, plain.inputFormat, most: FeedSample.mostRecords)
    try StandardOutput.show(feed.overview)
  }
}
