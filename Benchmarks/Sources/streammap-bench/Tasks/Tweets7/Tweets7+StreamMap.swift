import StreamMap

extension Tweets7 {
  static func streamMapTyped(_ feed: MappedFile) throws -> any Contender {
    StreamMapContender.contender(try Mapper(Tweet.mapping), feed) { $1.add($0) }
  }

  static func streamMapToBytes(_ feed: MappedFile) throws -> any Contender {
    let mapper = try Mapper(output: Tweet.output)
    return InsideContender(StreamMapContender.toBytes) { hashes in
      if hashes { return try digestOfBytes(mapper, feed) }
      var builder = DigestBuilder(hashes: false)
      try StreamMapContender.each(mapper, in: feed) {
        builder.addRecord()
        builder.add($0.bytes.count, salt: 1)
      }
      return builder.digest
    }
  }

  /// A digest of the output, which Foundation reads back.
  private static func digestOfBytes(
    _ mapper: Mapper<RawJSON>, _ feed: MappedFile
  ) throws -> Digest {
    let path = Workbench.temporary("bytes")
    let file = try OutputFile(path: path)
    var failure: (any Error)?
    try StreamMapContender.each(mapper, in: feed) { record in
      do { try file.write(record.bytes + [0x0A]) } catch { failure = error }
    }
    if let failure { throw failure }
    try file.close()
    return try WrittenTweet.digest(MappedFile(path: path, removing: true))
  }

  static func streamMapCommand(_ feed: MappedFile, _ bench: Workbench) -> any Contender {
    CommandContender(
      "stream-map", [bench.streamMap, "-m", bench.mapping("tweets7.map.yaml"), feed.path],
      read: WrittenTweet.digest)
  }
}
