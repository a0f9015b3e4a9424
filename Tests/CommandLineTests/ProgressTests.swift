import Foundation
import Testing

@Suite("Progress, and what only a terminal is told")
struct ProgressTests {
  let command: Command

  init() throws {
    command = try Command()
  }

  /// What a terminal shows, and the status as its last line.
  private func terminal(_ line: String) throws -> String {
    try command.write("\(line)\necho status $?\n", to: "line.sh")
    return try command.shell("script -qec 'sh line.sh' /dev/null < /dev/null").output
      .replacing("\r\n", with: "\n")
  }

  private static let slow = "{ echo '{\"a\":1}'; sleep 2; echo '{\"a\":2}'; }"

  @Test(.long) func `a terminal shows one line that is gone at the end`() throws {
    let shown = try terminal("\(Self.slow) | stream-map --field a > out.ndjson")
    #expect(shown.contains("\r\u{1B}[K8 B, 1 record, "), "\(shown)")
    #expect(shown.hasSuffix("\r\u{1B}[Kstatus 0\n"), "\(shown)")
    #expect(try command.read("out.ndjson") == "{\"a\":1}\n{\"a\":2}\n")
  }

  @Test(.long) func `a message takes the place of the line`() throws {
    let shown = try terminal("\(Self.slow) | stream-map --field b > out.ndjson")
    #expect(
      shown.hasSuffix("\r\u{1B}[Kstream-map: b never occurred\nstatus 0\n"),
      "\(shown)")
  }

  @Test(.long, arguments: ["-q", "--progress off", "--progress auto --quiet"])
  func `quiet runs and those without progress show nothing`(flags: String) throws {
    #expect(
      try terminal("\(Self.slow) | stream-map --field a \(flags) > out.ndjson") == "status 0\n")
  }

  @Test(.long) func `records on the terminal are not mixed with progress`() throws {
    #expect(
      try terminal("\(Self.slow) | stream-map --field a") == "{\"a\":1}\n{\"a\":2}\nstatus 0\n")
  }

  @Test(.long) func `a pipe gets nothing of it`() throws {
    let result = try command.shell("\(Self.slow) | stream-map --field a")
    #expect(result.errors == "")
  }

  private struct Line: Decodable {
    let bytes: Int
    let share: Double?
    let records, mapped, rejected, dropped: Int
    let seconds: Double
    let secondsLeft: Double?
  }

  private func lines(_ text: String) throws -> [Line] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try text.split(separator: "\n").map {
      try decoder.decode(Line.self, from: Data($0.utf8))
    }
  }

  @Test(.long) func `machines get a line of JSON each second, and one at the end`() throws {
    let result = try command.shell("\(Self.slow) | stream-map --field a --progress json")
    let lines = try lines(result.errors)
    #expect(lines.count >= 2)
    #expect(lines.first?.records == 1)
    #expect(lines.first?.bytes == 8)
    #expect(lines.last?.records == 2)
    #expect(lines.last?.bytes == 16)
    #expect(lines.last?.share == nil)
  }

  @Test func `the share of files is known, compressed ones included`() throws {
    try command.write("{\"a\":1}\n{\"a\":\"x\"}\n", to: "x.ndjson")
    let result = try command.shell(
      "gzip -k x.ndjson; stream-map --field a:int8 --errors skip -q --progress json x.ndjson x.ndjson.gz"
    )
    let last = try #require(try lines(result.errors).last)
    #expect(last.share == 1)
    #expect(last.bytes == 36)
    #expect(last.mapped == 2)
    #expect(last.rejected == 2)
    #expect(last.secondsLeft == 0)
  }

  @Test func `SIGUSR1 asks how far a run is that waits for input`() throws {
    let running = try command.start(["--field", "a"])
    running.write(Array("{\"a\":1}\n".utf8))
    #expect(try running.output(ofBytes: 8) == "{\"a\":1}\n")
    running.send(SIGUSR1)
    Thread.sleep(forTimeInterval: 0.5)
    running.write(Array("{\"a\":2}\n".utf8))
    let result = try running.finish()
    #expect(result.status == 0)
    #expect(result.output == "{\"a\":1}\n{\"a\":2}\n")
    #expect(result.errors.hasPrefix("stream-map: 8 B, 1 record, "), "\(result.errors)")
  }

  @Test func `many signals that ask do not disturb a run`() throws {
    let running = try command.start(["--field", "a"])
    for number in 1...2000 {
      running.write(Array("{\"a\":\(number)}\n".utf8))
      running.send(SIGUSR1)
    }
    let result = try running.finish()
    #expect(result.status == 0)
    #expect(result.output == (1...2000).map { "{\"a\":\($0)}\n" }.joined())
  }

  @Test func `a terminal as input is reported, unless the run is quiet`() throws {
    let text = "stream-map: reading the feed from the terminal; Ctrl-D ends it\n"
    #expect(try terminal("timeout --foreground 2 stream-map --field a").hasPrefix(text))
    #expect(try terminal("timeout --foreground 2 stream-map infer").hasPrefix(text))
    #expect(!(try terminal("timeout --foreground 2 stream-map -q --field a").contains("terminal")))
  }

  @Test func `mistakes have colours on a terminal, unless NO_COLOR is set`() throws {
    try command.write("streammap: 1\nrecord:\n  id: { from: id, tpye: int64 }\n", to: "m.yaml")
    let shown = try terminal("unset NO_COLOR; TERM=xterm stream-map check m.yaml")
    #expect(shown.contains("m.yaml:3:19: \u{1B}[1;31merror:\u{1B}[0m unknown key"), "\(shown)")
    #expect(shown.contains("\u{1B}[1;32m^\u{1B}[0m\n"), "\(shown)")
    #expect(!(try terminal("NO_COLOR=1 TERM=xterm stream-map check m.yaml").contains("\u{1B}")))
    #expect(!(try terminal("TERM=dumb stream-map check m.yaml").contains("\u{1B}")))
    #expect(!(try command.run("check", "m.yaml").errors.contains("\u{1B}")))
  }
}
