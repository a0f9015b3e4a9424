import Foundation
import Testing

/// Mistakes of what mapping files say, each in a file of its own.
@Suite struct MappingFileMistakeTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  /// The mistakes of a file whose rest is sound.
  private func mistakes(_ text: String, rest: String = "record: { a: a }\n") throws -> [String] {
    try command.write(
      "streammap: 1\n" + text + (text.contains("record: {") ? "" : rest), to: "m.yaml")
    let result = try command.run("check", "m.yaml")
    #expect(result.status == 3)
    return result.mistakes
  }

  /// What is found in a line that has `^` in front of the place.
  private func check(_ line: String, after before: String = "", _ mistake: String) throws {
    let place = try #require(line.firstIndex(of: "^"))
    let column = line.distance(from: line.startIndex, to: place) + 1
    let found = try mistakes(before + line.replacing("^", with: "") + "\n")
    #expect(found == ["m.yaml:\(before.isEmpty ? 2 : 3):\(column): \(mistake)"])
  }

  @Test(
    .long,
    arguments: [
      ("{ from: x, values: ^[A, A] }", "values: the table has 'A' twice; list each value once"),
      ("{ from: x, values: ^{} }", "values: the table is empty"),
      (
        "{ from: x, type: enum, values: [A], default: ^B }",
        "default: expected one of \"A\", found 'B'"
      ),
      (
        "{ from: x, type: date, format: [^unix_sm] }",
        "there is no date format 'unix_sm'; did you mean 'unix_ms'?"
      ),
      (
        "{ from: x, type: date, format: ^YYYY }",
        "date format 'YYYY': Y is the year of a week; for the calendar year write y"
      ),
      (
        "{ from: x, type: date, format: ^D yyyy }",
        "date format 'D yyyy': 'D' is not one of its parts, whose letters are y M d E H h a m s S Z X x z"
      ),
      (
        "{ from: x, type: date, as: ^QQQ yyyy }",
        "date format 'QQQ yyyy': 'QQQ' is not one of its parts, whose letters are y M d E H h a m s S Z X x z"
      ),
      (
        "{ from: x, type: date, format: yyyy, zone: ^Europe/Berln }",
        "zone: there is no time zone 'Europe/Berln', as in UTC, +02:00 or Europe/Berlin; did you mean 'Europe/Berlin'?"
      ),
      (
        "{ from: x, type: date, format: unix_s, ^zone: UTC }",
        "zone is for texts that do not say theirs: for rfc3339, or a pattern such as yyyy-MM-dd HH:mm"
      ),
      (
        "{ from: x, type: url, ^coerce: string }",
        "coerce is only for a type that other values can become: numbers, string, bool, date, enum"
      ),
      (
        "{ from: x, type: int8, coerce: [^strin] }",
        "coerce: 'type: int8' can be made from string, bool; found 'strin'; did you mean 'string'?"
      ),
      (
        "{ from: x, use: ^address }", "use: there is no file named 'address' under the file's 'use'"
      ),
      ("{ first_of: [a], ^join: [b] }", "field 'f' has 'first_of' and 'join'; keep one of them"),
      ("{ ^first_of: [] }", "first_of has no paths"),
      (
        "{ join: [a], ^object: { b: b } }",
        "join makes a text, so its type has to be that of a scalar"
      ),
      (
        "{ meta: ^row }",
        "meta has to be one of record_number, byte_offset, line, file, key, index; found 'row'; did you mean 'record_number'?"
      ),
      ("{ meta: line, ^from: a }", "a field with meta: line cannot have 'from'"),
      (
        "{ from: x, required: true, ^default: 1 }",
        "field 'f' has 'required' and 'default'; keep one of them"
      ),
      ("{ from: x, ^with: a }", "with is only for 'join'"),
      (
        "{ from: x, each: { from: y, ^const: 1 } }",
        "unknown key 'const' in 'each': it is for a field, not for this"
      ),
      (
        "{ from: x, dispatch: { cases: { ^strin: string } } }",
        "without 'on', cases are kinds: null, boolean, number, string, object, array; found 'strin'; did you mean 'string'?"
      ),
      (
        "{ from: x, dispatch: { on: ^\"a[0]\", cases: { s: string } } }",
        "on has to be a path of keys; found 'a[0]'"
      ),
      (
        "{ from: x, dispatch: ^{ on: a } }",
        "cases is missing: it says what becomes of each kind or text"
      ),
    ])
  func `a mistake in a field is reported with its place`(_ text: String, _ mistake: String) throws {
    try check("record: { f: \(text) }", mistake)
  }

  @Test(arguments: [
    ("string, validate: { ^min: 1 }", "min is about numbers or dates; here are strings"),
    (
      "string, validate: { matches: ^\"[\" }",
      "matches: the pattern '[' cannot be used: a ] is missing at '['"
    ),
    (
      "string, validate: { min_length: ^-1 }",
      "min_length: at least -1 characters: a count cannot be negative"
    ),
    (
      "string, validate: { length_range: ^[3, 1] }",
      "length_range: from 3 to 1 character: the range is empty"
    ),
    (
      "string, validate: { ^lenght: 3 }", "unknown key 'lenght' in validate; did you mean 'length'?"
    ),
    ("string, validate: ^{}", "validate has no rules"),
    ("double, validate: { range: ^[2, 1] }", "range: the range from 2 to 1 is empty"),
    (
      "double, validate: { range: ^2 }",
      "range has to be a list of two, as in [0, 10]; found the number 2"
    ),
    ("double, validate: { multiple_of: ^0 }", "multiple_of: 0 has no multiples"),
    ("double, validate: { not: { equal_to: ^a } }", "equal_to is about numbers here; found 'a'"),
    ("double, validate: { either: [ { max: ^x } ] }", "max has to be a number; found 'x'"),
    (
      "date, validate: { min: ^yesterday }",
      "min of dates has to be a date, as 2026-01-31 or 2026-01-31T12:00:00Z; found 'yesterday'"
    ),
  ])
  func `a mistake in a rule is reported with its place`(_ text: String, _ mistake: String) throws {
    try check("record: { f: { from: x, type: \(text) } }", mistake)
  }

  @Test(arguments: [
    ("{ field: ^aa, equals: 1 }", "field: the mapped record has no 'aa'; did you mean 'a'?"),
    ("{ ^feild: a }", "unknown key 'feild' in where; did you mean 'field'?"),
    ("^{ field: a }", "'a' needs a comparison: equals, min, max, one_of, matches, exists …"),
    ("{ ^any: [] }", "any has no conditions"),
    (
      "{ all: [ { any: [ { field: a, min: 1 } ], ^not: { field: a, min: 1 } } ] }",
      "all has 'any' and 'not'; put several conditions into a list under all or any"
    ),
    (
      "{ field: a, ^exists: false, min: 1 }",
      "exists: false stands alone: what is absent cannot be compared"
    ),
    ("^{}", "where has to be a map with one of all, any, not, field, from, calc, context, meta"),
  ])
  func `a mistake in a condition is reported with its place`(_ text: String, _ mistake: String)
    throws
  {
    try check("where: \(text)", after: "record: { a: a }\n", mistake)
  }

  @Test func `mistakes in input and error settings are reported with their places`() throws {
    #expect(
      try mistakes(
        """
        input: { unknown: colect:x, duplicate_keys: lats, limits: { record: none } }
        errors: { mode: fail, max: 1, max_ratio: 3, rejects: r }

        """) == [
          "m.yaml:2:19: unknown has to be one of ignore, report, fail, collect:<field>; found 'colect:x'",
          "m.yaml:2:45: duplicate_keys has to be one of last, first, fail, report; found 'lats'; "
            + "did you mean 'last'?",
          "m.yaml:2:69: record has to be a size of at least 1, such as 1000, 64KiB or 16MiB; found 'none'",
          "m.yaml:3:23: max is for 'mode: skip' and 'mode: reject': 'mode: fail' ends the run at the first failure",
          "m.yaml:3:31: max_ratio is for 'mode: skip' and 'mode: reject': 'mode: fail' ends the run at the first failure",
          "m.yaml:3:42: max_ratio has to be a share from 0 to 1; found the number 3",
          "m.yaml:3:45: rejects is for 'mode: reject': 'mode: fail' ends the run at the first failure",
        ])
  }

  @Test func `mistakes in used files are reported with file and place`() throws {
    try FileManager.default.createDirectory(
      at: command.url("parts"), withIntermediateDirectories: true)
    try command.write(
      "streammap: 1\nuse: { m: ../m.yaml, c: c.yaml }\nrecord: { b: { from: b, use: m } }\n",
      to: "parts/b.yaml")
    try command.write("streammap: 1\nrecord: { c: { tpye: string } }\n", to: "parts/c.yaml")
    let found = try mistakes(
      "use: { b: ./parts/b.yaml, none: none.yaml, five: 5 }\nrecord: { b: { from: b, use: b } }\n")
    #expect(
      found == [
        "m.yaml:2:33: use: cannot open none.yaml: No such file or directory",
        "m.yaml:2:50: 'five' has to be a file; found the number 5",
        "parts/b.yaml:2:11: use: the file leads back to itself: m.yaml → parts/b.yaml → parts/../m.yaml",
        "parts/c.yaml:2:16: unknown key 'tpye' in field 'c'; did you mean 'type'?",
      ])
  }
}
