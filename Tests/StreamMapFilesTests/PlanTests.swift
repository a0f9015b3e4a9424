import Foundation
import StreamMap
import StreamMapFiles
import Testing

/// A mapping file compiles into the plan that the same mapping in Swift compiles into.
@Suite struct PlanTests {
  /// The plan of a file's record.
  private func plan(_ text: String) throws -> String {
    try MappingFile(yaml: "streammap: 1\n\(text)\n").explanation
  }

  private func expect(_ text: String, _ fields: [OutputField]) throws {
    #expect(try plan("record: " + text) == Mapper(output: .object(fields)).plan.description)
  }

  @Test func `scalars and stand-ins compile to the same plan as in Swift`() throws {
    try expect(
      "{ a: x.y, b: { from: b, type: int8, default: 5 }, c: { from: /c/0, type: url, schemes: [http], optionally: null } }",
      [
        OutputField("a", from: "x.y", .nullable(.any)),
        OutputField("b", from: "b", .int8.default(5)),
        OutputField(
          "c", from: "c[0]", .url(schemes: ["http"]).default(nil, when: .missingOrInvalid)),
      ])
  }

  @Test func `containers compile to the same plan as in Swift`() throws {
    try expect(
      """
      { a: { from: a, each: { object: { b: b } }, on_item_error: drop }, c: { from: c, each: { from: d.e, type: double } },
        f: { from: f, map: decimal, nullable: true }, g: { from: $, object: { h: { from: h, type: json } } } }
      """,
      [
        OutputField(
          "a", from: "a",
          .array(of: .object([OutputField("b", from: "b", .nullable(.any))]), omitsInvalid: true)),
        OutputField("c", from: "c", .array(of: .at("d.e", .double))),
        OutputField("f", from: "f", .nullable(.dictionary(of: .decimal))),
        OutputField("g", from: "$", .object([OutputField("h", from: "h", .raw)])),
      ])
  }

  @Test func `constants and record facts compile to the same plan as in Swift`() throws {
    try expect(
      "{ a: { const: [1, x] }, n: { meta: record_number }, o: { meta: byte_offset }, l: { meta: line } }",
      [
        OutputField("a", constant: [1, "x"]), OutputField("n", .number), OutputField("o", .offset),
        OutputField("l", .line),
      ])
  }

  @Test func `alternatives, conversions and rules compile to the same plan as in Swift`() throws {
    let text = Rule<JSONValue>("length", expecting: "at least 1 character") { _ in true }
    let changed: @Sendable (JSONValue) throws -> JSONValue = { $0 }
    var date = TextChange()
    date.note = "date, format: unix_ms"
    try expect(
      """
      { a: { first_of: [x, y.z], type: url, optionally: null }, b: { from: b, values: { A: 1 }, nullable: true },
        c: { from: c, type: int8, coerce: string }, d: { from: d, type: date, format: [unix_ms] },
        e: { from: e, type: string, validate: { min_length: 1 } }, f: { from: f, dispatch: { on: t, cases: { u: { object: { h: { from: h, type: int8 } } } } } } }
      """,
      [
        OutputField(
          "a", from: "$",
          .nullable(.firstOf([.at("x", .url), .at("y.z", .url)]), when: .missingOrInvalid)),
        OutputField("b", from: "b", .nullable(.converted(from: .string, expected: "", changed))),
        OutputField(
          "c", from: "c",
          .read(
            named: "int8, coerce: string",
            byKind: [
              (.number, .int8), (.string, .converted(from: .string, expected: "", changed)),
            ])),
        OutputField(
          "d", from: "d",
          .text(.number, date, .json(.json) { text, _ in text }, expected: "")),
        OutputField("e", from: "e", .string.validated([text])),
        OutputField(
          "f", from: "f", .dispatch(on: "t", ["u": .object([OutputField("h", from: "h", .int8)])])),
      ])
  }

  @Test func `a policy that collects unknown keys compiles to a collecting field`() throws {
    #expect(
      try plan("input: { unknown: \"collect:rest\" }\nrecord: { a: { from: a, type: bool } }")
        == Mapper(
          output: .object([OutputField("a", from: "a", .bool), OutputField(collecting: "rest")])
        ).plan.description)
  }
}
