import SwiftSyntax

extension AttributeListSyntax {
  /// The attribute of this name, with or without its module.
  func attribute(_ name: String) -> AttributeSyntax? {
    for case .attribute(let attribute) in self where attribute.simpleName == name {
      return attribute
    }
    return nil
  }
}

extension AttributeSyntax {
  var simpleName: String {
    if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
    return attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? ""
  }

  /// The type in angle brackets: `Level` of `@Mapped<Level>(…)`.
  var genericType: TypeSyntax? {
    let type = attributeName.as(MemberTypeSyntax.self)?.genericArgumentClause
    let clause = type ?? attributeName.as(IdentifierTypeSyntax.self)?.genericArgumentClause
    return clause?.arguments.first?.argument.as(TypeSyntax.self)?.trimmed
  }

  /// The arguments in parentheses.
  var labeledArguments: LabeledExprListSyntax? {
    guard case .argumentList(let list)? = arguments else { return nil }
    return list
  }

  /// The attribute with one more argument.
  func adding(_ label: String, _ value: ExprSyntax) -> AttributeSyntax {
    var changed = self
    var arguments = labeledArguments ?? []
    let isFirst = arguments.isEmpty
    if let last = arguments.indices.last {
      arguments[last].trailingComma = .commaToken(trailingTrivia: .space)
    }
    arguments.append(
      LabeledExprSyntax(
        label: .identifier(label), colon: .colonToken(trailingTrivia: .space), expression: value))
    changed.arguments = .argumentList(arguments)
    if isFirst {
      changed.leftParen = .leftParenToken()
      changed.rightParen = .rightParenToken(trailingTrivia: trailingTrivia)
      changed.attributeName.trailingTrivia = []
    }
    return changed
  }
}

extension ExprSyntax {
  /// The text of a string literal without interpolations.
  var literalText: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}

extension TokenSyntax {
  /// An identifier without backticks.
  var plainText: String { identifier?.name ?? text }
}

extension String {
  /// As a Swift string literal.
  var literal: String { StringLiteralExprSyntax(content: self).description }
}
