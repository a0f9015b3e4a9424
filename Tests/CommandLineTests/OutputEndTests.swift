import Foundation
import Testing

/// What leaves the command, and where to: nothing is replaced, written through, or lost without a word.
@Suite struct OutputEndTests {
  let command: Command

  init() throws {
    command = try Command()
    try command.write("{\"a\":1}\n", to: "f.ndjson")
    try command.write("streammap: 1\nrecord: { a: { from: a, type: int64 } }\n", to: "m.yaml")
  }

  private static let printing = [
    "ddl -m m.yaml --for postgres", "schema -m m.yaml", "schema -m m.yaml --input",
    "schema -m m.yaml --arrow", "schema -m m.yaml --arrow --json", "infer f.ndjson",
    "infer --swift f.ndjson", "infer --schema f.ndjson", "explain m.yaml", "explain --dot m.yaml",
    "explain --sample f.ndjson m.yaml", "check m.yaml", "check --sample f.ndjson m.yaml", "help",
    "help mapping", "help run", "--help", "run --help", "--version",
    "--generate-completion-script bash", "index f.ndjson -o -", "-m m.yaml f.ndjson",
    "reverse -m m.yaml f.ndjson",
  ]

  @Test(.long, arguments: printing)
  func `what cannot be printed is an error, and a reader who has gone is none`(arguments: String)
    throws
  {
    let full = try command.shell("stream-map \(arguments) >/dev/full; echo $? >status")
    #expect(try command.read("status") == "6\n")
    #expect(
      full.errors.hasPrefix("stream-map: cannot write standard output: No space left on device\n"),
      "\(full.errors)")
    // The reader has gone before anything is printed.
    let closed = try command.shell(
      "mkfifo p; { stream-map \(arguments) 3<&- >p; echo $? >status; } & sleep 0 <p; wait")
    #expect(try command.read("status") == "0\n")
    #expect(closed.errors == "")
  }

  // MARK: What is no file

  @Test(arguments: [
    "index f.ndjson -o", "--field a f.ndjson -o", "reverse -m m.yaml f.ndjson -o",
    "--field a:int8 f.ndjson -o /dev/null --rejects",
  ])
  func `a pipe stays a pipe, and gets what is written`(arguments: String) throws {
    let result = try command.shell(
      "mkfifo p; cat p >got & stream-map \(arguments) p; echo $? >status; wait; test -p p && echo pipe"
    )
    #expect(try command.read("status") == "0\n")
    #expect(result.output == "pipe\n")
    #expect(try command.read("got").isEmpty == arguments.contains("--rejects"))
  }

  /// `/dev/null` of the machine is at stake: this is one of our own.
  @Test(.enabled(if: geteuid() == 0), arguments: ["index f.ndjson -o", "--field a f.ndjson -o"])
  func `a device stays a device`(arguments: String) throws {
    let result = try command.shell(
      "mknod null c 1 3 || exit 0; stream-map \(arguments) null || exit; test -c null && ls")
    #expect(result.status == 0, "\(result.errors)")
    #expect(!result.output.contains("null."))
  }

  @Test(arguments: [
    ["--checkpoint", "p", "-o", "out"], ["--to", "sqlite", "-o", "p"],
  ])
  func `a pipe is no place for a checkpoint and no database`(arguments: [String]) throws {
    _ = try command.shell("mkfifo p")
    let result = try command.start(["--field", "a", "f.ndjson"] + arguments).result(within: 60)
    #expect(result?.status == 2)
    #expect(result?.errors.contains("needs a file: 'p' is not one.") == true)
  }

  @Test func `the index of a link is written where it leads`() throws {
    let result = try command.shell(
      "ln -s real link; stream-map index f.ndjson -o link && test -L link && test -s real")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try !command.names.contains { $0.hasSuffix(".partial") })
  }

  // MARK: Files that are not complete

  private static let written = [
    ("--field a f.ndjson -o o", "o", ".partial"), ("index f.ndjson -o o", "o", ".partial"),
    ("--field a f.ndjson -o o --checkpoint c", "o", ".partial"),
    ("--field a f.ndjson -o o.ndjson --split 1MB", "o-0001.ndjson", ".partial"),
    ("--field a f.ndjson -o {a}", "1", ".partial"),
    ("--field a f.ndjson -o o --checkpoint c --checkpoint-every 1", "c", ".new"),
  ]

  @Test(arguments: written)
  func `nothing is written through a link in the place of an unfinished file`(
    arguments: String, name: String, ending: String
  ) throws {
    try command.write("keep", to: "victim")
    let result = try command.shell("ln -s victim \(name)\(ending); stream-map \(arguments)")
    #expect(result.status == 6)
    #expect(
      result.errors.contains(
        "cannot write \(name)\(ending): it is a link, which is not followed\n"), "\(result.errors)")
    #expect(try command.read("victim") == "keep")
  }

  @Test(arguments: written)
  func `what an ended run left is removed, not written to`(
    arguments: String, name: String, ending: String
  ) throws {
    try command.write("keep", to: "victim")
    let result = try command.shell("ln victim \(name)\(ending); stream-map \(arguments)")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try command.read("victim") == "keep")
    #expect(!command.exists(name + ending))
  }

  private static let line = "{\"a\":1}\n"

  /// A run that has its unfinished file, with something in it.
  ///
  /// An empty file may be one that it has made and not locked yet.
  private func runThatWrites() throws -> RunningCommand {
    let running = try command.start(["--field", "a", "-o", "o"])
    running.write(Array(String(repeating: Self.line, count: 500_000).utf8))
    try command.waitFor("o.partial", bytes: 1)
    return running
  }

  @Test func `two runs do not write one file`() throws {
    let first = try runThatWrites()
    let second = try command.run("--field", "a", "f.ndjson", "-o", "o")
    #expect(second.status == 6)
    #expect(
      second.errors == "stream-map: cannot write o.partial: another run is writing it\n")
    first.write(Array("{\"a\":2}\n".utf8))
    #expect(try first.finish().status == 0)
    #expect(try command.read("o").hasSuffix(Self.line + "{\"a\":2}\n"))
  }

  @Test func `a file that another program put in the place of the unfinished one gets no name`()
    throws
  {
    let running = try runThatWrites()
    try FileManager.default.removeItem(at: command.url("o.partial"))
    try command.write("other", to: "o.partial")
    let result = try running.finish()
    #expect(result.status == 6)
    #expect(result.errors.contains("another program has removed or replaced o.partial"))
    #expect(!command.exists("o"))
  }

  @Test(arguments: [
    ("in/{a}/r.ndjson", "in", "in/1"), ("in/{a}/b/c/r.ndjson", "in/1/b", "in/1/b/c"),
    ("{a}/r.ndjson", ".", "1"),
  ])
  func `a link among the folders that values name is not followed`(
    path: String, folders: String, link: String
  ) throws {
    let result = try command.shell(
      "mkdir -p away \(folders); ln -s \"$PWD/away\" \(link); stream-map --field a -o '\(path)' f.ndjson"
    )
    #expect(result.status == 6)
    let file = path.replacing("{a}", with: "1")
    #expect(
      result.errors.hasPrefix(
        "stream-map: cannot write \(file): one of its folders, which values name, is a link, which is not followed\n"
      ), "\(result.errors)")
    #expect(try command.shell("ls away").output == "")
  }

  @Test func `the folders before the first field may be links`() throws {
    let result = try command.shell(
      "mkdir -p real; ln -s real link; stream-map --field a -o 'link/{a}/r.ndjson' f.ndjson; cat real/1/r.ndjson"
    )
    #expect(result.output == "{\"a\":1}\n", "\(result.errors)")
  }
}
