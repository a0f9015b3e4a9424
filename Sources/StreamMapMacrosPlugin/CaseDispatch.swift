import SwiftDiagnostics
import SwiftSyntax

/// The mapping of an enum with associated values: one mapping per case, chosen by what names the case.
struct CaseDispatch {
  /// What names the case.
  enum Tag {
    /// A member beside the case's values.
    case member(ExprSyntax)
    /// A member beside another one, which has the case's values.
    case members(ExprSyntax, content: ExprSyntax)
    /// The key of the case's values.
    case key
    /// Nothing.
    case untagged

    /// Nil if the arguments say nothing of it.
    init?(_ arguments: MappableArguments) {
      switch (arguments.discriminator, arguments.content, arguments.tagging) {
      case (let discriminator?, let content?, _): self = .members(discriminator, content: content)
      case (let discriminator?, nil, _): self = .member(discriminator)
      case (nil, _, "key"): self = .key
      case (nil, _, "untagged"): self = .untagged
      default: return nil
      }
    }
  }

  private(set) var statements: [String] = []
  /// The expression of the mapping, after the statements.
  let mapping: String
  /// The types of associated values that declare their own mapping.
  private(set) var typesThatMap: [TypeSyntax] = []
  private let arguments: MappableArguments

  /// Nil if values that need labels have none, or have that of the discriminator, or if nothing tells a case apart.
  init?(_ cases: [EnumCase], _ tag: Tag, _ arguments: MappableArguments, _ notes: Notes) {
    self.arguments = arguments
    mapping = Self.mapping(cases, tag)
    let unlabeled = cases.filter { $0.parameters.count > 1 }.flatMap(\.parameters)
      .filter { $0.label == nil }
    guard unlabeled.isEmpty else {
      for parameter in unlabeled { Self.askForLabel(parameter, notes) }
      return nil
    }
    if case .untagged = tag, let empty = cases.first(where: \.parameters.isEmpty) {
      notes.error(
        "nothing tells a case without values apart; give the enum a discriminator, or tagging: .key",
        at: empty.element)
      return nil
    }
    let clashing = cases.flatMap(\.parameters).filter { parameter in
      guard case .member(let discriminator) = tag, parameter.label != nil,
        let name = Self.key(of: discriminator)
      else { return false }
      return arguments.key(for: parameter.plainLabel) == name.literal
    }
    guard clashing.isEmpty else {
      for parameter in clashing {
        notes.error(
          "the value's key is that of the discriminator, which names the case; give one of them another name",
          at: parameter)
      }
      return nil
    }
    for (index, enumCase) in cases.enumerated() {
      let payload = payload(of: enumCase, index)
      statements.append(
        """
        let case\(index) = StreamMap.Mapping<Self>(
            _generatedCase: \(payload),
            make: { \(Self.make(enumCase)) },
            take: { if case \(Self.pattern(enumCase)) = $0 { \(Self.parts(enumCase)) } else { nil } })
        """)
    }
  }

  private static func mapping(_ cases: [EnumCase], _ tag: Tag) -> String {
    func all(_ part: (Int, EnumCase) -> String) -> String {
      cases.enumerated().map(part).joined(separator: ", ")
    }
    switch tag {
    case .member(let discriminator):
      return ".dispatch(on: \(discriminator), [\(all { "\($1.key): case\($0)" })])"
    case .members(let discriminator, let content):
      // A case without values has no such member.
      let pairs = all { index, enumCase in
        let inner = "case\(index)"
        return "\(enumCase.key): "
          + (enumCase.parameters.isEmpty ? inner : ".at(.key(\(content)), \(inner))")
      }
      return ".dispatch(on: \(discriminator), [\(pairs)])"
    case .key:
      let alternatives = all { ".at(.key(\($1.key)), case\($0))" }
      return ".firstOf(\(alternatives), reportsEarlier: false)"
    case .untagged:
      return
        ".firstOf(\(all { index, _ in "case\(index)" }), reportsEarlier: false)"
    }
  }

  /// The key that a discriminator clearly is: `"type"` or `.key("type")`.
  private static func key(of discriminator: ExprSyntax) -> String? {
    if let text = discriminator.literalText { return text }
    guard let call = discriminator.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
      call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "key"
    else { return nil }
    return call.arguments.first?.expression.literalText
  }

  /// Asks for labels: several values need keys to tell them apart.
  private static func askForLabel(_ parameter: EnumCaseParameterSyntax, _ notes: Notes) {
    var labeled = parameter
    labeled.firstName = .identifier("<#label#>")
    labeled.secondName = nil
    labeled.colon = .colonToken(trailingTrivia: .space)
    notes.error(
      "label the value: its label is its key", at: parameter,
      fixes: [.replace(parameter, with: labeled, "label it")])
  }

  /// The mapping of a case's contents; the statements that it needs are added first.
  private mutating func payload(of enumCase: EnumCase, _ index: Int) -> String {
    let parameters = enumCase.parameters
    guard !parameters.isEmpty else {
      return "StreamMap.Mapping(_generated: StreamMap._GeneratedFields<Void>()) { _ in }"
    }
    if parameters.count == 1, parameters[0].label == nil {
      let type = parameters[0].type.trimmed
      if let override = arguments.override(type) {
        return type.wrapped == nil ? "\(override)" : ".nullable(\(override))"
      }
      typesThatMap.append(type)
      return "StreamMap.Mapping<\(type)>.declared"
    }
    statements.append(
      "var fields\(index) = StreamMap._GeneratedFields<\(Self.payloadType(parameters))>()")
    for parameter in parameters {
      let label = parameter.label ?? ""
      let override = arguments.override(parameter.type.trimmed)
      if override == nil { typesThatMap.append(parameter.type.trimmed) }
      let mapping = override.map { ", \($0)" } ?? ""
      let presence =
        parameter.defaultValue.map { ", presence: .default(\($0.value.trimmed))" } ?? ""
      let path = parameters.count == 1 ? "self" : label
      let read = parameters.count == 1 ? "$0" : "$0.\(label)"
      statements.append(
        "fields\(index).add(\(parameter.plainLabel.literal), "
          + "at: .key(\(arguments.key(for: parameter.plainLabel))), \\.\(path)\(mapping)\(presence)) "
          + "{ \(read) }")
    }
    let taken = parameters.map { parameter in
      parameters.count == 1 ? "slots.take()" : "\(parameter.label ?? ""): slots.take()"
    }.joined(separator: ", ")
    let made = parameters.count == 1 ? taken : "(\(taken))"
    return "StreamMap.Mapping(_generated: fields\(index)) { slots in \(made) }"
  }

  private static func payloadType(_ parameters: [EnumCaseParameterSyntax]) -> String {
    if parameters.count == 1 { return "\(parameters[0].type.trimmed)" }
    return "("
      + parameters.map { "\($0.label ?? ""): \($0.type.trimmed)" }.joined(separator: ", ") + ")"
  }

  /// Makes the case from its contents, `$0`.
  private static func make(_ enumCase: EnumCase) -> String {
    let parameters = enumCase.parameters
    if parameters.isEmpty { return "_ in .\(enumCase.name)" }
    let values = parameters.map { parameter in
      let value = parameters.count == 1 ? "$0" : "$0.\(parameter.label ?? "")"
      return parameter.label.map { "\($0): \(value)" } ?? value
    }
    return ".\(enumCase.name)(\(values.joined(separator: ", ")))"
  }

  private static func pattern(_ enumCase: EnumCase) -> String {
    let names = enumCase.parameters.indices.map { "let value\($0)" }
    return ".\(enumCase.name)" + (names.isEmpty ? "" : "(\(names.joined(separator: ", ")))")
  }

  /// The contents of a case, made from the values that its pattern names.
  private static func parts(_ enumCase: EnumCase) -> String {
    let parameters = enumCase.parameters
    if parameters.count == 1 { return "value0" }
    return "("
      + parameters.enumerated().map { "\($1.label ?? ""): value\($0)" }.joined(separator: ", ")
      + ")"
  }
}

extension EnumCaseParameterSyntax {
  fileprivate var label: String? {
    guard let firstName, firstName.tokenKind != .wildcard else { return nil }
    return firstName.text
  }

  fileprivate var plainLabel: String { firstName?.plainText ?? "" }
}
