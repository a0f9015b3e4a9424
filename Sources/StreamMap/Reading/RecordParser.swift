/// The parser that reads a feed's records.
///
/// The records, their errors and the output are the same either way. The choice exists to compare the parsers.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum RecordParser: String, Sendable, Hashable, CaseIterable {
  /// StreamMap chooses: it takes each value straight from its place in the feed (for whole records without anything unusual),
  /// else from the index.
  case auto
  /// The index: the table of tokens that reading makes.
  case index
  #if canImport(CYajl)
  /// yajl's SAX parser, over the JSON text of everything that is mapped; only where the package is built with its trait `Yajl`.
  case yajl
  #endif

  /// What reading hands over to it.
  var form: ChunkForm {
    switch self {
    case .auto, .index: .index
    #if canImport(CYajl)
    case .yajl: .text
    #endif
    }
  }
}
