extension Tweets7 {
  static func foundation(_ feed: MappedFile) -> any Contender {
    FoundationContender.contender(NestedTweet.self, feed) { $1.add($0.flat) }
  }
}
