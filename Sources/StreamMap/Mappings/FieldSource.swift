/// Where a field's value is in the feed; a string literal is a path.
public struct FieldSource: Sendable, ExpressibleByStringLiteral {
  let source: ObjectDefinition.Source
  /// The further places where the value can be, in their order.
  var fallbacks: [JSONPath] = []

  /// A path such as `user.name`, `tags[0]`, `['a.b']` or `/user/name`: see ``PathPattern``.
  public static func path(_ text: String) -> FieldSource {
    do throws(PathSyntaxError) {
      return FieldSource(source: .path(try PathPattern.single(parsing: text)))
    } catch {
      return FieldSource(source: .invalid(error))
    }
  }

  /// A single key, taken literally whatever characters it contains.
  public static func key(_ key: String) -> FieldSource { .keys([key]) }

  /// The keys of objects inside each other, each taken literally.
  package static func keys(_ keys: [String]) -> FieldSource {
    FieldSource(source: .path(JSONPath(keys.map { .key($0) })))
  }

  /// The first of several places that has a value: `.first("title", "name")`.
  ///
  /// The value is that of the first place that is present and not `null`, whatever the order of the members in the feed.
  /// All places are mapped; errors at the places that were not chosen are dropped. If all places that are present are
  /// `null`, the value is `null`. If no place is present, the value is absent, so an update does not change the property.
  /// Encoding writes the first place.
  ///
  /// - Parameters:
  ///   - source: The place to look at first, and to write.
  ///   - others: The other places. None of them can be the whole object, `$`.
  /// - Returns: The places as one source.
  public static func first(_ source: FieldSource, _ others: FieldSource...) -> FieldSource {
    var all = source
    for other in others {
      switch other.source {
      case .path(let path): all.fallbacks += [path] + other.fallbacks
      case .invalid: return other
      case .constant, .unknown, .fact: break
      }
    }
    return all
  }

  /// A path: see ``path(_:)``.
  public init(stringLiteral value: String) {
    self = .path(value)
  }

  init(source: ObjectDefinition.Source) {
    self.source = source
  }
}
