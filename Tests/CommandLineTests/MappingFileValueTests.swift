import Foundation
import Testing

/// What the keys of mapping files make of values, by the command and for any number of jobs.
@Suite struct MappingFileValueTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  /// What a field makes of the values at `x` of some records; rejected ones are their codes, paths and messages.
  private func field(_ text: String, _ values: String...) throws -> [String] {
    try command.outcomes(ofValues: values, by: "{ from: x, \(text) }") {
      "\($0.code) \($0.path ?? ""): \($0.message)"
    }
  }

  @Test func `dates in units are read from texts that steps have made`() throws {
    let values = try field("text: trim, type: date, format: unix_s", "\" 1795303800 \"")
    #expect(values == ["\"2026-11-21T23:30:00Z\""])
  }

  @Test func `a number with a unit that is none of its type is told from a text without a number`()
    throws
  {
    #expect(
      try field("type: int64, units: { k: 1000 }", "\"1.0001k\"", "1.5", "\"k\"", "\"1.001k\"")
        == [
          "invalidValue $.x: expected a number that is an integer (Int64) with its unit, found another string",
          "invalidValue $.x: expected a number that is an integer (Int64) with its unit, found another number",
          "invalidValue $.x: expected a text that is a number, with a unit (k) or without one, found another string",
          "1001",
        ])
    #expect(
      try field("type: int8, units: { k: 1000 }", "\"1k\"", "\"0.1k\"")
        == [
          "numberOutOfRange $.x: expected a number in the range of an integer (Int8) with its unit, found another string",
          "100",
        ])
  }

  @Test func `steps of text are done in their order`() throws {
    #expect(
      try field(
        "text: [trim, lower, { replace: [\"_\", \"-\"] }, { split: \" \", at: 0 }]",
        "\"  Ann_B Lee\"", "\"\\u00c9\\\"_\\n\"", "\"\"", "5", "null")
        == [
          "\"ann-b\"", "\"é\\\"-\"", "\"\"", "wrongType $.x: expected a string, found a number",
          "null $.x: expected a string, found null",
        ])
    #expect(
      try field(
        "text: [{ strip_prefix: \"id-\" }, { slice: [-3] }, { pad: [5, \"0\"] }], type: string, coerce: number",
        "\"id-12345\"", "7", "-0.50")
        == ["\"00345\"", "\"00007\"", "\"00.50\""])
  }

  @Test(.long) func `a text is changed before it is read as its type and validated`() throws {
    #expect(
      try field(
        "text: { replace: [\",\", \"\"] }, type: decimal, scale: 0.5, round: 1, validate: { max: 1000 }",
        "\"1,234.56\"", "\"9,999\"", "\"x\"", "\"1e3\"")
        == [
          "617.3", "validationFailed $.x: expected at most 1000",
          "invalidValue $.x: expected a text that is a number (Decimal, at most 38 digits), found another string",
          "500",
        ])
    #expect(
      try field(
        "text: [trim, upper], values: { A: 1, B: 1 }, otherwise: 0, default: 0", "\" a\"", "\"c\"",
        "null") == ["1", "0", "0"])
    #expect(
      try field(
        "extract: 'at ([0-9-]+)', type: date, format: dd-MM-yyyy, as: yyyy/MM/dd, optionally: none",
        "\"at 05-11-2026.\"", "\"at 5\"", "\"\"") == ["\"2026/11/05\"", "\"none\"", "\"none\""])
  }

  @Test(.long) func `extract takes the first group or the match`() throws {
    #expect(
      try field(
        "extract: 'in (\\d+) steps', type: int32", "\"done in 12 steps\"", "\"in x steps\"",
        "\"in 99999999999 steps\"")
        == [
          "12",
          "invalidValue $.x: expected a text with a match of 'in (\\d+) steps', found another string",
          "numberOutOfRange $.x: expected a text that is an integer (Int32), found another string",
        ])
    #expect(try field("extract: '\\w+$'", "\"a \\\"bc\"") == ["\"bc\""])
    #expect(
      try field(
        "extract: '(?<verb>\\w+)(?: (?P<n>\\d+))?', object: { verb: verb, n: { from: n, type: int32, default: 0 } }",
        "\"walk 3\"", "\"walk\"", "\"?\"")
        == [
          #"{"verb":"walk","n":3}"#, #"{"verb":"walk","n":0}"#,
          "invalidValue $.x: expected a text with a match of '(?<verb>\\w+)(?: (?P<n>\\d+))?', found another string",
        ])
  }

  @Test(.long) func `texts become arrays and arrays texts`() throws {
    #expect(
      try field("text: trim, split: \" \", each: int8", "\" 1 22 \"", "\"1 x\"", "\"\"")
        == [
          "[1,22]",
          "invalidValue $.x[1]: expected a text that is an integer (Int8), found another string",
          "[]",
        ])
    #expect(
      try field(
        "split: \",\", each: { type: string, text: trim }, joined: \"; \", validate: { max_length: 4 }",
        "\"a, b\"", "\"a, b,c\"")
        == ["\"a; b\"", "validationFailed $.x: expected at most 4 characters"])
    #expect(try field("joined: \"-\"", "[1,\"a\",true]") == ["\"1-a-true\""])
    #expect(
      try field("count: true, validate: { max: 2 }", "[1,[]]", #"{"a":1}"#, "[1,2,3]")
        == ["2", "1", "validationFailed $.x: expected at most 2"])
  }

  @Test(.long) func `JSON in a string is mapped and errors in it have the string's address`() throws
  {
    #expect(
      try field(
        "parse: json, object: { id: { from: a.id, type: int64 } }", #""{\"a\":{\"id\":7}}""#,
        #""{\"a\":{\"id\":true}}""#, #""{\"a\":}""#, #""{}""#)
        == [
          #"{"id":7}"#, "wrongType $.x.a.id: expected an integer (Int64), found a boolean",
          "invalidValue $.x: expected JSON in the string, with a value at its byte 5, found another string",
          "missing $.x.a.id: an integer (Int64) is missing",
        ])
    #expect(
      try field("text: { strip_prefix: \"data: \" }, parse: json", #""data: [1, 2]""#) == ["[1,2]"])
    #expect(try field("parse: json, type: int8, scale: 2", #""21""#) == ["42"])
    #expect(
      try field("parse: json, map: int8, nullable: true", #""{\"a\":1}""#, "null", #""null""#)
        == [#"{"a":1}"#, "null", "null"])
  }

  @Test func `the policy for duplicate keys holds for entries, too`() throws {
    let object = #"{"a":1,"b":2,"a":3}"#
    #expect(
      try field("entries: [k, v], each: { object: { k: k, v: v } }", object)
        == [#"[{"k":"a","v":3},{"k":"b","v":2}]"#])
    try command.write(
      """
      streammap: 1
      input: { duplicate_keys: first }
      record:
        e: { from: x, entries: [k, v] }
        n: { from: x, count: true }
        o: { from: y, from_entries: [k, v] }
        p: { from: z, parse: json, map: int8 }

      """, to: "first.yaml")
    let result = try command.run(
      "-m", "first.yaml", "--from", "ndjson",
      input: #"{"x":\#(object),"y":[{"k":"q","v":1},{"k":"q","v":2}],"z":"{\"r\":1,\"r\":2}"}"#
        + "\n")
    #expect(
      result.output
        == #"{"e":[{"k":"a","v":1},{"k":"b","v":2}],"n":2,"o":{"q":1},"p":{"r":1}}"# + "\n")
  }

  @Test(.long) func `dates are written in the form that as names`() throws {
    let date = "\"2026-11-21T23:30:00.5Z\""
    #expect(try field("type: date, as: unix_ms", date) == ["1795303800500"])
    #expect(try field("type: date, as: unix_s", date) == ["1795303800.5"])
    #expect(
      try field("type: date, format: unix_s, as: rfc822", "0")
        == ["\"Thu, 1 Jan 1970 00:00:00 GMT\""])
    #expect(
      try field("type: date, as: yyyy-MM-dd, as_zone: Europe/Berlin", date)
        == ["\"2026-11-22\""])
  }

  @Test func `redacted values are not shown in errors of their changes`() throws {
    let shown = try field(
      "parse: json, redact: true, object: { secret: { from: s, type: int8 } }",
      #""{\"s\":\"hush\"}""#, #""hush""#)
    #expect(shown.allSatisfy { !$0.contains("hush") && !$0.contains("secret") }, "\(shown)")
  }

  @Test func `a checkpoint notices that a table has changed`() throws {
    try command.write("k,v\na,1\n", to: "t.csv")
    try command.write(
      "streammap: 1\nrecord: { f: { from: x, lookup: { file: t.csv, key: k, value: v } } }\n",
      to: "m.yaml")
    // The last record ends the run, so that it can be continued.
    let records = String(repeating: "{\"x\":\"a\"}\n", count: 3000) + "{\"x\":\"b\"}\n"
    try command.write(records, to: "feed.ndjson")
    let run = [
      "-m", "m.yaml", "feed.ndjson", "-o", "out", "--checkpoint", "c", "--checkpoint-every", "4kB",
    ]
    #expect(try command.run(run).status == 7)
    try command.write("k,v\na,2\nb,3\n", to: "t.csv")
    let second = try command.run(run)
    #expect(second.status != 0)
    #expect(second.errors.contains("the mapping has changed"), "\(second.errors)")
    try command.write("k,v\na,1\n", to: "t.csv")
    #expect(try command.run(run + ["--errors", "skip"]).status == 1)
    #expect(try command.read("out") == String(repeating: "{\"f\":\"1\"}\n", count: 3000))
  }
}
