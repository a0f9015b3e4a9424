import SwiftSyntax

/// The arguments of `@Mappable(…)`.
struct MappableArguments {
  enum Keys {
    case style(KeyStyle)
    /// Made at run time, by this expression's function.
    case custom(ExprSyntax)
  }

  /// A list of names, each with its node, at which messages about it appear.
  typealias Names = [(name: String, node: ExprSyntax)]

  var keys = Keys.style(.asIs)
  var only: Names?
  var except: Names = []
  var optional: Names = []
  var required: Names?
  var types: [(type: TypeSyntax, mapping: ExprSyntax)] = []
  var discriminator: ExprSyntax?
  /// The member with a case's values.
  var content: ExprSyntax?
  /// The word of `tagging`: `key` or `untagged`.
  var tagging: String?
  /// The arguments as written.
  let list: [LabeledExprSyntax]
  let attribute: AttributeSyntax

  init(_ attribute: AttributeSyntax, _ notes: Notes) {
    self.attribute = attribute
    list = attribute.labeledArguments.map(Array.init) ?? []
    for argument in list {
      switch argument.label?.text {
      case "keys": keys = Self.keys(argument.expression, notes)
      case "discriminator":
        discriminator = argument.expression.trimmed
        LiteralPath.check(argument.expression, notes)
      case "content": content = argument.expression.trimmed
      case "tagging": tagging = Self.tagging(argument.expression, notes)
      case "only": only = Self.names(argument, notes)
      case "except": except = Self.names(argument, notes)
      case "optional": optional = Self.names(argument, notes)
      case "required": required = Self.names(argument, notes)
      case "types": types = Self.types(argument, notes)
      default: continue  // The compiler has checked the labels.
      }
    }
    exclude("only", "except", notes)
    exclude("optional", "required", notes)
    exclude("discriminator", "tagging", notes)
    if let content = argument("content"), argument("discriminator") == nil {
      notes.error("'content' stands beside a discriminator", at: content)
    }
  }

  func argument(_ label: String) -> LabeledExprSyntax? {
    list.first { $0.label?.text == label }
  }

  /// Reports two arguments that exclude each other.
  private func exclude(_ first: String, _ second: String, _ notes: Notes) {
    guard argument(first) != nil, let other = argument(second) else { return }
    notes.error("give '\(first)' or '\(second)', not both", at: other)
  }

  /// The statements that generated code needs before it.
  var preamble: [String] {
    guard case .custom(let keys) = keys else { return [] }
    return ["let keys: StreamMapMacros.PropertyKeys = \(keys)"]
  }

  /// The expression of the key for a name.
  func key(for name: String) -> String {
    switch keys {
    case .style(let style): style.key(for: name).literal
    case .custom: "keys.key(for: \(name.literal))"
    }
  }

  /// The override for a type, or for the type inside it: for an Optional, the mapping of the wrapped type.
  func override(_ type: TypeSyntax) -> ExprSyntax? {
    if let known = types.first(where: { $0.type.isWritten(like: type) }) { return known.mapping }
    if let wrapped = type.wrapped { return override(wrapped) }
    if let element = type.element { return inner(element).map { ".array(of: \($0))" } }
    if let element = type.setElement { return inner(element).map { ".set(of: \($0))" } }
    if let member = type.member { return inner(member).map { ".dictionary(of: \($0))" } }
    return nil
  }

  private func inner(_ type: TypeSyntax) -> ExprSyntax? {
    guard let mapping = override(type) else { return nil }
    return type.wrapped == nil ? mapping : ".nullable(\(mapping))"
  }

  private static func keys(_ expression: ExprSyntax, _ notes: Notes) -> Keys {
    if let member = expression.as(MemberAccessExprSyntax.self),
      let style = KeyStyle(rawValue: member.declName.baseName.text)
    {
      return .style(style)
    }
    return .custom(expression.trimmed)
  }

  private static func tagging(_ expression: ExprSyntax, _ notes: Notes) -> String? {
    let word = expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    if let word, ["key", "untagged"].contains(word) { return word }
    notes.error("write .key or .untagged: @Mappable reads it, it does not run", at: expression)
    return nil
  }

  private static func names(_ argument: LabeledExprSyntax, _ notes: Notes) -> Names {
    guard let array = argument.expression.as(ArrayExprSyntax.self) else {
      notes.error(
        "write the names as an array literal: @Mappable reads it, it does not run",
        at: argument.expression)
      return []
    }
    var names: Names = []
    for element in array.elements {
      if let name = element.expression.literalText {
        names.append((name, element.expression))
      } else {
        notes.error(
          "write the name as a string literal: @Mappable reads it, it does not run",
          at: element.expression)
      }
    }
    return names
  }

  private static func types(_ argument: LabeledExprSyntax, _ notes: Notes)
    -> [(type: TypeSyntax, mapping: ExprSyntax)]
  {
    let elements = argument.expression.as(ArrayExprSyntax.self)?.elements.map(\.expression)
    guard let elements else {
      notes.error(
        "write the types as an array literal: @Mappable reads it, it does not run",
        at: argument.expression)
      return []
    }
    return elements.compactMap { element in
      guard let call = element.as(FunctionCallExprSyntax.self), call.arguments.count == 2,
        let first = call.arguments.first?.expression.as(MemberAccessExprSyntax.self),
        first.declName.baseName.tokenKind == .keyword(.self), let type = first.base,
        let mapping = call.arguments.last?.expression
      else {
        notes.error("write it as .of(Date.self, mapping)", at: element)
        return nil
      }
      return (TypeSyntax(stringLiteral: type.trimmedDescription), mapping.trimmed)
    }
  }
}
