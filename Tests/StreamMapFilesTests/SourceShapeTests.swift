import StreamMap
import StreamMapFiles
import Testing

/// What a mapping says of the records that it takes: it holds for every record that it does take.
@Suite struct SourceShapeTests {
  /// Fields, in which `@` stands for what is said of null and of what is missing.
  private static let fields = [
    "from: u, type: int64", "from: u, type: int64, coerce: string",
    "from: u, type: int64, coerce: [string, bool]", "from: u, type: string, coerce: number",
    "from: u, type: bool, coerce: [string, number]", "from: u, type: number, units: { k: 1000 }",
    "from: u, type: decimal, scale: 2, coerce: string", "from: u, type: date",
    "from: u, type: date, format: [unix_s, yyyy-MM-dd]",
    "from: u, type: date, format: unix_s, coerce: string", "from: u, type: date, zone: UTC",
    "from: u, values: { A: 1, B: null }", "from: u, type: string, text: trim, coerce: number",
    "from: u, type: any", "from: u, type: json", "from: u, type: uuid", "from: u.a, type: int64",
    "from: u.a, type: int64, coerce: string", "from: 'u[0]', type: int64, coerce: string",
    "from: 'u[-1]', type: int64", "from: u, each: int64", "from: u, each: { type: 'int64?' }",
    "from: u, each: { type: int64, coerce: string, nullable: true }", "from: u, map: int64",
    "from: u, map: { type: int64, coerce: string, default: 0 }",
    "from: u, object: { a: { from: a, type: int64, coerce: string, nullable: true } }",
    "from: u, object: { a: { from: a, type: int64 } }",
    "from: u, dispatch: { cases: { string: string, number: number } }",
    "from: u, dispatch: { cases: { string: string, object: { object: { a: a } } } }",
    "from: u, dispatch: { on: a, cases: { x: { object: { b: b } } } }",
    "from: u, parse: json, type: json", "from: u, split: ','", "from: u, list: first, type: int64",
    "from: u, list: last", "from: u, count: true", "from: u, entries: [k, v]",
    "from: u, unwrap: [S], type: json", "first_of: [u, v], type: int64",
    "first_of: [u, v], type: int64, coerce: string", "first_of: [u.a, v]",
    "first_of: [{ from: u, type: int64 }, { from: v, type: string, coerce: number }]",
    "join: [u, v]", "template: '{u}{? ({v})}'", "calc: u + 1", "calc: u ?? v", "calc: length(u)",
  ]
  private static let policies = [
    "", "nullable: true", "default: 7", "default: x", "optionally: null",
  ]
  private static let values = [
    "null", "true", "1", "1.5", "1e400", #""""#, #""x""#, #""5""#, #""1k""#, #""A""#,
    #""2026-01-31""#,
    #""2026-01-31T10:00:00Z""#, "[]", "[1]", "[null]", #"["5",null]"#, "{}", #"{"a":1}"#,
    #"{"a":null}"#, #"{"a":"5"}"#, #"{"x":1,"b":2}"#, #"{"a":{"b":1}}"#, #"{"S":1}"#,
    #"[{"S":"x"}]"#,
  ]

  private static let records =
    values.map { #"{"u":\#($0)}"# } + values.map { #"{"v":\#($0)}"# } + [
      "{}", #"{"u":1,"v":2}"#, #"{"u":null,"v":"5"}"#, #"{"u":{"a":"x"},"v":null}"#,
    ]

  @Test func `every record that a mapping takes is as its shape says`() throws {
    let records = try Self.records.map { text in
      (bytes: Array(text.utf8), value: try Mapper(JSONValue.self).decode(Array(text.utf8)).get())
    }
    var count = 0
    for field in Self.fields {
      for policy in Self.policies {
        let keys = policy.isEmpty ? field : "\(field), \(policy)"
        // Not every key goes with every other.
        guard let file = try? MappingFile(yaml: "streammap: 1\nrecord: { f: { \(keys) } }\n") else {
          continue
        }
        let mapper = try file.mapper()
        for record in records where mapper.decode(record.bytes).value != nil {
          count += 1
          #expect(
            file.source.takes(record.value),
            "\(keys): \(String(decoding: record.bytes, as: UTF8.self))")
        }
      }
    }
    #expect(count > 2000)
  }
}

extension SourceShape {
  /// Whether a value is as the shape says.
  fileprivate func takes(_ value: JSONValue) -> Bool {
    if let kinds, !kinds.contains(value.kind) { return false }
    switch value {
    case .object(let found):
      for member in members {
        guard let inner = found.last(where: { $0.key == member.key }) else {
          if member.isRequired { return false }
          continue
        }
        if !member.shape.takes(inner.value) { return false }
      }
      if let shape = values.first, !found.allSatisfy({ shape.takes($0.value) }) { return false }
    case .array(let found):
      if let shape = elements.first, !found.allSatisfy({ shape.takes($0) }) { return false }
    case .null, .bool, .number, .string: break
    }
    return alternatives.allSatisfy { shapes in shapes.contains { $0.takes(value) } }
  }
}
