import StreamMap

/// The main job: a few fields of large records, one per line.
enum Tweets7: BenchmarkTask {
  static let name = "tweets7"
  static let summary = "seven fields of tweets, one a line"
  static let feed = "tweets.ndjson"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    try YajlBaseline.contenders(feed) + [
      streamMapTyped(feed), streamMapToBytes(feed), foundation(feed),
    ] + Peers.serde(["slices", "stream", "reader"], name, bench, feed.path) + [
      Peers.simdjson(name, bench, feed.path)
    ] + Peers.python(["msgspec", "orjson", "ijson", "duckdb"], name, bench, feed.path) + [
      streamMapCommand(feed, bench),
      Peers.pythonCommand("duckdb", name, bench, feed.path, read: WrittenTweet.digest),
      Peers.pythonCommand("chdb", name, bench, feed.path, read: WrittenTweet.digest),
      jq("jq", feed),
      jq("gojq", feed), miller(feed),
    ]
  }
}
