import SwiftDiagnostics
import SwiftSyntax

/// The mapping of a struct or a final class.
///
/// The initialiser of a struct is in the extension, so that the memberwise one stays. That of a class is in its body, unless the class
/// has an implicit `init()`, which another initialiser there would remove.
struct ObjectExpansion {
  let `extension`: ExtensionDeclSyntax
  /// The initialiser in the body of a class, unless the class is made by its `init()` and then written.
  let designatedInitializer: DeclSyntax?

  /// Nil after a mistake that was reported.
  init?(
    _ declaration: some DeclGroupSyntax, _ target: Target, _ arguments: MappableArguments,
    _ notes: Notes
  ) {
    for label in ["discriminator", "content", "tagging"] {
      if let argument = arguments.argument(label) {
        notes.error("'\(label)' is for enums", at: argument)
      }
    }
    let properties = StoredProperty.all(of: declaration.memberBlock.members, notes)
    let fields = PropertyFields(properties, arguments, notes)
    let mapped = fields.all()
    declaration.as(ClassDeclSyntax.self)?.warnOfInheritance(
      mapped.map(\.property.plainName), arguments, notes)
    guard !mapped.isEmpty else {
      notes.error("there is no stored property to map", at: declaration.introducer)
      return nil
    }
    let constraints = target.typeParameters.filter { parameter in
      mapped.contains { $0.mapsByType && $0.property.type?.mentions(parameter) == true }
    }.map { "\($0): StreamMap.Mappable" }
    let assignments = mapped.map { "self.\($0.property.name.text) = slots.take()" }
    let isClass = declaration.is(ClassDeclSyntax.self)
    let isWritten =
      isClass && !declaration.hasDesignatedInitializer
      && properties.allSatisfy(\.hasValue)
    let initializer = Self.initializer(
      isWritten ? "convenience " : "", (isWritten ? ["self.init()"] : []) + assignments)
    let made = isClass ? target.type.description : "Self"
    let storesOnlyFields =
      declaration.is(StructDeclSyntax.self) && mapped.count == properties.count
      && declaration.memberBlock.members.allSatisfy(\.storesAtMostMapped)
    var members = """
      \(target.access)static var mapping: StreamMap.Mapping<\(made)> {
        \((arguments.preamble + ["var fields = StreamMap._GeneratedFields<\(made)>()"]
          + mapped.map(\.statement)).joined(separator: "\n  "))
        return \(target.refined("StreamMap.Mapping(_generated: fields\(storesOnlyFields ? ", storesOnlyFields: true" : "")) { slots in \(made)(slots: &slots) }"))
      }
      """
    let standsInBody = isClass && !isWritten
    if !standsInBody { members += "\n" + initializer }
    guard let source = target.extension(where: constraints, members) else { return nil }
    `extension` = source
    designatedInitializer = standsInBody ? DeclSyntax(stringLiteral: initializer) : nil
  }

  private static func initializer(_ modifier: String, _ statements: [String]) -> String {
    """
    private \(modifier)init(slots: inout StreamMap._GeneratedSlots) {
      \(statements.joined(separator: "\n  "))
    }
    """
  }
}

extension DeclGroupSyntax {
  fileprivate var hasDesignatedInitializer: Bool {
    memberBlock.members.contains { member in
      guard let initializer = member.decl.as(InitializerDeclSyntax.self) else { return false }
      return !initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
    }
  }
}

extension MemberBlockItemSyntax {
  /// Whether all that the member stores in an object are properties that may be fields, without any code of others around them.
  fileprivate var storesAtMostMapped: Bool {
    guard let variable = decl.as(VariableDeclSyntax.self) else {
      // What is compiled under a condition, and what macros make of an expression, may be stored.
      return !decl.is(IfConfigDeclSyntax.self) && !decl.is(MacroExpansionDeclSyntax.self)
    }
    let own = ["Key", "Mapped", "Merged", "available"]
    switch StoredProperty.reasonNotStored(variable) {
    case "lazy": return false
    case .some: return true
    case nil:
      return variable.attributes.allSatisfy { attribute in
        let name = attribute.as(AttributeSyntax.self)?.attributeName.as(IdentifierTypeSyntax.self)
        return name.map { own.contains($0.name.text) } ?? false
      }
    }
  }
}
