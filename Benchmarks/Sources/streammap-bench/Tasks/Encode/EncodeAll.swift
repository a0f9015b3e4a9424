import StreamMap

/// Encoding with all fields: classes, Optionals, dictionaries.
enum EncodeAll: BenchmarkTask {
  static let name = "encode-all"
  static let summary = "all fields of the typed tweets of the feed's first 20 MB back to JSON"
  static let feed = Encode.feed
  static let reference = Encode.reference
  static let baseline = Encode.baseline

  static func work(_ feed: MappedFile) -> Int? { Encode.work(feed) }

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    let tweets = try Encode.values(FullTweet.self, feed)
    return [
      Encode.streamMap(try Mapper(FullTweet.self), tweets, written: FullTweet.self),
      Encode.foundation(tweets),
    ]
  }
}
