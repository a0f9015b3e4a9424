/// A feed of one shape, one record per line; for the same size, it is the same wherever it is made.
protocol SeededFeed {
  /// The name of its file.
  var name: String { get }
  /// The seed of its random numbers.
  var seed: UInt64 { get }
  /// Writes the next record.
  mutating func record(_ random: inout SeededGenerator, _ text: inout FeedText)
}

extension SeededFeed {
  /// Writes complete records until there are at least `size` bytes.
  mutating func write(to path: String, size: Int) throws {
    let file = try OutputFile(path: path)
    var random = SeededGenerator(seed: seed)
    var text = FeedText()
    while file.count < size {
      text.clear()
      record(&random, &text)
      text.newline()
      try file.write(text.bytes)
    }
    try file.close()
  }
}

/// All shapes.
enum SeededFeeds {
  static var all: [any SeededFeed] {
    [
      TweetFeed(), CatalogueFeed(), NumbersFeed(), TinyFeed(), DeepFeed(), WideFeed(),
      EscapedFeed(), LogFeed(),
    ]
  }
}
