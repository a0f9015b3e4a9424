import Foundation
import Testing

@testable import CommandLineTests
@testable import StreamMapCommand

/// Output that is rows of a table in a SQLite database.
@Suite struct SQLiteTests {
  let command: Command

  init() throws { command = try Command() }

  /// What a statement finds, a text for each row.
  private func rows(_ statement: String, in name: String = "a.db") throws -> [String] {
    try SQLiteDatabase(command.url(name).path).rows(statement).map { row in
      row.map { $0 ?? "null" }.joined(separator: "|")
    }
  }

  private func sqlite(_ statements: String, in name: String = "a.db") throws {
    try SQLiteDatabase(command.url(name).path).run(statements)
  }

  private static let fields = ["--field", "id:int64", "--field", "name:string"]
  private static let table = ["--to", "sqlite", "-o", "a.db", "--table", "t"]

  @Test func `a table is made of the mapping's types, and each record is a row`() throws {
    try command.write(
      """
      streammap: 1
      name: events
      record:
        id: { from: id, type: int64 }
        big: { from: big, type: uint64 }
        size: { from: size, type: double }
        price: { from: price, type: decimal }
        any: any
        other: { from: any, type: number, nullable: true }
        isOn: { from: on, type: bool, nullable: true }
        at: { from: at, type: date }
        user: { from: user, nullable: true, object: { name: { from: n, type: string } } }
        tags: { from: tags, each: string }
      output: { format: sqlite, file: a.db, key: id }
      """, to: "m.yaml")
    try command.write(
      #"{"id":9223372036854775807,"big":18446744073709551615,"size":1,"price":1.10,"any":1.5,"on":true,"at":"2026-11-22T10:00:00+01:00","user":{"n":"a\"\u0000\né"},"tags":["x","y"]}"#
        + "\n"
        + #"{"id":-2,"big":7,"size":2.5e3,"price":12345678901234567890.123456789,"any":1234567890.123456789,"on":null,"at":"2026-11-22T09:00:00Z","user":null,"tags":[]}"#
        + "\n", to: "f.ndjson")
    let result = try command.run("-m", "m.yaml", "f.ndjson")
    #expect(result.errors == "")
    #expect(result.status == 0)
    #expect(
      try rows("SELECT sql FROM sqlite_schema WHERE name = 'events'") == [
        """
        CREATE TABLE "events" (
          "id" INTEGER NOT NULL,
          "big" ANY NOT NULL,
          "size" REAL NOT NULL,
          "price" TEXT NOT NULL,
          "any" ANY,
          "other" ANY,
          "isOn" INTEGER,
          "at" TEXT NOT NULL,
          "user.name" TEXT,
          "tags" TEXT NOT NULL,
          PRIMARY KEY ("id")
        ) STRICT
        """
      ])
    #expect(
      try rows("SELECT typeof(big), big, typeof(size), size, price FROM events ORDER BY id DESC")
        == [
          "text|18446744073709551615|real|1.0|1.10",
          "integer|7|real|2500.0|12345678901234567890.123456789",
        ])
    #expect(
      try rows(
        "SELECT typeof(\"any\"), \"any\", typeof(other), isOn, at FROM events ORDER BY id DESC")
        == [
          "real|1.5|real|1|2026-11-22T10:00:00+01:00",
          "text|1234567890.123456789|text|null|2026-11-22T09:00:00Z",
        ])
    #expect(
      try rows(
        "SELECT hex(\"user.name\"), tags, json_array_length(tags) FROM events ORDER BY id DESC")
        == [#"6122000AC3A9|["x","y"]|2"#, "null|[]|0"].map { $0.replacing("null|", with: "|") })
  }

  @Test func `a key that is there is an error, replaces the row, or changes it`() throws {
    try sqlite(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, seen TEXT DEFAULT 'new'); INSERT INTO t VALUES (2, 'b', 'old')"
    )
    try command.write("{\"id\":1,\"name\":\"x\"}\n{\"id\":2,\"name\":\"y\"}\n", to: "f.ndjson")
    let arguments = Self.fields + Self.table + ["f.ndjson"]
    let insert = try command.run(arguments)
    #expect(insert.status == 6)
    #expect(
      insert.errors == """
        stream-map: cannot write row 2 to the table 't' of a.db: UNIQUE constraint failed: t.id
        stream-map: nothing of this run is in a.db

        """)
    #expect(try rows("SELECT * FROM t") == ["2|b|old"])
    #expect(try command.run(arguments + ["--key", "id", "--mode", "upsert"]).status == 0)
    #expect(try rows("SELECT * FROM t") == ["1|x|new", "2|y|old"])
    #expect(try command.run(arguments + ["--key", "id", "--mode", "replace"]).status == 0)
    #expect(try rows("SELECT * FROM t") == ["1|x|new", "2|y|new"])
  }

  @Test func `a table of another shape is refused before anything is read`() throws {
    try sqlite(
      "CREATE TABLE t (ID TEXT, name VARCHAR(20) NOT NULL, must INTEGER NOT NULL); CREATE VIEW v AS SELECT 1"
    )
    let arguments = ["--field", "id:int64", "--field", "name", "--field", "new"] + Self.table
    let result = try command.run(arguments + ["--key", "id"], input: "{".utf8)
    #expect(result.status == 2)
    #expect(
      result.errors == """
        stream-map: the table 't' of a.db cannot take these rows; nothing was written
          its column 'id' is TEXT, and the mapping writes INTEGER
          its column 'name' is VARCHAR(20), and the mapping writes ANY
          its column 'name' may not be null, and the mapping may write null there
          it has no column 'new'
          its column 'must' may not be null, and the mapping has no field for it
          it has no primary key and no unique index of exactly 'id', the key of the rows

        """)
    #expect(try rows("SELECT count(*) FROM t") == ["0"])
    let view = try command.run(arguments + ["--table", "v"], input: [])
    #expect(view.status == 2)
    #expect(view.errors.hasSuffix("\n  it is a view, not a table\n"))
  }

  @Test func `a run over files that ends early leaves nothing, a stream what came`() throws {
    let feed = "{\"id\":1,\"name\":\"x\"}\n{\"id\":\"wrong\"}\n"
    try command.write(feed, to: "f.ndjson")
    let file = try command.run(Self.fields + Self.table + ["f.ndjson"])
    #expect(file.status == 7)
    #expect(file.errors.hasSuffix("stream-map: nothing of this run is in a.db\n"))
    #expect(try rows("SELECT count(*) FROM sqlite_schema") == ["0"])
    let stream = try command.run(Self.fields + Self.table, input: feed.utf8)
    #expect(stream.status == 7)
    #expect(
      stream.errors.hasSuffix("stream-map: the table 't' of a.db has 1 row of this run\n"))
    #expect(try rows("SELECT * FROM t") == ["1|x"])
  }

  @Test func `rows of a stream are there as soon as it rests`() throws {
    let running = try command.start(Self.fields + Self.table)
    running.write(Array("{\"id\":1,\"name\":\"x\"}\n{\"id\"".utf8))
    let deadline = Date(timeIntervalSinceNow: 30)
    var found: [String] = []
    while found.isEmpty, Date() < deadline {
      Thread.sleep(forTimeInterval: 0.05)
      found = (try? rows("SELECT * FROM t")) ?? []
    }
    running.send(SIGKILL)
    #expect(try running.result().status == SIGKILL)
    #expect(found == ["1|x"])
    #expect(try rows("SELECT * FROM t") == ["1|x"])
  }

  // MARK: Checkpoints

  @Test func `a complete run is not written again, and one with other inputs is`() throws {
    try command.write("{\"id\":1,\"name\":\"x\"}\n", to: "f.ndjson")
    let arguments = Self.fields + Self.table + ["--resume", "f.ndjson"]
    #expect(try command.run(arguments).status == 0)
    let again = try command.run(arguments)
    #expect(again.status == 0)
    #expect(again.errors == "stream-map: an earlier run has written all rows of these inputs\n")
    #expect(try rows("SELECT * FROM t") == ["1|x"])
    try command.write("{\"id\":2,\"name\":\"y\"}\n", to: "f.ndjson")
    #expect(try command.run(arguments).status == 0)
    #expect(try rows("SELECT * FROM t") == ["1|x", "2|y"])
    try command.write("{\"id\":2,\"name\":\"y\"}\n{\"id\":3,\"name\":\"z\"}\n", to: "f.ndjson")
    let grown = try command.run(arguments)
    #expect(grown.status == 2)
    #expect(grown.errors.contains("an input has become longer since"))
    #expect(try rows("SELECT count(*) FROM t") == ["2"])
  }

  @Test func `after a complete run, a changed byte in the middle of an input is noticed`() throws {
    let lines = (1000...2999).map { "{\"id\":\($0),\"name\":\"n\"}\n" }
    try command.write(lines.joined(), to: "f.ndjson")
    let arguments = Self.fields + Self.table + ["--resume", "f.ndjson"]
    #expect(try command.run(arguments).status == 0)
    let changed = lines.joined().replacingOccurrences(of: "\"id\":2000", with: "\"id\":9000")
    try command.write(changed, to: "f.ndjson")
    let again = try command.run(arguments)
    #expect(again.errors == "")
    #expect(again.status == 0)
    #expect(try rows("SELECT count(*), max(id) FROM t") == ["4000|9000"])

    let quick =
      Self.fields + ["--to", "sqlite", "-o", "a.db", "--table", "q", "--resume", "f.ndjson"]
      + ["--checkpoint-verify", "quick"]
    #expect(try command.run(quick).status == 0)
    try command.write(lines.joined(), to: "f.ndjson")
    let unnoticed = try command.run(quick)
    #expect(unnoticed.errors == "stream-map: an earlier run has written all rows of these inputs\n")
    #expect(try rows("SELECT count(*), max(id) FROM q") == ["2000|9000"])
  }

  @Test func `a run that ended early continues after its checkpoint`() throws {
    let lines = (1...2000).map { "{\"id\":\($0),\"name\":\"n\($0)\"}\n" }
    try command.write(lines.joined() + "{\"id\":\"wrong\"}\n", to: "f.ndjson")
    let arguments =
      Self.fields + Self.table + ["--resume", "--checkpoint-every", "1kB", "f.ndjson"]
    let first = try command.run(arguments)
    #expect(first.status == 7)
    #expect(first.errors.hasSuffix("the same command continues\n"))
    let changed = try command.run(arguments + ["--key", "id"])
    #expect(changed.status == 2)
    let last = try command.run(arguments + ["--errors", "skip"])
    #expect(
      last.errors.hasPrefix(
        "stream-map: 1 of 2001 records were rejected\nstream-map: f.ndjson: fatal wrongType"))
    #expect(try rows("SELECT count(*), count(DISTINCT id), max(id) FROM t") == ["2000|2000|2000"])
  }

  /// `STREAMMAP_KILLS` is how many kills there are to be of each run, 5 without it.
  @Test(.long, arguments: [["lines.ndjson"], ["lines.ndjson", "--jobs", "2", "more.ndjson"]])
  func `a killed and resumed run has each row exactly once`(inputs: [String]) throws {
    try command.write(FeedWithFaults.lines(3000, padding: 500), to: "lines.ndjson")
    try command.write(FeedWithFaults.lines(1000, padding: 200), to: "more.ndjson")
    let wanted = ProcessInfo.processInfo.environment["STREAMMAP_KILLS"].flatMap { Int($0) } ?? 5
    let fields = ["--field", "id:int64", "--field", "name", "--to", "sqlite"]
    let whole = try command.run(fields + inputs + ["-o", "whole.db", "--rejects", "whole.rejects"])
    #expect(whole.status == 1)
    let expected = try rows("SELECT rowid, * FROM records", in: "whole.db")
    var kills = 0
    repeat {
      let killed = try runWithKills(
        fields + inputs + ["-o", "a.db", "--rejects", "rejects", "--resume"]
          + ["--checkpoint-every", "5kB"])
      kills += killed.kills
      #expect(killed.result.status == 1)
      #expect(try rows("SELECT rowid, * FROM records") == expected)
      #expect(try command.areSame("rejects", "whole.rejects"))
      try FileManager.default.removeItem(at: command.url("a.db"))
    } while kills < wanted
  }

  private func runWithKills(_ arguments: [String]) throws -> (kills: Int, result: CommandResult) {
    var kills = 0
    while true {
      let running = try command.start(arguments)
      Thread.sleep(forTimeInterval: .random(in: 0.01...0.3 + Double(kills) * 0.05))
      if !running.isRunning { return (kills, try running.result()) }
      running.send(SIGKILL)
      let result = try running.result()
      if result.status != SIGKILL { return (kills, result) }
      kills += 1
    }
  }

  // MARK: What cannot be written

  @Test(.long) func `a file that is not a database, and a full disk, end the run alone`() throws {
    try command.write("This is a text, and quite a long one.", to: "a.db")
    let text = try command.run(Self.fields + Self.table, input: [])
    #expect(text.status == 6)
    #expect(
      text.errors == "stream-map: cannot write a.db: it is a file, but not a SQLite database\n")
    #expect(try command.read("a.db") == "This is a text, and quite a long one.")
    let folder = try command.run(
      Self.fields + ["--to", "sqlite", "-o", "none/a.db"], input: [])
    #expect(folder.status == 6)
    #expect(folder.errors == "stream-map: cannot write none/a.db: No such file or directory\n")
    let lines = (1...20_000).map {
      "{\"id\":\($0),\"name\":\"\(String(repeating: "n", count: 500))\"}\n"
    }
    try command.write(lines.joined(), to: "f.ndjson")
    let full = try command.shell(
      "ulimit -f 2000; stream-map --field id:int64 --field name --to sqlite -o b.db f.ndjson")
    #expect(full.status == 6)
    #expect(full.errors.hasPrefix("stream-map: cannot write b.db: "))
    #expect(full.errors.hasSuffix("stream-map: nothing of this run is in b.db\n"))
    #expect(try rows("SELECT count(*) FROM sqlite_schema", in: "b.db") == ["0"])
  }

  @Test(arguments: [
    (["--to", "sqlite"], "--to sqlite needs a file: give -o FILE."),
    (["--table", "t"], "--table is for --to sqlite."),
    (["--resume", "-o", "x"], "--resume is for --to sqlite; for a file give --checkpoint FILE."),
    (
      ["--to", "sqlite", "-o", "a.db", "--checkpoint", "c"],
      "--to sqlite keeps its checkpoint in the database: write --resume instead of --checkpoint FILE."
    ),
    (
      ["--to", "sqlite", "-o", "a.db", "--resume"],
      "--resume needs inputs that are files and can be read again: '-' is not one."
    ),
    (["--to", "sqlite", "-o", "a.db", "--mode", "upsert"], "--mode upsert needs --key COLUMN."),
    (
      ["--to", "sqlite", "-o", "a.db", "--key", "idd"],
      "--key: there is no column 'idd'; did you mean 'id'?."
    ),
    (
      ["--to", "sqlite", "-o", "a.db", "--key", "n"],
      "--key: the column 'n' may be null, and a key must not be: make the field required."
    ),
    (
      ["--to", "sqlite", "-o", "a.db", "--field", "ID"],
      "--to sqlite: the columns 'id' and 'ID' are one for sqlite, which takes capitals and small letters for the same: rename one of them."
    ),
  ])
  func `flags that make no sense are refused`(arguments: [String], message: String) throws {
    let result = try command.run(["--field", "id:int64", "--field", "n"] + arguments, input: [])
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("Error: \(message)\n"))
    #expect(!command.exists("a.db"))
  }
}
