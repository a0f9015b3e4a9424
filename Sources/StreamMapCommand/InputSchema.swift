import StreamMap
import StreamMapFiles

/// Makes the JSON Schema (2020-12) of records as a mapping takes them.
enum InputSchema {
  static func text(of record: SourceShape, named name: String?) -> String {
    var members: [JSONValue.Member] = [
      .init("$schema", .string("https://json-schema.org/draft/2020-12/schema"))
    ]
    if let name { members.append(.init("title", .string("what \(name) is mapped from"))) }
    return JSONValue.object(members + self.members(of: record)).indented()
  }

  private static func schema(of shape: SourceShape) -> JSONValue { .object(members(of: shape)) }

  private static func members(of shape: SourceShape) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let kinds = shape.kinds {
      let isWhole = shape.scalar?.isWhole == true
      let names = JSONKind.allCases.filter(kinds.contains).map { kind in
        JSONValue.string(kind == .number && isWhole ? "integer" : kind.rawValue)
      }
      members.append(.init("type", names.count == 1 ? names[0] : .array(names)))
    }
    if !shape.members.isEmpty {
      members.append(
        .init(
          "properties",
          .object(shape.members.map { .init($0.key, schema(of: $0.shape)) })))
      let required = shape.members.filter(\.isRequired)
      if !required.isEmpty {
        members.append(.init("required", .array(required.map { .string($0.key) })))
      }
    }
    if let element = shape.elements.first { members.append(.init("items", schema(of: element))) }
    if let value = shape.values.first {
      members.append(.init("additionalProperties", schema(of: value)))
    }
    let alternatives = shape.alternatives.map { JSONValue.array($0.map(schema)) }
    if alternatives.count == 1 {
      members.append(.init("anyOf", alternatives[0]))
    } else if !alternatives.isEmpty {
      members.append(
        .init("allOf", .array(alternatives.map { .object([.init("anyOf", $0)]) })))
    }
    return members
  }
}
