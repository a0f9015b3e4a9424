import StreamMap

/// Every field of every record: nothing can be skipped.
enum TweetsAll: BenchmarkTask {
  static let name = "tweets-all"
  static let summary = "all fields of tweets, one a line"
  static let feed = "tweets.ndjson"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    try YajlBaseline.contenders(feed) + [
      streamMap(feed), foundation(feed), Peers.simdjson(name, bench, feed.path),
    ] + Peers.serde(["slices"], name, bench, feed.path)
      + Peers.python(["msgspec"], name, bench, feed.path)
  }

  private static func streamMap(_ feed: MappedFile) throws -> any Contender {
    StreamMapContender.contender(try Mapper(FullTweet.self), feed) { $1.add($0) }
  }

  private static func foundation(_ feed: MappedFile) -> any Contender {
    FoundationContender.contender(FullTweet.self, feed) { $1.add($0) }
  }
}

extension DigestBuilder {
  /// One field of each type and depth: all of a tweet is built, but not all of it needs to be read.
  mutating func add(_ tweet: FullTweet) {
    add(tweet.id, salt: 1)
    add(tweet.text, salt: 2)
    add(tweet.inReplyToUserId ?? 0, salt: 7)
    add(tweet.possiblySensitive == nil ? 0 : 1, salt: 11)
    add(tweet.metadata.resultType, salt: 5)
    add(tweet.user.profileLinkColor, salt: 6)
    add(tweet.user.timeZone ?? "", salt: 7)
    add(tweet.user.statusesCount, salt: 13)
    for link in tweet.user.entities.url?.urls ?? [] { add(link.expandedUrl, salt: 8) }
    for tag in tweet.entities.hashtags { add(tag.text, salt: 4) }
    for mention in tweet.entities.userMentions {
      add(mention.name, salt: 9)
      add(mention.indices.reduce(0, +), salt: 17)
    }
    for picture in tweet.entities.media ?? [] {
      add(picture.mediaUrlHttps, salt: 10)
      add(picture.sizes["large"]?.w ?? 0, salt: 19)
    }
    if let repeated = tweet.retweetedStatus { add(repeated) }
  }
}
