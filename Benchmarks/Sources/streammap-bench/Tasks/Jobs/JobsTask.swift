/// The command with one worker and with two.
protocol JobsTask: BenchmarkTask {
  /// The mapping's file.
  static var mapping: String { get }
  /// What tells the command where the records are.
  static var records: [String] { get }
  static func digest(_ output: MappedFile) throws -> Digest
}

extension JobsTask {
  static var reference: String { title(1) }
  static var baseline: String { title(1) }
  static var records: [String] { [] }

  static func title(_ jobs: Int) -> String { "stream-map --jobs \(jobs)" }

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    [1, 2].map { jobs in
      CommandContender(
        title(jobs),
        [bench.streamMap, "-m", bench.mapping(mapping)] + records
          + ["--jobs", "\(jobs)", feed.path],
        read: digest)
    }
  }
}
