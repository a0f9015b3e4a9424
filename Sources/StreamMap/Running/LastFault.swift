/// Tells of the last record of a feed whether it cost the feed, or only itself.
package struct LastFault {
  /// How a feed ended.
  package enum End {
    /// It was read to its end.
    case whole
    /// Its last record is malformed, and costs nothing but itself.
    case record
    /// Nothing can be read after the fault; or it is all there is, and nothing says that more was to come.
    case feed(MappingError)
  }

  private let format: FeedFormat
  /// The error of the last record, if it says that the feed is malformed there.
  private var error: MappingError?

  /// Begins a feed.
  package init(format: FeedFormat) { self.format = format }

  /// Whether the last record says that the feed is malformed: only the bytes that follow tell whether the feed ends with it.
  package var isFault: Bool { error != nil }

  /// Notes the error of a record that is over; nil for a record without one.
  package mutating func note(_ error: MappingError?) {
    // An error of the mapping has a target; a text that is not JSON has none.
    self.error = error.flatMap { $0.target == nil && $0.code.category != .data ? $0 : nil }
  }

  /// How the feed ended, once it is over.
  package func end(_ ending: FeedEnding) -> End {
    guard let error, ending.isAtFault || ending.isCutOff else { return .whole }
    let isAllThereIs = format == .auto && (error.record ?? 0) <= 1
    return ending.isAtFault || isAllThereIs ? .feed(error) : .record
  }
}
