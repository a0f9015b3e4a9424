/// How the records of a feed follow each other.
public enum FeedFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// Decided by the first bytes.
  ///
  /// A record separator means ``sequence``. A first value that ends on the line it began on, with more after it on the next line,
  /// means ``ndjson``. Anything else is read as ``concatenated`` values, of which one document is the simplest case.
  case auto
  /// One JSON document.
  case json
  /// One value per line (NDJSON, JSON Lines); LF or CRLF; blank lines are passed over.
  case ndjson
  /// Values one after the other, with or without white space between them.
  case concatenated
  /// JSON text sequences (RFC 7464): each value after a record separator (0x1E).
  case sequence
}
