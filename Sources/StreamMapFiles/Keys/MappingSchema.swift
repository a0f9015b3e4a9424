import StreamMap

/// The JSON Schema (2020-12) of mapping files.
package enum MappingSchema {
  /// The schema as text, on several lines.
  package static var text: String {
    let definitions = MappingPart.allCases.map { part in
      JSONValue.Member(part.rawValue, .object(part.content.members))
    }
    let members: [JSONValue.Member] =
      [
        .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
        .init("title", "A mapping file of stream-map"),
        .init(
          "description", "How the records of a JSON feed become records of another shape."),
      ] + MappingPart.file.members + [.init("$defs", .object(definitions))]
    return JSONValue.object(members).indented() + "\n"
  }
}

extension MappingPart.Content {
  /// The part as a JSON Schema.
  var members: [JSONValue.Member] {
    switch self {
    case .form(let form): form.members
    case .keys(let entries, let more):
      [
        .init("type", "object"),
        .init("properties", .object(entries.map { .init($0.name, $0.spec.schema) })),
        .init("additionalProperties", false),
      ] + Self.required(entries) + more
    }
  }

  private static func required(_ entries: [MappingPart.Entry]) -> [JSONValue.Member] {
    let names = entries.filter(\.spec.isRequired).map { JSONValue.string($0.name) }
    return names.isEmpty ? [] : [.init("required", .array(names))]
  }
}

extension KeySpec {
  fileprivate var schema: JSONValue {
    .object([.init("description", .string(note))] + form.members)
  }
}
