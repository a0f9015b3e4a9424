/// Where a field's value is: written as a string, it is a path.
public struct FieldSource: Sendable, ExpressibleByStringLiteral {
  let source: ObjectDefinition.Source
  /// Where the value is besides, in their order.
  var fallbacks: [JSONPath] = []

  /// A path such as `user.name`, `tags[0]`, `['a.b']` or `/user/name`: see ``PathPattern``.
  public static func path(_ text: String) -> FieldSource {
    do throws(PathSyntaxError) {
      return FieldSource(source: .path(try PathPattern(parsing: text).path()))
    } catch {
      return FieldSource(source: .invalid(error))
    }
  }

  /// One key, taken literally whatever characters it has.
  public static func key(_ key: String) -> FieldSource {
    FieldSource(source: .path([.key(key)]))
  }

  /// The first of several places where there is a value: `.first("title", "name")`.
  ///
  /// The value is that of the first place that is there and is not `null`, whatever the order of the members; all of them
  /// are mapped, and what is wrong with the others is no matter. Where there is only `null`, the value is `null`; where there
  /// is none of them, it is absent, so that an update leaves the property as it is. The reverse writes the first place.
  ///
  /// - Parameters:
  ///   - source: The place that comes first, and is written.
  ///   - others: The others. None is the whole object, `$`.
  /// - Returns: The places as one source.
  public static func first(_ source: FieldSource, _ others: FieldSource...) -> FieldSource {
    var all = source
    for other in others {
      switch other.source {
      case .path(let path): all.fallbacks += [path] + other.fallbacks
      case .invalid: return other
      case .constant, .unknown: break
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
