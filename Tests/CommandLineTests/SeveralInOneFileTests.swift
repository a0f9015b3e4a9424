import Foundation
import Testing

@Suite("Several mappings of one file, by the command")
struct SeveralInOneFileTests {
  let command: Command
  private static let outputs = ["-o", "clicks=clicks.csv", "-o", "views=views.ndjson"]

  init() throws {
    command = try Command()
    let lines = (0..<900).map {
      $0 % 3 == 0
        ? "{\"kind\":\"click\",\"x\":\($0)}"
        : "{\"kind\":\"view\",\"page\":\"p\($0 % 11)\",\"t\":\($0)}"
    }
    try command.write(lines.joined(separator: "\n") + "\n", to: "events.ndjson")
    let mappings = [
      ("clicks", "click", "x: { from: x, type: int64 }"),
      ("views", "view", "page: page, t: { from: t, type: int64 }"),
    ]
    try command.write(
      "streammap: 1\nmappings:\n"
        + mappings.map {
          "  \($0.0):\n    where: { from: kind, equals: \($0.1) }\n    record: { \($0.2) }\n"
        }.joined(),
      to: "kinds.map.yaml")
    for (name, kind, fields) in mappings {
      try command.write(
        "streammap: 1\nname: \(name)\nwhere: { from: kind, equals: \(kind) }\nrecord: { \(fields) }\n",
        to: "\(name).map.yaml")
    }
  }

  @Test(arguments: [["-m", "kinds.map.yaml"], ["kinds.map.yaml"]])
  func `a run writes what the mappings write alone`(mapping: [String]) throws {
    let result = try command.run(mapping + Self.outputs + ["events.ndjson", "--jobs", "2", "-q"])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    for name in ["clicks.csv", "views.ndjson"] {
      let mapping = name.prefix { $0 != "." }
      let alone = try command.run(
        "-m", "\(mapping).map.yaml", "events.ndjson", "-o", "alone-\(name)")
      #expect(alone.status == 0, "\(alone.errors)")
      #expect(try command.areSame(name, "alone-\(name)"), "\(name)")
    }
  }

  @Test func `the mapping file may come through standard input`() throws {
    let mapping = Array(try command.read("kinds.map.yaml").utf8)
    let result = try command.run(
      ["-m", "-"] + Self.outputs + ["events.ndjson"], input: mapping, pieceSize: 64)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try command.read("clicks.csv").hasPrefix("x\n0\n3\n"))
  }

  @Test func `messages, figures and rejects have the names of the mappings`() throws {
    try command.write("{\"kind\":\"view\",\"page\":\"a\",\"t\":\"1\"}\n", to: "bad.ndjson")
    let arguments = ["-m", "kinds.map.yaml"] + Self.outputs + ["bad.ndjson"]
    let failed = try command.run(arguments)
    #expect(failed.status == 7)
    #expect(
      failed.errors.contains("stream-map: views: bad.ndjson: fatal wrongType at $.t "),
      "\(failed.errors)")
    #expect(
      failed.errors.contains("; write coerce: string (kinds.map.yaml:8)"), "\(failed.errors)")
    let rejected = try command.run(
      arguments + [
        "--errors", "reject", "--rejects", "views=v.rejects", "--rejects", "clicks=c.rejects",
        "--stats", "json",
      ])
    #expect(rejected.status == 1)
    #expect(try command.read("c.rejects").isEmpty)
    #expect(try command.read("v.rejects").split(separator: "\n").count == 1)
    #expect(
      rejected.errors.contains("{\"mapping\":\"clicks\",\"records\":1,"), "\(rejected.errors)")
    #expect(
      rejected.errors.contains("{\"mapping\":\"views\",\"records\":1,"), "\(rejected.errors)")
  }

  @Test func `a run that stops continues, and not by another mapping`() throws {
    var lines = try command.read("events.ndjson").split(separator: "\n").map(String.init)
    lines[700] = "{\"kind\":\"view\",\"page\":\"p\",\"t\":\"none\"}"
    try command.write(lines.joined(separator: "\n"), to: "broken.ndjson")
    let arguments = [
      "-m", "kinds.map.yaml", "broken.ndjson", "--checkpoint", "c", "--checkpoint-every", "2kB",
    ]
    #expect(try command.run(arguments + Self.outputs).status == 7)
    #expect(command.exists("c") && command.exists("c.2"))
    let exchanged = try command.run(
      arguments + ["-o", "clicks=views.ndjson", "-o", "views=clicks.csv", "--errors", "skip"])
    #expect(exchanged.status == 2, "\(exchanged.errors)")
    let continued = try command.run(arguments + Self.outputs + ["--errors", "skip"])
    #expect(continued.status == 1, "\(continued.errors)")
    #expect(try command.read("clicks.csv").split(separator: "\n").count == 301)
    #expect(try command.read("views.ndjson").split(separator: "\n").count == 599)
  }

  @Test(arguments: [
    (
      ["-o", "a.csv"],
      "-o a.csv: the file has the mappings clicks, views; write -o NAME=FILE for each of them."
    ),
    (
      ["-o", "click=a.csv", "-o", "views=b.csv"],
      "write -o NAME=FILE for each of them; did you mean 'clicks'?"
    ),
    (["-o", "clicks=a"], "The mapping 'views' needs an output: write -o views=FILE."),
    ([], "The mapping 'clicks' needs an output: write -o clicks=FILE."),
    (
      ["-o", "clicks=a", "-o", "clicks=b", "-o", "views=c"],
      "-o gives the mapping 'clicks' two files; keep one of them."
    ),
    (
      outputs + ["--errors", "reject", "--rejects", "clicks=r"],
      "The mapping 'views' needs a file of rejects: write --rejects views=FILE."
    ),
    (
      ["-o", "clicks=a", "-o", "views=a"],
      "the output a and the output a are the same file; nothing was written"
    ),
    (
      ["-o", "clicks=kinds.map.yaml", "-o", "views=a"],
      "the mapping file kinds.map.yaml and the output kinds.map.yaml are the same file"
    ),
    (outputs + ["--records", "$.a"], "--records is about one mapping, and there are several"),
    (outputs + ["--part", "1/2"], "--part is about one mapping, and there are several"),
    (outputs + ["--set", "day=mon"], "none of the mappings has an argument 'day'"),
    (
      outputs + ["-m", "clicks.map.yaml"],
      "kinds.map.yaml has several mappings: give it as the only -m."
    ),
  ])
  func `a run that lacks an output or has too much is refused before anything is written`(
    arguments: [String], message: String
  ) throws {
    let before = try command.names
    let result = try command.run(["-m", "kinds.map.yaml", "events.ndjson"] + arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try command.names == before)
  }

  @Test func `check, explain and ddl take each mapping`() throws {
    let check = try command.run("check", "kinds.map.yaml", "--sample", "events.ndjson")
    #expect(check.status == 0, "\(check.errors)")
    #expect(check.output.hasPrefix("kinds.map.yaml: ok\n\nclicks:\n"), "\(check.output)")
    #expect(check.output.contains("\nviews:\n"), "\(check.output)")
    let explain = try command.run("explain", "kinds.map.yaml")
    #expect(explain.output.hasPrefix("clicks:\n"), "\(explain.output)")
    #expect(explain.output.contains("\n\nviews:\n"), "\(explain.output)")
    let ddl = try command.run("ddl", "kinds.map.yaml", "--for", "sqlite")
    #expect(ddl.output.contains("CREATE TABLE \"clicks\" ("), "\(ddl.output)")
    #expect(ddl.output.contains("CREATE TABLE \"views\" ("), "\(ddl.output)")
  }

  @Test(arguments: [
    (["ddl", "--for", "sqlite", "--table", "t", "kinds.map.yaml"], "--table is about one mapping"),
    (["ddl", "--for", "sqlite", "--key", "x", "kinds.map.yaml"], "--key is about one mapping"),
    (["explain", "--dot", "kinds.map.yaml"], "--dot is about one mapping"),
    (
      ["check", "kinds.map.yaml", "--sample", "-"],
      "The file has several mappings, and each reads the sample: '-' can be read once."
    ),
  ])
  func `an option for one mapping is refused`(arguments: [String], message: String) throws {
    let result = try command.run(arguments)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test(arguments: [
    ["schema", "kinds.map.yaml"], ["index", "-m", "kinds.map.yaml", "events.ndjson"],
    ["reverse", "-m", "kinds.map.yaml", "events.ndjson"],
  ])
  func `a command of one mapping refuses several in their place`(arguments: [String]) throws {
    let result = try command.run(arguments)
    #expect(result.status == 3, "\(result.status)")
    #expect(
      result.errors.hasPrefix(
        "kinds.map.yaml:2:1: error: the file has several mappings, and one is taken here"),
      "\(result.errors)")
  }
}
