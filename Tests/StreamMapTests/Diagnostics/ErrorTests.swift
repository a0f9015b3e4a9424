import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The one error type: its texts, and its way through a coder.
@Suite struct ErrorTests {
  struct Foreign: Error, CustomStringConvertible { let description = "something else" }

  static let position = SourcePosition(bytes: 103..<110, line: 2, column: 14)

  static let errors: [(MappingError, String)] = [
    (MappingError(.missing), "fatal missing at $: a required value is missing"),
    (
      MappingError(.missing, path: [.key("a"), .index(3), .key("b.c")], expected: "a string"),
      "fatal missing at $.a[3]['b.c']: a string is missing"
    ),
    (
      MappingError(
        .wrongType, severity: .issue, position: position, record: 7, expected: "a number",
        found: "null"),
      "issue wrongType at $ (record 7, line 2, column 14, bytes 103..<110): expected a number, found null"
    ),
    (
      MappingError(.null, target: [.key("children"), .index(0), .key("x")], position: position),
      "fatal null at $ → children[0].x (line 2, column 14, bytes 103..<110): null"
    ),
    (MappingError(.io, found: "cannot open x"), "fatal io at $: cannot open x"),
    (
      MappingError(.invalidValue, target: [], expected: "a date"),
      "fatal invalidValue at $: expected a date"
    ),
    (
      MappingError(.conversionFailed, expected: "an Int", underlying: [Foreign()]),
      "fatal conversionFailed at $: expected an Int\n  - something else"
    ),
    (
      MappingError(
        .severalErrors, record: 1,
        underlying: [MappingError(.null), MappingError(.missing, severity: .issue)], omitted: 3),
      "fatal severalErrors at $ (record 1): 4 errors\n  - fatal null at $: null\n"
        + "  - and 3 more (Limits.errorsPerRecord)"
    ),
  ]

  @Test
  func `a very long path is shortened for people, whole for programs`() throws {
    let path = JSONPath([.key("a")] + (0..<510).map { .index($0) } + [.key("b c")])
    let error = MappingError(.missing, path: path, target: path)
    #expect(
      error.description
        == "fatal missing at $.a[0][1][2][3][4][5][6][7][8][9][10]…(488 steps left out)…"
        + "[499][500][501][502][503][504][505][506][507][508][509]['b c']"
        + " → a[0][1][2][3][4][5][6][7][8][9][10]…(488 steps left out)…"
        + "[499][500][501][502][503][504][505][506][507][508][509]['b c']: a required value is missing"
    )
    #expect(error.recursiveDescription == error.description)
    #expect(error.path.description.hasPrefix("$.a[0][1]"))
    #expect(error.path.components.count == 512)
    #expect(!error.path.description.contains("…"))
    let coded = try JSONEncoder().encode(error)
    #expect(try JSONDecoder().decode(MappingError.self, from: coded).path == path)
    let still = MappingError(.missing, path: JSONPath(Array(repeating: .index(0), count: 32)))
    #expect(!still.description.contains("…"))
  }

  @Test
  func `a feed too deep gives a short message and a whole path`() throws {
    let record = try #require(
      try Routes.run(.json, String(repeating: "[", count: 600), format: .json).first)
    let error = try #require(record.error)
    #expect(error.code == .limitExceeded)
    #expect(error.path.components.count == 512)
    #expect(error.description.utf8.count < 300)
    #expect(error.description.contains("steps left out"))
  }

  @Test(arguments: errors.indices)
  func `an error describes its code, address, expectation and finding`(_ index: Int) {
    let (error, description) = Self.errors[index]
    #expect(error.description == description)
    #expect(error.errorDescription == description)
    #expect("\(error as any Error)" == description)
  }

  @Test func `underlying issues are told only in the full description`() {
    let error = Self.errors[7].0
    #expect(error.fullDescription.contains("issue missing at $: a required value is missing"))
    #expect(!error.description.contains("issue"))
  }

  @Test func `an error has four texts, flat or nested, with issues or without`() {
    let error = MappingError(
      .severalErrors, record: 1,
      underlying: [
        MappingError(
          .noAlternative, path: [.key("a")], expected: "A or B",
          underlying: [
            MappingError(
              .conversionFailed, path: [.key("a")], expected: "an A",
              underlying: [LongForeign()]),
            MappingError(.null, severity: .issue, path: [.key("a"), .key("b")]),
          ]),
        MappingError(.missing, path: [.key("c")], omitted: 1),
      ], omitted: 3)
    #expect(
      error.description == """
        fatal severalErrors at $ (record 1): 5 errors
          - fatal noAlternative at $.a: expected A or B
              - fatal conversionFailed at $.a: expected an A
              - one
                two
          - fatal missing at $.c: a required value is missing
              - and 1 more (Limits.errorsPerRecord)
          - and 3 more (Limits.errorsPerRecord)
        """)
    #expect(
      error.fullDescription == """
        fatal severalErrors at $ (record 1): 5 errors
          - fatal noAlternative at $.a: expected A or B
              - fatal conversionFailed at $.a: expected an A
              - one
                two
              - issue null at $.a.b: null
          - fatal missing at $.c: a required value is missing
              - and 1 more (Limits.errorsPerRecord)
          - and 3 more (Limits.errorsPerRecord)
        """)
    #expect(
      error.recursiveDescription == """
        fatal severalErrors at $ (record 1): 5 errors
          - fatal noAlternative at $.a: expected A or B
              - fatal conversionFailed at $.a: expected an A
                  - one
                    two
          - fatal missing at $.c: a required value is missing
              - and 1 more (Limits.errorsPerRecord)
          - and 3 more (Limits.errorsPerRecord)
        """)
    #expect(
      error.fullRecursiveDescription == """
        fatal severalErrors at $ (record 1): 5 errors
          - fatal noAlternative at $.a: expected A or B
              - fatal conversionFailed at $.a: expected an A
                  - one
                    two
              - issue null at $.a.b: null
          - fatal missing at $.c: a required value is missing
              - and 1 more (Limits.errorsPerRecord)
          - and 3 more (Limits.errorsPerRecord)
        """)
    #expect(error.failureReason == "5 errors")
    #expect((error as any Error).localizedDescription == error.description)
  }

  struct LongForeign: Error, CustomStringConvertible { let description = "one\ntwo" }

  @Test(arguments: errors.indices) func `an error comes back from a coder as it was`(_ index: Int)
    throws
  {
    let error = Self.errors[index].0
    let data = try JSONEncoder().encode(error)
    let decoded = try JSONDecoder().decode(MappingError.self, from: data)
    #expect(decoded == error)
    #expect(decoded.fullDescription == error.fullDescription)
    // Once more: what is left of a foreign error stays.
    let again = try JSONDecoder().decode(MappingError.self, from: JSONEncoder().encode(decoded))
    #expect(again == error)
  }

  @Test func `several errors of a record come back from a coder`() throws {
    let mapping = OutputMapping.array(
      of: .object([OutputField("n", from: "a['b c'].n", .int8)]))
    let error = try #require(
      try Mapper(output: mapping).decode(#"[{"a":{"b c":{"n":300}}},{},5]"#.utf8).error)
    let decoded = try JSONDecoder().decode(MappingError.self, from: JSONEncoder().encode(error))
    #expect(decoded.description == error.description)
    #expect(error.underlying.count == 3)
  }

  @Test func `error codes have stable names and categories`() {
    #expect(
      ErrorCode.allCases.map(\.rawValue) == [
        "missing", "null", "wrongType", "invalidValue", "conversionFailed", "numberOutOfRange",
        "validationFailed", "noAlternative", "unknownKey", "duplicateKey",
        "severalErrors", "syntax",
        "invalidUTF8", "truncated", "limitExceeded", "io", "cancelled", "invalidDefinition",
      ])
    #expect(ErrorCode.truncated.category == .syntax && ErrorCode.limitExceeded.category == .limit)
    #expect(
      ErrorCode.numberOutOfRange.category == .data
        && ErrorCode.invalidDefinition.category == .definition)
  }

  @Test func `an error's text has no values of the feed`() throws {
    let secret = "hunter2"
    let mapping = OutputMapping.object([
      OutputField("a", from: "a", .int8), OutputField("b", from: "b", .uuid),
      OutputField("c", from: "c", .url),
    ])
    let text = #"{"a":"\#(secret)","b":"\#(secret)","c":"\#(secret) \#(secret)"}"#
    let error = try #require(try Mapper(output: mapping).decode(text.utf8).error)
    #expect(!error.fullDescription.contains(secret))
  }
}
