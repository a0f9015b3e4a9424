import Foundation
import Testing

/// The way back: from mapped records to those of the source.
@Suite struct ReverseTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  /// What becomes of records by a mapping, and of these on the way back; and maps them once more, which gives the same bytes.
  private func there(_ mapping: String, _ records: String...) throws -> [String] {
    try command.write("streammap: 1\n\(mapping)\n", to: "m.yaml")
    let feed = records.map { $0 + "\n" }.joined()
    let mapped = try command.run("-m", "m.yaml", "--from", "ndjson", input: feed)
    #expect(mapped.status == 0, "\(mapped.errors)")
    let back = try command.run("reverse", "-m", "m.yaml", "--from", "ndjson", input: mapped.output)
    #expect(back.status == 0, "\(back.errors)")
    let again = try command.run("-m", "m.yaml", "--from", "ndjson", "-q", input: back.output)
    #expect(again.output == mapped.output, "\(back.output)\(again.errors)")
    return back.output.split(separator: "\n").map(String.init)
  }

  @Test func `names are swapped and objects on the paths made again`() throws {
    let back = try there(
      """
      record:
        id: { from: user.id, type: int64 }
        name: user.name
        city: { from: user.address.city, type: string }
        "a.b": "['x.y']"
        o: { from: meta, object: { k: { from: kind, type: string }, w: { from: $, object: { v: v } } } }
        source: { const: web }
        row: { meta: record_number }
      """,
      #"{"user":{"id":7,"name":null,"address":{"city":"Bern"}},"x.y":true,"meta":{"kind":"z","v":1.50}}"#
    )
    #expect(
      back == [
        #"{"user":{"id":7,"name":null,"address":{"city":"Bern"}},"x.y":true,"meta":{"kind":"z","v":1.50}}"#
      ])
  }

  @Test func `values get the form that they had`() throws {
    let back = try there(
      """
      record:
        at: { from: at, type: date, format: unix_ms }
        day: { from: day, type: date, format: dd.MM.yyyy, as: yyyy/MM/dd }
        ms: { from: t, type: date, as: unix_ms }
        state: { from: st, type: enum, values: { A: active, D: 1, X: false } }
        secs: { from: ms, type: decimal, scale: 0.001 }
        cents: { from: price, type: int64, scale: 100 }
        words: { from: title, split: " ", each: string }
        label: { from: tags, each: int32, joined: "," }
        attrs: { from: attributes, entries: [n, v] }
        env: { from: env, from_entries: [Key, Value] }
        rows: { from: rows, each: { object: { sku: code, size: { from: dims.size, type: double } } } }
        codes: { from: codes, each: { from: c, type: string } }
        prices: { from: prices, map: { type: decimal, nullable: true } }
        image: { first_of: [media.url, thumb], type: string }
        gone: { from: gone, type: int64, default: 3 }
        none: { from: none, object: { x: x }, nullable: true }
      """,
      #"{"at":1390186634595,"day":"22.11.2026","t":"2026-11-22T00:00:00Z","st":"D","ms":1500,"price":9.90,"title":"a b","tags":[1,2],"attributes":{"x":1,"y":[]},"env":[{"Key":"k","Value":"w"}],"rows":[{"code":"A","dims":{"size":1.0}}],"codes":[{"c":"q"}],"prices":{"CHF":9.90,"EUR":null},"thumb":"/t"}"#
    )
    #expect(
      back == [
        #"{"at":1390186634595,"day":"22.11.2026","t":"2026-11-22T00:00:00Z","st":"D","ms":1500,"price":9.9,"title":"a b","tags":[1,2],"attributes":{"x":1,"y":[]},"env":[{"Key":"k","Value":"w"}],"rows":[{"code":"A","dims":{"size":1.0}}],"codes":[{"c":"q"}],"prices":{"CHF":9.90,"EUR":null},"media":{"url":"/t"},"gone":3,"none":null}"#
      ])
  }

  @Test func `members that were kept are kept, and left out nulls are null again`() throws {
    #expect(
      try there(
        "record: { id: a, k: { const: 1 } }\nrest: keep\noutput: { nulls: omit }",
        #"{"b":{"c":[1.0]},"d":2}"#, #"{"a":"x","b":null}"#)
        == [#"{"a":null,"b":{"c":[1.0]},"d":2}"#, #"{"a":"x"}"#])
  }

  @Test func `records of any form are turned round`() throws {
    #expect(try there("record: $", #"{"a":[1.0]}"#) == [#"{"a":[1.0]}"#])
    #expect(try there("value: { from: v.w, type: int8 }", #"{"v":{"w":7}}"#) == [#"{"v":{"w":7}}"#])
    #expect(
      try there("record: { r: { from: $, type: json } }", #"{"a":1}"#) == [#"{"a":1}"#])
  }

  @Test(arguments: [
    ("{ calc: a + 1 }", "a calculated value does not say what it was made from"),
    ("{ cases: [ { when: { from: a, exists: true }, const: 1 } ], otherwise: 2 }", "which case"),
    ("{ join: [a, b] }", "where joined texts begin and end"),
    ("{ from: a, type: string, text: trim }", "what was done with its text cannot be undone"),
    ("{ from: a, type: double, round: 2 }", "it is rounded"),
    ("{ from: a, type: decimal, scale: 3 }", "scaled by a number that cannot be divided by"),
    ("{ from: a, values: { x: 1, y: 1 } }", "two texts of its table become the same"),
    ("{ from: a, values: { x: 1 }, otherwise: 2 }", "otherwise stands for texts"),
    ("{ from: a, type: date, format: [unix_s, unix_ms] }", "which of its formats"),
    ("'a[0]'", "it is one element of an array"),
    ("{ from: a, count: true }", "cannot be made from their number"),
    ("{ template: 'x{a}' }", "where joined texts begin and end"),
    ("{ from: a, list: reverse }", "cannot be made from what its steps left"),
    ("{ from: a, units: { m: 0.001 } }", "the units of its numbers are not known"),
    ("{ from: a, parse: query }", "cannot be written from its values"),
    ("{ from: a, parse: json }", "JSON cannot be written into a string"),
    ("{ from: a, dispatch: { cases: { number: int64 } } }", "which case"),
    ("{ from: id, object: { x: x } }", "another field has a part of what it has, or more"),
  ])
  func `what has no way back is refused before anything is read`(field: String, reason: String)
    throws
  {
    try command.write(
      "streammap: 1\nrecord: { id: id, f: \(field), n: { from: n, object: { g: \(field) } } }\n",
      to: "m.yaml")
    let result = try command.run("reverse", "-m", "m.yaml", "missing.ndjson")
    #expect(result.status == 3)
    #expect(result.output.isEmpty)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.first?.hasPrefix("m.yaml: field 'f") == true, "\(result.errors)")
    #expect(lines.first?.contains(reason) == true, "\(result.errors)")
    #expect(result.errors.hasSuffix("stream-map: m.yaml has no way back\n"))
    if !field.contains("from: id") { #expect(lines.contains { $0.contains("field 'n.g'") }) }
  }

  @Test func `errors of mapped records are addressed as ever`() throws {
    try command.write(
      "streammap: 1\nrecord: { id: { from: user.id, type: int64 } }\n", to: "m.yaml")
    let feed = "{\"id\":1}\n{\"id\":\"x\"}\n"
    let failed = try command.run("reverse", "-m", "m.yaml", input: feed)
    #expect(failed.status == 7)
    #expect(failed.errors.contains("$.id"))
    let rejecting = try command.run("reverse", "-m", "m.yaml", "--rejects", "r", input: feed)
    #expect(rejecting.status == 1)
    #expect(rejecting.output == "{\"user\":{\"id\":1}}\n")
    #expect(try command.read("r").contains(#""path":"$.id""#))
    #expect(try command.run("reverse", "-m", "m.yaml", "--errors", "reject").status == 2)
    #expect(
      try command.run("reverse", "-m", "m.yaml", "--errors", "skip", "--rejects", "r").status == 2)
    #expect(try command.run("reverse", "-m", "m.yaml", "-o", "m.yaml").status == 2)
  }
}
