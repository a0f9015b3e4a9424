import Foundation
import StreamMapCompression
import Testing

@testable import CommandLineTests

@Suite("Compressed input and output")
struct CompressionTests {
  private let command: Command
  private let arguments = ["--field", "n:int64", "--field", "text"]

  init() throws {
    command = try Command()
  }

  /// Lines that compress by some ten times.
  private static let feed: [UInt8] = Array(
    (0..<20_000).map { "{\"n\":\($0),\"text\":\"event \($0 * 7919 % 1000)\",\"more\":true}\n" }
      .joined().utf8)

  private func compressed(_ format: CompressionFormat, _ bytes: [UInt8] = feed) throws -> [UInt8] {
    let compressor = try Compressor(format)
    return try bytes.withUnsafeBytes { bytes throws(Compressor.NoMemory) in
      try compressor.compressed(bytes)
    }
  }

  private func mapped(_ bytes: [UInt8]) throws -> String {
    let result = try command.run(arguments, input: bytes)
    #expect(result.errors == "")
    #expect(result.status == 0)
    return result.output
  }

  @Test(arguments: CompressionFormat.allCases)
  func `compressed input gives what plain input gives`(format: CompressionFormat) throws {
    let plain = try mapped(Self.feed)
    let bytes = try compressed(format)
    #expect(bytes.count < Self.feed.count / 4)
    #expect(try mapped(bytes) == plain)
    // As a file, whatever its name is.
    try Data(bytes).write(to: command.url("feed"))
    #expect(try command.run(arguments + ["feed"]).output == plain)
    #expect(try command.run(arguments + ["--jobs", "2", "feed"]).output == plain)
    // Members one after the other, with zeros after them.
    let twice = try mapped(bytes + [0, 0, 0, 0] + bytes + [0, 0, 0, 0, 0, 0, 0, 0])
    #expect(twice == plain + plain)
  }

  @Test(arguments: CompressionFormat.allCases)
  func `compressed input may come a few bytes at a time`(format: CompressionFormat) throws {
    let text = Array("{\"n\":1,\"text\":\"a\"}\n{\"n\":2,\"text\":\"b\"}\n".utf8)
    let result = try command.run(arguments, input: try compressed(format, text), pieceSize: 3)
    #expect(result.output == String(decoding: text, as: UTF8.self))
    #expect(result.status == 0)
  }

  @Test func `a record from a compressed live feed comes before its end`() throws {
    let running = try command.start(["--field", "n"])
    running.write(try compressed(.gzip, Array("{\"n\":1}\n".utf8)))
    #expect(try running.output(ofBytes: 8) == "{\"n\":1}\n")
    let result = try running.finish()
    #expect(result.status == 0)
  }

  @Test(arguments: CompressionFormat.allCases)
  func `input that is cut off says where, after the records before it`(format: CompressionFormat)
    throws
  {
    // In members of a few records, so that some come before the cut.
    var bytes: [UInt8] = []
    for line in 0..<5 { bytes += try compressed(format, Array("{\"n\":\(line)}\n".utf8)) }
    let result = try command.run(["--field", "n"], input: bytes.dropLast(2))
    #expect(result.output.hasPrefix("{\"n\":0}\n{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n"))
    #expect(
      result.errors.hasPrefix(
        "stream-map: cannot read standard input: the \(format) data ends too early, at byte \(bytes.count - 2) ("
      ))
    #expect(result.status == 4)
  }

  @Test(arguments: CompressionFormat.allCases)
  func `damaged input says so`(format: CompressionFormat) throws {
    let good = try compressed(format, Array("{\"n\":1}\n".utf8))
    let result = try command.run(
      ["--field", "n"], input: good + Array("this is not a member of the format".utf8))
    #expect(result.output == "{\"n\":1}\n")
    #expect(
      result.errors.hasPrefix(
        "stream-map: cannot read standard input: the \(format) data is damaged, at byte "))
    #expect(result.status == 4)
  }

  @Test func `a check sum that does not hold is damage`() throws {
    var bytes = try compressed(.gzip, Array("{\"n\":1}\n".utf8))
    bytes[bytes.count - 5] ^= 1
    let result = try command.run(["--field", "n"], input: bytes)
    #expect(result.errors.contains("the gzip data is damaged"))
    #expect(result.status == 4)
  }

  @Test func `input that becomes too large is refused, unless that is allowed`() throws {
    let spaces = [UInt8](repeating: 0x20, count: 40 << 20)
    let bytes = try compressed(.zstandard, spaces + Array("{\"n\":1}\n".utf8))
    let refused = try command.run(["--field", "n"], input: bytes)
    #expect(refused.status == 5)
    #expect(
      refused.errors.contains(
        "the zstandard data becomes more than 1000 times as large, at byte "))
    #expect(refused.errors.contains("; --limit-expansion allows more"))
    let allowed = try command.run(
      ["--field", "n", "--limit-expansion", "1000000"], input: bytes)
    #expect(allowed.output == "{\"n\":1}\n")
    #expect(allowed.status == 0)
  }

  @Test func `plain input that starts like a skippable frame is read as JSON`() throws {
    // The first byte of an array may also be that of a frame to skip.
    let running = try command.start(["--records", "$[*]", "--field", "n"])
    running.write(Array("[".utf8))
    running.write(Array("{\"n\":1}]".utf8))
    let result = try running.finish()
    #expect(result.output == "{\"n\":1}\n")
    #expect(result.status == 0)
  }

  @Test func `the name without its last end tells the framing`() throws {
    let bytes = try compressed(.gzip, Array("{\"n\":1}\n{\"n\":oops}\n{\"n\":3}\n".utf8))
    try Data(bytes).write(to: command.url("feed.ndjson.gz"))
    let result = try command.run(["--field", "n", "--errors", "skip", "feed.ndjson.gz"])
    #expect(result.output == "{\"n\":1}\n{\"n\":3}\n")
    #expect(result.status == 1)
  }

  @Test func `rejected records of compressed input have their text and place`() throws {
    let bytes = try compressed(.xz, Array("{\"n\":1}\n{\"n\":\"x\"}\n".utf8))
    _ = try command.run(["--field", "n:int64", "--rejects", "rejects"], input: bytes)
    let reject = try command.read("rejects")
    #expect(reject.contains("\"record\":2,\"offset\":8,\"end\":17,\"line\":2,"))
    #expect(reject.contains(#""raw":"{\"n\":\"x\"}""#))
  }

  @Test func `a checkpoint needs input that is not compressed`() throws {
    try Data(try compressed(.bzip2)).write(to: command.url("feed"))
    let result = try command.run(
      arguments + ["--checkpoint", "state", "-o", "out", "feed"])
    #expect(result.status == 2)
    #expect(
      result.errors
        == "stream-map: cannot use a checkpoint with feed: it is compressed (bzip2), and reading could not continue in"
        + " its middle; decompress it first\n")
    #expect(!command.exists("out"))
  }

  // MARK: Output

  @Test(.long, arguments: CompressionFormat.allCases)
  func `the end of the output's name compresses it`(format: CompressionFormat) throws {
    let plain = try mapped(Self.feed)
    for jobs in ["1", "2"] {
      for suffix in format.suffixes {
        let name = "out.ndjson\(suffix)"
        let result = try command.run(
          arguments + ["--jobs", jobs, "-o", name], input: Self.feed)
        #expect(result.status == 0)
        let bytes = [UInt8](try Data(contentsOf: command.url(name)))
        #expect(CompressionFormat(startOf: bytes) == format)
        #expect(try mapped(bytes) == plain)
      }
    }
  }

  @Test(arguments: ["1", "2", "4"])
  func `pieces keep their order, however many threads compress them`(jobs: String) throws {
    let lines = (0..<200_000).map { "{\"n\":\($0)}\n" }.joined()
    try command.write(lines, to: "feed")
    let run = ["--field", "n:int64", "--jobs", jobs, "-o", "out.gz", "feed"]
    #expect(try command.run(run).status == 0)
    #expect(try command.shell("gzip -dc out.gz | cmp - feed && echo same").output == "same\n")
  }

  @Test func `gzip reads what is written`() throws {
    let result = try command.run(arguments + ["-o", "out.gz"], input: Self.feed)
    #expect(result.status == 0)
    let plain = try mapped(Self.feed)
    #expect(try command.shell("gzip -dc out.gz").output == plain)
  }

  @Test func `compressed output that is not complete is good up to its end`() throws {
    let input = Self.feed + Array("{\"n\":\"x\"}\n".utf8)
    let result = try command.run(arguments + ["-o", "out.gz"], input: input)
    #expect(result.status == 7)
    let partial = [UInt8](try Data(contentsOf: command.url("out.gz.partial")))
    #expect(try mapped(partial) == mapped(Self.feed))
  }

  @Test func `a run with a checkpoint continues with compressed output`() throws {
    let half = Self.feed[..<(Self.feed.count / 2)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    try Data(Self.feed[..<half] + Array("{\"n\":\"x\"}\n".utf8)).write(to: command.url("feed"))
    let run =
      arguments + ["--checkpoint", "state", "--checkpoint-every", "64KiB", "-o", "out.gz", "feed"]
    #expect(try command.run(run).status == 7)
    try Data(Self.feed).write(to: command.url("feed"))
    #expect(try command.run(run).status == 0)
    let bytes = [UInt8](try Data(contentsOf: command.url("out.gz")))
    #expect(try mapped(bytes) == mapped(Self.feed))
  }

  // MARK: Signatures

  @Test func `formats are told by their first bytes and names`() {
    #expect(CompressionFormat(startOf: [0x1F, 0x8B, 8]) == .gzip)
    #expect(CompressionFormat(startOf: [0x1F, 0x8B]) == nil)
    #expect(CompressionFormat.mayBecome(startOf: [0x1F, 0x8B]))
    #expect(CompressionFormat(startOf: [0x28, 0xB5, 0x2F, 0xFD]) == .zstandard)
    #expect(CompressionFormat(startOf: [0x5F, 0x2A, 0x4D, 0x18]) == .zstandard)
    #expect(CompressionFormat(startOf: Array("BZh9".utf8)) == nil)
    #expect(CompressionFormat.mayBecome(startOf: Array("BZh9".utf8)))
    #expect(!CompressionFormat.mayBecome(startOf: Array("BZx9".utf8)))
    #expect(!CompressionFormat.mayBecome(startOf: Array("{\"a\"".utf8)))
    #expect(!CompressionFormat.mayBecome(startOf: []))
    #expect(CompressionFormat(fileName: "a.json.GZ") == .gzip)
    #expect(CompressionFormat(fileName: ".gz") == nil)
    #expect(CompressionFormat(fileName: "a.gzz") == nil)
    #expect(CompressionFormat.plainName(of: "a.ndjson.zst") == "a.ndjson")
    #expect(CompressionFormat.plainName(of: "a.ndjson") == "a.ndjson")
  }
}
