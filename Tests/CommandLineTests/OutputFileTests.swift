import Foundation
import Testing

@Suite("Output files")
struct OutputFileTests {
  let command: Command

  init() throws {
    command = try Command()
  }

  @Test func `an output file takes its name when it is complete`() throws {
    try command.write("old", to: "out.ndjson")
    let running = try command.start(["--field", "a", "-o", "out.ndjson"])
    running.write(Array("{\"a\":1}\n{\"a\":2}\n".utf8))
    let deadline = Date(timeIntervalSinceNow: 20)
    while Date() < deadline, (try? command.read("out.ndjson.partial").isEmpty) != false {
      Thread.sleep(forTimeInterval: 0.01)
    }
    // The input continues: what is known so far is in the file beside it.
    #expect(try command.read("out.ndjson.partial").hasPrefix("{\"a\":1}\n"))
    #expect(try command.read("out.ndjson") == "old")
    let result = try running.finish()
    #expect(result.status == 0)
    #expect(result.output == "")
    #expect(try command.read("out.ndjson") == "{\"a\":1}\n{\"a\":2}\n")
    #expect(!command.exists("out.ndjson.partial"))
  }

  @Test func `output that is not complete keeps another name`() throws {
    try command.write("old", to: "out.ndjson")
    let result = try command.run(
      "--field", "a:int8", "-o", "out.ndjson", input: "{\"a\":1}\n{\"a\":\"x\"}\n")
    #expect(result.status == 7)
    #expect(try command.read("out.ndjson") == "old")
    #expect(try command.read("out.ndjson.partial") == "{\"a\":1}\n")
    #expect(
      result.errors.hasSuffix(
        "stream-map: the output is not complete; what was written is in out.ndjson.partial\n"))
  }

  @Test func `output with some records rejected is complete`() throws {
    let result = try command.run(
      "--field", "a:int8", "--errors", "skip", "-o", "out.ndjson",
      input: "{\"a\":1}\n{\"a\":\"x\"}\n")
    #expect(result.status == 1)
    #expect(try command.read("out.ndjson") == "{\"a\":1}\n")
  }

  @Test func `a device is written directly`() throws {
    #expect(try command.run("--field", "a", "-o", "/dev/null", input: "{}").status == 0)
  }

  /// A link by what it says, what it leads to in the end, and whether that is there.
  @Test(arguments: [
    ("real.ndjson", "real.ndjson", true), ("real.ndjson", "real.ndjson", false),
    ("folder/real.ndjson", "folder/real.ndjson", true),
    ("folder/real.ndjson", "folder/real.ndjson", false),
    ("folder/other", "folder/real.ndjson", true), ("folder/other", "folder/real.ndjson", false),
  ])
  func `a link stays one, and what it leads to is written`(
    says: String, leadsTo: String, isThere: Bool
  ) throws {
    let files = FileManager.default
    try files.createDirectory(at: command.url("folder"), withIntermediateDirectories: false)
    try files.createSymbolicLink(
      atPath: command.url("folder/other").path, withDestinationPath: "real.ndjson")
    try files.createSymbolicLink(
      atPath: command.url("link.ndjson").path, withDestinationPath: says)
    if isThere { try command.write("old", to: leadsTo) }
    #expect(try command.run("--field", "a", "-o", "link.ndjson", input: "{}").status == 0)
    #expect(try command.read(leadsTo) == "{\"a\":null}\n")
    #expect(try files.destinationOfSymbolicLink(atPath: command.url("link.ndjson").path) == says)
  }

  @Test func `a link that leads nowhere is reported`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: command.url("circle").path, withDestinationPath: "circle")
    let result = try command.run("--field", "a", "-o", "circle", input: "{}")
    #expect(result.status == 6)
    #expect(result.errors.hasPrefix("stream-map: cannot write circle: "), "\(result.errors)")
  }

  /// The limit is SIGXFSZ, which ends a process that does not expect it, with half a record written.
  @Test(arguments: ["-o out", ">out.partial"])
  func `an output file that may not grow ends with a whole record`(output: String)
    throws
  {
    try command.write((1...20_000).map { "{\"a\":\($0)}\n" }.joined(), to: "x.ndjson")
    let result = try command.shell(
      "ulimit -f 2; stream-map --field a x.ndjson \(output); echo $? >status; cat status")
    #expect(result.output == "6\n")
    #expect(result.errors.contains(": File too large\n"), "\(result.errors)")
    let written = try command.read("out.partial")
    #expect(written.isEmpty || written.hasSuffix("}\n"))
  }

  @Test func `closed standard streams are not taken for files`() throws {
    try command.write("{\"a\":1}\n{\"a\":\"x\"}\n", to: "x.ndjson")
    let result = try command.shell(
      "stream-map --field a:int8 --errors skip -o out x.ndjson <&- >&- 2>&-; echo $?")
    #expect(result.output == "1\n")
    #expect(try command.read("out") == "{\"a\":1}\n")
  }
}
