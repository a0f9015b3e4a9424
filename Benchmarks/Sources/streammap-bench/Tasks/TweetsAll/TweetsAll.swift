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
    StreamMapContender.contender(try Mapper(FullTweet.self), feed)
  }

  private static func foundation(_ feed: MappedFile) -> any Contender {
    FoundationContender.contender(FullTweet.self, feed)
  }
}

extension FullTweet: Digestible {
  /// One field of each type and depth: all of a tweet is built, but not all of it needs to be read.
  func read(by digest: inout DigestBuilder) {
    digest.add(id, salt: 1)
    digest.add(text, salt: 2)
    digest.add(inReplyToUserId ?? 0, salt: 7)
    digest.add(possiblySensitive == nil ? 0 : 1, salt: 11)
    digest.add(metadata.resultType, salt: 5)
    digest.add(user.profileLinkColor, salt: 6)
    digest.add(user.timeZone ?? "", salt: 7)
    digest.add(user.statusesCount, salt: 13)
    for link in user.entities.url?.urls ?? [] { digest.add(link.expandedUrl, salt: 8) }
    for tag in entities.hashtags { digest.add(tag.text, salt: 4) }
    for mention in entities.userMentions {
      digest.add(mention.name, salt: 9)
      digest.add(mention.indices.reduce(0, +), salt: 17)
    }
    for picture in entities.media ?? [] {
      digest.add(picture.mediaUrlHttps, salt: 10)
      digest.add(picture.sizes["large"]?.w ?? 0, salt: 19)
    }
    if let repeated = retweetedStatus { repeated.read(by: &digest) }
  }
}
