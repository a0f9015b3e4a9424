/// How a feed ended, and its counts.
///
/// A server may answer with it: encoded, it holds no values of the feed. Its ``position`` is left out, because that may have values
/// from around the records; its duration is in seconds.
public struct FeedSummary: Codable, Sendable {
  /// Records that are over: mapped, rejected or dropped.
  public var records = 0
  /// Records with a value.
  public var mapped = 0
  /// Records without one.
  public var rejected = 0
  /// Records that the condition (`where`) of a mapping file dropped.
  public var dropped = 0
  /// What was wrong with records without losing their value.
  public var issues = 0
  /// Bytes of the feed that were passed; where reading resumed inside it, from there on.
  public var bytes = 0
  /// The time from when the feed was opened.
  public var duration: Duration
  /// The record paths that did not occur: if the feed is complete, it does not have them.
  ///
  /// A typing mistake in a path gives a complete feed without records: look here.
  public var unseenPaths: [String]
  /// How the feed ended.
  public var verdict: FeedVerdict
  /// What ended the feed; nil if it is complete, or its rest was not read.
  public var reason: MappingError?
  /// Which bound of ``FeedOptions`` ended the feed; nil if none did, or if a limit of a record did.
  public var exceeded: FeedDemand?
  /// The first records that failed, a bounded number of them.
  public var firstRejects: [Reject]
  /// Where reading can be resumed; nil if the feed is complete, or that is not possible.
  ///
  /// It may hold values from around the records, which are for your own store and not for an answer: it is not encoded with
  /// the summary.
  public var position: FeedPosition?

  /// Makes a summary, for tests of an observer.
  public init(
    duration: Duration = .zero, unseenPaths: [String] = [], verdict: FeedVerdict,
    reason: MappingError? = nil, exceeded: FeedDemand? = nil, firstRejects: [Reject] = [],
    position: FeedPosition? = nil
  ) {
    self.duration = duration
    self.unseenPaths = unseenPaths
    self.verdict = verdict
    self.reason = reason
    self.exceeded = exceeded
    self.firstRejects = firstRejects
    self.position = position
  }

  private enum CodingKeys: String, CodingKey {
    case records, mapped, rejected, dropped, issues, bytes, seconds, unseenPaths, verdict, reason
    case exceeded, firstRejects
  }

  /// Reads what ``encode(to:)`` wrote; there is no position in it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      duration: .seconds(try container.decode(Double.self, forKey: .seconds)),
      unseenPaths: try container.decode([String].self, forKey: .unseenPaths),
      verdict: try container.decode(FeedVerdict.self, forKey: .verdict),
      reason: try container.decodeIfPresent(MappingError.self, forKey: .reason),
      exceeded: try container.decodeIfPresent(FeedDemand.self, forKey: .exceeded),
      firstRejects: try container.decode([Reject].self, forKey: .firstRejects))
    records = try container.decode(Int.self, forKey: .records)
    mapped = try container.decode(Int.self, forKey: .mapped)
    rejected = try container.decode(Int.self, forKey: .rejected)
    dropped = try container.decode(Int.self, forKey: .dropped)
    issues = try container.decode(Int.self, forKey: .issues)
    bytes = try container.decode(Int.self, forKey: .bytes)
  }

  /// Writes everything but the position; the duration as `seconds`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(records, forKey: .records)
    try container.encode(mapped, forKey: .mapped)
    try container.encode(rejected, forKey: .rejected)
    try container.encode(dropped, forKey: .dropped)
    try container.encode(issues, forKey: .issues)
    try container.encode(bytes, forKey: .bytes)
    try container.encode(duration / .seconds(1), forKey: .seconds)
    try container.encode(unseenPaths, forKey: .unseenPaths)
    try container.encode(verdict, forKey: .verdict)
    try container.encodeIfPresent(reason, forKey: .reason)
    try container.encodeIfPresent(exceeded, forKey: .exceeded)
    try container.encode(firstRejects, forKey: .firstRejects)
  }
}
