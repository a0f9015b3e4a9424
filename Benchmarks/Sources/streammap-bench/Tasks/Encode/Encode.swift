import Foundation
import StreamMap

/// The way back: typed tweets to JSON, a line each.
enum Encode: BenchmarkTask {
  static let name = "encode"
  static let summary = "the typed tweets of the feed's first 20 MB back to JSON"
  static let feed = "tweets.ndjson"
  static let reference = foundation
  static let baseline = foundation
  private static let foundation = "Foundation JSONEncoder"
  private static let limit = 20_000_000

  static func work(_ feed: MappedFile) -> Int? { min(feed.count, limit) }

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    let nested = try values(feed)
    let flat = nested.map(\.flat)
    let mapper = try Mapper(Tweet.mapping)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return [
      contender("StreamMap encode", flat) { try mapper.encode($0) },
      contender(foundation, nested) { try encoder.encode($0) },
    ]
  }

  private static func values(_ feed: MappedFile) throws -> [NestedTweet] {
    let decoder = JSONDecoder()
    var values: [NestedTweet] = []
    var count = 0
    for line in feed.lines where count < limit {
      values.append(try decoder.decode(NestedTweet.self, from: Data(line)))
      count += line.count + 1
    }
    return values
  }

  /// What was written is read back for the digest; a timed run adds up its bytes.
  private static func contender<Value, Text: Collection<UInt8>>(
    _ name: String, _ values: [Value], _ encode: @escaping (Value) throws -> Text
  ) -> any Contender {
    InsideContender(name) { hashes in
      let decoder = JSONDecoder()
      var builder = DigestBuilder(hashes: hashes)
      for value in values {
        let text = try encode(value)
        builder.addRecord()
        if hashes {
          builder.add(try decoder.decode(NestedTweet.self, from: Data(text)).flat)
        } else {
          builder.add(text.count, salt: 1)
        }
      }
      return builder.digest
    }
  }
}
