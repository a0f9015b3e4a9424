import Foundation
import Testing

/// What the keys of mapping files do.
@Suite struct MappingFileKeyTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  /// What a field makes of the values at `x` of some records, one a line; rejected ones are their errors.
  private func field(_ text: String, _ values: String...) throws -> [String] {
    try command.outcomes(ofValues: values, by: text) { "\($0.code): \($0.message)" }
  }

  /// What a mapping makes of records, one a line; rejected ones are their errors.
  private func records(_ mapping: String, _ records: [String]) throws -> [String] {
    try command.outcomes(of: records, by: mapping) { "\($0.code): \($0.message)" }
  }

  @Test(.long) func `a date is read in any of the listed formats`() throws {
    #expect(
      try field(
        "{ from: x, type: date, format: [rfc3339, unix_ms, \"dd/MM/yyyy HH:mm\"], zone: Europe/Berlin }",
        "\"2014-01-20T03:57:14.595+01:00\"", "1390186634595", "\"20/07/2014 03:57\"", "\"soon\"",
        "true")
        == [
          "\"2014-01-20T02:57:14.595Z\"", "\"2014-01-20T02:57:14.595Z\"",
          "\"2014-07-20T01:57:00Z\"",
          "invalidValue: expected a date (rfc3339, dd/MM/yyyy HH:mm), found another string",
          "wrongType: expected a string or a number, found a boolean",
        ])
    #expect(
      try field(
        "{ from: x, type: date, format: [unix_s], coerce: string }", "\"0\"", "1.5", "\"a\"")
        == [
          "\"1970-01-01T00:00:00Z\"", "\"1970-01-01T00:00:01.500Z\"",
          "invalidValue: expected a date (unix_s), found another string",
        ])
    #expect(
      try field(
        "{ from: x, type: date, format: [rfc822, dotnet] }", "\"Tue, 14 Jan 2014 14:35:32 GMT\"",
        "\"/Date(1390186634595+0800)/\"")
        == ["\"2014-01-14T14:35:32Z\"", "\"2014-01-20T02:57:14.595Z\""])
    #expect(
      try field("{ from: x, type: date }", "\"2014-01-20T03:57:14+01:00\"")
        == ["\"2014-01-20T03:57:14+01:00\""])
  }

  @Test(.long) func `an enum maps its texts through the table of values`() throws {
    #expect(
      try field(
        "{ from: x, type: enum, values: { A: active, 1: 7, true: ~ }, coerce: [number, bool] }",
        "\"A\"", "1", "true", "\"B\"", "null")
        == [
          "\"active\"", "7", "null",
          "invalidValue: expected one of 'A', '1', 'true', found another string",
          "null: expected one of 'A', '1', 'true', found null",
        ])
    #expect(
      try field("{ from: x, values: [a, b], nullable: true }", "\"b\"", "null", "5")
        == ["\"b\"", "null", "wrongType: expected a string, found a number"])
  }

  @Test(.long) func `a value of a kind listed in coerce is converted`() throws {
    #expect(
      try field("{ from: x, type: decimal, coerce: string }", "\"1.50\"", "1.50", "\"1,5\"", "{}")
        == [
          "1.50", "1.50",
          "invalidValue: expected a text that is a number (Decimal, at most 38 digits), found another string",
          "wrongType: expected a number or a string, found an object",
        ])
    #expect(
      try field(
        "{ from: x, type: int8, coerce: [string, bool], default: 0 }", "\"300\"", "true", "null")
        == [
          "numberOutOfRange: expected a text that is an integer (Int8), found another string", "1",
          "0",
        ])
    #expect(
      try field("{ from: x, type: string, coerce: [number, bool] }", "1.50", "false", "\"x\"")
        == ["\"1.50\"", "\"false\"", "\"x\""])
    #expect(
      try field("{ from: x, type: bool, coerce: [number, string] }", "1", "\"no\"", "2", "true")
        == ["true", "false", "invalidValue: expected 0 or 1, found another number", "true"])
  }

  @Test func `required decides whether an absent or null value is an error`() throws {
    #expect(
      try records(
        "record: { a: { from: x, type: int8, required: false }, b: { from: y, type: string, required: true } }",
        [#"{"y":"b"}"#, #"{"x":null,"y":null}"#])
        == [#"{"a":null,"b":"b"}"#, "null: expected a string, found null"])
  }

  @Test(.long) func `the first alternative with a valid value is taken`() throws {
    let mapping =
      "record: { f: { first_of: [a.b, c, { from: d, type: int8 }], type: string, validate: { min_length: 2 }"
    let feed = [
      #"{"a":{"b":"ab"},"c":"cc"}"#, #"{"a":{"b":"a"},"c":"cc"}"#, #"{"d":7}"#,
      #"{"a":{},"c":null}"#,
      #"{"a":{"b":5}}"#,
    ]
    let taken = [#"{"f":"ab"}"#, #"{"f":"cc"}"#]
    #expect(try Array(records(mapping + " } }", feed)[..<2]) == taken)
    #expect(
      try records(mapping + " } }", feed)[3]
        == "noAlternative: expected a string, or an integer (Int8)")
    #expect(
      try records(mapping + ", nullable: true } }", feed)[3...4] == [
        #"{"f":null}"#, "noAlternative: expected a string, or an integer (Int8)",
      ])
    #expect(
      try records(mapping + ", optionally: none } }", feed)[3...4] == [
        #"{"f":"none"}"#, #"{"f":"none"}"#,
      ])
  }

  @Test func `joined parts make one text, which may become another type`() throws {
    let feed = [#"{"d":"2026-01-31","t":"12:30","n":1,"b":true}"#, #"{"d":"2026-01-31"}"#]
    #expect(
      try records(
        "record: { at: { join: [d, t], with: \" \", type: date, format: yyyy-MM-dd HH:mm }, all: { join: [n, b], nullable: true } }",
        feed)
        == [
          #"{"at":"2026-01-31T12:30:00Z","all":"1true"}"#,
          "missing: a string, number or boolean is missing",
        ])
    #expect(
      try records(
        "record: { all: { join: [n, b, t], default: none } }\noutput: { nulls: omit }", feed)
        == [#"{"all":"1true12:30"}"#, #"{"all":"none"}"#])
  }

  @Test func `a meta field holds the record's number, offset, line or file`() throws {
    #expect(
      try records(
        "record: { n: { meta: record_number }, o: { meta: byte_offset }, l: { meta: line }, f: { meta: file } }",
        ["{}", "", "{}"])
        == [#"{"n":1,"o":0,"l":1,"f":null}"#, #"{"n":2,"o":4,"l":3,"f":null}"#])
  }

  @Test func `standard input has no name in any form of output`() throws {
    try command.write("streammap: 1\nrecord: { f: { meta: file }, u: u }\n", to: "m.yaml")
    try command.write("{\"u\":1}\n", to: "feed")
    for arguments in [[], ["--jobs", "3"], ["--parser", "yajl"]] {
      let all = ["-m", "m.yaml"] + arguments
      let piped = Array("{\"u\":1}\n".utf8)
      #expect(try command.run(all, input: piped).output == "{\"f\":null,\"u\":1}\n")
      #expect(try command.run(all + ["-"], input: piped).output == "{\"f\":null,\"u\":1}\n")
      #expect(try command.run(all + ["--to", "csv"], input: piped).output == "f,u\n,1\n")
      #expect(try command.run(all + ["feed"]).output == "{\"f\":\"feed\",\"u\":1}\n")
    }
    let sample = try command.run(
      ["check", "m.yaml", "--sample", "-"], input: Array("{\"u\":1}\n".utf8))
    #expect(sample.status == 0)
  }

  @Test func `dispatch chooses a case by a text or by a kind`() throws {
    #expect(
      try field(
        "{ from: x, dispatch: { on: t, cases: { c: { object: { r: radius } }, s: { from: side, type: int8 } }, otherwise: json } }",
        #"{"radius":1,"t":"c"}"#, #"{"t":"s","side":2}"#, #"{"t":"q"}"#)
        == [#"{"r":1}"#, "2", #"{"t":"q"}"#])
    #expect(
      try field(
        "{ from: x, dispatch: { cases: { number: int8, object: { from: id, type: int8 } } } }", "7",
        #"{"id":8}"#, "\"9\"")
        == ["7", "8", "wrongType: expected a number or an object, found a string"])
  }

  @Test func `an element that its condition leaves out does not become null`() throws {
    let file = """
      record:
        m: { from: m, map: { each: { required: false }, where: { from: s, length: 2 } } }
      """
    #expect(
      try records(file, [#"{"m":{"k":[{}],"l":[{"s":"a"},5]}}"#]) == [#"{"m":{"k":[],"l":[]}}"#])
  }

  @Test func `of equal keys inside a collected member the last one stays`() throws {
    let file = "input: { unknown: collect:rest }\nrecord: { id: id }"
    #expect(
      try records(file, [#"{"id":1,"k":{"a":1,"a":2},"l":[{"b":1,"b":2}]}"#])
        == [#"{"id":1,"rest":{"k":{"a":2},"l":[{"b":2}]}}"#])
  }

  @Test func `unknown and duplicate keys are handled as the file says`() throws {
    let record = """
      record:
        a: { first_of: [x, y.z], type: int8, default: 5 }
        b: { join: [p, q], nullable: true }
        c: { from: $, object: { d: dd } }
        e: { from: e, nullable: true, dispatch: { on: t, cases: { t: { object: { f: f } } } } }
      """
    let feed = [
      #"{"x":1,"p":1,"q":2,"dd":3,"y":{"z":1},"e":{"t":"t","f":1}}"#, #"{"other":[1,{}],"x":1}"#,
      #"{"x":1,"x":2}"#, #"{"e":{"t":"t","g":1}}"#,
    ]
    let first = #"{"a":1,"b":"12","c":{"d":3},"e":{"f":1}"#
    let other = #"{"a":1,"b":null,"c":{"d":null},"e":null"#
    #expect(
      try records("input: { unknown: fail, duplicate_keys: first }\n" + record, feed) == [
        first + "}", "unknownKey: a key that is not mapped", other + "}",
        "unknownKey: a key that is not mapped",
      ])
    #expect(
      try records("input: { unknown: collect:rest, duplicate_keys: fail }\n" + record, feed) == [
        first + #","rest":{}}"#, other + #","rest":{"other":[1,{}]}}"#,
        "duplicateKey: a key that occurred before",
        #"{"a":5,"b":null,"c":{"d":null},"e":{"f":null},"rest":{}}"#,
      ])
  }

  @Test(
    .long,
    arguments: [
      ("last", #"{"m":{"a":3,"b":2},"rest":{"x":[2]}}"#),
      ("first", #"{"m":{"a":1,"b":2},"rest":{"x":[1]}}"#),
      ("report", #"{"m":{"a":3,"b":2},"rest":{"x":[2]}}"#),
      ("fail", "duplicateKey: a key that occurred before"),
    ])
  func `the duplicate key policy holds in maps and collected members`(
    policy: String, expected: String
  ) throws {
    let file = """
      input: { unknown: collect:rest, duplicate_keys: \(policy) }
      record: { m: { from: m, map: int8, default: {} } }
      """
    // Fails for the map alone, for the collected members alone.
    let map = #"{"m":{"a":1,"b":2,"\u0061":3},"x":[1],"x":[2]}"#
    let found = try records(file, [map, #"{"x":1,"\u0078":2}"#])
    #expect(found.first == (policy == "fail" ? "\(expected); \(expected)" : expected))
    if policy == "fail" { #expect(found.last == expected) }
    let alone = try records(file, [#"{"m":{"a":1,"\u0061":3}}"#])
    #expect((alone == [expected]) == (policy == "fail"))
  }

  @Test
  func `the default of alternatives heeds the duplicate member that counts`() throws {
    let record = "record: { a: { first_of: [x, y], type: int8, default: 5 } }"
    #expect(
      try records("input: { duplicate_keys: first }\n" + record, [#"{"x":"wrong","x":null}"#])
        != [#"{"a":5}"#])
  }

  @Test func `a used mapping file maps nested objects and elements`() throws {
    try command.write(
      "streammap: 1\nrecord: { city: town, zip: { from: zip, type: string, coerce: number } }\n",
      to: "address.map.yaml")
    #expect(
      try records(
        "use: { address: ./address.map.yaml }\nrecord: { home: { from: home, use: address }, all: { from: all, each: { use: address } } }",
        [#"{"home":{"town":"Bonn","zip":53111},"all":[{"town":"Rom","zip":"1"}]}"#])
        == [#"{"home":{"city":"Bonn","zip":"53111"},"all":[{"city":"Rom","zip":"1"}]}"#])
  }

  @Test(
    .long,
    arguments: [
      ("double", "{ min: 0, less_than: 10 }", "0", "10", "validationFailed: expected less than 10"),
      ("double", "{ range: [0, 1] }", "1.00", "1.001", "validationFailed: expected from 0 to 1"),
      (
        "number", "{ max: 100000000000000000000000000000000000000001 }",
        "100000000000000000000000000000000000000001", "100000000000000000000000000000000000000002",
        "validationFailed: expected at most 100000000000000000000000000000000000000001"
      ),
      ("number", "{ equal_to: 100 }", "1e2", "99", "validationFailed: expected 100"),
      (
        "decimal", "{ multiple_of: 0.1 }", "0.3", "0.35",
        "validationFailed: expected a multiple of 0.1"
      ),
      (
        "date", "{ min: 2026-01-01 }", "\"2026-01-01T01:00:00+01:00\"", "\"2025-12-31T23:59:59Z\"",
        "validationFailed: expected at least 2026-01-01"
      ),
      (
        "string", "{ matches: \"[A-Z]{2}\" }", "\"DE\"", "\"DEU\"",
        "validationFailed: expected a match of '[A-Z]{2}'"
      ),
      (
        "string", "{ matches_anywhere: b+ }", "\"abc\"", "\"ac\"",
        "validationFailed: expected a match of 'b+' in it"
      ),
      (
        "string", "{ length: 2 }", "\"éé\"", "\"ééé\"",
        "validationFailed: expected exactly 2 characters"
      ),
      (
        "string", "{ length_range: [1, 2] }", "\"a\"", "\"\"",
        "validationFailed: expected from 1 to 2 characters"
      ),
      (
        "string", "{ one_of: [a, b] }", "\"b\"", "\"c\"",
        "validationFailed: expected one of 'a', 'b'"
      ),
      (
        "string", "{ either: [ { equal_to: x }, { min_length: 3 } ] }", "\"abc\"", "\"ab\"",
        "validationFailed: expected 'x' or at least 3 characters"
      ),
      (
        "string", "{ not: { equal_to: x } }", "\"y\"", "\"x\"", "validationFailed: expected not 'x'"
      ),
      ("any", "{ min: 1 }", "2", "\"2\"", "validationFailed: expected a number, at least 1"),
    ])
  func `a rule accepts a valid value and rejects an invalid one`(
    _ type: String, _ rule: String, _ right: String, _ wrong: String, _ message: String
  )
    throws
  {
    let lines = try field("{ from: x, type: \(type), validate: \(rule) }", right, wrong)
    #expect(lines == [right, message])
  }

  @Test func `rules on arrays and maps check their count and uniqueness`() throws {
    #expect(
      try field(
        "{ from: x, each: number, validate: { unique: true, count_range: [1, 2] } }", "[1,2]", "[]",
        "[1,1.0]")
        == [
          "[1,2]", "validationFailed: expected from 1 to 2 elements",
          "validationFailed: expected elements that all differ",
        ])
    #expect(
      try field(
        "{ from: x, map: number, validate: { max_count: 1 } }", #"{"a":1}"#, #"{"a":1,"b":2}"#)
        == [#"{"a":1}"#, "validationFailed: expected at most 1 element"])
  }
}
