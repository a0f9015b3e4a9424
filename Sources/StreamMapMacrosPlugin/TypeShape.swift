import SwiftSyntax

extension TypeSyntax {
  /// The type inside an Optional: `T` of `T?`, `T!` and `Optional<T>`.
  var wrapped: TypeSyntax? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.trimmed }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return optional.wrappedType.trimmed
    }
    return arguments(of: "Optional", count: 1)?[0]
  }

  /// The element type of an array.
  var element: TypeSyntax? {
    if let array = self.as(ArrayTypeSyntax.self) { return array.element.trimmed }
    return arguments(of: "Array", count: 1)?[0]
  }

  /// The element type of a set.
  var setElement: TypeSyntax? { arguments(of: "Set", count: 1)?[0] }

  /// The value type of a dictionary.
  var member: TypeSyntax? {
    if let dictionary = self.as(DictionaryTypeSyntax.self) { return dictionary.value.trimmed }
    return arguments(of: "Dictionary", count: 2)?[1]
  }

  private func arguments(of name: String, count: Int) -> [TypeSyntax]? {
    guard let type = self.as(IdentifierTypeSyntax.self), type.name.text == name,
      let arguments = type.genericArgumentClause?.arguments, arguments.count == count
    else { return nil }
    return arguments.compactMap { $0.argument.as(TypeSyntax.self)?.trimmed }
  }

  private var textWithoutTrivia: String {
    tokens(viewMode: .sourceAccurate).map(\.text).joined()
  }

  /// Whether two types are spelled alike, apart from a module name before one of them.
  func isWritten(like other: TypeSyntax) -> Bool {
    let (a, b) = (textWithoutTrivia, other.textWithoutTrivia)
    return a == b || a.hasSuffix("." + b) || b.hasSuffix("." + a)
  }

  /// Whether the type mentions a name.
  func mentions(_ name: String) -> Bool {
    tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .identifier(name) }
  }
}
