import StreamMap

extension InferredMapping {
  /// Types with `@Mappable`, for a program.
  package var swift: String {
    var writer = SwiftWriter()
    writer.add(record, named: "Record")
    let path = records.map { ", at: \(JSONValue.string($0.description))" } ?? ""
    return """
      // \(origin)
      // Take them with: for record in try Mapper(\(record.isNullable ? "Record?" : "Record").self).records(in: Feed(.file("…")\(path))) { … }
      import Foundation
      import StreamMap
      import StreamMapMacros

      \(writer.text)
      """
  }
}

/// Writes types, the outer ones first.
private struct SwiftWriter {
  private static let keywords: Set<ExactText> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
    "public", "repeat",
    "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true",
    "try", "typealias", "var", "where", "while", "Type", "Protocol", "Any",
  ]
  /// Names that the types must not hide.
  private static let known = Set(
    [
      "Array", "Dictionary", "Optional", "Mappable", "Key", "Mapped", "Unmapped", "Foundation",
      "StreamMap",
    ].map { ExactText($0) } + ScalarType.allCases.map { ExactText($0.facts.swift) })

  private var names = known
  private var declarations: [String] = []

  /// The declarations.
  var text: String { declarations.joined(separator: "\n\n") + "\n" }

  /// Adds the type of the records, whatever they are.
  mutating func add(_ value: InferredValue, named name: String) {
    if case .object(let fields) = value.type {
      addStruct(fields, named: typeName(name))
      return
    }
    let place = declarations.count
    let type = type(of: InferredValue(value.type), named: name + "Element")
    declarations.insert("typealias \(name) = \(type)", at: place)
  }

  private mutating func addStruct(_ fields: [InferredField], named name: String) {
    let place = declarations.count
    declarations.append("")
    var properties: Set<ExactText> = []
    var lines: [String] = []
    for field in fields {
      let property = Self.unique(Self.identifier(field.key, isType: false), &properties)
      var attributes: [String] = []
      if property != field.key {
        let isPath = PathPattern([.key(field.key)]).description == "$.\(field.key)"
        attributes.append("@Key(\(isPath ? "" : "literal: ")\(Self.literal(field.key)))")
      }
      if let mapping = Self.mapping(of: field.value.type) {
        attributes.append("@Mapped(\(mapping))")
      }
      let type = type(of: field.value, named: field.key)
      let name = Self.keywords.contains(ExactText(property)) ? "`\(property)`" : property
      lines.append("  /// \(field.comment)")
      lines.append("  " + (attributes + ["let \(name): \(type)"]).joined(separator: " "))
    }
    declarations[place] = "@Mappable\nstruct \(name) {\n\(lines.joined(separator: "\n"))\n}"
  }

  private mutating func addEnum(_ texts: [String], named name: String) {
    var names: Set<ExactText> = []
    let cases = texts.map { text in
      let name = Self.unique(Self.identifier(text, isType: false), &names)
      return
        "  case \(Self.keywords.contains(ExactText(name)) ? "`\(name)`" : name) = \(Self.literal(text))"
    }
    declarations.append("enum \(name): String, Mappable {\n\(cases.joined(separator: "\n"))\n}")
  }

  private mutating func type(of value: InferredValue, named name: String) -> String {
    let type: String
    switch value.type {
    case .scalar(let scalar): type = scalar.facts.swift
    // Inside collections a form that is not the standard one stays text.
    case .date(let date): type = Self.isDate(date) ? "Date" : "String"
    case .unsureDate: type = "String"
    case .url: type = "URL"
    case .json: type = "JSONValue"
    case .cases(let texts):
      type = typeName(name)
      addEnum(texts, named: type)
    case .object(let fields):
      type = typeName(name)
      addStruct(fields, named: type)
    case .array(let element): type = "[\(self.type(of: element.asElement, named: name))]"
    case .dictionary(let element):
      type = "[String: \(self.type(of: element.asElement, named: name))]"
    }
    return value.isNullable ? type + "?" : type
  }

  /// The mapping of a property that its type does not say.
  private static func mapping(of type: InferredType) -> String? {
    guard case .date(let date) = type else { return nil }
    switch date {
    case .standard, .form("rfc3339"), .local(pattern: nil): return nil
    case .form("rfc822"): return ".date(.rfc822)"
    case .form("unix_s"): return ".date(since1970: .seconds)"
    case .form("unix_ms"): return ".date(since1970: .milliseconds)"
    case .form(let pattern), .local(let pattern?): return ".date(format: \(literal(pattern)))"
    }
  }

  /// Whether a property has a mapping of this form: texts that may leave out their zone, and are of several forms, have none.
  private static func isDate(_ date: InferredDate) -> Bool { date != .local(pattern: nil) }

  // MARK: Names

  private mutating func typeName(_ key: String) -> String {
    Self.unique(Self.identifier(key, isType: true), &names)
  }

  private static func unique(_ name: String, _ names: inout Set<ExactText>) -> String {
    var unique = name
    var number = 2
    while !names.insert(ExactText(unique)).inserted {
      unique = "\(name)\(number)"
      number += 1
    }
    return unique
  }

  /// A name that Swift takes.
  private static func identifier(_ key: String, isType: Bool) -> String {
    let words = KeyCase.snakeCase.key(for: key).split { character in
      !(character.isASCII && (character.isLetter || character.isNumber))
    }
    var name = words.map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined()
    if name.isEmpty { name = "Value" }
    if name.first?.isNumber == true { name = (isType ? "Type" : "Value") + name }
    return isType ? name : name.prefix(1).lowercased() + name.dropFirst()
  }

  /// A string literal.
  private static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      default: literal += ShownText.of(String(scalar))
      }
    }
    return literal + "\""
  }
}

extension InferredValue {
  /// As an element of a collection: there a date of another form is taken as text.
  fileprivate var asElement: InferredValue {
    guard case .date(let date) = type, date != .standard else { return self }
    return InferredValue(.scalar(date.isNumber ? .int64 : .string), isNullable: isNullable)
  }
}
