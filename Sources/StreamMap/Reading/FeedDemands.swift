/// What a feed may demand in all, beside the limits of its records.
struct FeedDemands: Sendable {
  /// From the start of the feed on, also where reading resumes inside it.
  var maximumBytes = Int.max
  var maximumRecords = Int.max
  var deadline: ContinuousClock.Instant?

  /// Whether input has to be looked at before it is read.
  var areOfInput: Bool { maximumBytes < .max || deadline != nil }

  /// The error of a feed that exceeds a demand at a place.
  func error(_ demand: FeedDemand, at place: FeedToken) -> MappingError {
    let expected =
      switch demand {
      case .maximumBytes: "at most \(maximumBytes) bytes in the feed"
      case .maximumRecords: "at most \(maximumRecords) records in the feed"
      case .deadline: "the end of the feed before its deadline"
      }
    return MappingError(
      .limitExceeded, position: place.position,
      expected: "\(expected) (FeedOptions.\(demand.rawValue))", found: "more")
  }
}
