import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What is said of an error that the author's code throws or reports: the same wherever that code runs.
@Suite struct ThrownErrorTests {
  struct Odd: Error, CustomStringConvertible { let description = "odd" }

  private struct Row: Equatable { var value = 0 }

  struct Case: Sendable, CustomTestStringConvertible {
    let error: any Error
    /// The code, the message, the rule and the underlying errors.
    let said: String
    /// The same where values must not be shown.
    let redacted: String

    var testDescription: String { "\(error)" }
  }

  static let cases = [
    Case(
      error: ConversionFailure(expected: "an even number", code: .numberOutOfRange),
      said: "numberOutOfRange: expected an even number, found another object",
      redacted: "numberOutOfRange: expected an object, found another value"),
    Case(
      error: RuleFailure(rule: "even", expected: "an even number", underlying: Odd()),
      said: "validationFailed: expected an even number, rule even, because odd",
      redacted: "validationFailed: expected a value that keeps to its rules"),
    Case(
      error: CancellationError(),
      said: "cancelled: expected an object, because CancellationError()",
      redacted: "cancelled: expected an object"),
    Case(
      error: Odd(), said: "conversionFailed: expected an object, because odd",
      redacted: "conversionFailed: expected an object"),
  ]

  private static func said(_ error: MappingError?) -> String? {
    error.map { error in
      "\(error.code): \(error.message)" + (error.rule.map { ", rule \($0)" } ?? "")
        + error.underlying.map { ", because \($0)" }.joined()
    }
  }

  private let row = Mapping.object(Row.self) { field in
    field.make(creating: { Row() }, field("value", \.value))
  }

  private let feed = #"{"value":1}"#

  /// Decodes by every route.
  private func record(_ mapping: Mapping<Row>) throws -> Record<Row> {
    try #require(try Routes.run(mapping, feed).first)
  }

  private func update(_ mapping: Mapping<Row>) throws -> [MappingError] {
    let mapper = try Mapper(mapping)
    var row = Row()
    do {
      return try mapper.update(&row, from: feed.utf8)
    } catch {
      #expect(row == Row())
      throw error
    }
  }

  @Test(arguments: cases)
  func `a thrown error is said the same in conversions, hooks and updates`(_ example: Case) throws {
    let converted = Mapping<Row>.converted(
      from: row, { _ in throw example.error }, optionalReverse: nil, expected: "an object")
    let processed = row.postProcessed { _, _ in throw example.error }
    for mapping in [converted, processed] {
      #expect(Self.said(try record(mapping).error) == example.said)
      #expect(Self.said(try record(mapping.redacted()).error) == example.redacted)
    }
    let error = #expect(throws: MappingError.self) { try update(processed) }
    #expect(Self.said(error) == example.said)
    let redacted = #expect(throws: MappingError.self) { try update(processed.redacted()) }
    #expect(Self.said(redacted) == example.redacted)
  }

  @Test(arguments: cases)
  func `a reported error is said like a thrown one`(_ example: Case) throws {
    let mapping = row.postProcessed { _, row, issues in
      issues.report(example.error)
      return row
    }
    for (mapping, said) in [(mapping, example.said), (mapping.redacted(), example.redacted)] {
      let record = try record(mapping)
      #expect(record.value == Row(value: 1))
      #expect(record.issues.map(Self.said) == [said])
      #expect(record.issues.allSatisfy { $0.severity == .issue })
      let issues = try update(mapping)
      #expect(issues.map(Self.said) == [said])
      #expect(issues.allSatisfy { $0.severity == .issue })
    }
  }
}
