import StreamMap

/// One call for each message, as a server does that gets them one at a time: the cost of a call, rather than that of a stream.
enum Messages: BenchmarkTask {
  static let name = "messages"
  static let summary = "a call of decode for each event of 315 bytes"
  static let feed = LogFeed.feed
  static let baseline = FoundationContender.name
  static let title = "StreamMap decode"
  static let decoder = "StreamMap message decoder"
  static let stream = "StreamMap stream"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    let mapper = try Mapper(LogRecord.mapping)
    return [
      InsideContender(title) { hashes in
        var builder = DigestBuilder(hashes: hashes)
        try each(mapper, in: feed) { builder.add($0) }
        return builder.digest
      },
      InsideContender(decoder) { hashes in
        var builder = DigestBuilder(hashes: hashes)
        try each(mapper.messageDecoder(), in: feed) { builder.add($0) }
        return builder.digest
      },
      StreamMapContender.contender(named: stream, mapper, feed),
      Logs.foundation(feed),
    ] + Peers.serde(["slices"], Logs.name, bench, feed.path)
  }

  /// Decodes each line by a call of its own.
  static func each<Value>(_ mapper: Mapper<Value>, in feed: MappedFile, _ body: (Value) -> Void)
    throws
  {
    for line in feed.lines { body(try mapper.decode(line).get()) }
  }

  /// The same by a decoder that is kept.
  static func each<Value>(
    _ decoder: MessageDecoder<Value>, in feed: MappedFile, _ body: (Value) -> Void
  ) throws {
    for line in feed.lines { body(try decoder.decode(line).get()) }
  }
}
