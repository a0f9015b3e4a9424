import ArgumentParser
import StreamMap
import StreamMapFiles
import StreamMapPlatform

/// Which part of a feed a run maps.
struct PartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Map one part of the feed, from 1/8 to 8/8: the records that begin in it. The outputs of all parts, joined, are"
        + " that of one run. Lines can be cut anywhere; any other feed needs --index.",
      valueName: "k/n"))
  var part: PartNumber?

  @Option(
    help: ArgumentHelp(
      "Where the feed can be cut, as 'stream-map index' wrote it; with it the numbers and lines of records are known.",
      valueName: "file"))
  var index: String?

  func validate() throws {
    if index != nil, part == nil { throw ValidationError("--index is for --part K/N.") }
  }

  /// Refuses what has no good meaning for a part.
  func check(_ inputs: [String], _ settings: MappingFile, _ choice: ChoiceOptions, isDivided: Bool)
    throws
  {
    guard part != nil else { return }
    guard let input = inputs.first, inputs.count == 1 else {
      throw ValidationError("--part takes one input; give each feed a run of its own.")
    }
    guard CheckpointOptions.canBeReadAgain(input) else {
      throw ValidationError("--part needs an input that is a file: '\(input)' is not one.")
    }
    if choice.limit != nil {
      throw ValidationError(
        "--limit and --part do not go together: no part knows how many records the others map.")
    }
    if settings.errors.resynchronizes {
      throw ValidationError(
        "--resync and --part do not go together: no part knows where a malformed record of another one ends."
      )
    }
    for (name, isGiven) in [("skip", choice.skip != nil), ("sample", choice.sample != nil)]
    where isGiven && index == nil {
      throw ValidationError(
        "--\(name) goes by the numbers of records: with --part it needs --index FILE.")
    }
    if isDivided {
      throw ValidationError("--part writes one output: give each part an -o FILE of its own.")
    }
    if settings.output.format == .json {
      throw ValidationError("--to json writes one array, which has no parts: give --to ndjson.")
    }
  }

  /// The part of the input, which is compared with the index; nil for all of it.
  ///
  /// - Throws: ``ExitStatus``, with a message, if that cannot be.
  func run(of inputs: [String], _ branches: [RunBranch], _ mappings: [RunBranch.Mapping]) throws
    -> RunPart?
  {
    for (branch, mapping) in zip(branches, mappings) { try branch.checkPart(mapping, inputs) }
    guard let part, let input = inputs.first else { return nil }
    // There is one: several mappings have no parts.
    let settings = mappings[0].settings
    do {
      try FeedFile.look(at: input)
      try FeedFile.refuseCompressed(input, to: "map a part of")
      let mapper = try settings.mapper()
      let index = try index.map { try IndexFile.read($0) }
      let made = try mapper.part(
        part.number, of: part.count, in: .file(input), index: index)
      return RunPart(made, try mapper.reading(made, of: .file(input)))
    } catch let error as SystemError {
      StandardError.write("stream-map: \(error)")
      throw error.status
    } catch let error as MappingError {
      let hint = index == nil ? " (stream-map index, --index FILE)" : ""
      StandardError.write(
        "stream-map: \(input): \(error.message)\(error.code == .io ? "" : hint)")
      throw error.code == .io ? ExitStatus.io : .usage
    } catch let error as DefinitionError {
      throw ValidationError("\(error)")
    }
  }
}

/// The number of a part and how many parts there are: `3/8`.
struct PartNumber: ExpressibleByArgument {
  let number: Int
  let count: Int

  init?(argument: String) {
    let sides = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2, let number = Int(sides[0]), let count = Int(sides[1]),
      (1...1_000_000).contains(count), (1...count).contains(number)
    else { return nil }
    self.number = number
    self.count = count
  }
}
