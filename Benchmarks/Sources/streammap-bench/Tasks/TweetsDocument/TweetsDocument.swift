import StreamMap

/// The records of `tweets7` again, as the elements of one document, which must not cost more.
enum TweetsDocument: BenchmarkTask {
  static let name = "tweets7-document"
  static let summary = "the same as {\"statuses\":[…]}"
  static let feed = "tweets.json"
  static let reference = lines
  static let lines = "StreamMap typed, lines"
  static let place = "$.statuses[*]"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    let mapper = try Mapper(Tweet.mapping)
    let lineFeed = try MappedFile(path: bench.feed(Tweets7.feed))
    return YajlBaseline.contenders(feed) + [
      StreamMapContender.contender(mapper, feed, at: place),
      StreamMapContender.contender(named: lines, mapper, lineFeed),
      CommandContender(
        "stream-map",
        [
          bench.streamMap, "-m", bench.mapping("tweets7.map.yaml"), "--records", place, feed.path,
        ],
        read: WrittenTweet.digest),
    ]
  }
}
