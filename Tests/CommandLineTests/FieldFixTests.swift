import Foundation
import Testing

/// What is said of values that do not fit: the key that would take them, and the line that asked.
@Suite struct FieldFixTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  private static let feed =
    #"{"u":{"a":1},"v":[1],"d":"22.11.2026","e":"X","n":300,"f":1.5,"b":true,"z":null,"w":["a",null]}"#
    + "\n"

  static let fields: [(field: String, end: String)] = [
    ("u", "found an object; write type: json to take it as it stands, or object with its fields"),
    ("v", "found an array; write type: json to take it as it stands, or each for its elements"),
    (
      "{ from: u, type: string }",
      "found an object; write type: json to take it as it stands, or object with its fields"
    ),
    (
      "{ from: v, type: int64 }",
      "found an array; write type: json to take it as it stands, or each for its elements"
    ),
    ("{ from: d, type: int64 }", "found a string; write coerce: string"),
    ("{ from: d, type: bool }", "found a string; write coerce: string"),
    ("{ from: n, type: string }", "found a number; write coerce: number"),
    ("{ from: n, values: [A] }", "found a number; write coerce: number"),
    ("{ from: n, type: bool }", "found a number; write coerce: number"),
    ("{ from: b, type: string }", "found a boolean; write coerce: bool"),
    ("{ from: b, type: int64 }", "found a boolean; write coerce: bool"),
    (
      "{ from: n, type: date }",
      "found a number; write format: unix_s for seconds since 1970, or unix_ms"
    ),
    (
      "{ from: d, type: date }",
      "found a string that is not one; write format: and the form that it has, as in format: yyyy-MM-dd; "
        + "or only zone: UTC, if its text has no zone"
    ),
    (
      "{ from: d, type: date, format: yyyy-MM-dd }",
      "found another string; format takes a list, with the form of this one, too"
    ),
    (
      "{ from: e, type: enum, values: [A] }",
      "found another string; add it to values, or write otherwise: and a value"
    ),
    (
      "{ from: n, type: int8 }",
      "found a number beyond its range; write type: number, which takes all numbers"
    ),
    (
      "{ from: f, type: int64 }",
      "found a number that is not one; write type: number, which takes all numbers, or round: 0"
    ),
    (
      "{ from: x, type: string }",
      "a string is missing; write nullable: true if it may be missing, or default: and a value"
    ),
    (
      "{ from: z, type: string }",
      "found null; write nullable: true if it may be missing, or default: and a value"
    ),
    (
      "{ from: u, each: string }",
      "found an object; for an object write object, or map for any keys"
    ),
    ("{ from: d, each: string }", "found a string; for a text with parts write split"),
    (
      "{ from: v, object: { b: b } }",
      "found an array; for a list of objects write each: { object: … }"
    ),
    ("{ from: d, object: { b: b } }", "found a string; for JSON in a text write parse: json"),
    ("{ from: v, each: string }", "found a number; write coerce: number"),
    ("{ from: v, each: { type: string } }", "found a number; write coerce: number"),
    ("{ from: u, map: { type: string } }", "found a number; write coerce: number"),
    (
      "{ from: w, each: string, joined: '-' }",
      "found null; what is missing cannot be joined: leave it out by where: { from: $, exists: true }"
    ),
    (
      "{ from: d, type: number, coerce: string }",
      "found another string; a text is a number as in JSON: without spaces, leading zeros or a plus sign; extract can leave them out"
    ),
    (
      "{ from: d, type: int64, coerce: string }",
      "found another string; a text is a number as in JSON: without spaces, leading zeros or a plus sign; extract can leave them out"
    ),
    (
      "{ from: w, each: 'string?', joined: '-' }",
      "found another array; null cannot be joined: leave it out by where: { from: $, exists: true }"
    ),
    // Where nothing is known, the line is named alone.
    ("{ from: d, type: uuid }", "found a string that is not one"),
    ("{ from: d, type: string, validate: { max_length: 2 } }", "expected at most 2 characters"),
    ("{ calc: n / 0 }", "expected a divisor that is not 0 at column 5 of 'n / 0'"),
  ]

  @Test(.long) func `a value that does not fit names the key that takes it, and the line`() throws {
    for (field, end) in Self.fields {
      try command.write("streammap: 1\nrecord:\n  n: n\n  i: \(field)\n", to: "m.yaml")
      let result = try command.run("-m", "m.yaml", input: Self.feed)
      #expect(result.status == 7)
      #expect(result.errors.hasSuffix(end + " (m.yaml:4)\n"), "\(field): \(result.errors)")
    }
  }

  @Test func `alternatives that are all missing may be null`() throws {
    try command.write(
      "streammap: 1\nrecord: { i: { first_of: [x, y], type: string } }\n", to: "m.yaml")
    let result = try command.run("-m", "m.yaml", input: Self.feed)
    let first = try #require(result.errors.split(separator: "\n").first)
    #expect(
      first.hasSuffix(
        "expected a string; write nullable: true if it may be missing, or default: and a value (m.yaml:2)"
      ))
  }

  @Test func `each of several errors has its own fix`() throws {
    try command.write(
      """
      streammap: 1
      record:
        i: { from: d, type: int64 }
        j:
          from: u
          object:
            s: { from: a, type: string }
      """, to: "m.yaml")
    let lines = try command.run("-m", "m.yaml", input: Self.feed).errors.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[2].hasSuffix("found a string; write coerce: string (m.yaml:3)"))
    #expect(lines[1].hasSuffix("found a number; write coerce: number (m.yaml:7)"))
  }

  @Test(arguments: [
    ("u", "found an object; write --field 'u:json?'"),
    ("w=u", "found an object; write --field 'w:json?=u'"),
    ("v:string", "found an array; write --field 'v:json'"),
    (
      "d:int64",
      "found a string; write --field 'd:any', which takes any scalar, or coerce in a mapping file"
    ),
    ("x:int64", "is missing; write --field 'x:int64?'"),
    ("y:int64=x.y", "is missing; write --field 'y:int64?=x.y'"),
    ("z:string", "found null; write --field 'z:string?'"),
    ("n:int8", "beyond its range; write --field 'n:number', which takes all numbers"),
  ])
  func `a value that does not fit names the argument that takes it`(_ field: String, _ end: String)
    throws
  {
    let result = try command.run("--field", field, input: Self.feed)
    #expect(result.status == 7)
    let first = try #require(result.errors.split(separator: "\n").first)
    #expect(first.hasSuffix(end), "\(result.errors)")
  }

  @Test func `each different reason that is shown has its fix, once`() throws {
    try command.write(
      """
      streammap: 1
      record:
        id: { from: id, type: int64 }
        b: { from: b, type: int64 }
      """, to: "m.yaml")
    let feed = [
      #"{"id":"x","b":1}"#, #"{"id":1,"b":"x"}"#, #"{"id":1,"b":null}"#, #"{"id":"x","b":1}"#,
    ]
    let result = try command.run(
      "-m", "m.yaml", "--errors", "skip", input: feed.joined(separator: "\n") + "\n")
    let lines = result.errors.split(separator: "\n").dropFirst().prefix(3)
    let ends = [
      "found a string; write coerce: string (m.yaml:3)",
      "found a string; write coerce: string (m.yaml:4)",
      "found null; write nullable: true if it may be missing, or default: and a value (m.yaml:4)",
    ]
    #expect(lines.count == 3)
    for (line, end) in zip(lines, ends) { #expect(line.hasSuffix(end), "\(line)") }
    let same = try command.run(
      "-m", "m.yaml", "--errors", "skip", input: feed[0] + "\n" + feed[0] + "\n")
    #expect(same.errors.split(separator: "\n").count { $0.contains("write coerce") } == 1)
  }

  @Test func `a value from outside the records names its own line and fix`() throws {
    try command.write(
      """
      streammap: 1
      input: { records: "$.l[*]" }
      context:
        q: { from: q, object: { z: { from: z, type: int64 } } }
      record:
        z: { context: q }
      """, to: "m.yaml")
    for arguments in [[], ["--jobs", "3"], ["--parser", "yajl"]] {
      let result = try command.run(
        ["-m", "m.yaml"] + arguments, input: Array(#"{"q":{"z":"x"},"l":[1]}"#.utf8))
      #expect(result.status == 7)
      #expect(
        result.errors.split(separator: "\n").first?.hasSuffix(
          "found a string; write coerce: string (m.yaml:4)") == true, "\(result.errors)")
    }
  }

  @Test func `a field with a question mark may be missing`() throws {
    let result = try command.run(
      "--field", "id:int64?", "--field", "n:string?=user.name",
      input: #"{"id":1,"user":{"name":"Ann"}}"# + "\n" + #"{"id":null}"# + "\n{}\n")
    #expect(
      result.output
        == #"{"id":1,"n":"Ann"}"# + "\n" + #"{"id":null,"n":null}"# + "\n"
        + #"{"id":null,"n":null}"# + "\n")
    #expect(result.status == 0)
    let wrong = try command.run("--field", "id:int64?", input: #"{"id":"x"}"#)
    #expect(wrong.status == 7)
  }
}
