import SwiftDiagnostics
import SwiftSyntax

extension ClassDeclSyntax {
  /// Warns of what a class may inherit: the macro sees the text of the class alone, and not the properties of another one.
  ///
  /// `names` are the properties that are mapped.
  func warnOfInheritance(_ names: [String], _ arguments: MappableArguments, _ notes: Notes) {
    // Who lists the properties knows what is mapped.
    guard arguments.only == nil, let (name, node) = superclass else { return }
    let isSure = usesSuperclass
    let what =
      isSure
      ? "properties of '\(name)' are not mapped"
      : "if '\(name)' is a class, its properties are not mapped"
    let protocols = isSure ? "" : "; a protocol may stand after another one, or in an extension"
    // Only one of the two may be there.
    var fixes: [FixIt] = []
    if arguments.argument("except") == nil {
      let list = ExprSyntax(stringLiteral: "[\(names.map(\.literal).joined(separator: ", "))]")
      fixes.append(
        .replace(
          arguments.attribute, with: arguments.attribute.adding("only", list),
          "list the properties of this class"))
    }
    notes.warning(
      "\(what): write the mapping by hand, with a field for each, or list those that are mapped in 'only'\(protocols)",
      at: node, fixes: fixes)
  }

  /// The type that may be the superclass, which stands first; nil if it is clearly a protocol.
  private var superclass: (name: String, node: TypeSyntax)? {
    // A type with attributes, such as `@unchecked Sendable`, and a composition are protocols.
    guard let type = inheritanceClause?.inheritedTypes.first?.type,
      type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self)
    else { return nil }
    let name =
      type.as(MemberTypeSyntax.self)?.name.text ?? type.as(IdentifierTypeSyntax.self)?.name.text
      ?? ""
    return isProtocol(name) && !usesSuperclass ? nil : (type.trimmedDescription, type)
  }

  /// Protocols of Swift and Foundation, and names that Swift's guidelines have for protocols.
  ///
  /// `NSObject` has no properties of its own.
  private func isProtocol(_ name: String) -> Bool {
    ["Error", "AnyObject", "NSObject"].contains(name)
      || ["able", "ible", "Protocol"].contains { name.hasSuffix($0) }
  }

  /// Whether a member overrides another, or calls one by `super`.
  private var usesSuperclass: Bool {
    memberBlock.members.contains { member in
      let modifiers = member.decl.asProtocol((any WithModifiersSyntax).self)?.modifiers
      return modifiers?.contains { $0.name.tokenKind == .keyword(.override) } == true
        || member.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.super) }
    }
  }
}
