import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Mappable`: writes the mapping in an extension, and in a class the initialiser that only the class's body can contain.
struct MappableMacro: ExtensionMacro, MemberMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let notes = Notes(context: context)
    let target = Target(
      declaration: declaration, type: TypeSyntax(type.trimmed),
      addsConformance: !protocols.isEmpty, lexicalContext: context.lexicalContext)
    guard target.isMappable(notes) else { return [] }
    let arguments = MappableArguments(node, notes)
    if let declaration = declaration.as(EnumDeclSyntax.self) {
      return EnumExpansion(declaration, target, arguments, notes).map { [$0.extension] } ?? []
    }
    return ObjectExpansion(declaration, target, arguments, notes).map { [$0.extension] } ?? []
  }

  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else { return [] }
    // The expansion of the extension reports the mistakes.
    let notes = Notes(context: context, isSilent: true)
    let target = Target(
      declaration: declaration, type: TypeSyntax(IdentifierTypeSyntax(name: declaration.name)),
      addsConformance: false, lexicalContext: context.lexicalContext)
    guard target.isMappable(notes),
      let expansion = ObjectExpansion(
        declaration, target, MappableArguments(node, notes), notes)
    else { return [] }
    return expansion.designatedInitializer.map { [$0] } ?? []
  }
}

/// The type to which `@Mappable` is attached.
struct Target {
  let declaration: any DeclGroupSyntax
  let type: TypeSyntax
  /// False if the type declares ``Mappable`` itself.
  let addsConformance: Bool
  let lexicalContext: [Syntax]

  /// Whether this kind of type can be mapped; if not, the reason is reported.
  func isMappable(_ notes: Notes) -> Bool {
    if let actor = declaration.as(ActorDeclSyntax.self) {
      notes.error(
        "an actor's properties cannot be read from outside without await; map a struct, and make the "
          + "actor from it", at: actor.actorKeyword)
      return false
    }
    if let isolated = declaration.attributes.attribute("MainActor") {
      notes.error(
        "a type of the main actor cannot be made or read elsewhere; map a struct, and make it from that",
        at: isolated)
      return false
    }
    if let declaration = declaration.as(ClassDeclSyntax.self), !declaration.isFinal {
      notes.error(
        "a class must be final to be Mappable: a mapping makes exactly its type",
        at: declaration.classKeyword, fixes: [declaration.makingFinal])
      return false
    }
    if !lexicalContext.isEmpty, let modifier = declaration.modifiers.private {
      notes.error(
        "a private type in another cannot be extended from outside, as @Mappable does; make it fileprivate",
        at: modifier,
        fixes: [
          .replace(
            modifier, with: modifier.with(\.name.tokenKind, .keyword(.fileprivate)),
            "make it fileprivate")
        ])
      return false
    }
    if lexicalContext.dropLast().contains(where: { $0.modifiers?.private != nil }) {
      notes.error(
        "a type in a private one in another cannot be extended from outside, as @Mappable does; make that fileprivate",
        at: declaration.introducer)
      return false
    }
    if let mapping = ownMapping {
      notes.error("the type has a mapping of its own; remove it, or @Mappable", at: mapping)
      return false
    }
    return true
  }

  /// A mapping of the type, handed to the type's own `refined(_:)`, if there is one.
  func refined(_ mapping: String) -> String {
    let refines = declaration.memberBlock.members.contains { member in
      guard let function = member.decl.as(FunctionDeclSyntax.self) else { return false }
      let parameters = function.signature.parameterClause.parameters
      return function.name.text == "refined" && parameters.count == 1
        && parameters.first?.firstName.tokenKind == .wildcard
        && function.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
    }
    return refines ? "refined(\(mapping))" : mapping
  }

  private var ownMapping: VariableDeclSyntax? {
    declaration.memberBlock.members.lazy.compactMap { $0.decl.as(VariableDeclSyntax.self) }
      .first { variable in
        variable.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
          && variable.bindings.contains { $0.pattern.trimmedDescription == "mapping" }
      }
  }

  /// The access level of generated members that other code uses, followed by a space; empty for the default.
  var access: String {
    let all = [declaration.modifiers] + lexicalContext.compactMap(\.modifiers)
    if all.contains(where: { $0.private != nil || $0.fileprivate != nil }) { return "fileprivate " }
    for modifier in declaration.modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.public), .keyword(.open): return "public "
      case .keyword(.package): return "package "
      default: continue
      }
    }
    return ""
  }

  /// The type parameters of the type and of the types around it.
  var typeParameters: [String] {
    let around = lexicalContext.compactMap {
      $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause
    }
    let own = declaration.asProtocol((any WithGenericParametersSyntax).self)?
      .genericParameterClause
    return (around + [own].compactMap { $0 }).flatMap(\.parameters).map(\.name.text)
  }

  /// The extension with these members.
  func `extension`(where requirements: [String] = [], _ members: String) -> ExtensionDeclSyntax? {
    let conformance = addsConformance ? ": StreamMap.Mappable" : ""
    let clause = requirements.isEmpty ? "" : " where " + requirements.joined(separator: ", ")
    let source: DeclSyntax = """
      extension \(type)\(raw: conformance)\(raw: clause) {
      \(raw: members)
      }
      """
    return source.as(ExtensionDeclSyntax.self)
  }
}

extension ClassDeclSyntax {
  fileprivate var isFinal: Bool {
    modifiers.contains { $0.name.tokenKind == .keyword(.final) }
  }

  fileprivate var makingFinal: FixIt {
    // An open class cannot be final: it becomes public.
    var final = self
    final.modifiers = modifiers.filter { $0.name.tokenKind != .keyword(.open) }
    if final.modifiers.count < modifiers.count {
      final.modifiers.append(DeclModifierSyntax(name: .keyword(.public), trailingTrivia: .space))
    }
    final.modifiers.append(DeclModifierSyntax(name: .keyword(.final), trailingTrivia: .space))
    if modifiers.isEmpty {
      final.classKeyword.leadingTrivia = []
      final.modifiers.leadingTrivia = classKeyword.leadingTrivia
    }
    return .replace(self, with: final, "make it final")
  }
}

extension DeclModifierListSyntax {
  fileprivate var `private`: DeclModifierSyntax? {
    first { $0.name.tokenKind == .keyword(.private) }
  }

  fileprivate var `fileprivate`: DeclModifierSyntax? {
    first { $0.name.tokenKind == .keyword(.fileprivate) }
  }
}

extension Syntax {
  fileprivate var modifiers: DeclModifierListSyntax? {
    asProtocol((any WithModifiersSyntax).self)?.modifiers
  }
}
