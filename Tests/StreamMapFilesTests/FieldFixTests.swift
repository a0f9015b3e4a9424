import StreamMap
import Testing

@testable import StreamMapFiles

/// What is said of values that do not fit: it can be written there, and takes the value.
@Suite struct FieldFixTests {
  /// A field, a record that it rejects, and the advice.
  ///
  /// Where a test cannot paste the advice, the field that it means comes last.
  private struct Case {
    let field: String
    let record: String
    let advice: String?
    let fixed: String?

    init(_ field: String, _ record: String, _ advice: String?, _ fixed: String? = nil) {
      self.field = field
      self.record = record
      self.advice = advice
      self.fixed = fixed
    }
  }

  private static let asItStands =
    "write type: json to take it as it stands, or object with its fields"
  private static let mayBeMissing =
    "write nullable: true if it may be missing, or default: and a value"
  private static let noParse = "leave out parse, which is for JSON in a text"

  private static let cases: [Case] = [
    // Types.
    Case("{ from: a }", #"{"a":{}}"#, asItStands),
    Case("{ from: a, type: string }", #"{"a":{}}"#, asItStands),
    Case(
      "{ from: a, type: int64? }", #"{"a":{}}"#,
      "write type: json? to take it as it stands, or object with its fields"),
    Case(
      "{ from: a, type: string, coerce: number }", #"{"a":{}}"#,
      "write type: json without coerce to take it as it stands, or object with its fields",
      "{ from: a, type: json }"),
    Case(
      "{ from: a, type: date, format: unix_s, validate: { max_length: 3 } }", #"{"a":[]}"#,
      "write type: json without format and validate to take it as it stands, or each for its elements",
      "{ from: a, type: json }"),
    Case("{ from: a, type: int64 }", #"{"a":"5"}"#, "write coerce: string"),
    Case("{ from: a, type: int64? }", #"{"a":"5"}"#, "write coerce: string"),
    Case("{ from: a, type: int64, nullable: true }", #"{"a":"5"}"#, "write coerce: string"),
    Case("{ from: a, type: bool }", #"{"a":"true"}"#, "write coerce: string"),
    Case("{ from: a, type: string }", #"{"a":1}"#, "write coerce: number"),
    Case(
      "{ from: a, type: string, coerce: bool }", #"{"a":1}"#, "write coerce: [bool, number]"),
    Case("{ from: a, scale: 2 }", #"{"a":"5"}"#, "write coerce: string"),
    Case("{ from: a, type: number, scale: 2 }", #"{"a":true}"#, nil),
    Case("{ from: a, values: [A, '1'] }", #"{"a":1}"#, "write coerce: number"),
    Case("{ from: a, type: uuid }", #"{"a":1}"#, nil),
    Case(
      "{ from: a, type: int64 }", #"{"a":1.5}"#,
      "write type: number, which takes all numbers, or round: 0"),
    Case(
      "{ from: a, type: int64? }", #"{"a":1.5}"#,
      "write type: number?, which takes all numbers, or round: 0"),
    Case(
      "{ from: a, type: int64, round: 1 }", #"{"a":1.5}"#,
      "write type: number, which takes all numbers"),
    Case("{ from: a, type: int8 }", #"{"a":300}"#, "write type: number, which takes all numbers"),
    Case(
      "{ from: a, type: decimal }", #"{"a":1e400}"#, "write type: number, which takes all numbers"),
    Case(
      "{ from: a, each: int64? }", #"{"a":["5"]}"#, "write coerce: string",
      "{ from: a, each: { type: int64?, coerce: string } }"),
    Case(
      "{ from: a, map: { type: int64 } }", #"{"a":{"b":"5"}}"#, "write coerce: string",
      "{ from: a, map: { type: int64, coerce: string } }"),
    // Dates.
    Case(
      "{ from: a, type: date }", #"{"a":5}"#,
      "write format: unix_s for seconds since 1970, or unix_ms"),
    Case(
      "{ from: a, type: date, format: yyyy-MM-dd }", #"{"a":5}"#,
      "write format: [yyyy-MM-dd, unix_s] for seconds since 1970, or unix_ms"),
    Case("{ from: a, type: date, format: unix_s }", #"{"a":"1790000015"}"#, "write coerce: string"),
    Case("{ from: a, type: date, format: unix_s }", #"{"a":1e300}"#, nil),
    Case(
      "{ from: a, type: date? }", #"{"a":"5.1.2026"}"#,
      "write format: and the form that it has, as in format: yyyy-MM-dd; or only zone: UTC, if its text has no zone",
      "{ from: a, type: date?, format: d.M.yyyy }"),
    Case(
      "{ from: a, type: date, zone: +01:00 }", #"{"a":"5.1.2026"}"#,
      "write format: and the form that it has, as in format: yyyy-MM-dd",
      "{ from: a, type: date, zone: +01:00, format: d.M.yyyy }"),
    Case(
      "{ from: a, type: date, zone: Europe/Berlin }", #"{"a":"2026-03-29T02:30:00"}"#,
      "for clocks that are never set write an offset, as in zone: +01:00",
      "{ from: a, type: date, zone: +01:00 }"),
    Case(
      "{ from: a, type: date, format: yyyy-MM-dd }", #"{"a":"5.1.2026"}"#,
      "format takes a list, with the form of this one, too",
      "{ from: a, type: date, format: [yyyy-MM-dd, d.M.yyyy] }"),
    // Nothing.
    Case("{ from: a, type: int64 }", "{}", mayBeMissing),
    Case("{ from: a, type: int64 }", #"{"a":null}"#, mayBeMissing),
    Case("{ from: a.b, type: int64 }", "{}", mayBeMissing),
    Case(
      "{ from: a, type: int64, required: true }", "{}",
      "write nullable: true instead of required if it may be missing, or default: and a value",
      "{ from: a, type: int64, nullable: true }"),
    Case("{ calc: a + 1 }", "{}", mayBeMissing),
    Case("{ template: '{a}' }", "{}", mayBeMissing),
    Case("{ from: a, list: last }", #"{"a":[]}"#, mayBeMissing),
    Case("{ from: a, dispatch: { cases: { string: string } } }", #"{"a":null}"#, mayBeMissing),
    Case("{ cases: [{ when: { from: b, equals: 1 }, from: a }] }", #"{"b":2}"#, mayBeMissing),
    Case("{ first_of: [a, b], type: int64 }", "{}", mayBeMissing),
    Case("{ meta: key }", "{}", mayBeMissing),
    // Texts.
    Case("{ from: a, text: trim }", #"{"a":{}}"#, nil),
    Case("{ from: a, text: trim }", #"{"a":5}"#, "write coerce: number"),
    Case("{ from: a, extract: '(5)' }", #"{"a":5}"#, "write coerce: number"),
    Case("{ from: a, text: trim, type: int64 }", #"{"a":5}"#, "write coerce: number"),
    Case("{ from: a, split: ',' }", #"{"a":5}"#, nil),
    Case(
      "{ from: a, text: trim, type: int64 }", #"{"a":"x5"}"#,
      "a text is a number as in JSON: without spaces, leading zeros or a plus sign; extract can leave them out",
      "{ from: a, text: trim, type: int64, extract: '[0-9]+' }"),
    Case("{ from: a, type: number, units: { k: 1000 } }", #"{"a":"x"}"#, nil),
    Case(
      "{ from: a, type: int64, units: { k: 1000 } }", #"{"a":"1.0001k"}"#,
      "write type: number, which takes all numbers, or round: 0"),
    Case(
      "{ from: a, type: int8, units: { k: 1000 } }", #"{"a":"1k"}"#,
      "write type: number, which takes all numbers"),
    // Shapes, and what is made of several values.
    Case("{ from: a, parse: json, type: json }", #"{"a":{}}"#, noParse, "{ from: a, type: json }"),
    Case(
      "{ from: a, parse: json }", #"{"a":{}}"#, "write type: json instead of parse: json",
      "{ from: a, type: json }"),
    Case(
      "{ from: a, parse: json, object: { b: b } }", #"{"a":{}}"#, noParse,
      "{ from: a, object: { b: b } }"),
    Case(
      "{ from: a, parse: json, each: string }", #"{"a":[]}"#, noParse, "{ from: a, each: string }"),
    Case("{ from: a, parse: json, type: int64 }", #"{"a":5}"#, noParse, "{ from: a, type: int64 }"),
    Case("{ from: a, parse: json, type: int64 }", #"{"a":"\"5\""}"#, "write coerce: string"),
    Case("{ from: a, object: { b: b } }", #"{"a":"{}"}"#, "for JSON in a text write parse: json"),
    Case(
      "{ from: a, each: string }", #"{"a":"x,y"}"#, "for a text with parts write split",
      "{ from: a, each: string, split: ',' }"),
    Case(
      "{ from: a, object: { b: b } }", #"{"a":[{"b":1}]}"#,
      "for a list of objects write each: { object: … }",
      "{ from: a, each: { object: { b: b } } }"),
    Case(
      "{ from: a, each: int64 }", #"{"a":{"b":1}}"#,
      "for an object write object, or map for any keys",
      "{ from: a, map: int64 }"),
    Case("{ from: a, list: sum }", #"{"a":{}}"#, nil),
    Case("{ from: a, list: sum }", #"{"a":["x"]}"#, nil),
    Case("{ from: a, list: first, type: int64 }", #"{"a":["5"]}"#, "write coerce: string"),
    Case("{ from: a, entries: [k, v] }", #"{"a":[]}"#, nil),
    Case("{ from: a, count: true }", #"{"a":5}"#, nil),
    Case("{ template: '{a}' }", #"{"a":{}}"#, nil),
    Case("{ join: [a, b] }", #"{"a":{},"b":1}"#, nil),
    Case("{ zip: { x: a, y: b } }", #"{"a":1,"b":[1]}"#, nil),
    Case("{ from: a, dispatch: { cases: { number: number } } }", #"{"a":"x"}"#, nil),
    Case("{ first_of: [a, b], type: int64 }", #"{"a":"5"}"#, "write coerce: string"),
    Case("{ first_of: [a, b], type: string }", #"{"a":{}}"#, asItStands),
    Case("{ first_of: [{ from: a, type: int64 }, { from: b, type: int64 }] }", #"{"a":"5"}"#, nil),
    // Formulas.
    Case("{ calc: a * 2 }", #"{"a":{}}"#, nil),
    Case("{ calc: a * 2 }", #"{"a":true}"#, nil),
    Case(
      "{ calc: a * 2 }", #"{"a":"5"}"#, "write number(…) around a text that is a number",
      "{ calc: number(a) * 2 }"),
    Case("{ calc: a, type: int64 }", #"{"a":"5"}"#, "write coerce: string"),
    Case(
      "{ calc: a / 2, type: int64 }", #"{"a":1}"#,
      "write type: number, which takes all numbers, or round: 0"),
    Case("{ calc: a * a, type: int64 }", #"{"a":1e300}"#, nil),
    // What the path leads through.
    Case(
      "{ from: a.b, type: string }", #"{"a":1}"#,
      "a has no such part; write optionally: null if that may be"),
    Case(
      "{ from: 'a[0]' }", #"{"a":{}}"#, "a has no such part; write optionally: null if that may be"),
    Case(
      "{ from: 'a[-1]' }", #"{"a":{}}"#, "a has no such part; write optionally: null if that may be"
    ),
    Case(
      "{ from: a.b.c, each: string }", #"{"a":{"b":[]}}"#,
      "a.b has no such part; write optionally: null if that may be"),
    Case(
      "{ from: a, each: { from: b, type: string } }", #"{"a":[1]}"#,
      "the element has no such part; write optionally: null if that may be",
      "{ from: a, each: { from: b, type: string, optionally: null } }"),
  ]

  private func file(_ field: String) throws -> MappingFile {
    try MappingFile(yaml: "streammap: 1\nrecord:\n  f: \(field)\n", named: "m.yaml")
  }

  private func error(_ field: String, _ record: String) throws -> (MappingFile, MappingError?) {
    let file = try file(field)
    return (file, try file.mapper().decode(Array(record.utf8)).error?.leaves.first)
  }

  @Test func `what is advised can be written there, and takes the value`() throws {
    for item in Self.cases {
      let (file, error) = try error(item.field, item.record)
      guard let error else {
        Issue.record("\(item.field) takes \(item.record)")
        continue
      }
      let hint = file.origin.hint(for: error)
      let expected = item.advice.map { "; \($0) (m.yaml:3)" } ?? " (m.yaml:3)"
      #expect(hint == expected, "\(item.field), \(item.record): \(error)")
      guard let advice = item.advice else { continue }
      let fixed = try #require(item.fixed ?? Self.pasted(advice, into: item.field), "\(advice)")
      #expect(throws: Never.self, "\(fixed), \(item.record)") {
        if let error = try self.error(fixed, item.record).1 { throw error }
      }
    }
  }

  /// A field with the key that an advice begins with.
  private static func pasted(_ advice: String, into field: String) -> String? {
    let pattern = #/write (\w+): (\[.*?\]|\S+?)(?:$|[ ,].*)/#
    guard let found = advice.firstMatch(of: pattern) else { return nil }
    let entry = "\(found.1): \(found.2)"
    if let key = field.firstRange(of: "\(found.1): ") {
      let value = field[key.upperBound...].prefix { !",}".contains($0) }
      let rest = field[value.endIndex...]
      return field[..<key.lowerBound] + entry + (rest.hasPrefix("}") ? " " : "") + rest
    }
    return String(field.dropLast(2)) + ", \(entry) }"
  }

  // MARK: Arguments

  private static let arguments: [(field: String, record: String, advice: String?)] = [
    ("a", #"{"a":{}}"#, "write --field 'a:json?'"),
    ("b=a", #"{"a":[]}"#, "write --field 'b:json?=a'"),
    ("a:string", #"{"a":[]}"#, "write --field 'a:json'"),
    ("a:int64?", #"{"a":{}}"#, "write --field 'a:json?'"),
    (
      "a:int64", #"{"a":"7"}"#,
      "write --field 'a:any', which takes any scalar, or coerce in a mapping file"
    ),
    (
      "a:int64?", #"{"a":"7"}"#,
      "write --field 'a:any?', which takes any scalar, or coerce in a mapping file"
    ),
    (
      "a:uuid", #"{"a":7}"#,
      "write --field 'a:any', which takes any scalar, or coerce in a mapping file"
    ),
    ("a:date", #"{"a":"x"}"#, "write --field 'a:any', which takes any scalar"),
    ("a:int64", #"{"a":1.5}"#, "write --field 'a:number', which takes all numbers"),
    ("a:int8?", #"{"a":300}"#, "write --field 'a:number?', which takes all numbers"),
    ("a:int64", "{}", "write --field 'a:int64?'"),
    ("a:int64=b.c", #"{"b":null}"#, "write --field 'a:int64?=b.c'"),
    ("a=n.x", #"{"n":[1]}"#, "n has no such part; for all of it write --field 'a:json?=n'"),
    ("a:string?=b.c", #"{"b":1}"#, "b has no such part; for all of it write --field 'a:any?=b'"),
    (
      "a:string=b.c.d", #"{"b":{"c":1}}"#,
      "b.c has no such part; for all of it write --field 'a:any=b.c'"
    ),
    ("a=b[-1]", #"{"b":{}}"#, "b has no such part; for all of it write --field 'a:json?=b'"),
  ]

  /// The field that an argument means, read in the way of the command.
  private func field(_ text: String) throws -> MappingFile.PlainField {
    let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
    let parts = sides[0].split(separator: ":", maxSplits: 1).map(String.init)
    let path = sides.count > 1 ? sides[1] : parts[0]
    let type = parts.count > 1 ? parts[1] : nil
    return MappingFile.PlainField(
      name: parts[0], path: path, try PathPattern(parsing: path),
      type: type.flatMap { TypeName(named: $0.hasSuffix("?") ? String($0.dropLast()) : $0) },
      isNullable: type?.hasSuffix("?") ?? false)
  }

  @Test(arguments: arguments.indices)
  func `what is advised for an argument takes the value`(_ index: Int) throws {
    let (text, record, advice) = Self.arguments[index]
    let file = try MappingFile([field(text)])
    let error = try #require(try file.mapper().decode(Array(record.utf8)).error?.leaves.first)
    #expect(file.origin.hint(for: error) == (advice.map { "; \($0)" } ?? ""), "\(error)")
    guard let written = advice?.split(separator: "'").dropFirst().first else { return }
    let fixed = try MappingFile([field(String(written))])
    #expect(try fixed.mapper().decode(Array(record.utf8)).value != nil)
  }

  // MARK: Context

  @Test(arguments: [
    ("q: { from: q, type: int64 }", #""x""#, "; write coerce: string (m.yaml:4)"),
    ("q: q", "{}", "; \(asItStands) (m.yaml:4)"),
    ("q: { from: q, each: { type: int64 } }", #"[1,"x"]"#, "; write coerce: string (m.yaml:4)"),
    (
      "q: { from: q, object: { z: { from: z, type: int64 } } }", #"{"z":"x"}"#,
      "; write coerce: string (m.yaml:4)"
    ),
  ])
  func `a value of the context has the line and the fix, too`(
    _ context: String, _ value: String, _ end: String
  ) throws {
    let file = try MappingFile(
      yaml: """
        streammap: 1
        input: { records: "$.l[*]" }
        context:
          \(context)
        record:
          z: { context: q }
        """, named: "m.yaml")
    let feed = Array(#"{"q":\#(value),"l":[1]}"#.utf8)
    let errors = try file.mapper().records(in: Feed(feed)).compactMap { record in
      if case .failure(let error) = record.result { error } else { nil }
    }
    let error = try #require(errors.first)
    #expect(file.origin.hint(for: error) == end, "\(error)")
  }
}
