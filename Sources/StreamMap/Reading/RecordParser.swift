/// What makes events of a feed's records.
///
/// The records, their errors and the output are the same either way. It is there for whoever wants to compare the two.
public enum RecordParser: String, Sendable, Hashable, CaseIterable {
  /// StreamMap chooses: the index, which is quicker on all feeds but those of little else than escapes.
  case auto
  /// yajl's SAX parser, over the JSON text of all that is mapped.
  case yajl
  /// The index: the table of tokens that reading makes. yajl is given each string that has escapes.
  case index

  /// Whether reading hands over text.
  var takesText: Bool { self == .yajl }
}
