/// How the records of a feed follow each other.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum FeedFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// Decided by the feed: by its mapping file, by the ending of its name (`.ndjson`, `.jsonl`, `.json-seq`), or by its
  /// first bytes.
  ///
  /// A record separator means ``sequence``. A first value that ends on the line it began on, with more after it on the next line,
  /// means ``ndjson``. Anything else is read as ``concatenated`` values; one document is the simplest case.
  case auto
  /// One JSON document.
  case json
  /// One value per line (NDJSON, JSON Lines); LF or CRLF; blank lines are passed over.
  case ndjson
  /// Values one after the other, with or without white space between them.
  case concatenated
  /// JSON text sequences (RFC 7464): each value after a record separator (0x1E).
  case sequence

  /// The format of a feed: this one, or if it is ``auto`` another one, or if that is, too, what the name's ending says.
  package func ofFeed(named name: String?, or other: FeedFormat = .auto) -> FeedFormat {
    if self != .auto { return self }
    if other != .auto { return other }
    guard let name, let dot = name.lastIndex(of: ".") else { return .auto }
    return switch name[dot...].lowercased() {
    case ".ndjson", ".jsonl": .ndjson
    case ".json-seq": .sequence
    default: .auto
    }
  }
}
