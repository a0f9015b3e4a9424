/// How a part of a feed is read.
package struct PartReading: Sendable {
  /// Its bytes in the feed.
  package let bytes: Range<Int>
  /// Where reading continues; nil at the beginning of the feed.
  package let start: FeedPosition?
  /// Where it ends, where that can be compared.
  package let end: PartEnd?
}

/// Where a part of a feed ends that is not its last: at the place where the next part begins.
///
/// A reader that is at the end of a part compares where it is with this place: offset, line, open containers, number of records and
/// context. So by induction parts that all end well are the whole feed, whatever an index says; the first part begins where the
/// feed begins.
package struct PartEnd: Sendable {
  /// Where a reader has to be then.
  let position: FeedPosition
  /// The byte of the feed there.
  let next: UInt8

  /// Whether a reader that read to the end of the part came to this place.
  func isReached(at place: FeedPosition?) -> Bool { place?.isSamePlace(as: position) ?? false }

  /// What is wrong where it did not: records would be lost or come twice.
  static let mismatch = MappingError(
    .invalidDefinition, expected: "a part that ends where the next one begins",
    found:
      "another end: the feed has changed, or the index is not of this feed; make the index again")

  /// The same as the last fault of the feed.
  static let fault = FeedReader.Fault(
    error: mismatch, text: .none, isFinal: true, isCutOff: false)
}
