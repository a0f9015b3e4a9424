import SwiftSyntax

/// The mapping of an enum by its raw values or by the names of its cases.
struct EnumExpansion {
  let `extension`: ExtensionDeclSyntax

  /// Nil where something is wrong that was said.
  init?(
    _ declaration: EnumDeclSyntax, _ target: Target, _ arguments: MappableArguments, _ notes: Notes
  ) {
    let declared = declaration.memberBlock.members.compactMap {
      $0.decl.as(EnumCaseDeclSyntax.self)
    }
    let cases = declared.flatMap(\.elements)
    guard !cases.isEmpty else {
      notes.error("there is no case to map", at: declaration.enumKeyword)
      return nil
    }
    for argument in arguments.list where argument.label?.text != "keys" {
      notes.error("'\(argument.label?.text ?? "")' is for structs and classes", at: argument)
      return nil
    }
    if let payload = cases.lazy.compactMap(\.parameterClause).first {
      notes.error("cases with associated values are not mapped; map a struct", at: payload)
      return nil
    }
    let members: String
    if Self.hasRawValues(declaration, cases) {
      if let keys = arguments.argument("keys") {
        notes.error("the raw values are what the cases stand for", at: keys)
        return nil
      }
      members = """
        \(target.access)static var mapping: StreamMap.Mapping<Self> {
          .enumeration(of: .declared)
        }
        """
    } else {
      members = Self.names(declared, target, arguments)
    }
    guard let source = target.extension(members) else { return nil }
    `extension` = source
  }

  private static let rawTypes: Set = [
    "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Float", "Double", "Character",
  ]

  /// Whether a raw type is inherited, which comes first, or a case has a raw value.
  private static func hasRawValues(
    _ declaration: EnumDeclSyntax, _ cases: [EnumCaseElementSyntax]
  ) -> Bool {
    if cases.contains(where: { $0.rawValue != nil }) { return true }
    let first = declaration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
    return first.map { rawTypes.contains($0) || $0 == "RawRepresentable" } ?? false
  }

  private static func names(
    _ declared: [EnumCaseDeclSyntax], _ target: Target, _ arguments: MappableArguments
  ) -> String {
    var names: [String] = []
    var cases: [String] = []
    var preamble = ""
    if case .custom(let keys) = arguments.keys {
      preamble = "let keys: StreamMapMacros.PropertyKeys = \(keys)\n  "
    }
    for declaration in declared {
      let key = declaration.attributes.attribute("Key")?.labeledArguments?.first?.expression
      for element in declaration.elements {
        let name = element.name.plainText
        switch (key, arguments.keys) {
        case (let key?, _): names.append("\(key.trimmed)")
        case (nil, .style(let style)): names.append(style.key(for: name).literal)
        case (nil, .custom): names.append("keys.key(for: \(name.literal))")
        }
        cases.append(element.name.text)
      }
    }
    let indices = cases.enumerated().map { "case .\($1): \($0)" }
    // The last case stands for all other numbers, which are none.
    let values =
      cases.enumerated().dropLast().map { "case \($0): .\($1)" }
      + cases.suffix(1).map { "default: .\($0)" }
    return """
      \(target.access)static var mapping: StreamMap.Mapping<Self> {
        \(preamble)return StreamMap.Mapping(
          generatedNames: [\(names.joined(separator: ", "))],
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
      }
      """
  }
}
