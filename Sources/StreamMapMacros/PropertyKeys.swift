/// How `@Mappable` makes keys from the names of properties.
///
/// Keys are made when the program is compiled, but for those of ``custom(_:)``.
public struct PropertyKeys: Sendable {
  private let transform: (@Sendable (String) -> String)?

  /// `homepageURL` as it is.
  public static let asIs = PropertyKeys(transform: nil)
  /// `homepageURL` as `homepage_url`.
  public static let snakeCase = PropertyKeys(transform: nil)
  /// `first_name` as `firstName`.
  public static let camelCase = PropertyKeys(transform: nil)
  /// `firstName` as `FirstName`.
  public static let upperCamelCase = PropertyKeys(transform: nil)

  /// Keys made by a function from the names, once when the mapping is made.
  public static func custom(_ transform: @escaping @Sendable (String) -> String) -> PropertyKeys {
    PropertyKeys(transform: transform)
  }

  /// The key for a property's name. For generated code, which asks it of ``custom(_:)`` only.
  public func key(for name: String) -> String { transform?(name) ?? name }
}

/// How `@Mappable` maps all properties of a type.
public struct TypeMapping: Sendable {
  /// Properties of this type, written so, map by this mapping.
  public static func of<Value>(_: Value.Type, _ mapping: Mapping<Value>) -> TypeMapping {
    TypeMapping()
  }
}
