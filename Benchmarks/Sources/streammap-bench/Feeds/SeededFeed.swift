/// A feed of one shape, one record a line; the same for the same size wherever it is made.
protocol SeededFeed {
  /// The name of its file.
  var name: String { get }
  /// Where its random numbers start.
  var seed: UInt64 { get }
  /// Writes the next record.
  mutating func record(_ random: inout SeededGenerator, _ text: inout FeedText)
}

extension SeededFeed {
  /// Writes whole records until there are at least so many bytes.
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
