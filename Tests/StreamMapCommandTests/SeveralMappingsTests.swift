import Foundation
import Testing

@testable import CommandLineTests
@testable import StreamMapCommand

@Suite("Several mappings in one pass")
struct SeveralMappingsTests {
  let command: Command

  init() throws {
    command = try Command()
    let orders = (1...300).map { "{\"id\":\($0),\"lines\":[{\"sku\":\"s\($0 % 7)\",\"n\":\($0)}]}" }
    let customers = (1...200).map { "{\"id\":\"c\($0)\",\"name\":\"N\\u00e9 \($0)\"}" }
    try command.write(
      "{\"orders\":[\(orders.joined(separator: ","))],\"customers\":[\(customers.joined(separator: ","))]}",
      to: "shop.json")
    try command.write(
      "streammap: 1\ninput: { records: '$.orders[*]' }\nrecord: { id: { from: id, type: int64 }, n: { from: lines, count: true } }\n",
      to: "orders.map.yaml")
    try command.write(
      "streammap: 1\ninput: { records: '$.customers[*]' }\nrecord: { id: id, name: name }\n",
      to: "customers.map.yaml")
    let lines = (0..<3000).map {
      $0 % 3 == 0
        ? "{\"kind\":\"click\",\"x\":\($0)}"
        : "{\"kind\":\"view\",\"page\":\"p\($0 % 11)\",\"t\":\($0)}"
    }
    try command.write(lines.joined(separator: "\n") + "\n", to: "events.ndjson")
    for (kind, fields) in [
      ("click", "x: { from: x, type: int64 }"), ("view", "page: page, t: { from: t, type: int64 }"),
    ] {
      try command.write(
        "streammap: 1\nwhere: { from: kind, equals: \(kind) }\nrecord: { \(fields) }\n",
        to: "\(kind).map.yaml")
    }
  }

  private static let shop = [
    "-m", "orders.map.yaml", "-o", "orders.csv", "-m", "customers.map.yaml", "-o",
    "customers.ndjson",
  ]
  private static let events = [
    "-m", "click.map.yaml", "-o", "click.csv", "-m", "view.map.yaml", "-o", "view.ndjson",
  ]

  /// Holds the outputs against those of a run for each mapping.
  private func expectSame(_ names: [String], feed: String) throws {
    for name in names {
      let mapping = name.prefix { $0 != "." }
      let alone = try command.run("-m", "\(mapping).map.yaml", feed, "-o", "alone-\(name)")
      #expect(alone.status == 0, "\(alone.errors)")
      #expect(try command.areSame(name, "alone-\(name)"), "\(name)")
    }
  }

  @Test(arguments: [[], ["--jobs", "3"], ["--parser", "yajl"], ["--parser", "index"]])
  func `each mapping writes what it writes alone`(options: [String]) throws {
    let shop = try command.run(Self.shop + ["shop.json"] + options)
    #expect(shop.status == 0 && shop.errors.isEmpty, "\(shop.errors)")
    try expectSame(["orders.csv", "customers.ndjson"], feed: "shop.json")
    let events = try command.run(Self.events + ["events.ndjson"] + options)
    #expect(events.status == 0 && events.errors.isEmpty, "\(events.errors)")
    try expectSame(["click.csv", "view.ndjson"], feed: "events.ndjson")
  }

  @Test(arguments: [1, 7, 4096])
  func `a feed that can be read once is enough`(pieceSize: Int) throws {
    let bytes = Array(try command.read("events.ndjson").utf8)
    let result = try command.run(
      Self.events, input: bytes, pieceSize: max(pieceSize, bytes.count / 500))
    #expect(result.status == 0, "\(result.errors)")
    try expectSame(["click.csv", "view.ndjson"], feed: "events.ndjson")
    #expect(try command.shell("gzip -k events.ndjson").status == 0)
    let zipped = try command.run(Self.events + ["events.ndjson.gz"])
    #expect(zipped.status == 0, "\(zipped.errors)")
    try expectSame(["click.csv", "view.ndjson"], feed: "events.ndjson")
  }

  @Test func `each mapping has its rejects, its figures and its name in messages`() throws {
    try command.write(
      "streammap: 1\nrecord: { page: { from: page, type: string } }\nerrors: { mode: reject, rejects: page.rejects }\n",
      to: "page.map.yaml")
    try command.write(
      "streammap: 1\nrecord: { x: { from: x, type: int64 } }\nerrors: { mode: reject, rejects: x.rejects }\n",
      to: "x.map.yaml")
    let arguments = [
      "-m", "page.map.yaml", "-o", "page.ndjson", "-m", "x.map.yaml", "-o", "x.ndjson",
      "events.ndjson",
      "--stats", "json",
    ]
    let result = try command.run(arguments)
    #expect(result.status == 1)
    let figures = result.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
    #expect(figures.count == 2)
    #expect(
      figures.first?.hasPrefix(
        "{\"mapping\":\"page.map.yaml\",\"records\":3000,\"mapped\":2000,\"rejected\":1000,")
        == true, "\(figures)")
    #expect(
      figures.last?.hasPrefix(
        "{\"mapping\":\"x.map.yaml\",\"records\":3000,\"mapped\":1000,\"rejected\":2000,") == true,
      "\(figures)")
    #expect(
      result.errors.contains("stream-map: x.map.yaml: events.ndjson: fatal missing at $.x "),
      "\(result.errors)")
    #expect(try command.read("page.rejects").split(separator: "\n").count == 1000)
    let rejects = try command.read("x.rejects").split(separator: "\n")
    #expect(rejects.count == 2000)
    #expect(
      rejects.first?.contains("\"raw\":\"{\\\"kind\\\":\\\"view\\\"") == true,
      "\(rejects.first ?? "")")
    // By options, one for each.
    let named = try command.run(
      arguments + ["--rejects", "a", "--rejects", "b", "--errors", "reject"])
    #expect(named.status == 1)
    #expect(try command.areSame("a", "page.rejects") && command.areSame("b", "x.rejects"))
  }

  @Test(arguments: [[], ["--jobs", "2"]])
  func `a run that stops continues each mapping where its output ends`(options: [String]) throws {
    var lines = try command.read("events.ndjson").split(separator: "\n").map(String.init)
    lines[2000] = "{\"kind\":\"view\",\"page\":\"p\",\"t\":\"none\"}"
    let good = lines
    try command.write(lines.joined(separator: "\n"), to: "broken.ndjson")
    let arguments =
      Self.events + ["broken.ndjson", "--checkpoint", "c", "--checkpoint-every", "4kB"] + options
    let stopped = try command.run(arguments)
    #expect(stopped.status == 7)
    #expect(
      stopped.errors.contains("stream-map: view.map.yaml: broken.ndjson: fatal wrongType at $.t "),
      "\(stopped.errors)")
    #expect(command.exists("c") && command.exists("c.2"))
    #expect(!command.exists("click.csv") && !command.exists("view.ndjson"))
    // What is after the checkpoints is cut off.
    for name in ["click.csv.partial", "view.ndjson.partial"] {
      try command.write(command.read(name) + "rubbish", to: name)
    }
    let continued = try command.run(arguments + ["--errors", "skip"])
    #expect(continued.status == 1, "\(continued.errors)")
    #expect(!command.exists("c") && !command.exists("c.2"))
    try command.write(
      good.enumerated().filter { $0.offset != 2000 }.map(\.element).joined(separator: "\n"),
      to: "good.ndjson")
    try expectSame(["click.csv", "view.ndjson"], feed: "good.ndjson")
  }

  @Test func `a run that is killed again and again has each record once, in a file and in a table`()
    throws
  {
    let count = 30_000
    try command.write(
      (0..<count).map { "{\"kind\":\"view\",\"t\":\($0)}\n" }.joined(), to: "long.ndjson")
    try command.write(
      "streammap: 1\nrecord: { t: { from: t, type: int64 } }\noutput: { format: sqlite, table: v }\n",
      to: "table.map.yaml")
    try command.write(
      "streammap: 1\nrecord: { t: { from: t, type: int64 } }\n", to: "file.map.yaml")
    let run =
      "stream-map -m file.map.yaml -o t.ndjson -m table.map.yaml -o t.db long.ndjson --checkpoint c --resume --checkpoint-every 20kB"
    var ends = 0
    for _ in 0..<40 {
      let result = try command.shell("timeout -s KILL 0.\(1 + ends % 5) \(run); echo $?")
      ends += 1
      if result.output.hasSuffix("0\n") { break }
    }
    // However few of these came to the end.
    #expect(
      try command.run(Array(run.split(separator: " ").map(String.init).dropFirst())).status == 0)
    let lines = try command.read("t.ndjson")
    #expect(lines == (0..<count).map { "{\"t\":\($0)}\n" }.joined())
    let rows = try SQLiteDatabase(command.url("t.db").path).rows(
      "SELECT count(*), count(DISTINCT t), sum(t) FROM v")
    #expect(rows == [["\(count)", "\(count)", "\(count * (count - 1) / 2)"]])
  }

  @Test func `a limit is one of each mapping`() throws {
    #expect(try command.run(Self.events + ["events.ndjson", "--limit", "5"]).status == 0)
    #expect(try command.read("click.csv") == "x\n0\n3\n6\n9\n12\n")
    #expect(try command.read("view.ndjson").split(separator: "\n").count == 5)
  }

  @Test func `a reader that is gone ends one output, and the others are complete`() throws {
    let result = try command.shell(
      "i=0; while [ $i -lt 40 ]; do cat events.ndjson; i=$((i + 1)); done"
        + " | stream-map -m view.map.yaml -o - -m click.map.yaml -o click.csv | head -n 1")
    #expect(result.output == "{\"page\":\"p1\",\"t\":1}\n")
    #expect(result.errors.isEmpty, "\(result.errors)")
    #expect(try command.read("click.csv").split(separator: "\n").count == 40001)
  }

  @Test func `a feed that one mapping cannot read to its end leaves all outputs incomplete`() throws
  {
    try command.write("{\"kind\":\"view\",\"page\":\"a\",\"t\":1}\n{\"kind\":", to: "cut.ndjson")
    let result = try command.run(Self.events + ["cut.ndjson"])
    #expect(result.status == 4)
    #expect(result.errors.contains("click.map.yaml: cut.ndjson: "), "\(result.errors)")
    #expect(
      try command.names.filter { $0.hasPrefix("click.csv") || $0.hasPrefix("view.nd") } == [
        "click.csv.partial", "view.ndjson.partial",
      ])
  }

  @Test func `an argument goes to the mappings that have it`() throws {
    try command.write(
      "streammap: 1\nargs: { day: string }\nrecord: { x: x, day: { arg: day } }\nwhere: { from: kind, equals: click }\n",
      to: "day.map.yaml")
    let arguments = [
      "-m", "day.map.yaml", "-o", "day.csv", "-m", "view.map.yaml", "-o", "view.ndjson",
      "events.ndjson",
    ]
    let result = try command.run(arguments + ["--set", "day=mon"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try command.read("day.csv").hasPrefix("x,day\n0,mon\n"))
    let unknown = try command.run(arguments + ["--set", "day=mon", "--set", "dya=tue"])
    #expect(unknown.status == 2)
    #expect(
      unknown.errors.contains("none of the mappings has an argument 'dya'"), "\(unknown.errors)")
    #expect(try command.run(arguments).errors.contains("argument 'day' needs a value"))
  }

  @Test(arguments: [
    (
      ["-o", "a.csv"],
      "2 mappings need -o FILE 2 times, in the order of the mappings; it is given once."
    ),
    ([], "2 mappings need -o FILE 2 times, in the order of the mappings; it is given 0 times."),
    (["-o", "a", "-o", "b", "--rejects", "r"], "2 mappings need --rejects FILE 2 times"),
    (
      ["-o", "a", "-o", "b", "--records", "$.a[*]"],
      "--records is about one mapping, and there are several"
    ),
    (
      ["-o", "a", "-o", "b", "--part", "1/2"], "--part is about one mapping, and there are several"
    ),
    (
      ["-o", "a", "-o", "a"], "the output a and the output a are the same file; nothing was written"
    ),
    (["-o", "-", "-o", "-"], "are the same"),
    (
      ["-o", "f/{id}.json", "-o", "f/{id}.json"],
      "the outputs f/{id}.json and f/{id}.json are the same files; nothing was written"
    ),
    (["-o", "{id}.x", "-o", "./{id}.x"], "the outputs {id}.x and ./{id}.x are the same files"),
    (
      ["-o", "a.json", "-o", "a.json", "--split", "1kB"],
      "the outputs a.json and a.json are the same files; nothing was written"
    ),
    (
      ["-o", "a", "-o", "view.map.yaml"],
      "the mapping file view.map.yaml and the output view.map.yaml are the same file"
    ),
    (["-o", "a", "-o", "c.2", "--checkpoint", "c"], "are the same"),
    (["-o", "a", "-o", "b", "--field", "x"], "Give either --mapping or --field, not both."),
  ])
  func `what has no meaning for several mappings is refused before anything is written`(
    arguments: [String], message: String
  ) throws {
    let before = try command.names
    let result = try command.run(
      ["-m", "click.map.yaml", "-m", "view.map.yaml", "events.ndjson"] + arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try command.names == before)
  }

  /// Only the records tell that they are the same.
  @Test(arguments: [
    ["-o", "f/{a}", "-o", "f/{b}"], ["-o", "f/{a}.gz", "-o", "f/{b}.gz"],
    ["-o", "f/{a}", "-o", "./f/{b}"],
  ])
  func `a file that another output of the run writes is refused`(outputs: [String]) throws {
    for (name, fields) in [("a", "a: k, b: k"), ("b", "b: k, a: k")] {
      try command.write("streammap: 1\nrecord: { \(fields) }\n", to: "\(name).yaml")
    }
    let result = try command.run(
      ["-m", "a.yaml", "-m", "b.yaml"] + outputs, input: Array("{\"k\":\"x\"}\n".utf8))
    #expect(result.status == 2)
    #expect(
      result.errors.contains(": another output of this run writes it\n"), "\(result.errors)")
  }

  @Test func `one mapping has one output`() throws {
    let result = try command.run("-m", "click.map.yaml", "-o", "a", "-o", "b", "events.ndjson")
    #expect(result.status == 2)
    #expect(
      result.errors.contains("-o FILE is given 2 times: a mapping has one."), "\(result.errors)")
  }

  @Test func `files of columns and databases are outputs like any other`() throws {
    let result = try command.run(
      "-m", "orders.map.yaml", "-o", "orders.parquet", "-m", "customers.map.yaml", "-o",
      "customers.db", "shop.json")
    #expect(result.status == 0, "\(result.errors)")
    try expectSame(["orders.parquet"], feed: "shop.json")
    let again = try command.run(
      "-m", "orders.map.yaml", "-o", "orders.db", "-m", "customers.map.yaml", "-o",
      "customers-2.db", "shop.json",
      "--resume")
    #expect(again.status == 0, "\(again.errors)")
    let third = try command.run(
      "-m", "orders.map.yaml", "-o", "orders.db", "-m", "customers.map.yaml", "-o",
      "customers-2.db", "shop.json",
      "--resume")
    #expect(
      third.errors.contains("orders.map.yaml: an earlier run has written all rows"),
      "\(third.errors)")
  }
}
