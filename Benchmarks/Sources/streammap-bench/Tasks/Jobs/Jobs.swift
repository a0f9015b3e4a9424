import Foundation

/// The command with several workers.
enum Jobs: BenchmarkTask {
  static let name = "jobs"
  static let summary = "tweets7 by the command, with one job and with two"
  static let feed = "tweets.ndjson"
  static let reference = title(1)
  static let baseline = title(1)

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    guard takesJobs(bench) else {
      print("  stream-map has no --jobs")
      return []
    }
    return [1, 2].map { jobs in
      CommandContender(
        title(jobs),
        [
          bench.streamMap, "-m", bench.mapping("tweets7.map.yaml"), "--jobs", "\(jobs)", feed.path,
        ],
        read: WrittenTweet.digest)
    }
  }

  static func title(_ jobs: Int) -> String { "stream-map --jobs \(jobs)" }

  private static func takesJobs(_ bench: Workbench) -> Bool {
    let path = Workbench.temporary("help")
    _ = try? Command(arguments: [bench.streamMap, "run", "--help"]).run(output: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return (try? String(contentsOfFile: path, encoding: .utf8))?.contains("--jobs") ?? false
  }
}
