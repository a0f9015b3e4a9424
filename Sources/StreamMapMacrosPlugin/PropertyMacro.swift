import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Key`, `@Mapped`, `@Merged` and `@Unmapped`: they inform `@Mappable` and generate nothing themselves.
///
/// Where they have no effect, they report it.
struct PropertyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let notes = Notes(context: context)
    let name = node.simpleName
    let remove = { (message: String) in
      notes.error(message, at: node, fixes: FixIt.remove(node, from: declaration))
    }
    if declaration.is(EnumCaseDeclSyntax.self) {
      if name != "Key" {
        remove("@\(name) belongs before a stored property; this is a case")
      } else if let other = node.labeledArguments?.dropFirst().first {
        notes.error("a case has one name", at: other)
      }
      return []
    }
    guard let variable = declaration.as(VariableDeclSyntax.self) else {
      remove("@\(name) belongs before a stored property")
      return []
    }
    if let reason = StoredProperty.reasonNotStored(variable) {
      remove("@\(name) belongs before a stored property; this one is \(reason)")
    } else if name != "Unmapped", variable.attributes.attribute("Unmapped") != nil {
      remove("@\(name) on a property that is not mapped")
    } else if isOutsideMappable(context.lexicalContext) {
      notes.warning("@\(name) is read by @Mappable, which this type does not have", at: node)
    }
    return []
  }

  private static func isOutsideMappable(_ context: [Syntax]) -> Bool {
    guard let type = context.first, let group = type.asProtocol((any WithAttributesSyntax).self)
    else { return false }
    return group.attributes.attribute("Mappable") == nil
  }
}
