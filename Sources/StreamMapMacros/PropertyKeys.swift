/// How `@Mappable` makes keys from the names of properties and cases.
///
/// Keys are made at compile time, except those of ``custom(_:)``, which are made together with the mapping.
public struct PropertyKeys: Sendable {
  private let transform: @Sendable (String) -> String

  /// `homepageURL`, unchanged.
  public static let asIs = PropertyKeys { $0 }
  /// `homepageURL` as `homepage_url`: see `KeyCase`.
  public static let snakeCase = PropertyKeys(KeyCase.snakeCase.key)
  /// `homepageURL` as `HOMEPAGE_URL`: see `KeyCase`.
  public static let upperSnakeCase = PropertyKeys(KeyCase.upperSnakeCase.key)
  /// `homepageURL` as `homepage-url`: see `KeyCase`.
  public static let kebabCase = PropertyKeys(KeyCase.kebabCase.key)
  /// `homepageURL` as `homepageUrl`, and `first_name` as `firstName`: see `KeyCase`.
  public static let camelCase = PropertyKeys(KeyCase.camelCase.key)
  /// `homepageURL` as `HomepageUrl`: see `KeyCase`.
  public static let upperCamelCase = PropertyKeys(KeyCase.upperCamelCase.key)

  /// Keys that a function makes from the names.
  ///
  /// ```swift
  /// @Mappable(keys: .custom { "x-" + $0 })
  /// @Mappable(keys: .custom(KeyCase.snakeCase.separatingDigits.key))
  /// ```
  public static func custom(_ transform: @escaping @Sendable (String) -> String) -> PropertyKeys {
    PropertyKeys(transform)
  }

  private init(_ transform: @escaping @Sendable (String) -> String) {
    self.transform = transform
  }

  /// The key for the name of a property or a case.
  public func key(for name: String) -> String { transform(name) }
}

/// How `@Mappable` tells the cases of an enum with associated values apart, where no member is a discriminator.
///
/// A value without a label is what the case has; values with labels are members of an object.
public struct CaseTagging: Sendable {
  /// The case's name is the key of what it has: `{"circle":{"radius":2}}`, as Codable writes it.
  ///
  /// A case without values has an empty object.
  public static let key = CaseTagging()
  /// Nothing names the case: it is the first one, in their order, that takes the value.
  public static let untagged = CaseTagging()
}

/// How `@Mappable` maps all properties of one type.
public struct TypeMapping: Sendable {
  /// Properties whose type is spelled like this map by this mapping.
  ///
  /// ```swift
  /// @Mappable(types: [.of(Date.self, .date(since1970: .milliseconds))])
  /// ```
  public static func of<Value>(_: Value.Type, _ mapping: Mapping<Value>) -> TypeMapping {
    TypeMapping()
  }
}
