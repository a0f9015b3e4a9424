import Foundation
import StreamMap

/// Encoding: typed tweets to JSON, one line each.
enum Encode: BenchmarkTask {
  static let name = "encode"
  static let summary = "the typed tweets of the feed's first 20 MB back to JSON"
  static let feed = "tweets.ndjson"
  static let reference = foundation
  static let baseline = foundation
  static let title = "StreamMap encode"
  private static let foundation = "Foundation JSONEncoder"
  private static let limit = 20_000_000

  static func work(_ feed: MappedFile) -> Int? { min(feed.count, limit) }

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    let nested = try values(NestedTweet.self, feed)
    func add(_ tweet: NestedTweet, _ builder: inout DigestBuilder) { builder.add(tweet.flat) }
    return [
      streamMap(try Mapper(Tweet.mapping), nested.map(\.flat), add),
      foundation(nested, add),
    ]
  }

  static func values<Value: Decodable>(_: Value.Type, _ feed: MappedFile) throws -> [Value] {
    let decoder = JSONDecoder()
    var values: [Value] = []
    var count = 0
    for line in feed.lines where count < limit {
      values.append(try decoder.decode(Value.self, from: Data(line)))
      count += line.count + 1
    }
    return values
  }

  static func streamMap<Value, Written: Decodable>(
    _ mapper: Mapper<Value>, _ values: [Value],
    _ add: @escaping (Written, inout DigestBuilder) -> Void
  ) -> any Contender {
    contender(title, values, { try mapper.encode($0) }, add)
  }

  static func foundation<Value: Codable>(
    _ values: [Value], _ add: @escaping (Value, inout DigestBuilder) -> Void
  ) -> any Contender {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return contender(foundation, values, { try encoder.encode($0) }, add)
  }

  /// The output is read back for the digest; a timed run adds up its bytes.
  private static func contender<Value, Written: Decodable, Text: Collection<UInt8>>(
    _ name: String, _ values: [Value], _ encode: @escaping (Value) throws -> Text,
    _ add: @escaping (Written, inout DigestBuilder) -> Void
  ) -> any Contender {
    InsideContender(name) { hashes in
      let decoder = JSONDecoder()
      var builder = DigestBuilder(hashes: hashes)
      for value in values {
        let text = try encode(value)
        builder.addRecord()
        if hashes {
          add(try decoder.decode(Written.self, from: Data(text)), &builder)
        } else {
          builder.add(text.count, salt: 1)
        }
      }
      return builder.digest
    }
  }
}
