/// All mistakes in a mapping, found when the mapping is compiled, before any feed is read.
///
/// ```swift
/// do {
///   _ = try Mapper(
///     .object(Point.self) { field in field.make(Point.init, field("x", \.x), field("a..b", \.y)) })
/// } catch {
///   print(error)
///   // 1 mistake in the mapping:
///   //   - Point, field 2 (y): path 'a..b': ..b means several values here (at character 2)
/// }
/// ```
public struct DefinitionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One mistake.
  public struct Mistake: Sendable, Hashable, CustomStringConvertible {
    /// A step from a mapping to a part of it.
    ///
    /// Numbers are from 1 up, in the order in which the parts were given.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Step: Sendable, Hashable, CustomStringConvertible {
      /// The fields of an object, which has the name of its type.
      case object(String)
      /// A field, and what it maps to: a property, or a member of the output record.
      case field(Int, String)
      /// The elements of an array.
      case elements
      /// The members of a dictionary.
      case members
      /// One of several mappings; the first one that takes the value is used.
      case alternative(Int)
      /// The mapping for one kind of value, or one text of the member that decides.
      case dispatchCase(String)
      /// The mapping for all other kinds or texts.
      case otherCases
      /// The paths to the records, all together.
      case recordPaths
      /// One path to the records.
      case recordPath(Int)
      /// A value from outside the records.
      case contextValue(Int)

      /// As in `field 3 (name)`.
      public var description: String {
        switch self {
        case .object(let name): name
        case .field(let number, let target): "field \(number) (\(target))"
        case .elements: "[*]"
        case .members: "{*}"
        case .alternative(let number): "alternative \(number)"
        case .dispatchCase(let label): "case '\(label)'"
        case .otherCases: "the other cases"
        case .recordPaths, .recordPath: "records"
        case .contextValue: "context"
        }
      }
    }

    /// Where in the mapping, from its root on; empty for the mapping as a whole.
    public let path: [Step]
    /// What is wrong, and what would be right.
    public let reason: String

    /// Where in the mapping, as in `Person, field 3 (name)`.
    public var place: String {
      path.isEmpty ? "the mapping" : path.map(\.description).joined(separator: ", ")
    }

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

extension DefinitionError {
  /// A mistake that has no place in the mapping.
  package init(reason: String) {
    self.init(mistakes: [Mistake(path: [], reason: reason)])
  }
}
