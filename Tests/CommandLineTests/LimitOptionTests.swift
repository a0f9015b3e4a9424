import Testing

/// Each limit by its option and by its key in a mapping file, at the limit and one beyond it.
@Suite struct LimitOptionTests {
  struct Case: Sendable {
    /// As in `--limit-<name>` and `limits: { <name>: }`.
    let name: String
    let field: String
    let feed: String
    /// What the feed needs.
    let size: Int
    /// What becomes of a run with less.
    let status: Int32
    let message: String
  }

  static let cases = [
    Case(
      name: "depth", field: "{ from: x, type: json }", feed: #"{"x":[[]]}"#, size: 3, status: 5,
      message: "levels of nesting (--limit-depth)"),
    Case(
      name: "string", field: "{ from: x, type: string }", feed: #"{"x":"abcd"}"#, size: 4,
      status: 5, message: "bytes in a mapped string (--limit-string)"),
    Case(
      name: "number", field: "{ from: x, type: number }", feed: #"{"x":1234}"#, size: 4, status: 5,
      message: "characters in a number (--limit-number)"),
    Case(
      name: "key", field: "{ from: x, type: number }", feed: #"{"x":1,"long":2}"#, size: 4,
      status: 5, message: "bytes in a key (--limit-key)"),
    Case(
      name: "members", field: "{ from: x, map: any }", feed: #"{"x":{"a":1,"b":2,"c":3}}"#, size: 3,
      status: 5, message: "members in a mapped object (--limit-members)"),
    Case(
      name: "elements", field: "{ from: x, each: any }", feed: #"{"x":[1,2,3]}"#, size: 3,
      status: 5, message: "elements in a mapped array (--limit-elements)"),
    Case(
      name: "captured", field: "{ from: x, type: json }", feed: #"{"x":["abc"]}"#, size: 7,
      status: 5,
      message: "bytes in a part mapped as a whole (--limit-captured)"),
    Case(
      name: "captured", field: "{ from: x, list: count }", feed: #"{"x":["abc"]}"#, size: 7,
      status: 5,
      message: "bytes in a part mapped as a whole (--limit-captured)"),
    Case(
      name: "captured", field: "{ from: x, unwrap: [v], type: json }", feed: #"{"x":["abc"]}"#,
      size: 7,
      status: 5,
      message: "bytes in a part mapped as a whole (--limit-captured)"),
    Case(
      name: "captured", field: "{ from: 'x[-1]' }", feed: #"{"x":["abc"]}"#, size: 7,
      status: 5,
      message: "bytes in a part mapped as a whole (--limit-captured)"),
    Case(
      name: "captured", field: "{ zip: { a: x, b: x } }", feed: #"{"x":["abc"]}"#, size: 26,
      status: 5,
      message: "bytes in a part mapped as a whole (--limit-captured)"),
    Case(
      name: "replayed", field: "{ first_of: [y, x], type: number }",
      feed: #"{"x":12}"#, size: 69, status: 5,
      message:
        "bytes of a record read again for alternatives and for fields that share a source (--limit-replayed)"
    ),
    Case(
      name: "record", field: "{ from: x, type: json }", feed: #"{"x":["abc"]}"#, size: 13,
      status: 5, message: "bytes in a record (--limit-record)"),
  ]

  /// The names of the limits that have a test here: StreamMapCommandTests holds them against all that there are.
  static let names = Set(cases.map(\.name)).union(["errors"])

  @Test(.long, arguments: cases.indices)
  func `each limit accepts its exact size and refuses one beyond`(
    _ index: Int
  ) throws {
    let test = Self.cases[index]
    let command = try Command()
    let mapping = "streammap: 1\nrecord: { f: \(test.field) }\n"
    try command.write(mapping, to: "plain.yaml")
    for jobs in ["1", "3"] {
      for (size, isEnough) in [(test.size, true), (test.size - 1, false)] {
        let limits = "input: { limits: { \(test.name): \(size) } }\n"
        try command.write(mapping + limits, to: "limits.yaml")
        let byFile = try command.run("-m", "limits.yaml", "--jobs", jobs, input: test.feed)
        let byOption = try command.run(
          "-m", "plain.yaml", "--limit-\(test.name)", "\(size)", "--jobs", jobs, input: test.feed)
        for result in [byFile, byOption] {
          #expect(result.status == (isEnough ? 0 : test.status), "\(result.errors)")
          #expect(result.errors.contains("at most \(size) \(test.message)") == !isEnough)
        }
      }
    }
  }

  @Test func `errors of a record beyond their limit are only counted`() throws {
    let command = try Command()
    try command.write(
      """
      streammap: 1
      input: { limits: { errors: 2 } }
      record: { f: { from: x, each: bool } }
      """, to: "m.yaml")
    let few = try command.run("-m", "m.yaml", input: #"{"x":[1,2,3]}"#)
    #expect(few.errors.contains("3 errors"))
    #expect(few.errors.contains("and 1 more (--limit-errors)"))
    let all = try command.run("-m", "m.yaml", "--limit-errors", "3", input: #"{"x":[1,2,3]}"#)
    #expect(all.errors.contains("3 errors"))
    #expect(!all.errors.contains("more"))
  }
}
