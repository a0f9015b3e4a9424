import StreamMap

/// Buffers of other sizes: parts that are cut off at their ends must not be read twice.
enum Chunks: BenchmarkTask {
  static let name = "chunks"
  static let summary = "tweets7 fed in buffers of several sizes"
  static let feed = "tweets.ndjson"
  static let reference = title(256)
  static let baseline = title(256)

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    let mapper = try Mapper(Tweet.mapping)
    return [1, 4, 16, 64, 256, 4096].map { size in
      StreamMapContender.contender(named: title(size), mapper, feed, chunk: size << 10)
    }
  }

  static func title(_ kibibytes: Int) -> String { "StreamMap, \(kibibytes) KiB" }
}
