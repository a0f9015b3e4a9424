import Foundation
import Testing

/// `stream-map ddl`.
@Suite struct DDLTests {
  let command: Command

  init() throws { command = try Command() }

  private static let mapping = """
    streammap: 1
    name: events
    record:
      id: { from: id, type: uint64 }
      small: { from: a, type: uint8 }
      n: { from: n, type: int32, nullable: true }
      m: { from: m, type: number }
      price: { from: p, type: decimal }
      ratio: { from: r, type: double }
      on: { from: o, type: bool }
      key: { from: k, type: uuid }
      at: { from: t, type: date }
      day: { from: t, type: date, as: yyyy-MM-dd }
      state: { from: s, type: enum, values: { A: active } }
      title: t
      'say "x"': { from: user, object: { name: { from: n, type: string } } }
      tags: { from: tags, each: string }

    """

  @Test func `each database gets its own types and names`() throws {
    try command.write(Self.mapping, to: "m.yaml")
    let postgres = try command.run("ddl", "-m", "m.yaml", "--for", "postgres", "--key", "id")
    #expect(postgres.errors == "")
    #expect(
      postgres.output == """
        CREATE TABLE "events" (
          "id" numeric(20,0) NOT NULL,
          "small" smallint NOT NULL,
          "n" integer,
          "m" numeric NOT NULL,
          "price" numeric NOT NULL,
          "ratio" double precision NOT NULL,
          "on" boolean NOT NULL,
          "key" uuid NOT NULL,
          "at" timestamptz NOT NULL,
          "day" date NOT NULL,
          "state" text NOT NULL,
          "title" text,
          "say ""x"".name" text NOT NULL,
          "tags" jsonb NOT NULL,
          PRIMARY KEY ("id")
        );

        """)
    let duckdb = try command.run("ddl", "-m", "m.yaml", "--for", "duckdb", "--table", "t")
    #expect(
      duckdb.output == """
        CREATE TABLE "t" (
          "id" UBIGINT NOT NULL,
          "small" UTINYINT NOT NULL,
          "n" INTEGER,
          "m" VARCHAR NOT NULL,
          "price" VARCHAR NOT NULL,
          "ratio" DOUBLE NOT NULL,
          "on" BOOLEAN NOT NULL,
          "key" UUID NOT NULL,
          "at" TIMESTAMPTZ NOT NULL,
          "day" DATE NOT NULL,
          "state" VARCHAR NOT NULL,
          "title" VARCHAR,
          "say ""x"".name" VARCHAR NOT NULL,
          "tags" JSON NOT NULL
        );

        """)
    let sqlite = try command.run("ddl", "-m", "m.yaml", "--for", "sqlite")
    #expect(sqlite.output.contains("\n  \"id\" ANY NOT NULL,\n  \"small\" INTEGER NOT NULL,\n"))
    #expect(sqlite.output.hasSuffix("\n) STRICT;\n"))
  }

  @Test func `names that clash are mistakes at their fields`() throws {
    try command.write(
      """
      streammap: 1
      record:
        a.b: x
        a: { from: a, object: { b: y, B: z } }
        \(String(repeating: "n", count: 64)): w
        ctid: c
      """, to: "m.yaml")
    let postgres = try command.run("ddl", "-m", "m.yaml", "--for", "postgres")
    #expect(postgres.status == 3)
    #expect(postgres.output == "")
    #expect(
      postgres.mistakes.map { String($0.prefix(60)) } == [
        "m.yaml:4:27: two fields become the column 'a.b': rename one ",
        "m.yaml:5:3: '" + String(repeating: "n", count: 47),
        "m.yaml:6:3: PostgreSQL has a column 'ctid' of its own in eac",
      ])
    let sqlite = try command.run("ddl", "-m", "m.yaml", "--for", "sqlite")
    #expect(sqlite.mistakes.count == 2)
    #expect(
      sqlite.mistakes.last?.hasPrefix("m.yaml:4:33: the columns 'a.b' and 'a.B' are one for sqlite")
        == true)
  }

  @Test func `records with members that only the feed knows have no table`() throws {
    try command.write("streammap: 1\nrecord: { id: id }\nrest: keep\n", to: "m.yaml")
    let result = try command.run("ddl", "-m", "m.yaml", "--for", "sqlite")
    #expect(result.status == 3)
    #expect(result.errors.contains("'rest: keep' has members that only the feed knows"))
    try command.write(
      "streammap: 1\nrecord: { id: id }\nrest: keep\noutput: { format: sqlite, file: a.db }\n",
      to: "n.yaml")
    #expect(try command.run("check", "n.yaml").status == 3)
  }
}
