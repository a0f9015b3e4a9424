extension Tweets7 {
  static func foundation(_ feed: MappedFile) -> any Contender {
    FoundationContender.contender(NestedTweet.self, feed)
  }
}
