import StreamMap

/// The first records of a feed, as values.
package struct FeedSample {
  /// How many records are looked at by default.
  package static let mostRecords = 10_000
  /// How much of a feed is looked at for the place of its records.
  private static let mostBeginning = 1 << 20

  /// What all records have in common.
  let profile = ValueProfile()
  package private(set) var count = 0
  /// Whether there are more records.
  package private(set) var isCut = false
  /// Where the records are; nil if each document or line is one.
  package let records: PathPattern?
  /// The errors of records that are not JSON.
  package private(set) var faults: [MappingError] = []

  /// Reads the first records of a feed.
  ///
  /// - Parameters:
  ///   - records: Where the records are; without it, they are the lines, or the elements of the largest array of the only document.
  ///   - format: The feed's format.
  ///   - most: The number of records.
  ///   - read: The next piece of the feed, valid until the next one is asked for; empty at the end.
  /// - Throws: What `read` throws, `DefinitionError`, `MappingError`.
  package init(
    at records: PathPattern?, format: FeedFormat, most: Int,
    _ read: () throws -> UnsafeBufferPointer<UInt8>
  ) throws {
    var bytes = try Self.beginning(read)
    self.records = records ?? Self.records(in: bytes, format)
    let paths = RecordPaths(self.records.map { [$0] } ?? [PathPattern]())
    let stream = try Mapper(Mapping<JSONValue>.json).stream(at: paths, format: format)
    while !bytes.isEmpty {
      stream.feed(bytes) { record in take(record, most) }
      if isCut { return }
      bytes = Array(try read())
    }
    stream.finish { record in take(record, most) }
  }

  private mutating func take(_ record: Record<JSONValue>, _ most: Int) {
    if count == most { isCut = true }
    if isCut { return }
    switch record.result {
    case .success(let value):
      count += 1
      profile.add(value)
    case .failure(let error): faults.append(error)
    }
  }

  private static func beginning(_ read: () throws -> UnsafeBufferPointer<UInt8>) rethrows
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    while bytes.count < mostBeginning {
      let piece = try read()
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  /// The elements of the largest array, where there is one document only, and it is worth more than itself.
  private static func records(in bytes: [UInt8], _ format: FeedFormat) -> PathPattern? {
    guard format == .auto || format == .json else { return nil }
    let shape = FeedShape(of: bytes)
    return shape.documentCount == 1 ? shape.largestArray(with: []) : nil
  }
}
