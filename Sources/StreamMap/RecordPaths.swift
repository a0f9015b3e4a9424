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
/// The notation is that of ``PathPattern``. A path that cannot be read is a ``DefinitionError`` where the paths are used.
public struct RecordPaths: Sendable, Hashable, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral
{
  /// The paths as they were given.
  public let texts: [String]

  /// Several paths; none means that each document or line is one record.
  public init(_ paths: [String]) {
    texts = paths
  }

  /// One path.
  public init(_ path: String) {
    texts = [path]
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
