import Foundation
import StreamMap

/// Holds JSON against a JSON Schema: the keywords that the project's schema has.
struct SchemaValidator {
  private static let known: Set<String> = [
    "$schema", "$defs", "$ref", "title", "description", "type", "const", "enum", "anyOf", "items",
    "minItems", "maxItems", "properties", "additionalProperties", "required", "minProperties",
    "maxProperties", "pattern", "minLength", "maxLength", "minimum", "maximum", "prefixItems",
  ]

  private let root: JSONValue

  init(_ root: JSONValue) {
    self.root = root
  }

  /// What is wrong, with its place; empty if nothing is.
  func mistakes(of value: JSONValue) -> [String] { mistakes(of: value, root, "$") }

  private func mistakes(of value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
    var mistakes = schema.members.map(\.key).filter { !Self.known.contains($0) }
      .map { "unknown keyword \($0)" }
    if let reference = schema["$ref"]?.text {
      guard let target = root["$defs"]?[String(reference.dropFirst("#/$defs/".count))] else {
        return ["no definition \(reference)"]
      }
      mistakes += self.mistakes(of: value, target, place)
    }
    if let type = schema["type"] {
      let types = type.text.map { [$0] } ?? type.elements.compactMap(\.text)
      if !types.contains(where: { value.isOfType($0) }) {
        mistakes.append("\(place): no \(types.joined(separator: " or "))")
      }
    }
    if let constant = schema["const"], constant != value {
      mistakes.append("\(place): not \(constant)")
    }
    if let values = schema["enum"]?.elements, !values.contains(value) {
      mistakes.append("\(place): none of \(values)")
    }
    if let choices = schema["anyOf"]?.elements {
      let all = choices.map { self.mistakes(of: value, $0, place) }
      if !all.contains(where: \.isEmpty) { mistakes += all.flatMap(\.self) }
    }
    switch value {
    case .object(let members): mistakes += self.mistakes(ofMembers: members, schema, place)
    case .array(let elements): mistakes += self.mistakes(ofElements: elements, schema, place)
    case .string(let text):
      if let pattern = schema["pattern"]?.text,
        text.range(of: pattern, options: .regularExpression) == nil
      {
        mistakes.append("\(place): does not match \(pattern)")
      }
      let length = text.unicodeScalars.count
      if length < schema.count("minLength") ?? 0 { mistakes.append("\(place): too short") }
      if length > schema.count("maxLength") ?? .max { mistakes.append("\(place): too long") }
    case .number(let text):
      let number = Double(text) ?? .nan
      if number < schema.number("minimum") ?? -.infinity { mistakes.append("\(place): too small") }
      if number > schema.number("maximum") ?? .infinity { mistakes.append("\(place): too large") }
    case .null, .bool: break
    }
    return mistakes
  }

  private func mistakes(
    ofMembers members: [JSONValue.Member], _ schema: JSONValue, _ place: String
  ) -> [String] {
    var mistakes: [String] = []
    for member in members {
      let place = place + "." + member.key
      if let property = schema["properties"]?[member.key] {
        mistakes += self.mistakes(of: member.value, property, place)
      } else if let others = schema["additionalProperties"], others != false {
        mistakes += self.mistakes(of: member.value, others, place)
      } else if schema["additionalProperties"] == false {
        mistakes.append("\(place): unknown key")
      }
    }
    let keys = members.map(\.key)
    for key in schema["required"]?.elements.compactMap(\.text) ?? [] where !keys.contains(key) {
      mistakes.append("\(place): \(key) is missing")
    }
    if members.count < schema.count("minProperties") ?? 0
      || members.count > schema.count("maxProperties") ?? .max
    {
      mistakes.append("\(place): \(members.count) members")
    }
    return mistakes
  }

  private func mistakes(ofElements elements: [JSONValue], _ schema: JSONValue, _ place: String)
    -> [String]
  {
    var mistakes: [String] = []
    for (index, pair) in zip(elements, schema["prefixItems"]?.elements ?? []).enumerated() {
      mistakes += self.mistakes(of: pair.0, pair.1, "\(place)[\(index)]")
    }
    if let items = schema["items"] {
      for (index, element) in elements.enumerated() {
        mistakes += self.mistakes(of: element, items, "\(place)[\(index)]")
      }
    }
    if elements.count < schema.count("minItems") ?? 0
      || elements.count > schema.count("maxItems") ?? .max
    {
      mistakes.append("\(place): \(elements.count) elements")
    }
    return mistakes
  }
}

extension JSONValue {
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  var members: [Member] { if case .object(let members) = self { members } else { [] } }

  fileprivate func number(_ key: String) -> Double? {
    if case .number(let text)? = self[key] { Double(text) } else { nil }
  }

  fileprivate func count(_ key: String) -> Int? { number(key).map { Int($0) } }

  fileprivate func isOfType(_ type: String) -> Bool {
    switch (type, self) {
    case ("object", .object), ("array", .array), ("string", .string), ("null", .null),
      ("boolean", .bool), ("number", .number):
      true
    case ("integer", .number(let text)): Int(text) != nil
    default: false
    }
  }
}
