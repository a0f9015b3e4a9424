import StreamMap
import Testing

@testable import StreamMapFiles

/// Mistakes in what a mapping file says of a value.
@Suite struct ValueKeyMistakeTests {
  /// The mistakes of a field, without their file and line.
  private func mistakes(_ field: String) throws -> [String] {
    let text = "streammap: 1\nrecord: { f: \(field) }\n"
    do throws(MappingFile.Mistakes) {
      _ = try MappingFile(yaml: text)
      return []
    } catch {
      try PublishedSchema().expectRefusal(of: text, error.mistakes)
      return error.mistakes.map { mistake in
        mistake.message + (mistake.suggestion.map { "; \($0)?" } ?? "")
      }
    }
  }

  @Test(arguments: [
    (
      "text: [trim, lwoer]",
      "a step of text has to be one of trim, lower, upper, squeeze, base64_encode, base64_decode, hex_encode, hex_decode, url_encode, url_decode, or a map with replace, prefix, suffix, strip_prefix, strip_suffix, slice, split, pad, pad_end, replace_pattern, number_format, url, mask, hash, hmac; found 'lwoer'; lower?"
    ),
    ("text: prefix", "the step 'prefix' takes something, as in { prefix: x }"),
    ("text: []", "text has no steps"),
    (
      "text: { replace: [a] }",
      "replace has to be as in { replace: [\"_\", \"-\"] }, both texts in quotes; found a list"
    ),
    ("text: { replace: [\"\", b] }", "text: the text to replace is empty"),
    (
      "text: { prefix: a, suffix: b }",
      "'prefix' and 'suffix' are two steps; write them as { … }, { … }"
    ),
    (
      "text: { split: x }",
      "the step 'split' needs at: the number of the part, from 0 (for all parts, write split beside text)"
    ),
    ("text: { prefix: x, at: 0 }", "at is only for 'split'"),
    (
      "text: { pad: [8, ab] }",
      "pad has to be as in { pad: [8, \"0\"] }, a length and one character in quotes; found a list"
    ),
    ("text: { pad: [99999, \"0\"] }", "text: a text can be padded to at most 10000 characters"),
    (
      "text: trim, each: string",
      "text is only for texts; with 'each' write split, parse, or extract with named groups and object"
    ),
    (
      "text: trim, type: json",
      "text is for texts, and 'type: json' takes any value as it is: write type: string, or parse: json for JSON in a string"
    ),
    ("extract: \"(a\"", "extract: the pattern '(a' cannot be used: a ) is missing at '(a'"),
    (
      "extract: \"(a)\", object: { x: x }",
      "extract with object needs groups with names, as in (?<verb>\\w+)"
    ),
    ("split: \"\", each: string", "split: the text to split at is empty"),
    ("split: \",\", object: { x: x }", "split goes with 'each', not with 'object'"),
    ("split: \",\", parse: json", "field 'f' has 'split' and 'parse'; keep one of them"),
    ("parse: yaml", "parse has to be one of json, query; found 'yaml'"),
    ("joined: \",\", object: { x: x }", "joined goes with 'each', not with 'object'"),
    (
      "joined: \",\", each: { object: { x: x } }",
      "joined makes a text of strings, numbers and booleans; give the elements such a type"
    ),
    ("count: false", "count has to be true; found false"),
    (
      "count: true, where: { from: a, exists: true }",
      "where is only for 'each': to count some, write list: [{ where: … }, count]"
    ),
    (
      "text: { replace_pattern: ['(', x] }",
      "replace_pattern: the pattern '(' cannot be used: a ) is missing at '('"
    ),
    ("text: { replace_pattern: [a, $1] }", "replace_pattern: the pattern has no group 1"),
    (
      "text: { replace_pattern: [a, '${b}'] }",
      "replace_pattern: the pattern has no group named 'b'"
    ),
    (
      "text: { replace_pattern: [a, $b] }",
      "replace_pattern: '$' has to be followed by a digit or {name}; a dollar sign is '$$'"
    ),
    (
      "text: { url: hots }",
      "url has to be one of scheme, user, host, port, path, query, fragment; found 'hots'; host?"
    ),
    (
      "text: { mask: x }",
      "mask has to be as in { mask: 4 }, how many characters stay, at most 10000; found 'x'"
    ),
    (
      "list: fisrt",
      "a step of list has to be one of first, last, count, sum, mean, min, max, sort, unique, reverse, flatten, numbers, utf8, or a map with one of where, from, sort, unique, slice, nth, any, all; found 'fisrt'; first?"
    ),
    ("list: []", "list has no steps"),
    (
      "list: where",
      "the step 'where' takes something, as in { where: { from: state, equals: open } }"
    ),
    (
      "list: [first, count]",
      "list: this step makes one value of the list, so it has to be the last one"
    ),
    ("list: { from: a, sort: b }", "'from' and 'sort' are two steps; write them as { … }, { … }"),
    ("list: { nth: x }", "nth has to be a whole number; found 'x'"),
    ("list: { slice: 3 }", "slice has to be as in { slice: [0, 3] }; found the number 3"),
    (
      "list: { where: { field: a, exists: true } }",
      "field is only for the file's 'where': here, from looks at the source"
    ),
    (
      "list: { from: 'a[*]' }",
      "path 'a[*]': [*] means several values here; from of a field can have it, and makes a list"
    ),
    (
      "list: sum, each: string",
      "each is about a list, and the last step of list makes one value of it"
    ),
    ("list: sort, type: string", "list goes with 'each', not with 'type'"),
    ("list: sum, object: { a: a }", "list goes with 'type', not with 'object'"),
    (
      "list: first, count: true",
      "count is about an array or object as it is; it goes without 'list'"
    ),
    (
      "units: [a]", "units has to be a table of factors, as in { m: 0.001, Ki: 1024 }; found a list"
    ),
    ("units: { m: x }", "units: a factor has to be a number; found 'x'"),
    ("units: { m: 0 }", "units: numbers cannot be scaled by 0"),
    ("type: string, units: { m: 1 }", "units is only for types of numbers, such as decimal"),
    (
      "count: true, each: string",
      "count is about an array or object as it is; it goes without 'each'"
    ),
    ("entries: [a]", "entries has to be two names, as in [name, value]; found a list"),
    ("entries: [a, a]", "entries: the key and the value need two different names"),
    (
      "from_entries: [a, b], each: string",
      "from_entries goes with 'map', 'object', 'use', 'dispatch', not with 'each'"
    ),
    (
      "unwrap: { S: value, N: blob }",
      "unwrap: what 'N' holds has to be one of value, number, null, members; found 'blob'"
    ),
    ("unwrap: [S, S]", "unwrap: 'S' comes twice"),
    (
      "unwrap: S",
      "unwrap has to be a map of keys, as in { S: value, N: number, M: members }, or a list of keys; found 'S'"
    ),
    ("unwrap: [S], entries: [k, v]", "field 'f' has 'unwrap' and 'entries'; keep one of them"),
    ("type: string, scale: 2", "scale is only for types of numbers, such as decimal"),
    ("type: decimal, scale: 0", "scale: numbers cannot be scaled by 0"),
    ("type: decimal, scale: x", "scale has to be a number; found 'x'"),
    (
      "type: decimal, round: 1.5",
      "round has to be a whole number, the places after the point; found the number 1.5"
    ),
    ("type: decimal, round: 200", "round: numbers can be rounded to at most 100 places"),
    ("type: int32, coerce: bool, scale: 2", "scale is for numbers, and coerce takes bool, too"),
    ("type: string, as: unix_ms", "as is only for 'type: date'"),
    ("type: date, as: unix_mz", "there is no date format 'unix_mz'; unix_ms?"),
    (
      "type: date, as: YYYY-MM",
      "date format 'YYYY-MM': Y is the year of a week; for the calendar year write y"
    ),
    (
      "type: date, as: rfc822, as_zone: UTC",
      "as_zone is for a form that is a pattern, such as yyyy-MM-dd HH:mm"
    ),
    (
      "type: date, as_zone: UTC",
      "as_zone is only for 'as' with a pattern, such as yyyy-MM-dd HH:mm"
    ),
    (
      "type: string, otherwise: x",
      "otherwise is only for 'cases', 'values' and 'lookup': for other values write optionally"
    ),
    (
      "values: { a: 1 }, otherwise: [x]",
      "otherwise has to be a text, a number, true, false or null; found a list"
    ),
    ("values: [a], default: b", "default: expected one of \"a\", found 'b'"),
    ("type: date, as: unix_ms, default: x", "default: expected a number or null, found 'x'"),
    (
      "each: string, joined: \",\", default: 5",
      "default: expected a string or null, found the number 5"
    ),
    (
      "type: decimal, text: trim, coerce: string",
      "coerce: 'type: decimal' can be made from number, bool; found 'string'"
    ),
  ])
  func `keys that make no sense are told with what to change`(_ keys: String, _ message: String)
    throws
  {
    #expect(try mistakes("{ from: x, \(keys) }") == [message])
  }

  @Test(arguments: [
    "text: trim", "text: { slice: [-4] }, default: x", "extract: a, type: date, format: unix_s",
    "values: [a], otherwise: b, default: b",
    "split: x, each: int8, joined: y, validate: { min_length: 1 }",
    "parse: json, values: [a]", "parse: json, each: { from: a, type: int8 }, on_item_error: drop",
    "count: true, validate: { max: 3 }",
    "type: date, as: unix_ms, validate: { min: 0 }, default: 0",
    "type: date, as: rfc3339, validate: { min: '2026-01-01T00:00:00Z' }",
    "list: first", "list: [{ where: { from: a, min: 1 } }, count], default: 0",
    "list: { any: { calc: a > 1 } }, validate: { equal_to: true }",
    "list: [sort, { slice: [0, 2] }], each: string, joined: x",
    "list: { where: { from: Key, exists: true } }, from_entries: [Key, Value], map: string",
    "split: x, list: [numbers, sum], type: decimal, round: 2",
    "text: trim, parse: json, list: last, object: { a: a }",
    "list: last, text: { url: host }, nullable: true",
    "units: { m: 0.001, '': 2 }, round: 2", "type: int8, units: { k: 1000 }, coerce: bool",
    "type: date, zone: '+02:00'", "type: date, format: [unix_s, rfc3339], zone: Europe/Berlin",
    "parse: query, object: { a: { from: a, type: int8 } }",
    "round: -2", "text: trim, parse: json, map: int8, nullable: true",
  ])
  func `keys that belong together are no mistake`(_ keys: String) throws {
    #expect(try mistakes("{ from: x, \(keys) }") == [])
  }

  // MARK: Tables

  private func lookup(_ table: String, _ keys: String = "key: k, value: v") throws -> [String] {
    let folder = try Folder()
    try folder.write(table, to: "tables/t.csv")
    let file = try folder.write(
      "streammap: 1\nrecord: { f: { from: x, lookup: { file: tables/t.csv, \(keys) } } }\n",
      to: "m.map.yaml")
    do {
      _ = try MappingFile(contentsOf: file)
      return []
    } catch {
      return error.mistakes.map(\.message)
    }
  }

  @Test func `a table is CSV by RFC 4180 with a header`() throws {
    #expect(try lookup("k,v\n") == [])
    #expect(try lookup("\u{FEFF}v,\"k\"\r\n\"a,\"\"\r\n\",b\r\n,\"\"") == [])
    for (table, reason) in [
      ("", ": the file is empty"),
      ("a,v\n", ", line 1: there is no column 'k'; there are 'a', 'v'"),
      ("k,v,k\n", ", line 1: two columns are 'k'; there are 'k', 'v', 'k'"),
      ("k,v\na,b\n\nc,d\n", ", line 3: there are 1 cells, and 2 in the header"),
      ("k,v\na,b\n\"c\nd\",e\na,f\n", ", line 5: the key 'a' is in line 2, too"),
      ("k,v\n\"a,b\n", ", line 2: a quote is not closed"),
      ("k,v\n\"a\"b,c\n", ", line 2: something follows the quote that closes a cell"),
      ("k,v\na\"b,c\n", ", line 2: a cell with a quote in it has to be in quotes"),
    ] {
      #expect(try lookup(table) == ["lookup: tables/t.csv\(reason)"])
    }
    #expect(
      try lookup("k,v\n", "key: k") == [
        "value is missing, as in { file: ./countries.csv, key: code, value: name }"
      ])
  }

  @Test func `a table that is not there or not UTF-8 is a mistake`() throws {
    let folder = try Folder()
    let file = try folder.write(
      "streammap: 1\nrecord: { f: { from: x, lookup: { file: none.csv, key: k, value: v } } }\n",
      to: "m.map.yaml")
    let error = #expect(throws: MappingFile.Mistakes.self) {
      try MappingFile(contentsOf: file)
    }
    #expect(error?.mistakes.first?.message.hasPrefix("lookup: cannot open ") == true)
    #expect(throws: LookupTable.Fault.self) {
      try LookupTable(
        Array("k,v\n".utf8) + [0xFF, 0x2C, 0x61],
        TableColumns(keys: ["k"], values: ["v"], isObject: false), isJSON: false)
    }
  }

  @Test func `a mapping given as text cannot have tables read`() throws {
    #expect(
      try mistakes("{ from: x, lookup: { file: /etc/passwd, key: k, value: v } }") == [
        "lookup: a mapping that is given as text cannot use files"
      ])
  }

  @Test func `a table finds what it has and knows whether it is one-to-one`() throws {
    let rows = (0..<5000).map { "k\($0),v\($0 % 4000)\r\n" }.joined()
    let table = try LookupTable(
      Array(("key,value\r\n" + rows).utf8),
      TableColumns(keys: ["key"], values: ["value"], isObject: false), isJSON: false)
    func value(_ key: String) -> String? {
      Array(key.utf8).withUnsafeBufferPointer { key in
        table.value(of: key).map { String(decoding: $0, as: UTF8.self) }
      }
    }
    #expect(table.count == 5000 && !table.isOneToOne)
    #expect(value("k0") == "v0" && value("k4999") == "v999" && value("k5000") == nil)
    #expect(value("") == nil)
    let other = try LookupTable(
      Array("k,v\n,\"\"\na,b".utf8), TableColumns(keys: ["k"], values: ["v"], isObject: false),
      isJSON: false)
    #expect(other.isOneToOne)
  }

  @Test func `a table is read once and is among the files of the mapping`() throws {
    let folder = try Folder()
    try folder.write("k,v\na,b\n", to: "t.csv")
    let lookup = "lookup: { file: ./t.csv, key: k, value: v }"
    let file = try folder.write(
      "streammap: 1\nrecord: { f: { from: x, \(lookup) }, g: { from: y, \(lookup), otherwise: 0 } }\n",
      to: "m.map.yaml")
    let mapping = try MappingFile(contentsOf: file)
    #expect(mapping.files == [file, folder.path("t.csv")])
    let made = try mapping.mapper().decode(#"{"x":"a","y":"z"}"#.utf8).get().description
    #expect(made == #"{"f":"b","g":0}"#)
    #expect(mapping.explanation.contains("x → f: lookup in ./t.csv, from string"))
    #expect(mapping.explanation.contains("y → g: lookup in ./t.csv (one way), from string"))
  }

  @Test func `an explanation says what has no way back`() throws {
    let mapping = try MappingFile(
      yaml: """
        streammap: 1
        record:
          a: { from: a, text: [trim, { prefix: x }] }
          b: { from: b, text: { replace: [a, b] } }
          c: { from: c, type: decimal, scale: 0.5, round: 1 }
          d: { from: d, values: { a: x, b: x } }
          e: { from: e, type: date, as: unix_ms }
          f: { from: f, parse: json, object: { g: g } }
        """)
    #expect(
      mapping.explanation == """
        $: record
          a → a: trim, prefix 'x', from string
          b → b: replace 'a' by 'b' (one way), from string
          c → c: scale by 0.5, round to 1 places (one way), from number
          d → d: table of 2 (one way), from string
          e → e: date, as: unix_ms, from string
          f → f: JSON in a string, from string, then record
            g → g: any, absent or null: null
        """)
  }
}
