import StreamMap

extension Tweets7 {
  static func streamMapTyped(_ feed: MappedFile) throws -> any Contender {
    StreamMapContender.contender(try Mapper(Tweet.mapping), feed)
  }

  static func streamMapToBytes(_ feed: MappedFile) throws -> any Contender {
    StreamMapContender.contenderToBytes(
      try Mapper(output: Tweet.output), feed, read: WrittenTweet.digest)
  }

  static func streamMapCommand(_ feed: MappedFile, _ bench: Workbench) -> any Contender {
    CommandContender(
      "stream-map", [bench.streamMap, "-m", bench.mapping("tweets7.map.yaml"), feed.path],
      read: WrittenTweet.digest)
  }
}
