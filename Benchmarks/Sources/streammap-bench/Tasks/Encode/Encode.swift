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
    return [
      streamMap(try Mapper(Tweet.mapping), nested.map(\.flat), written: NestedTweet.self),
      foundation(nested),
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

  static func streamMap<Value, Written: Decodable & Digestible>(
    _ mapper: Mapper<Value>, _ values: [Value], written: Written.Type
  ) -> any Contender {
    contender(title, values, written: written) { try mapper.encode($0) }
  }

  static func foundation<Value: Codable & Digestible>(_ values: [Value]) -> any Contender {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return contender(foundation, values, written: Value.self) { try encoder.encode($0) }
  }

  /// The output is read back for the digest; a timed run adds up its bytes.
  private static func contender<
    Value, Written: Decodable & Digestible, Text: Collection<UInt8>
  >(
    _ name: String, _ values: [Value], written: Written.Type,
    _ encode: @escaping (Value) throws -> Text
  ) -> any Contender {
    InsideContender(name) { hashes in
      let decoder = JSONDecoder()
      var builder = DigestBuilder(hashes: hashes)
      for value in values {
        let text = try encode(value)
        if hashes {
          builder.add(try decoder.decode(written, from: Data(text)))
        } else {
          builder.addRecord()
          builder.add(text.count, salt: 1)
        }
      }
      return builder.digest
    }
  }
}
