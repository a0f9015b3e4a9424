import StreamMap

extension InferredMapping {
  /// The JSON Schema (draft 2020-12) of the records, as they are in the feed.
  package var schema: String {
    var members = [
      JSONValue.Member("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      JSONValue.Member(
        "description",
        .string(origin)),
    ]
    members += record.schemaMembers
    return JSONValue.object(members).indented()
  }
}

extension InferredValue {
  fileprivate var schemaMembers: [JSONValue.Member] {
    func types(_ names: [String]) -> JSONValue.Member {
      let all = (names + (isNullable ? ["null"] : [])).map { JSONValue.string($0) }
      return JSONValue.Member("type", all.count == 1 ? all[0] : .array(all))
    }
    func typed(_ name: String, _ more: JSONValue.Member...) -> [JSONValue.Member] {
      [types([name])] + more
    }
    switch type {
    case .scalar(let scalar):
      let schema = scalar.facts.schema
      // The range of the numbers is not known from a sample.
      return [types(schema.types)]
        + (schema.format.map { [JSONValue.Member("format", .string($0))] } ?? [])
    case .date(.standard): return typed("string", JSONValue.Member("format", .string("date-time")))
    case .date(.form(InferredDate.day)):
      return typed("string", JSONValue.Member("format", .string("date")))
    case .date(let date): return typed(date.isNumber ? "integer" : "string")
    case .unsureDate: return typed("string")
    case .url: return typed("string", JSONValue.Member("format", .string("uri")))
    case .cases(let texts):
      let values = texts.map { JSONValue.string($0) } + (isNullable ? [.null] : [])
      return [JSONValue.Member("enum", .array(values))]
    case .json: return []
    case .array(let element):
      return typed("array", JSONValue.Member("items", .object(element.schemaMembers)))
    case .dictionary(let element):
      return typed(
        "object", JSONValue.Member("additionalProperties", .object(element.schemaMembers)))
    case .object(let fields):
      let properties = fields.map { JSONValue.Member($0.key, .object($0.value.schemaMembers)) }
      let required = fields.filter { $0.count == $0.objectCount }.map { JSONValue.string($0.key) }
      return typed(
        "object", JSONValue.Member("properties", .object(properties)),
        JSONValue.Member("required", .array(required)))
    }
  }
}

extension JSONValue {
  /// The value's text with a line for each part.
  package func indented(by level: Int = 0) -> String {
    let indent = String(repeating: "  ", count: level + 1)
    let end = String(repeating: "  ", count: level)
    switch self {
    case .array(let elements) where elements.contains { !$0.isScalar }:
      let parts = elements.map { indent + $0.indented(by: level + 1) }
      return "[\n\(parts.joined(separator: ",\n"))\n\(end)]"
    case .object(let members) where !members.isEmpty:
      let parts = members.map { member in
        "\(indent)\(JSONValue.string(member.key)): \(member.value.indented(by: level + 1))"
      }
      return "{\n\(parts.joined(separator: ",\n"))\n\(end)}"
    default: return description
    }
  }

  private var isScalar: Bool {
    switch self {
    case .array, .object: false
    case .null, .bool, .number, .string: true
    }
  }
}
