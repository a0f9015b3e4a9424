import Foundation
import Testing

/// What `explain` tells of a mapping file.
@Suite struct ExplainTests {
  private let command: Command

  init() throws {
    command = try Command()
    try command.write(
      """
      streammap: 1
      name: orders
      input: { records: "$.orders[*]" }
      record:
        id: { from: id, type: int64 }
        who: { first_of: [buyer.name, "['by \\"x\\"']"], optionally: null }
        lines: { from: lines, each: { object: { sku: code, day: { const: 1 } } } }
        total: { calc: "price * qty", type: decimal, nullable: true }
        state: { cases: [ { when: { from: s, min: 5 }, const: late } ], otherwise: { from: state } }
      where: { all: [ { from: kind, equals: order }, { field: id, min: 1 } ] }
      """, to: "m.yaml")
  }

  @Test func `a mapping is told field by field`() throws {
    let result = try command.run("explain", "m.yaml")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(
      result.output == """
        records: $.orders[*]
        $: record
          where kind: 'order'
          where field id: at least 1
          id → id: int64
          $ → who: first of buyer.name, ['by "x"'], absent or null: null and an issue, invalid: null and an issue
          lines → lines: array of record
            code → sku: any, absent or null: null
            constant 1 → day
          calc 'price * qty' → total: decimal, absent or null: null, one way
          cases → state, one way
            when s: at least 5
              constant 'late'
            otherwise
              state: any

        """)
  }

  @Test func `what is read from several kinds is told in the words of the file`() throws {
    try command.write(
      """
      streammap: 1
      input: { records: ["$.l[*]", "$.m.*"] }
      context: { day: $.day }
      record:
        n: { from: n, type: int64, coerce: [string, bool] }
        s: { from: s, coerce: number, text: [trim, { hash: sha256 }] }
        d: { from: d, type: date, format: [unix_ms, dd.MM.yyyy], as: yyyy }
        u: { from: u, type: date, format: unix_s }
        f: { first_of: [a, { from: b.c, type: int64 }, { first_of: [d, e] }], type: string }
        k: { from: k, dispatch: { cases: { string: string, number: { from: "$", type: int64 } }, otherwise: json } }
        o: { from: o, dispatch: { on: t.u, cases: { x: { object: { y: y } } } } }
      """, to: "kinds.yaml")
    let result = try command.run("explain", "kinds.yaml")
    #expect(
      result.output == """
        records: $.l[*], $.m[*]
        context day: $.day, any, absent or null: null
        $: record
          n → n: int64, coerce: bool, string
          s → s: string, coerce: number, trim, hash sha256
          d → d: date, format: unix_ms, dd.MM.yyyy, as: yyyy
          u → u: date, format: unix_s, from number
          $ → f: first of a (string), b.c (int64), first of several
          k → k: by kind: string is string, number is int64, others are json
          o → o: by t.u: x is record

        """)
  }

  @Test func `a graph leads from the paths of a record to those of its result`() throws {
    let result = try command.run("explain", "--dot", "m.yaml")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(
      result.output == #"""
        digraph "orders" {
          rankdir=LR;
          node [shape=box, style=rounded];
          subgraph "cluster_source" {
            label="record";
            "s:$.id" [label="$.id"];
            "s:$.buyer.name" [label="$.buyer.name"];
            "s:$['by \"x\"']" [label="$['by \"x\"']"];
            "s:$.lines[*].code" [label="$.lines[*].code"];
            "s:$.price" [label="$.price"];
            "s:$.qty" [label="$.qty"];
            "s:$.s" [label="$.s"];
            "s:$.state" [label="$.state"];
            "s:$.kind" [label="$.kind"];
          }
          subgraph "cluster_result" {
            label="result";
            "t:$.id" [label="$.id"];
            "t:$.who" [label="$.who"];
            "t:$.lines[*].sku" [label="$.lines[*].sku"];
            "t:$.lines[*].day" [label="$.lines[*].day"];
            "t:$.total" [label="$.total"];
            "t:$.state" [label="$.state"];
          }
          "s:$.id" -> "t:$.id" [label="int64"];
          "s:$.buyer.name" -> "t:$.who" [label="any"];
          "s:$['by \"x\"']" -> "t:$.who" [label="any"];
          "s:$.lines[*].code" -> "t:$.lines[*].sku" [label="any, absent or null: null"];
          "c4" [label="1", shape=plaintext];
          "c4" -> "t:$.lines[*].day";
          "s:$.price" -> "t:$.total" [label="calc 'price * qty'", style=dashed];
          "s:$.qty" -> "t:$.total" [label="calc 'price * qty'", style=dashed];
          "s:$.s" -> "t:$.state" [label="when s: at least 5", style=dashed];
          "c8" [label="'late'", shape=plaintext];
          "c8" -> "t:$.state";
          "s:$.state" -> "t:$.state" [label="any"];
          "w0" [label="where kind: 'order'", shape=diamond];
          "s:$.kind" -> "w0" [style=dashed];
          "w1" [label="where field id: at least 1", shape=diamond];
          "t:$.id" -> "w1" [style=dashed];
        }

        """#)
  }

  @Test func `a sample tells how often each path occurs, what it costs and what comes from it`()
    throws
  {
    try command.write(
      #"{"orders":[{"id":1,"kind":"order","x":{"y":[1,22]},"lines":[{"code":"A"},{"code":"B"}]},{"id":2,"é":null}]}"#,
      to: "x.json")
    let result = try command.run("explain", "m.yaml", "--sample", "x.json")
    #expect(result.status == 0 && result.errors.isEmpty)
    let table = result.output.components(separatedBy: "\n\n").last ?? ""
    #expect(
      table == """
        2 records, 94 bytes without white space
        path           values  bytes    share  field
        $                   2     94  100.0 %
        id                  2     12   12.8 %  → id
        kind                1     14   14.9 %  → (condition)
        lines               1     35   37.2 %
        lines[*]            2     24   25.5 %
        lines[*].code       2     20   21.3 %  → lines[*].sku
        x                   1     16   17.0 %
        x.y                 1     10   10.6 %
        x.y[*]              2      3    3.2 %
        é                   1      9    9.6 %
        buyer.name          0      0    0.0 %  → who
        ['by "x"']          0      0    0.0 %  → who
        price               0      0    0.0 %  → total
        qty                 0      0    0.0 %  → total
        s                   0      0    0.0 %  → state
        state               0      0    0.0 %  → state

        """)
    let first = try command.run(
      "explain", "m.yaml", "--sample", "x.json", "--sample-records", "1")
    #expect(first.output.contains("the first 1 record, "))
  }

  @Test func `a sample counts what paths through one element, and through any member, lead to`()
    throws
  {
    try command.write(
      """
      streammap: 1
      record:
        second: "t[1].s"
        third: "t[2].s"
        prices: { from: p, map: { object: { n: n } } }
      """, to: "i.yaml")
    try command.write(
      #"{"t":[{"s":1},{"s":22}],"p":{"x":{"n":1},"y":{"n":2}}}"# + "\n", to: "x.ndjson")
    let result = try command.run("explain", "i.yaml", "--sample", "x.ndjson")
    let table = result.output.components(separatedBy: "\n\n").last ?? ""
    #expect(
      table.split(separator: "\n").filter { $0.contains("→") }.map { row in
        row.split(separator: " ").prefix(3).joined(separator: " ")
      } == ["p[*].n 2 10", "t[1].s 1 6", "t[2].s 0 0"])
  }

  @Test func `a sample of a mapping that redacts shows no keys of the feed`() throws {
    try command.write(
      "streammap: 1\nrecord: { a: { from: a, type: string, redact: true } }\n", to: "r.yaml")
    try command.write(#"{"a":"x","secret":1}"# + "\n", to: "x.ndjson")
    let result = try command.run("explain", "r.yaml", "--sample", "x.ndjson")
    #expect(result.output.contains("→ a") && !result.output.contains("secret"))
  }

  @Test(arguments: [
    (["--dot", "--sample", "x"], "Give --dot or --sample, not both."),
    (["--sample-records", "5"], "--sample-records is for --sample FEED."),
    (["--sample", "x", "--sample-records", "0"], "--sample-records takes 1 or more."),
  ])
  func `options that do not go together are a usage mistake`(options: [String], message: String)
    throws
  {
    let result = try command.run(["explain", "m.yaml"] + options)
    #expect(result.status == 2)
    #expect(result.errors.contains(message))
  }

  @Test func `a sample without records, with a fault, or none at all has its status`() throws {
    try command.write(#"{"other":[]}"#, to: "none.json")
    #expect(try command.run("explain", "m.yaml", "--sample", "none.json").status == 8)
    try command.write(#"{"orders":[{"id":1},{"id":}]}"#, to: "bad.json")
    let bad = try command.run("explain", "m.yaml", "--sample", "bad.json")
    #expect(bad.status == 0)
    #expect(bad.errors.contains("bad.json"))
    #expect(try command.run("explain", "m.yaml", "--sample", "missing").status == 6)
    #expect(try command.run("explain", "missing.yaml").status == 6)
    #expect(try command.run("explain", input: "record: {").status == 2)
  }
}
