import Foundation
import Testing

@Suite("Signals and pipes")
struct InterruptionTests {
  let command: Command

  init() throws {
    command = try Command()
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends the run on a record boundary`(signal: Int32) throws {
    let running = try command.start(["--field", "a"])
    running.write(Array("{\"a\":1}\n{\"a\":2}\n{\"a\":3".utf8))
    // Output is prompt: it does not wait for more input.
    #expect(try running.output(ofBytes: 16) == "{\"a\":1}\n{\"a\":2}\n")
    running.send(signal)
    let result = try running.result()
    #expect(result.status == 130)
    #expect(result.output == "{\"a\":1}\n{\"a\":2}\n")
    #expect(result.errors == "")
  }

  @Test func `a JSON array is complete after a signal`() throws {
    let running = try command.start(["--field", "a", "--to", "json"])
    running.write(Array("{\"a\":1}\n{\"a\":2}\n{".utf8))
    #expect(try running.output(ofBytes: 18) == "[\n{\"a\":1},\n{\"a\":2}")
    running.send(SIGINT)
    let result = try running.result()
    #expect(result.status == 130)
    #expect(result.output == "[\n{\"a\":1},\n{\"a\":2}\n]\n")
  }

  @Test func `a closed pipe ends the run quietly`() throws {
    let lines = (1...200_000).map { "{\"a\":\($0)}\n" }.joined()
    try command.write(lines, to: "x.ndjson")
    let result = try command.shell(
      "{ stream-map --field a x.ndjson; echo $? > status; } | head -n 1")
    #expect(result.output == "{\"a\":1}\n")
    #expect(result.errors == "")
    #expect(try command.read("status") == "0\n")
  }
}
