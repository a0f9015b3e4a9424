import CYajlBaseline

/// The parser underneath, alone: the floor to which figures are relative.
enum YajlBaseline {
  static let withoutCallbacks = "yajl, no callbacks"
  static let withCallbacks = "yajl, empty callbacks"
  private static let chunk = 64 << 10

  /// Both of them.
  static func contenders(_ feed: MappedFile) -> [any Contender] {
    [contender(withoutCallbacks, feed, false), contender(withCallbacks, feed, true)]
  }

  private static func contender(
    _ name: String, _ feed: MappedFile, _ callbacks: Bool
  ) -> any Contender {
    InsideContender(name) { _ in
      guard yajl_baseline_parse(feed.bytes.baseAddress, feed.count, chunk, callbacks) else {
        throw BenchmarkError("yajl finds the feed malformed")
      }
      return nil
    }
  }
}
