import ArgumentParser
import StreamMap
import StreamMapPlatform

/// Which records of the feeds are mapped, and how many.
struct ChoiceOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after this many mapped records; the rest of the feeds is not read, so not checked, either.",
      valueName: "number"))
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Skip this many records at the beginning.", valueName: "number"))
  var skip: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Map a random part of the records, such as 1% or 0.01; the same for the same --seed.",
      valueName: "share"))
  var sample: SampleShare?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What --sample depends on, besides the numbers of the records (0).", valueName: "number"))
  var seed: UInt64?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more.") }
    if let skip, skip < 0 { throw ValidationError("--skip takes 0 or more.") }
    if seed != nil, sample == nil { throw ValidationError("--seed is for --sample SHARE.") }
  }

  /// Refuses what a checkpoint does not go with.
  func refuse(_ flag: String) throws {
    for (name, value) in [("limit", limit), ("skip", skip)] where value != nil {
      throw ValidationError("--\(name) and \(flag) do not go together.")
    }
  }

  /// Which records are mapped.
  var choice: FeedChoice {
    FeedChoice(
      limit: limit, skip: skip ?? 0,
      sample: sample.map { RecordChoice.Sample(share: $0.share, seed: seed ?? 0) })
  }
}

/// A part of all records: `1%`, `0.01`.
struct SampleShare: ExpressibleByArgument {
  /// From 0 to 1.
  let share: Double

  init?(argument: String) {
    let isPercentage = argument.hasSuffix("%")
    guard let number = Double(isPercentage ? String(argument.dropLast()) : argument) else {
      return nil
    }
    share = isPercentage ? number / 100 : number
    guard (0...1).contains(share) else { return nil }
  }
}

/// Which records of a run are mapped.
struct FeedChoice {
  /// How many are mapped at most.
  var limit: Int?
  /// How many are passed over at the beginning of the run.
  var skip = 0
  var sample: RecordChoice.Sample?

  /// Which records of a feed are mapped; nil for all.
  ///
  /// - Parameters:
  ///   - feed: Its number in the run.
  ///   - before: How many records the feeds before it had.
  /// - Returns: The choice.
  func records(ofFeed feed: Int, after before: Int) -> RecordChoice? {
    let skipped = max(skip - before, 0)
    if skipped == 0, sample == nil { return nil }
    return RecordChoice(skipping: skipped, sample, ofFeed: feed)
  }
}
