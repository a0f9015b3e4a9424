import StreamMap
import Testing

@testable import StreamMapFiles

/// What plain scalars of mapping files mean.
@Suite struct CoreSchemaTests {
  private func value(_ text: String) -> JSONValue? {
    LocatedNode.Scalar(text: text, isPlain: true).value
  }

  @Test(arguments: [
    "007", "0x1F", "0o17", ".5", "1.", "+1", "1.e5", ".inf", "-.Inf", "+.INF", ".NaN", "-.5e-3",
  ])
  func `numbers of the core schema that JSON cannot write have no value`(_ text: String) {
    #expect(value(text) == nil)
  }

  @Test(arguments: [
    "0xG", "0x", "0o8", "0o", "-0x1", ".", "+", "-", ".e5", "1e", "1.5.2", "2026-01-01", "1:30",
    "-.nan", ".INf", "1_000", "+-1", "-+.inf", "1e5.0",
  ])
  func `what is like a number and is none is a string`(_ text: String) {
    #expect(value(text) == .string(text))
  }

  @Test(arguments: ["0", "-1", "1.5", "1e5", "-0.0E-7"])
  func `numbers of JSON are numbers`(_ text: String) {
    #expect(value(text) == .number(text))
    #expect(LocatedNode.Scalar(text: text, isPlain: false).value == .string(text))
  }
}
