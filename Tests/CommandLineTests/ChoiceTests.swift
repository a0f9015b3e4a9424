import Foundation
import Testing

/// Some of the records: `--limit`, `--skip`, `--sample`.
@Suite("Some of the records")
struct ChoiceTests {
  let command: Command
  private static let count = 5000

  init() throws {
    command = try Command()
    try command.write(
      (1...Self.count).map { "{\"id\":\($0)}\n" }.joined(), to: "x.ndjson")
    try command.write(
      "{\"list\":[\((1...Self.count).map { "{\"id\":\($0)}" }.joined(separator: ","))]}",
      to: "x.json")
  }

  private func ids(_ arguments: String..., feed: [String] = ["x.ndjson"], input: String = "") throws
    -> [Int]
  {
    let result = try command.run(
      ["--field", "id:int64", "--to", "text"] + feed + arguments, input: Array(input.utf8))
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    return result.output.split(separator: "\n").compactMap { Int($0) }
  }

  private static let feeds = [
    ["x.ndjson"], ["x.json", "--records", "$.list[*]"], ["x.ndjson", "--parser", "yajl"],
  ]

  @Test(.long, arguments: feeds, [1, 3])
  func `the first records are passed over, and those after enough are not read`(
    feed: [String], jobs: Int
  ) throws {
    #expect(try ids("--limit", "3", "--jobs", "\(jobs)", feed: feed) == [1, 2, 3])
    #expect(
      try ids("--skip", "4990", "--jobs", "\(jobs)", feed: feed) == Array(4991...Self.count))
    #expect(try ids("--skip", "7", "--limit", "2", "--jobs", "\(jobs)", feed: feed) == [8, 9])
    #expect(try ids("--skip", "5000", feed: feed) == [])
  }

  @Test func `what is skipped and the limit count over all feeds`() throws {
    let feeds = ["x.ndjson", "x.ndjson", "x.ndjson"]
    #expect(try ids("--skip", "9998", "--limit", "4", feed: feeds) == [4999, 5000, 1, 2])
    #expect(try ids("--limit", "5001", feed: feeds).suffix(2) == [5000, 1])
  }

  @Test func `what comes after the limit is not looked at`() throws {
    try command.write("{\"id\":1}\n{\"id\":2}\n}}}", to: "bad.ndjson")
    #expect(try ids("--limit", "2", feed: ["bad.ndjson"]) == [1, 2])
    #expect(try ids("--limit", "0", feed: ["bad.ndjson"]) == [])
    let all = try command.run("--field", "id:int64", "bad.ndjson")
    #expect(all.status != 0)
    // A stream that continues for ever ends the run, too.
    let endless = try command.shell(
      "yes '{\"id\":7}' | stream-map --field id:int64 --limit 2 -o out --stats json && cat out")
    #expect(endless.output == "{\"id\":7}\n{\"id\":7}\n")
    #expect(endless.errors.hasPrefix("{\"records\":2,\"mapped\":2,"))
  }

  @Test func `rejected and dropped records do not count for the limit`() throws {
    try command.write(
      "{\"id\":\"a\"}\n{\"id\":1}\n{\"id\":\"b\"}\n{\"id\":2}\n{\"id\":3}\n", to: "r")
    let result = try command.run(
      "--field", "id:int64", "--errors", "skip", "--limit", "2", "r", "--quiet")
    #expect(result.output == "{\"id\":1}\n{\"id\":2}\n" && result.status == 1)
  }

  @Test func `records that are passed over are not mapped, but have to be JSON`() throws {
    try command.write("{\"id\":\"wrong\"}\n{\"id\":2}\n", to: "r")
    #expect(try ids("--skip", "1", feed: ["r"]) == [2])
    try command.write("{\"id\"}\n{\"id\":2}\n", to: "r")
    #expect(try command.run("--field", "id:int64", "--skip", "1", "r").status != 0)
  }

  @Test(.long, arguments: feeds)
  func `a sample depends on nothing but the seed and the numbers of the records`(feed: [String])
    throws
  {
    let sample = try ids("--sample", "10%", "--seed", "7", feed: feed)
    #expect((400...600).contains(sample.count))
    #expect(try ids("--sample", "0.1", "--seed", "7", "--jobs", "3", feed: feed) == sample)
    #expect(try ids("--sample", "10%", "--seed", "7") == sample)
    #expect(try ids("--sample", "10%", "--seed", "8", feed: feed) != sample)
    // What is in a smaller sample is in a larger one.
    let larger = Set(try ids("--sample", "20%", "--seed", "7", feed: feed))
    #expect(sample.allSatisfy { larger.contains($0) })
    #expect(
      try ids("--sample", "10%", "--seed", "7", "--skip", "100", feed: feed)
        == sample.filter { $0 > 100 })
    #expect(try ids("--sample", "0", feed: feed) == [])
    #expect(try ids("--sample", "100%", feed: feed).count == Self.count)
  }

  @Test func `the second feed has a sample of its own`() throws {
    let both = try ids("--sample", "10%", feed: ["x.ndjson", "x.ndjson"])
    let first = try ids("--sample", "10%")
    #expect(both.starts(with: first))
    #expect(Array(both.dropFirst(first.count)) != first)
  }

  @Test func `a sample continues after a checkpoint`() throws {
    let good = try command.read("x.ndjson")
    try command.write(good + "{\"id\":\"bad\"}\n{\"id\":1}\n{\"id\":1}\n", to: "x.ndjson")
    let sampled = ["--field", "id:int64", "x.ndjson", "--sample", "99%"]
    let whole = try command.run(sampled + ["-o", "whole", "--errors", "skip"])
    #expect(whole.status == 1)
    let arguments = sampled + ["-o", "out", "--checkpoint", "c", "--checkpoint-every", "4kB"]
    #expect(try command.run(arguments).status == 7)
    #expect(try command.run(arguments + ["--seed", "1"]).status == 2)
    #expect(try command.run(arguments + ["--errors", "skip"]).status == 1)
    #expect(try command.areSame("out", "whole"))
  }

  @Test(
    .long,
    arguments: [
      (["--limit=-1"], "--limit takes 0 or more."), (["--skip=-1"], "--skip takes 0 or more."),
      (["--seed", "1"], "--seed is for --sample SHARE."),
      (
        ["--limit", "1", "--checkpoint", "c", "-o", "o"],
        "--limit and --checkpoint do not go together."
      ),
      (
        ["--skip", "1", "--checkpoint", "c", "-o", "o"],
        "--skip and --checkpoint do not go together."
      ),
      (["--sample", "101%"], "The value '101%' is invalid for '--sample <share>'"),
      (["--sample", "x"], "The value 'x' is invalid for '--sample <share>'"),
    ])
  func `what cannot be meant is refused`(arguments: [String], message: String) throws {
    let result = try command.run(["--field", "id", "x.ndjson"] + arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
