/// What turns a feed's records into events.
///
/// The records, their errors and the output are the same either way. The choice is there to compare the two.
public enum RecordParser: String, Sendable, Hashable, CaseIterable {
  /// StreamMap chooses: each value straight from where it stands in the feed (whole records without anything unusual), else the
  /// index.
  case auto
  /// yajl's SAX parser, over the JSON text of everything that is mapped.
  case yajl
  /// The index: the table of tokens that reading makes.
  case index

  /// Whether reading hands over text.
  var takesText: Bool { self == .yajl }
}
