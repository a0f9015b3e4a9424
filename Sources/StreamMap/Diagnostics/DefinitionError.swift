/// All mistakes in a mapping, found when the mapping is compiled, before any feed is read.
///
/// ```swift
/// do {
///   _ = try Mapper(Object(Point.init, Field("x", \.x), Field("a..b", \.y)))
/// } catch {
///   print(error)
///   // 1 mistake in the mapping:
///   //   - Point, field 2: path 'a..b': a name is missing (at character 3)
/// }
/// ```
public struct DefinitionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One mistake.
  public struct Mistake: Sendable, Hashable, CustomStringConvertible {
    /// The place in the mapping, as in `Person, field 3`.
    public let place: String
    /// What is wrong, and what would be right.
    public let reason: String

    /// The place and the reason.
    public var description: String { "\(place): \(reason)" }
  }

  /// All mistakes, in the order of the mapping.
  public let mistakes: [Mistake]

  /// All mistakes, one per line.
  public var description: String {
    let count = mistakes.count == 1 ? "1 mistake" : "\(mistakes.count) mistakes"
    return "\(count) in the mapping:" + mistakes.map { "\n  - \($0)" }.joined()
  }
}
