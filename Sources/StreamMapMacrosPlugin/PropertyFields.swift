import SwiftDiagnostics
import SwiftSyntax

/// Which properties are mapped, and how.
struct PropertyFields {
  /// One property that is mapped.
  struct Field {
    let property: StoredProperty
    /// The statement that adds it to `fields`.
    let statement: String
    /// Whether the property's type decides how it maps.
    let mapsByType: Bool
  }

  private let properties: [StoredProperty]
  private let arguments: MappableArguments
  private let notes: Notes

  init(_ properties: [StoredProperty], _ arguments: MappableArguments, _ notes: Notes) {
    self.properties = properties
    self.arguments = arguments
    self.notes = notes
  }

  func all() -> [Field] {
    checkNames()
    return properties.compactMap { property in
      guard isMapped(property) else {
        checkValue(of: property)
        return nil
      }
      if property.isFixed {
        reportFixed(property)
        return nil
      }
      return field(property)
    }
  }

  // MARK: Selection

  private func isMapped(_ property: StoredProperty) -> Bool {
    if property.isUnmapped { return false }
    if arguments.except.contains(where: { $0.name == property.plainName }) { return false }
    return arguments.only?.contains { $0.name == property.plainName } ?? true
  }

  /// Reports names that no property has.
  private func checkNames() {
    let lists = [
      arguments.only ?? [], arguments.except, arguments.optional, arguments.required ?? [],
    ]
    let known = properties.map(\.plainName)
    for (name, node) in lists.joined() where !known.contains(name) {
      guard let near = Spelling.nearest(to: name, in: known) else {
        notes.error("there is no stored property '\(name)'", at: node)
        continue
      }
      notes.error(
        "there is no stored property '\(name)'; did you mean '\(near)'?", at: node,
        fixes: [.replace(node, with: StringLiteralExprSyntax(content: near), "write '\(near)'")])
    }
  }

  /// Checks that a property that is not mapped gets its value from elsewhere.
  private func checkValue(of property: StoredProperty) {
    guard !property.hasValue else { return }
    var binding = property.binding
    binding.trailingTrivia = []
    binding.initializer = InitializerClauseSyntax(
      leadingTrivia: .space, equal: .equalToken(trailingTrivia: .space),
      value: EditorPlaceholderExprSyntax(placeholder: .identifier("<#value#>")))
    var fixes: [FixIt] = []
    if !property.isLet {
      fixes.append(.replace(property.binding, with: binding, "give it a value"))
    }
    notes.error(
      "'\(property.plainName)' is not mapped, so it needs a value in its declaration",
      at: property.binding, fixes: fixes)
  }

  /// Reports a `let` with a value: it keeps the value, so nothing can be decoded into it.
  private func reportFixed(_ property: StoredProperty) {
    var variable = property.declaration
    variable.bindingSpecifier = .keyword(
      .var, leadingTrivia: variable.bindingSpecifier.leadingTrivia,
      trailingTrivia: variable.bindingSpecifier.trailingTrivia)
    let fixes =
      [.replace(property.declaration, with: variable, "make it a var")]
      + StoredProperty.unmapping(property.declaration)
    let message = "'\(property.plainName)' is not mapped: a let with a value cannot be set"
    if !property.keys.isEmpty || property.mapping != nil {
      notes.error(message, at: property.binding, fixes: fixes)
    } else {
      notes.warning(message, at: property.binding, fixes: fixes)
    }
  }

  // MARK: One field

  private func field(_ property: StoredProperty) -> Field {
    let override = property.mapping ?? property.type.flatMap(arguments.override)
    let mapping = override.map { ", \($0)" } ?? ""
    let presence = presence(of: property).map { ", presence: \($0)" } ?? ""
    let name = property.name.text
    let identifier = property.mergedBy.map { ", by: \($0)" } ?? ""
    let merges = property.isMerged ? ", updating: .merging(\\.\(name)\(identifier))" : ""
    if property.isMerged, property.defaultValue != nil {
      notes.error(
        "'\(property.plainName)' has a value, which null would put in place of the object that updates change; "
          + "remove the value, or @Merged", at: property.binding)
    }
    return Field(
      property: property,
      statement:
        "fields.add(\(property.plainName.literal), at: \(source(of: property)), \\.\(name)"
        + "\(mapping)\(presence)\(merges)) { $0.\(name) }",
      mapsByType: override == nil)
  }

  private func source(of property: StoredProperty) -> String {
    guard let first = property.keys.first else {
      return ".key(\(arguments.key(for: property.plainName)))"
    }
    let isLiteral = first.label?.text == "literal"
    if !isLiteral {
      for key in property.keys { LiteralPath.check(key.expression, notes) }
    }
    let places = property.keys.map {
      "\(isLiteral ? ".key" : ".path")(\($0.expression.trimmed))"
    }
    return places.count == 1 ? places[0] : ".first(\(places.joined(separator: ", ")))"
  }

  private func presence(of property: StoredProperty) -> String? {
    let names = arguments.required ?? []
    if names.contains(where: { $0.name == property.plainName }) { return ".required" }
    let isLenient =
      arguments.required != nil
      || arguments.optional.contains { $0.name == property.plainName }
    if isLenient { return lenience(of: property) }
    return property.defaultValue.map { ".default(\($0))" }
  }

  private func lenience(of property: StoredProperty) -> String? {
    if let value = property.defaultValue { return ".optional(default: \(value))" }
    if property.isOptional || property.initialValue != nil { return ".optional(default: nil)" }
    var fixes: [FixIt] = []
    if let type = property.binding.typeAnnotation?.type {
      let optional = OptionalTypeSyntax(wrappedType: type.trimmed)
      fixes.append(.replace(type, with: optional, "make it Optional"))
    }
    notes.error(
      "'\(property.plainName)' may be left out, so it must be Optional or have a default",
      at: property.binding, fixes: fixes)
    return nil
  }
}
