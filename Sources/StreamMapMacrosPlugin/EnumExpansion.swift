import SwiftDiagnostics
import SwiftSyntax

/// The mapping of an enum: by its raw values, by the names of its cases, or by a discriminator.
struct EnumExpansion {
  let `extension`: ExtensionDeclSyntax

  /// Nil after a mistake that was reported.
  init?(
    _ declaration: EnumDeclSyntax, _ target: Target, _ arguments: MappableArguments, _ notes: Notes
  ) {
    let cases = EnumCase.all(of: declaration.memberBlock.members, arguments)
    guard !cases.isEmpty else {
      notes.error("there is no case to map", at: declaration.enumKeyword)
      return nil
    }
    for label in ["only", "except", "optional", "required"] {
      guard let argument = arguments.argument(label) else { continue }
      notes.error("'\(label)' is for structs and classes", at: argument)
      return nil
    }
    let body: [String]
    var constraints: [String] = []
    if Self.hasRawValues(declaration, cases) {
      guard arguments.list.isEmpty, !cases.contains(where: \.hasKey) else {
        notes.error("an enum with raw values maps by these alone", at: arguments.attribute)
        return nil
      }
      body = [target.refined(".enumeration(of: .declared)")]
    } else if let tag = CaseDispatch.Tag(arguments) {
      guard let dispatch = CaseDispatch(cases, tag, arguments, notes) else { return nil }
      body =
        arguments.preamble + dispatch.statements + ["return \(target.refined(dispatch.mapping))"]
      constraints = target.typeParameters.filter { parameter in
        dispatch.typesThatMap.contains { $0.mentions(parameter) }
      }.map { "\($0): StreamMap.Mappable" }
    } else if let payload = cases.lazy.compactMap(\.element.parameterClause).first {
      notes.error(
        "cases with associated values need a discriminator, a member that names the case, or tagging: .key or .untagged",
        at: payload, fixes: [arguments.addingDiscriminator])
      return nil
    } else {
      body = arguments.preamble + ["return \(target.refined(Self.byName(cases)))"]
    }
    let members = """
      \(target.access)static var mapping: StreamMap.Mapping<Self> {
        \(body.joined(separator: "\n  "))
      }
      """
    guard let source = target.extension(where: constraints, members) else { return nil }
    `extension` = source
  }

  private static let rawTypes: Set = [
    "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
    "UInt64", "Float", "Double",
  ]

  /// Whether the enum inherits a raw type, which comes first, or a case has a raw value.
  private static func hasRawValues(_ declaration: EnumDeclSyntax, _ cases: [EnumCase]) -> Bool {
    if cases.contains(where: { $0.element.rawValue != nil }) { return true }
    let inherited = declaration.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription)
    guard let inherited, let first = inherited.first else { return false }
    return rawTypes.contains(first) || inherited.contains("RawRepresentable")
  }

  private static func byName(_ cases: [EnumCase]) -> String {
    let indices = cases.enumerated().map { "case .\($1.name): \($0)" }
    // The last case stands for all other numbers, which never occur.
    let values =
      cases.enumerated().dropLast().map { "case \($0): .\($1.name)" }
      + cases.suffix(1).map { "default: .\($0.name)" }
    return """
      StreamMap.Mapping(
          _generatedNames: [\(cases.map(\.key).joined(separator: ", "))],
          value: {
            switch $0 {
            \(values.joined(separator: "\n      "))
            }
          },
          index: {
            switch $0 {
            \(indices.joined(separator: "\n      "))
            }
          })
      """
  }
}

/// A case of an enum and its name in the JSON.
struct EnumCase {
  let element: EnumCaseElementSyntax
  /// The expression of its name in the JSON.
  let key: String
  /// Whether `@Key` gives its name.
  let hasKey: Bool

  /// The name in the program.
  var name: String { element.name.text }
  var parameters: [EnumCaseParameterSyntax] {
    element.parameterClause.map { Array($0.parameters) } ?? []
  }

  static func all(of members: MemberBlockItemListSyntax, _ arguments: MappableArguments)
    -> [EnumCase]
  {
    members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap { declaration in
      let key = declaration.attributes.attribute("Key")?.labeledArguments?.first?.expression
      return declaration.elements.map { element in
        EnumCase(
          element: element,
          key: key.map { "\($0.trimmed)" } ?? arguments.key(for: element.name.plainText),
          hasKey: key != nil)
      }
    }
  }
}

extension MappableArguments {
  /// The attribute with a discriminator.
  fileprivate var addingDiscriminator: FixIt {
    let type = ExprSyntax(StringLiteralExprSyntax(content: "type"))
    return .replace(
      attribute, with: attribute.adding("discriminator", type), "add a discriminator")
  }
}
