import Foundation
import Testing

@Suite("Output files")
struct OutputFileTests {
  let command: Command

  init() throws {
    command = try Command()
  }

  @Test func `A file has its name when it is complete`() throws {
    try command.write("old", to: "out.ndjson")
    let running = try command.start(["--field", "a", "-o", "out.ndjson"])
    running.write(Array("{\"a\":1}\n{\"a\":2}\n".utf8))
    let deadline = Date(timeIntervalSinceNow: 20)
    while Date() < deadline, (try? command.read("out.ndjson.partial").isEmpty) != false {
      Thread.sleep(forTimeInterval: 0.01)
    }
    // The input goes on: what is known so far is in the file beside it.
    #expect(try command.read("out.ndjson.partial").hasPrefix("{\"a\":1}\n"))
    #expect(try command.read("out.ndjson") == "old")
    let result = try running.finish()
    #expect(result.status == 0)
    #expect(result.output == "")
    #expect(try command.read("out.ndjson") == "{\"a\":1}\n{\"a\":2}\n")
    #expect(!command.exists("out.ndjson.partial"))
  }

  @Test func `What is not complete keeps another name`() throws {
    try command.write("old", to: "out.ndjson")
    let result = try command.run(
      "--field", "a:int8", "-o", "out.ndjson", input: "{\"a\":1}\n{\"a\":\"x\"}\n")
    #expect(result.status == 7)
    #expect(try command.read("out.ndjson") == "old")
    #expect(try command.read("out.ndjson.partial") == "{\"a\":1}\n")
    #expect(
      result.errors.hasSuffix(
        "stream-map: the output is not complete; what there is of it is in out.ndjson.partial\n"))
  }

  @Test func `With some records rejected it is complete`() throws {
    let result = try command.run(
      "--field", "a:int8", "--errors", "skip", "-o", "out.ndjson",
      input: "{\"a\":1}\n{\"a\":\"x\"}\n")
    #expect(result.status == 1)
    #expect(try command.read("out.ndjson") == "{\"a\":1}\n")
  }

  @Test func `A feed can be replaced by what it maps to`() throws {
    try command.write("{\"a\":1,\"b\":2}\n", to: "x.ndjson")
    #expect(try command.run("--field", "a", "-o", "x.ndjson", "x.ndjson").status == 0)
    #expect(try command.read("x.ndjson") == "{\"a\":1}\n")
  }

  @Test func `A device is written directly, and a link stays one`() throws {
    #expect(try command.run("--field", "a", "-o", "/dev/null", input: "{}").status == 0)
    try command.write("old", to: "real.ndjson")
    try FileManager.default.createSymbolicLink(
      at: command.url("link.ndjson"), withDestinationURL: command.url("real.ndjson"))
    #expect(try command.run("--field", "a", "-o", "link.ndjson", input: "{}").status == 0)
    #expect(try command.read("real.ndjson") == "{\"a\":null}\n")
  }
}
