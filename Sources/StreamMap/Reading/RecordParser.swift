/// The parser that reads a feed's records.
///
/// The records, their errors and the output are the same either way. The choice exists to compare the parsers.
public enum RecordParser: String, Sendable, Hashable, CaseIterable {
  /// StreamMap chooses: it takes each value straight from its place in the feed (for whole records without anything unusual),
  /// else from the index.
  case auto
  /// yajl's SAX parser, over the JSON text of everything that is mapped.
  case yajl
  /// The index: the table of tokens that reading makes.
  case index

  /// Whether reading hands over text.
  var takesText: Bool { self == .yajl }
}
