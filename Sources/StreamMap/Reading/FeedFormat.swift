/// How the records of a feed follow each other.
public enum FeedFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// Told from the first bytes: a record separator means ``sequence``; a first value that ends on the line it began
  /// on, with more behind it on the next, means ``ndjson``; anything else is read as ``concatenated`` values, of which
  /// one document is the simplest case.
  case auto
  /// One JSON document.
  case json
  /// One value a line (NDJSON, JSON Lines); LF or CRLF; blank lines are passed over.
  case ndjson
  /// Values one after the other, with or without white space between them.
  case concatenated
  /// JSON text sequences (RFC 7464): each value behind a record separator (0x1E).
  case sequence
}
