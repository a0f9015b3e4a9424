/// Where in each document of a feed the records are.
///
/// One path, several, or none; without paths, each document or line is one record. Several paths are merged: the records
/// come in the order of the feed.
///
/// ```swift
/// try mapper.records(in: Feed(.file("people.json"), at: "$.people[*]"))
/// try mapper.records(in: Feed(.file("users.json"), at: "$.users.*"))  // the members of an object
/// try mapper.records(in: Feed(.file("export.json"), at: ["$.people[*]", "$.archive.people[*]"]))
/// try mapper.records(in: Feed(.file("export.json"), at: RecordPaths(arguments)))
/// ```
///
/// The notation is that of ``PathPattern``: JSONPath (RFC 9535). Each value is one record, in the order of the document. What
/// only a whole value can tell is held, up to ``Limits/capturedValue``: an element that a filter looks at, an array whose
/// elements are counted from the end, and a match of `..`, since others may be in it. A path that cannot be read is a
/// ``DefinitionError`` where the paths are used.
public struct RecordPaths: Sendable, Hashable, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral
{
  /// The paths as they were given.
  public let texts: [String]
  /// The paths, where they are read already: their filters may have patterns, which the library itself cannot make.
  let patterns: [PathPattern]?

  /// Several paths; none means that each document or line is one record.
  public init(_ paths: [String]) {
    texts = paths
    patterns = nil
  }

  /// Several paths that are read already.
  package init(_ paths: [PathPattern]) {
    texts = paths.map(\.description)
    patterns = paths
  }

  /// One path.
  public init(_ path: String) {
    self.init([path])
  }

  /// One path.
  public init(stringLiteral path: String) {
    self.init(path)
  }

  /// Several paths.
  public init(arrayLiteral paths: String...) {
    self.init(paths)
  }
}
