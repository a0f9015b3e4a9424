import StreamMap

/// The engine under test, fed from memory.
enum StreamMapContender {
  static let typed = "StreamMap typed"
  static let toBytes = "StreamMap to bytes"
  /// The piece size that a reader of files or sockets would use.
  static let chunk = 256 << 10

  /// Goes through all records of a feed; a record without a value is an error.
  ///
  /// The records are at `path` in one document; without a path, each line is a record.
  static func each<Value>(
    _ mapper: Mapper<Value>, in feed: MappedFile, at path: String? = nil, chunk: Int = chunk,
    _ record: (Value) -> Void
  ) throws {
    let stream =
      if let path { try mapper.stream(at: RecordPaths(path), format: .json) } else {
        try mapper.stream(format: .ndjson)
      }
    try feed.forEachChunk(of: chunk) { try stream.feed($0) { record(try $0.get()) } }
    try stream.finish { record(try $0.get()) }
  }

  /// A contender that digests each value.
  static func contender<Value: Digestible>(
    named name: String = typed, _ mapper: Mapper<Value>, _ feed: MappedFile,
    at path: String? = nil, chunk: Int = chunk
  ) -> any Contender {
    InsideContender(name) { hashes in
      var builder = DigestBuilder(hashes: hashes)
      try each(mapper, in: feed, at: path, chunk: chunk) { builder.add($0) }
      return builder.digest
    }
  }

  /// A contender that makes output records, whose digest `read` makes of what is written.
  static func contenderToBytes(
    _ mapper: Mapper<RawJSON>, _ feed: MappedFile, read: @escaping (MappedFile) throws -> Digest
  ) -> any Contender {
    InsideContender(toBytes) { hashes in
      if hashes { return try read(written(mapper, feed)) }
      var builder = DigestBuilder(hashes: false)
      try each(mapper, in: feed) {
        builder.addRecord()
        builder.add($0.bytes.count, salt: 1)
      }
      return builder.digest
    }
  }

  private static func written(_ mapper: Mapper<RawJSON>, _ feed: MappedFile) throws -> MappedFile {
    let path = Workbench.temporary("bytes")
    let file = try OutputFile(path: path)
    var failure: (any Error)?
    try each(mapper, in: feed) { record in
      do { try file.write(record.bytes + [0x0A]) } catch { failure = error }
    }
    if let failure { throw failure }
    try file.close()
    return try MappedFile(path: path, removing: true)
  }
}
