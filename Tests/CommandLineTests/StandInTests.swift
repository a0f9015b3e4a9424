import Foundation
import Testing

/// What stands in for null, where several parts of a field could say it.
@Suite struct StandInTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  private func map(_ fields: String, _ record: String) throws -> String {
    try command.write("streammap: 1\nrecord:\n\(fields)\n", to: "m.yaml")
    let result = try command.run(["-m", "m.yaml", "-q"], input: Array((record + "\n").utf8))
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test(arguments: [("nullable: true", "null"), ("default: 7", "7"), ("optionally: 7", "7")])
  func `what a field says of null comes before the cases of dispatch`(
    policy: String, expected: String
  ) throws {
    let dispatches = [
      "cases: { string: string }, otherwise: { type: int64, optionally: 5 }",
      "cases: { string: string }, otherwise: { type: int64, default: 5 }",
      "cases: { string: string, 'null': { type: int64, default: 5 } }",
    ]
    for dispatch in dispatches {
      let fields = "  a: { from: a, \(policy), dispatch: { \(dispatch) } }"
      #expect(try map(fields, #"{"a":null}"#) == "{\"a\":\(expected)}\n", "\(dispatch)")
      #expect(try map(fields, "{}") == "{\"a\":\(expected)}\n", "\(dispatch)")
      #expect(try map(fields, #"{"a":"x"}"#) == "{\"a\":\"x\"}\n", "\(dispatch)")
    }
    // Without it the cases say it.
    #expect(
      try map("  a: { from: a, dispatch: { \(dispatches[0]) } }", #"{"a":null}"#) == "{\"a\":5}\n")
  }

  @Test func `it stands in for the null of a last step, too, whatever form the value had before`()
    throws
  {
    #expect(
      try map(
        """
          split: { from: a, split: ",", list: { nth: 5 }, type: json, default: 7 }
          text: { from: a, split: ",", list: { nth: 5 }, default: z }
          null: { from: a, split: ",", list: { nth: 5 }, nullable: true }
          zip: { zip: { x: l, y: m }, list: last, type: json, default: 7 }
          parsed: { from: j, parse: json, list: last, type: json, optionally: 7 }
          there: { from: j, parse: json, list: count, default: 7 }
        """, #"{"a":"x,y","l":[],"j":"[]"}"#)
        == #"{"split":7,"text":"z","null":null,"zip":7,"parsed":7,"there":0}"# + "\n")
  }
}
