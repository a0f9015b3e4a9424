import Testing

@testable import StreamMap
@testable import StreamMapFiles

/// What a mapping file tells of its records' columns.
@Suite struct OutputColumnsTests {
  private func columns(_ record: String, separator: String? = ".", before: String = "") throws
    -> OutputColumns
  {
    let file = try MappingFile(yaml: "streammap: 1\n\(before)\n\(record)")
    return OutputColumns(file.record, separator: separator)
  }

  /// As `name type`, with `?` where null may be there.
  private func texts(_ columns: OutputColumns) -> [String] {
    columns.columns.map { "\($0.name) \(Self.text($0.type))\($0.isNullable ? "?" : "")" }
  }

  private static func text(_ value: OutputValue) -> String {
    text(value.type) + (value.isNullable ? "?" : "")
  }

  private static func text(_ type: OutputType) -> String {
    switch type {
    case .scalar(let scalar): return scalar.rawValue
    case .day: return "day"
    case .oneOf(let values): return "<" + values.map(\.description).joined(separator: " ") + ">"
    case .array(let element): return "[\(text(element))]"
    case .dictionary(let value): return "{*: \(text(value))}"
    case .object(let object):
      let members = object.members.map {
        "\($0.name)\($0.isOptional ? "?" : ""): \(text($0.value))"
      }
      return "{" + (members + (object.isOpen ? ["…"] : [])).joined(separator: ", ") + "}"
    case .json: return "json"
    }
  }

  @Test func `each field is a column of its type`() throws {
    let columns = try columns(
      """
      record:
        id: { from: a, type: int64 }
        title: name
        price: { from: p, type: decimal, nullable: true }
        small: { from: s, type: uint8, default: 0 }
        seen: { from: t, type: date }
        day: { from: t, type: date, as: yyyy-MM-dd }
        ms: { from: t, type: date, as: unix_ms }
        state: { from: st, type: enum, values: { A: active, D: deleted } }
        other: { from: st, type: enum, values: { A: 1, B: null }, otherwise: 2 }
        link: { from: l, type: url, optionally: null }
        raw: { from: r, type: json }
        lang: { const: en }
        row: { meta: record_number }
        file: { meta: file }
        total: { calc: "a * 2", type: decimal }
      """)
    #expect(columns.areObjects)
    #expect(!columns.isOpen)
    #expect(
      texts(columns) == [
        "id int64", "title any?", "price decimal?", "small uint8", "seen date", "day day",
        "ms number", #"state <"active" "deleted">"#, "other <1 2>?", "link url?", "raw json?",
        #"lang <"en">"#, "row int64", "file string?", "total decimal",
      ])
  }

  @Test func `objects inside are columns each, and all else is one`() throws {
    let record = """
      record:
        user: { from: user, nullable: true, object: { name: { from: n, type: string }, at: { from: at, object: { x: { from: x, type: double } } } } }
        tags: { from: tags, each: string }
        lines: { from: lines, each: { object: { sku: { from: sku, type: string } } } }
        prices: { from: prices, map: decimal }
        open: { from: open, object: { a: a }, rest: keep }
      """
    let all = try columns(record)
    #expect(
      texts(all) == [
        "user.name string?", "user.at.x double?", "tags [string]", "lines [{sku: string}]",
        "prices {*: decimal}", "open {a: any?, …}",
      ])
    #expect(all.columns[1].keys == ["user", "at", "x"])
    #expect(try texts(columns(record, separator: "_")).first == "user_name string?")
    #expect(
      try texts(columns(record, separator: nil)).first == "user {name: string, at: {x: double}}?")
  }

  @Test func `what is changed is of the type that it becomes`() throws {
    let columns = try columns(
      """
      record:
        n: { from: n, type: int32, coerce: [string, bool] }
        text: { from: t, text: [trim] }
        step: { from: t, extract: '(\\d+)', type: int32 }
        split: { from: t, split: " ", each: string }
        label: { from: l, each: string, joined: "," }
        many: { from: l, count: true }
        body: { from: b, parse: json, object: { id: { from: id, type: int64 } } }
        list: { from: o, entries: [name, value] }
        groups: { from: t, extract: '(?<verb>\\w+)', object: { verb: { from: verb, type: string } } }
        secs: { from: ms, type: decimal, scale: 0.001 }
        full: { join: [a, b], with: " " }
        some: { join: [a, b], nullable: true }
        first: { first_of: [a, b], type: int8, default: 0 }
      """)
    #expect(
      texts(columns) == [
        "n int32", "text string", "step int32", "split [string]", "label string", "many int64",
        "body.id int64", "list [json?]", "groups.verb string", "secs decimal", "full string",
        "some string?", "first int8",
      ])
  }

  @Test func `several forms of one value are the type that has room for all`() throws {
    let columns = try columns(
      """
      record:
        class: { cases: [ { when: { from: s, min: 500 }, const: error }, { when: { from: s, min: 400 }, from: k, type: string } ], otherwise: null }
        number: { cases: [ { when: { from: s, min: 5 }, from: a, type: int32 } ], otherwise: { from: b, type: uint32 } }
        kind: { from: v, dispatch: { cases: { string: string, number: int64 } } }
        shape: { from: v, dispatch: { on: type, cases: { a: { object: { x: { from: x, type: int8 }, y: { from: y, type: int8 } } }, b: { object: { x: { from: x, type: int16 } } } } } }
        mixed: { from: v, dispatch: { cases: { string: string, array: { each: string } } } }
      """)
    #expect(
      texts(columns) == [
        "class string?", "number int64", "kind any", "shape.x int16", "shape.y int8?",
        "mixed json",
      ])
  }

  @Test func `values from outside the records have the types that they are given`() throws {
    let columns = try columns(
      "record: { day: { context: day }, id: { meta: key }, at: { meta: index, type: int32, nullable: true }, arg: { arg: n } }",
      before: """
        input: { records: "$.list.*" }
        args: { n: { type: int32, default: 7 } }
        context: { day: { from: $.meta.date, type: date, late: null } }
        """)
    #expect(texts(columns) == ["day date?", "id string", "at int32?", "arg <7>"])
  }

  @Test func `records that are not objects are one column`() throws {
    let value = try columns("value: { each: int64 }")
    #expect(texts(value) == ["value [int64]"])
    #expect(!value.areObjects)
    #expect(try texts(columns("record: $")) == ["value json?"])
  }

  @Test func `a record that keeps the rest has more columns than are known`() throws {
    let open = try columns("record: { id: id }\nrest: keep")
    #expect(open.isOpen)
    #expect(texts(open) == ["id any?"])
  }
}
