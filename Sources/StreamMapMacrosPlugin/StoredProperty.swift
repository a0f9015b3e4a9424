import SwiftDiagnostics
import SwiftSyntax

/// A stored property and its attributes.
struct StoredProperty {
  let name: TokenSyntax
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax
  /// The type as written; without one, the type that the initial value clearly has.
  let type: TypeSyntax?
  let initialValue: ExprSyntax?

  var plainName: String { name.plainText }
  var isLet: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }
  /// A constant that has its value already.
  var isFixed: Bool { isLet && initialValue != nil }
  var isUnmapped: Bool { declaration.attributes.attribute("Unmapped") != nil }
  var isOptional: Bool { type?.wrapped != nil }

  /// Whether an object can be made without a value for it.
  var hasValue: Bool {
    if initialValue != nil { return true }
    guard !isLet, let type else { return false }
    return type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }

  /// The default value from the declaration; nil if that is nil, because Optionals fall back on nil anyway.
  var defaultValue: ExprSyntax? {
    guard let initialValue, !initialValue.is(NilLiteralExprSyntax.self) else { return nil }
    return initialValue.trimmed
  }

  /// The expression of `@Mapped`, with its type if the attribute says that.
  var mapping: ExprSyntax? {
    guard let attribute = declaration.attributes.attribute("Mapped"),
      let mapping = attribute.labeledArguments?.first?.expression.trimmed
    else { return nil }
    return attribute.genericType.map { "(\(mapping) as StreamMap.Mapping<\($0)>)" } ?? mapping
  }

  /// The arguments of `@Key`: the first place, and those to look at after it.
  var keys: [LabeledExprSyntax] {
    declaration.attributes.attribute("Key")?.labeledArguments.map(Array.init) ?? []
  }

  /// Whether an update changes what is in it: `@Merged`.
  var isMerged: Bool { declaration.attributes.attribute("Merged") != nil }

  /// The property by which an update finds elements: that of `@Merged(by:)`.
  var mergedBy: ExprSyntax? {
    declaration.attributes.attribute("Merged")?.labeledArguments?.first?.expression.trimmed
  }

  // MARK: Finding them

  /// The stored properties of a type that are not static or lazy, in their order.
  static func all(of members: MemberBlockItemListSyntax, _ notes: Notes) -> [StoredProperty] {
    var found: [StoredProperty] = []
    for member in members {
      if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        check(conditional, notes)
      }
      guard let declaration = member.decl.as(VariableDeclSyntax.self),
        reasonNotStored(declaration) == nil
      else { continue }
      found += properties(of: declaration, notes)
    }
    return found
  }

  private static func properties(of declaration: VariableDeclSyntax, _ notes: Notes)
    -> [StoredProperty]
  {
    let isUnmapped = declaration.attributes.attribute("Unmapped") != nil
    if !isUnmapped, let reference = declaration.weakness {
      notes.error(
        "a \(reference.text) property does not keep what it is set to", at: reference,
        fixes: unmapping(declaration))
    }
    var found: [StoredProperty] = []
    for binding in declaration.bindings {
      guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
        if !isUnmapped {
          notes.error("the properties of a tuple must be declared each by itself", at: binding)
        }
        continue
      }
      found.append(
        StoredProperty(
          name: pattern.identifier.trimmed, declaration: declaration, binding: binding,
          type: type(of: binding, in: declaration.bindings),
          initialValue: binding.initializer?.value))
    }
    return found
  }

  /// In `let a, b: Int`, both have that type.
  private static func type(of binding: PatternBindingSyntax, in bindings: PatternBindingListSyntax)
    -> TypeSyntax?
  {
    if let type = binding.typeAnnotation?.type { return type.trimmed }
    if let value = binding.initializer?.value { return value.plainType }
    let later = bindings.drop { $0.id != binding.id }
    return later.lazy.compactMap(\.typeAnnotation).first?.type.trimmed
  }

  private static func check(_ conditional: IfConfigDeclSyntax, _ notes: Notes) {
    for clause in conditional.clauses {
      guard case .decls(let members)? = clause.elements else { continue }
      for member in members {
        guard let variable = member.decl.as(VariableDeclSyntax.self),
          reasonNotStored(variable) == nil,
          variable.attributes.attribute("Unmapped") == nil
        else { continue }
        notes.error(
          "@Mappable does not know which branch of #if is compiled; move the property out of it",
          at: variable, fixes: unmapping(variable))
      }
    }
  }

  /// Why a variable is not a stored property of each instance, as in “this one is static”.
  static func reasonNotStored(_ declaration: VariableDeclSyntax) -> String? {
    for modifier in declaration.modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.static), .keyword(.class): return "static"
      case .keyword(.lazy): return "lazy"
      default: continue
      }
    }
    let isComputed = declaration.bindings.contains { $0.accessorBlock?.computes == true }
    return isComputed ? "computed" : nil
  }

  /// The fix that leaves a property out.
  static func unmapping(_ declaration: VariableDeclSyntax) -> [FixIt] {
    var unmapped = declaration
    let unmap = AttributeSyntax(
      attributeName: IdentifierTypeSyntax(name: .identifier("Unmapped")), trailingTrivia: .space)
    unmapped.leadingTrivia = []
    unmapped.attributes.insert(.attribute(unmap), at: unmapped.attributes.startIndex)
    unmapped.leadingTrivia = declaration.leadingTrivia
    return [.replace(declaration, with: unmapped, "leave it out with @Unmapped")]
  }
}

extension VariableDeclSyntax {
  /// `weak` or `unowned`.
  fileprivate var weakness: TokenSyntax? {
    modifiers.map(\.name).first {
      $0.tokenKind == .keyword(.weak) || $0.tokenKind == .keyword(.unowned)
    }
  }
}

extension AccessorBlockSyntax {
  /// Whether the accessors are more than observers.
  fileprivate var computes: Bool {
    guard case .accessors(let accessors) = accessors else { return true }
    return accessors.contains {
      $0.accessorSpecifier.tokenKind != .keyword(.willSet)
        && $0.accessorSpecifier.tokenKind != .keyword(.didSet)
    }
  }
}

extension ExprSyntax {
  /// The type that a value clearly has: that of a literal, or of a call of an initialiser.
  fileprivate var plainType: TypeSyntax? {
    if self.is(StringLiteralExprSyntax.self) { return "String" }
    if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
    if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
    if self.is(FloatLiteralExprSyntax.self) { return "Double" }
    if let prefix = self.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" {
      return prefix.expression.plainType
    }
    guard let call = self.as(FunctionCallExprSyntax.self),
      let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
      name.first?.isUppercase == true
    else { return nil }
    return TypeSyntax(stringLiteral: name)
  }
}
