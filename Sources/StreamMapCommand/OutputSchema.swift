import StreamMap
import StreamMapFiles

/// Makes the JSON Schema (2020-12) of output records.
struct OutputSchema {
  /// Whether members that are null are left out.
  let omitsNulls: Bool

  /// The schema as text, on several lines.
  func text(of record: OutputValue, named name: String?) -> String {
    var members: [JSONValue.Member] = [
      .init("$schema", .string("https://json-schema.org/draft/2020-12/schema"))
    ]
    if let name { members.append(.init("title", .string(name))) }
    return JSONValue.object(members + self.members(of: record)).indented()
  }

  private func schema(of value: OutputValue) -> JSONValue { .object(members(of: value)) }

  private func members(of value: OutputValue) -> [JSONValue.Member] {
    switch value.type {
    case .json: return []
    case .oneOf(let values):
      return [.init("enum", .array(values + (value.isNullable ? [.null] : [])))]
    case .scalar(let type): return members(of: type, isNullable: value.isNullable)
    case .day:
      return [Self.type(["string"], value.isNullable), .init("format", .string("date"))]
    case .array(let element):
      return [Self.type(["array"], value.isNullable), .init("items", schema(of: element))]
    case .dictionary(let member):
      return [
        Self.type(["object"], value.isNullable), .init("additionalProperties", schema(of: member)),
      ]
    case .object(let object): return members(of: object, isNullable: value.isNullable)
    }
  }

  private static func type(_ names: [String], _ isNullable: Bool) -> JSONValue.Member {
    let all = (names + (isNullable ? ["null"] : [])).map { JSONValue.string($0) }
    return .init("type", all.count == 1 ? all[0] : .array(all))
  }

  private func members(of type: ScalarType, isNullable: Bool) -> [JSONValue.Member] {
    let schema = type.facts.schema
    var members = [Self.type(schema.types, isNullable)]
    if let format = schema.format { members.append(.init("format", .string(format))) }
    if let range = schema.range {
      members.append(.init("minimum", .number(range.least)))
      members.append(.init("maximum", .number(range.most)))
    }
    return members
  }

  private func members(of object: OutputObject, isNullable: Bool) -> [JSONValue.Member] {
    let properties = object.members.map { JSONValue.Member($0.name, schema(of: $0.value)) }
    let required = object.members.filter { member in
      !member.isOptional && !(omitsNulls && member.value.isNullable)
    }
    var members = [
      Self.type(["object"], isNullable), .init("properties", .object(properties)),
    ]
    if !required.isEmpty {
      members.append(.init("required", .array(required.map { .string($0.name) })))
    }
    if !object.isOpen { members.append(.init("additionalProperties", .bool(false))) }
    return members
  }
}
