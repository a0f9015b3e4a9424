import Foundation
import Testing

@Suite("infer")
struct InferTests {
  private let command: Command

  init() throws {
    command = try Command()
  }

  /// Infers a mapping of a feed, and maps the feed with it: no record may be rejected.
  private func expectMapped(_ feed: String, _ arguments: [String] = []) throws -> CommandResult {
    let inferred = try command.run(["infer", feed] + arguments)
    #expect(inferred.errors == "")
    #expect(inferred.status == 0)
    try command.write(inferred.output, to: "inferred.map.yaml")
    let checked = try command.run(["check", "inferred.map.yaml"])
    #expect(checked.errors == "")
    #expect(checked.status == 0)
    let mapped = try command.run(["-m", "inferred.map.yaml", feed])
    #expect(mapped.errors == "")
    #expect(mapped.status == 0)
    return mapped
  }

  @Test func `a mapping names types, what may be missing, and examples`() throws {
    let feed = """
      {"id":7,"name":"Ann","price":9.90,"at":"2026-11-20T08:15:00Z","user":{"uid":"123e4567-e89b-12d3-a456-426614174000"},"tags":["x"],"note":null}
      {"id":9,"name":"Bo","price":12,"at":"2026-11-21T08:15:00+01:00","user":{"uid":"123e4567-e89b-12d3-a456-426614174001","site":"https://a.example/x"},"tags":[],"a b":true}

      """
    try command.write(feed, to: "feed.ndjson")
    let inferred = try command.run("infer", "--samples", "feed.ndjson")
    #expect(
      inferred.output == """
        # From the 2 records of feed.ndjson.
        streammap: 1
        record:
          id: { from: id, type: int64 }                         # always: 7, 9
          name: { from: name, type: string }                    # always: "Ann", "Bo"
          price: { from: price, type: decimal }                 # always: 9.90, 12
          at: { from: at, type: date }                          # always: "2026-11-20T08:15:00Z", "2026-11-21T08:15:00+01:00"
          user:                                                 # always
            from: user
            object:
              uid: { from: uid, type: uuid }                    # always: "123e4567-e89b-12d3-a456-426614174000"
              site: { from: site, type: url, schemes: [http, https], nullable: true } # in 50.0 %: "https://a.example/x"
          tags: { from: tags, each: { type: string } }          # always
          note: { from: note, type: json, nullable: true }      # in 50.0 %, nothing is known of its values
          "a b": { from: "['a b']", type: bool, nullable: true } # in 50.0 %: true

        """)
    let mapped = try expectMapped("feed.ndjson")
    #expect(
      mapped.output.hasPrefix(
        #"{"id":7,"name":"Ann","price":9.90,"at":"2026-11-20T08:15:00Z","user":{"#))
  }

  @Test func `the records of a document are the elements of its largest array`() throws {
    try command.write(
      #"{"page":{"next":[1]},"items":[{"n":1},{"n":18446744073709551615},{"n":3}]}"#,
      to: "feed.json")
    let inferred = try command.run("infer", "feed.json")
    #expect(inferred.output.contains("input:\n  records: \"$.items[*]\"\n"))
    #expect(inferred.output.contains("n: { from: n, type: uint64 }"))
    #expect(
      try expectMapped("feed.json").output == "{\"n\":1}\n{\"n\":18446744073709551615}\n{\"n\":3}\n"
    )
    let given = try command.run("infer", "feed.json", "--records", "$.page")
    #expect(given.output.contains("next: { from: next, each: { type: int64 } }"))
  }

  @Test func `a few texts that each came often are an enum if asked for, and are listed if not`()
    throws
  {
    let lines = (0..<100).map { number in
      #"{"level":"\#(["info", "warn"][number % 2])","word":"w\#(number)","always":"x","#
        + #""rare":"\#(number == 50 ? "b" : "a")"}"# + "\n"
    }
    try command.write(lines.joined(), to: "feed.ndjson")
    let inferred = try command.run("infer", "--enums", "feed.ndjson")
    #expect(inferred.output.contains("level: { from: level, type: enum, values: [info, warn] }"))
    let listed = try command.run("infer", "--samples", "feed.ndjson").output
    #expect(
      listed.contains(
        "level: { from: level, type: string }                  # always, one of \"info\", \"warn\"\n"
      ))
    let silent = try command.run("infer", "--no-samples", "feed.ndjson").output
    #expect(silent.contains("level: { from: level, type: string }                  # always\n"))
    #expect(!silent.contains("warn"))
    // A file is kept, and given to others.
    for (options, shows) in [("", false), ("--samples", true), ("--no-samples", false)] {
      #expect(try command.shell("stream-map infer \(options) feed.ndjson >written").status == 0)
      #expect(try command.read("written") == (shows ? listed : silent), "\(options)")
    }
    for name in ["word", "always", "rare"] {
      #expect(inferred.output.contains("\(name): { from: \(name), type: string }"))
    }
    _ = try expectMapped("feed.ndjson", ["--enums"])
    try command.write(lines.prefix(39).joined(), to: "short.ndjson")
    #expect(
      try command.run("infer", "--enums", "short.ndjson").output.contains("level, type: string }"))
  }

  @Test func `records that are members of an object are found, with their keys`() throws {
    let packages = (0..<9).map { #""node_modules/p\#($0)":{"version":"1.\#($0)","dev":true}"# }
    try command.write(
      #"{"name":"x","scripts":{"a":"b"},"tags":[1,2],"packages":{\#(packages.joined(separator: ","))}}"#,
      to: "lock.json")
    let inferred = try command.run("infer", "lock.json").output
    #expect(inferred.contains("  records: \"$.packages[*]\"\n"))
    #expect(inferred.contains("record:\n  key: { meta: key, type: string }\n  version: "))
    let mapped = try expectMapped("lock.json").output
    #expect(
      mapped.hasPrefix(#"{"key":"node_modules/p0","version":"1.0","dev":true}"# + "\n"))
    #expect(mapped.split(separator: "\n").count == 9)
  }

  @Test func `a document whose only arrays hold scalars is one record`() throws {
    try command.write(#"{"id":1,"text":"a longer text","tags":["x","y"]}"#, to: "one.json")
    #expect(try !command.run("infer", "one.json").output.contains("records:"))
  }

  @Test func `several feeds make one mapping`() throws {
    try command.write(#"{"id":1}"# + "\n", to: "a.ndjson")
    try command.write(#"{"id":2.5,"b":true}"# + "\n", to: "b.ndjson")
    let inferred = try command.run("infer", "a.ndjson", "b.ndjson")
    #expect(inferred.output.hasPrefix("# From the 2 records of a.ndjson, b.ndjson.\n"))
    #expect(inferred.output.contains("id: { from: id, type: decimal }"))
    #expect(inferred.output.contains("b: { from: b, type: bool, nullable: true }"))
    try command.write(inferred.output, to: "m.map.yaml")
    let mapped = try command.run("-m", "m.map.yaml", "a.ndjson", "b.ndjson")
    #expect(mapped.output == "{\"id\":1,\"b\":null}\n{\"id\":2.5,\"b\":true}\n")
  }

  @Test func `a day stays a day`() throws {
    try command.write(#"{"day":"2026-09-21","other":"21.09.2026"}"# + "\n", to: "feed.ndjson")
    let output = try command.run("infer", "feed.ndjson").output
    #expect(
      output.contains("day: { from: day, type: date, format: yyyy-MM-dd, as: yyyy-MM-dd }"))
    #expect(
      try expectMapped("feed.ndjson").output
        == #"{"day":"2026-09-21","other":"2026-09-21"}"# + "\n")
    try command.write(output, to: "m.map.yaml")
    let table = try command.run("ddl", "-m", "m.map.yaml", "--for", "postgres", "--table", "t")
    #expect(table.output.contains("\"day\" date"))
  }

  @Test(arguments: ["2026-09-21 10:00:00", "2026-09-21T10:00:00"])
  func `a time without a zone is read as one of UTC, which a comment says`(time: String) throws {
    try command.write("{\"at\":\"\(time)\"}\n", to: "feed.ndjson")
    let output = try command.run("infer", "feed.ndjson").output
    #expect(output.contains("at: { from: at, type: date, zone: UTC }"), "\(output)")
    #expect(output.contains("# always, UTC where no zone is named"), "\(output)")
    #expect(try expectMapped("feed.ndjson").output == "{\"at\":\"2026-09-21T10:00:00Z\"}\n")
    let program = try command.run("infer", "--swift", "feed.ndjson").output
    let separator = time.contains("T") ? "'T'" : " "
    #expect(
      program.contains("@Mapped(.date(format: \"yyyy-MM-dd\(separator)HH:mm:ss\")) let at: Date"),
      "\(program)")
  }

  @Test func `an array is a list of records, also an empty one and one on each line`() throws {
    try command.write("[]\n", to: "empty.json")
    let empty = try command.run("infer", "empty.json")
    #expect(
      empty.output == """
        # The array of empty.json is empty: nothing is known of its records.
        streammap: 1
        input:
          records: "$[*]"
        value:
          type: json

        """)
    #expect(try expectMapped("empty.json").output == "")
    try command.write("[1,2.5]\n", to: "numbers.json")
    #expect(try expectMapped("numbers.json").output == "1\n2.5\n")
    try command.write("[{\"a\":1},{\"a\":2}]\n[]\n[{\"a\":3}]\n", to: "lines.ndjson")
    #expect(try expectMapped("lines.ndjson").output == "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n")
    // Rows without names are values.
    try command.write("[1,\"a\"]\n[2,\"b\"]\n", to: "rows.ndjson")
    #expect(try expectMapped("rows.ndjson").output == "[1,\"a\"]\n[2,\"b\"]\n")
  }

  @Test func `a mapping file is no feed`() throws {
    try command.write("streammap: 1\nrecord: { a: a }\n", to: "m.map.yaml")
    let result = try command.run("infer", "m.map.yaml")
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix(
        "Error: infer reads a feed, and 'm.map.yaml' is a mapping file.\n"))
    let index = try command.run("index", "m.map.yaml")
    #expect(index.status == 2)
    #expect(
      index.errors.hasPrefix(
        "Error: index reads a feed, and 'm.map.yaml' is a mapping file: give it by --mapping, and the feed besides.\n"
      ))
    #expect(!command.exists("m.map.yaml.smx"))
  }

  @Test(
    .long,
    arguments: [
      "{\"a\":1}\nnull\n", "null\n", "{\"a\":1}\n[1]\n\"x\"\n5\n", "[{\"a\":1},null,3]", "[]\n",
      "{}\n[]\n",
      "{\"a\":[{\"b\":1}]}\n5\n", "{\"a\":[{\"b\":1}]} \"x\"",
      "{\"a\":1e400}\n", "{\"a\":1e-400}\n{\"a\":1}\n", "{\"a\":9223372036854775808,\"b\":-1e30}\n",
      "{\"a\":\"2026-09-21\"}\n{\"a\":\"21.09.2026\"}\n", "{\"a\":1,\"a\":\"x\"}\n",
      "{\"\u{FEFF}id\":1,\"id\":\"x\"}\n", "{\"\u{FFFF}\":\"\u{FFFE}\"}\n",
    ])
  func `whatever a feed holds, its mapping takes it`(feed: String) throws {
    try command.write(feed, to: "feed.json")
    let mapped = try expectMapped("feed.json")
    try command.write("streammap: 1\nrecord: $\n", to: "copy.yaml")
    if !feed.hasPrefix("[") {
      let copied = try command.run("-m", "copy.yaml", "feed.json").output
      #expect(mapped.output.split(separator: "\n").count == copied.split(separator: "\n").count)
    }
  }

  @Test func `what lies very deep, and a key that is very long, is taken, too`() throws {
    let deep = String(repeating: "{\"a\":[", count: 200) + "1" + String(repeating: "]}", count: 200)
    let key = String(repeating: "k", count: 2000)
    let line = "{\"deep\":\(deep),\"\(key)\":{\"\(key)\":1}}\n"
    try command.write(line + line, to: "feed.json")
    #expect(try expectMapped("feed.json").output == line + line)
  }

  @Test func `objects whose keys are data are dictionaries`() throws {
    let members = (100..<110).map { "\"\($0)\":{\"n\":\($0)}" }.joined(separator: ",")
    try command.write("{\"events\":{\(members)}}\n", to: "feed.ndjson")
    let inferred = try command.run("infer", "--samples", "feed.ndjson")
    #expect(
      inferred.output.hasSuffix(
        """
          events:                                               # always
            from: events
            map:
              object:
                n: { from: n, type: int64 }                     # always: 100, 101, 102

        """))
    _ = try expectMapped("feed.ndjson")
  }

  @Test func `numbers are times only where their name says so`() throws {
    try command.write(
      "{\"created_at\":1763800000,\"ms\":1763800000,\"eventTime\":1763800000123}\n",
      to: "feed.ndjson")
    let output = try command.run("infer", "feed.ndjson").output
    #expect(output.contains("created_at: { from: created_at, type: date, format: unix_s }"))
    #expect(output.contains("ms: { from: ms, type: int64 }"))
    #expect(output.contains("eventTime: { from: eventTime, type: date, format: unix_ms }"))
    _ = try expectMapped("feed.ndjson")
  }

  @Test func `values of several kinds stay as they are`() throws {
    try command.write(
      """
      {"a":1,"b":1,"c":[1,"x",null],"d":1.5e3,"e":123456789012345678901234567890123456789,"f":[],"g":{},"h":[[1],[2.5]]}
      {"a":"x","b":[1],"c":[],"d":2,"e":1,"f":[],"g":{},"h":[]}

      """, to: "feed.ndjson")
    let output = try command.run("infer", "feed.ndjson").output
    #expect(output.contains("a: { from: a, type: any }"))
    #expect(output.contains("b: { from: b, type: json }"))
    #expect(output.contains("c: { from: c, each: { type: any, nullable: true } }"))
    #expect(output.contains("d: { from: d, type: double }"))
    #expect(output.contains("e: { from: e, type: double }"))
    try command.write("{\"e\":1e400}\n", to: "large.ndjson")
    #expect(
      try command.run("infer", "large.ndjson").output.contains("e: { from: e, type: number }"))
    #expect(output.contains("h: { from: h, each: { each: { type: decimal } } }"))
    _ = try expectMapped("feed.ndjson")
  }

  @Test(
    .long,
    arguments: [
      "true", "", "$", "a.b", "it's", "a\\\"b", "a\\\\b", "x\\ny", "\\u0085\\u2028", "ünïcode",
      "no",
      "1", "a: b",
      "# c", "- d", "{e}", "\\u0000", "😀",
    ])
  func `any key is a field that is found`(key: String) throws {
    try command.write(
      "{\"\(key)\":1,\"other\":{\"\(key)\":[{\"\(key)\":true}]}}\n", to: "feed.ndjson")
    let mapped = try expectMapped("feed.ndjson")
    #expect(!mapped.output.contains("null"))
  }

  @Test func `compressed feeds and standard input are read, too`() throws {
    try command.write("{\"n\":1}\n", to: "feed")
    let compressed = try command.shell("gzip -c feed | stream-map infer")
    #expect(compressed.output.contains("n: { from: n, type: int64 }"))
    #expect(compressed.output.hasPrefix("# From the only record of a feed.\n"))
  }

  @Test func `the first records are enough`() throws {
    try command.write("{\"n\":1}\n{\"n\":\"x\"}\n", to: "feed.ndjson")
    let output = try command.run("infer", "feed.ndjson", "--sample-records", "1").output
    #expect(output.hasPrefix("# From the first record of feed.ndjson.\n"))
    #expect(output.contains("type: int64"))
  }

  @Test func `types for a program`() throws {
    try command.write(
      """
      {"order_id":7,"class":"a","day":"2026-11-22","lines":[{"sku":"A","qty":2}],"2x":null}
      {"order_id":8,"class":"b","day":"2026-11-23","lines":[]}

      """, to: "feed.ndjson")
    let inferred = try command.run("infer", "--swift", "--samples", "feed.ndjson")
    #expect(
      inferred.output == """
        // From the 2 records of feed.ndjson.
        // Take them with: for record in try Mapper(Record.self).records(in: Feed(.file("…"))) { … }
        import Foundation
        import StreamMap
        import StreamMapMacros

        @Mappable
        struct Record {
          /// always: 7, 8
          @Key("order_id") let orderId: Int64
          /// always: "a", "b"
          let `class`: String
          /// always: "2026-11-22", "2026-11-23"
          @Mapped(.date(format: "yyyy-MM-dd")) let day: Date
          /// always
          let lines: [Lines]
          /// in 50.0 %, nothing is known of its values
          @Key("2x") let value2x: JSONValue?
        }

        @Mappable
        struct Lines {
          /// always: "A"
          let sku: String
          /// always: 2
          let qty: Int64
        }

        """)
  }

  @Test func `a schema of the records`() throws {
    try command.write(
      "{\"n\":1,\"at\":\"2026-11-20T08:15:00Z\"}\n{\"n\":null}\n", to: "feed.ndjson")
    let inferred = try command.run("infer", "--schema", "feed.ndjson")
    #expect(
      inferred.output == """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "description": "From the 2 records of feed.ndjson.",
          "type": "object",
          "properties": {
            "n": {
              "type": ["integer","null"]
            },
            "at": {
              "type": ["string","null"],
              "format": "date-time"
            }
          },
          "required": ["n"]
        }

        """)
  }

  @Test func `what cannot be inferred is said`() throws {
    let nothing = try command.run("infer", "-", input: "")
    #expect(nothing.status == 8)
    #expect(
      nothing.errors == "stream-map: standard input: there are no records to infer a mapping from\n"
    )
    let malformed = try command.run("infer", "-", input: "oops")
    #expect(malformed.status == 4)
    let missing = try command.run("infer", "missing.json")
    #expect(missing.status == 6)
    let both = try command.run("infer", "--swift", "--schema", "-")
    #expect(both.status == 2)
  }

  @Test(.long) func `a mapping of each real feed rejects nothing`() throws {
    guard let shared = ProcessInfo.processInfo.environment["STREAMMAP_SHARED"] else {
      print("infer: no real feeds, since STREAMMAP_SHARED is not set: SKIPPED")
      return
    }
    for name in [
      "twitter.json", "citm_catalog.json", "canada.json", "github_events.json",
      "amazon_cellphones.ndjson",
    ] {
      let feed = "\(shared)/data/\(name)"
      let inferred = try command.run("infer", feed)
      #expect(inferred.status == 0, "\(name)")
      try command.write(inferred.output, to: "\(name).map.yaml")
      let mapped = try command.run("-m", "\(name).map.yaml", feed)
      #expect(mapped.errors == "", "\(name)")
      #expect(mapped.status == 0, "\(name)")
      #expect(!mapped.output.isEmpty)
    }
  }
}
