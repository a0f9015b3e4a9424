import Foundation
import Testing

/// Which files of a run may be the same, and what `-` is.
@Suite("Files of a run")
struct RunFilesTests {
  let command: Command
  private let feed = "{\"id\":1}\n{\"id\":\"x\"}\n"
  private static let rejected = "{\"file\":\"a.ndjson\",\"record\":2,"

  init() throws {
    command = try Command()
    try command.write(feed, to: "a.ndjson")
    try command.write(
      "streammap: 1\nuse: { u: ./u.yaml }\nrecord: { id: { from: id, type: int64 } }\n",
      to: "m.yaml")
    try command.write("streammap: 1\nrecord: { id: id }\n", to: "u.yaml")
    try command.write(
      "streammap: 1\nrecord: { id: { from: id, type: int64 } }\n"
        + "errors: { mode: reject, rejects: a.ndjson }\n", to: "r.yaml")
    try command.write("old", to: "o")
    try command.write("older", to: "o.partial")
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: command.url("symbolic").path, withDestinationPath: "a.ndjson")
    try files.linkItem(at: command.url("a.ndjson"), to: command.url("hard"))
    try files.createDirectory(at: command.url("folder"), withIntermediateDirectories: false)
    try files.createSymbolicLink(
      atPath: command.url("here").path, withDestinationPath: ".")
    try files.createSymbolicLink(
      atPath: command.url("folder/new").path, withDestinationPath: "../new")
  }

  private var contents: [String] {
    get throws {
      try command.names.map { name in "\(name): \((try? command.read(name)) ?? "a folder")" }
    }
  }

  private static let fields = ["--field", "id:int64"]

  @Test(
    .long,
    arguments: [
      (
        fields + ["a.ndjson", "-o", "n", "--rejects", "a.ndjson"], "input a.ndjson",
        "rejects a.ndjson"
      ),
      (
        fields + ["a.ndjson", "-o", "n", "--rejects", "symbolic"], "input a.ndjson",
        "rejects symbolic"
      ),
      (fields + ["symbolic", "-o", "n", "--rejects", "hard"], "input symbolic", "rejects hard"),
      (
        fields + ["o", "a.ndjson", "--rejects", "./a.ndjson"], "input a.ndjson",
        "rejects ./a.ndjson"
      ),
      (["-m", "r.yaml", "a.ndjson", "-o", "n"], "input a.ndjson", "rejects a.ndjson"),
      (["-m", "r.yaml", "a.ndjson"], "input a.ndjson", "rejects a.ndjson"),
      (fields + ["a.ndjson", "-o", "a.ndjson"], "input a.ndjson", "output a.ndjson"),
      (fields + ["hard", "-o", "symbolic"], "input hard", "output symbolic"),
      (fields + ["o.partial", "-o", "o"], "input o.partial", "unfinished output o.partial"),
      (
        fields + ["a.ndjson", "-o", "n", "--checkpoint", "a.ndjson"], "input a.ndjson",
        "checkpoint a.ndjson"
      ),
      (fields + ["a.ndjson", "-o", "o", "--checkpoint", "o"], "output o", "checkpoint o"),
      (fields + ["a.ndjson", "-o", "n", "--checkpoint", "n"], "output n", "checkpoint n"),
      (fields + ["a.ndjson", "-o", "o", "--rejects", "o"], "output o", "rejects o"),
      (
        fields + ["a.ndjson", "-o", "new", "--rejects", "here/new"], "output new",
        "rejects here/new"
      ),
      (
        fields + ["a.ndjson", "-o", "folder/new", "--rejects", "new"], "output folder/new",
        "rejects new"
      ),
      (
        fields + ["a.ndjson", "-o", "o", "--rejects", "o.partial"], "unfinished output o.partial",
        "rejects o.partial"
      ),
      (
        fields + ["a.ndjson", "-o", "n", "--rejects", "n.partial"], "unfinished output n.partial",
        "rejects n.partial"
      ),
      (
        fields + ["a.ndjson", "-o", "o", "--checkpoint", "o.partial"],
        "unfinished output o.partial", "checkpoint o.partial"
      ),
      (
        fields + ["a.ndjson", "-o", "o", "--checkpoint", "r", "--rejects", "r"], "checkpoint r",
        "rejects r"
      ),
      (
        fields + ["a.ndjson", "-o", "o", "--checkpoint", "r", "--rejects", "r.new"],
        "new checkpoint r.new", "rejects r.new"
      ),
      (["-m", "m.yaml", "a.ndjson", "-o", "m.yaml"], "mapping file m.yaml", "output m.yaml"),
      (
        ["-m", "m.yaml", "a.ndjson", "-o", "u.yaml", "--to", "text"], "output u.yaml",
        "used file u.yaml"
      ),
      (
        ["-m", "m.yaml", "a.ndjson", "-o", "o", "--rejects", "m.yaml"], "mapping file m.yaml",
        "rejects m.yaml"
      ),
      (
        ["-m", "m.yaml", "a.ndjson", "-o", "o", "--rejects", "u.yaml"], "used file u.yaml",
        "rejects u.yaml"
      ),
      (
        ["-m", "m.yaml", "a.ndjson", "-o", "o", "--checkpoint", "u.yaml"], "checkpoint u.yaml",
        "used file u.yaml"
      ),
    ])
  func `no file that is written is another one of the run`(
    arguments: [String], one: String, other: String
  ) throws {
    let before = try contents
    let result = try command.run(arguments)
    #expect(result.status == 2)
    #expect(
      result.errors.contains("the \(one)") && result.errors.contains("the \(other)")
        && result.errors.hasSuffix(" are the same file; nothing was written\n"),
      "\(result.errors)")
    #expect(result.output == "")
    #expect(try contents == before)
  }

  @Test(arguments: [
    ("a.ndjson >>a.ndjson", "input a.ndjson"), ("<a.ndjson >>hard", "input (standard input)"),
    ("o symbolic >>a.ndjson", "input symbolic"),
    ("<a.ndjson 1<>a.ndjson", "input (standard input)"),
  ])
  func `a feed is not read while standard output goes to it`(arguments: String, one: String) throws
  {
    let before = try contents
    let result = try command.shell("stream-map --field id \(arguments)")
    #expect(result.status == 2)
    #expect(
      result.errors == "stream-map: the \(one) and the output (standard output) are the same file; "
        + "nothing was written\n")
    #expect(try contents == before)
  }

  @Test func `a feed that the shell emptied for its output is reported`() throws {
    let result = try command.shell("stream-map --field id a.ndjson >a.ndjson")
    #expect(result.status == 2)
  }

  @Test(arguments: [
    // Devices and streams may be several things.
    "stream-map --field id:int64 a.ndjson --rejects /dev/null >/dev/null",
    "stream-map --field id:int64 a.ndjson -o /dev/null --rejects /dev/null",
    "stream-map --field id:int64 --errors skip a.ndjson /dev/null </dev/null >/dev/null",
    "stream-map --field id:int64 a.ndjson --rejects /dev/stderr 2>&1 | grep -c '^{' >/dev/null; exit 1",
    "cat a.ndjson | stream-map --field id:int64 --errors skip - - | cat >/dev/null; exit 1",
    // One feed may be read twice, and a mapping be a feed.
    "stream-map --field id:int64 --errors skip a.ndjson symbolic hard >/dev/null",
    "stream-map -m m.yaml --errors skip a.ndjson u.yaml >/dev/null",
    // A file that is not of the run does not matter.
    "stream-map --field id:int64 --errors skip a.ndjson -o new >>a.ndjson",
  ])
  func `files that may be the same are accepted`(line: String) throws {
    let result = try command.shell(line)
    #expect(result.status == 1, "\(result.errors)")
    #expect(!result.errors.contains("are the same"))
    #expect(try command.read("a.ndjson") == feed)
  }

  // MARK: A dash

  @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1"])
  func `output to a dash is standard output`(output: String) throws {
    let result = try command.shell(
      "echo before >s; stream-map --field id -o \(output) a.ndjson >>s; cat s")
    #expect(result.output == "before\n" + feed)
    #expect(!command.exists("-") && !command.exists("s.partial"))
    // Where it is a file that others wrote to before, theirs stays.
    let file = try command.shell(
      "{ echo before; stream-map --field id -o \(output) a.ndjson; echo after; } >s; cat s")
    #expect(file.output == "before\n" + feed + "after\n")
  }

  @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1"])
  func `rejects to a dash go to standard output and empty nothing`(rejects: String) throws {
    let result = try command.shell(
      """
      { echo before; stream-map --field id:int64 -o out --rejects \(rejects) a.ndjson; echo after; } >s
      cat s
      """)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 3 && lines.first == "before" && lines.last == "after")
    #expect(lines[1].hasPrefix(Self.rejected))
    #expect(try command.read("out") == "{\"id\":1}\n")
    #expect(!command.exists("-"))
  }

  @Test(arguments: ["-", "/dev/stdout"])
  func `records and rejects are not mixed on standard output`(rejects: String) throws {
    for (stream, noun) in [("| cat", "pipe"), (">>s", "file")] {
      let result = try command.shell(
        "stream-map --field id:int64 --rejects \(rejects) a.ndjson \(stream); cat s 2>/dev/null")
      #expect(result.output == "")
      #expect(
        result.errors.contains("the output (standard output) and the rejects ")
          && result.errors.contains("are the same \(noun)"), "\(result.errors)")
    }
  }

  @Test func `a file that is handed over open is appended to`() throws {
    let result = try command.shell(
      "echo before >s; stream-map --field id:int64 --rejects /dev/fd/3 a.ndjson 3>>s; cat s")
    #expect(result.output.hasPrefix("{\"id\":1}\nbefore\n\(Self.rejected)"), "\(result.output)")
  }

  @Test func `a mapping file can come from standard input`() throws {
    let run = try command.run(
      "-m", "-", "a.ndjson", "--errors", "skip", input: command.read("m.yaml"))
    #expect(run.status == 1)
    #expect(run.output == "{\"id\":1}\n")
    let check = try command.run("check", "-", "--sample", "a.ndjson", input: command.read("m.yaml"))
    #expect(check.status == 1)
    #expect(check.output.hasPrefix("standard input: ok\na.ndjson: 1 mapped, 1 rejected"))
    let sample = try command.run("check", "m.yaml", "--sample", "-", input: feed)
    #expect(sample.output.hasPrefix("m.yaml: ok\nstandard input: 1 mapped, 1 rejected"))
    let bad = try command.run("check", "-", input: "streammap: 1\nrecord: {}\nrecrod: {}\n")
    #expect(bad.status == 3)
    #expect(bad.errors.contains("standard input:3:1: "), "\(bad.errors)")
    #expect(bad.errors.hasSuffix(" in standard input\n"), "\(bad.errors)")
    // A file of that name is called otherwise.
    try command.write(command.read("m.yaml"), to: "-")
    #expect(try command.run("check", "./-").output == "./-: ok\n")
  }

  @Test(arguments: [
    ["-m", "-"], ["-m", "-", "a.ndjson", "-"], ["-m", "/dev/stdin", "-"],
    ["check", "-", "--sample", "-"],
  ])
  func `a mapping and a feed do not come by one stream`(arguments: [String]) throws {
    let running = try command.start(arguments)
    // It does not wait for what comes.
    let result = try #require(try running.result(within: 20))
    #expect(result.status == 2)
    #expect(
      result.errors.contains("the input (standard input) and the mapping file ")
        || result.errors.contains("the input - and"), "\(result.errors)")
    #expect(result.errors.hasSuffix(" are the same pipe; nothing was written\n"))
  }
}
