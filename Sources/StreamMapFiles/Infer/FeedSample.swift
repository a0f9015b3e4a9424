import StreamMap

/// The first records of a feed, as values.
package struct FeedSample {
  /// How many records are looked at by default.
  package static let mostRecords = 10_000
  /// How much of a feed is looked at for the place of its records.
  private static let mostBeginning = 1 << 20

  /// How many records are kept as they are.
  private static let mostKept = 3

  /// What all records have in common.
  let profile = ValueProfile()
  package private(set) var count = 0
  /// Whether there are more records.
  package private(set) var isCut = false
  /// Where the records are; nil if each document or line is one.
  package private(set) var records: PathPattern?
  /// Whether the feed is an array without elements.
  package var isEmptyArray: Bool { count == 0 && isArray && faults.isEmpty }
  private var isArray = false
  /// Whether they are the members of an object, so that their keys are data.
  private(set) var areMembers = false
  /// The first records.
  package private(set) var first: [JSONValue] = []
  /// The errors of records that are not JSON.
  private var faults: [MappingError] = []
  /// Whether a feed was added, so that it is known where the records are.
  private var isPlaced: Bool

  /// No records yet.
  ///
  /// - Parameter records: Where they are; without it, the first feed tells: they are its lines, or the elements of the largest
  ///   array of its only document.
  package init(at records: PathPattern?) {
    self.records = records
    isPlaced = records != nil
  }

  /// Reads the first records of a feed.
  ///
  /// - Parameters:
  ///   - format: The feed's format.
  ///   - most: The number of records.
  ///   - read: The next piece of the feed, valid until the next one is asked for; empty at the end.
  /// - Throws: What `read` throws, `DefinitionError`, `MappingError`.
  package mutating func add(
    format: FeedFormat, most: Int, _ read: () throws -> UnsafeBufferPointer<UInt8>
  ) throws {
    var bytes = try Self.beginning(read)
    if !isPlaced {
      let shape = FeedShape(of: bytes)
      let isOneDocument = format == .auto || format == .json
      if let likely = shape.likelyRecords(isOneDocument: isOneDocument) {
        records = likely.path
        areMembers = likely.areMembers
      }
      isArray = isOneDocument && shape.arrayCount == 1 && shape.documentCount == 1
    }
    isPlaced = true
    let before = count
    let paths = RecordPaths(records.map { [$0] } ?? [PathPattern]())
    let stream = try Mapper(Mapping<JSONValue>.json).stream(at: paths, format: format)
    var hasMore = false
    while !bytes.isEmpty {
      stream.feed(bytes) { record in
        hasMore = hasMore || count - before == most
        if !hasMore { take(record) }
      }
      if hasMore {
        isCut = true
        return
      }
      bytes = Array(try read())
    }
    stream.finish { record in
      if count - before < most { take(record) } else { isCut = true }
    }
  }

  /// The errors of records that are not JSON, of the feeds that were added since they were asked for.
  package mutating func takeFaults() -> [MappingError] {
    defer { faults = [] }
    return faults
  }

  private mutating func take(_ record: Record<JSONValue>) {
    switch record.result {
    case .success(let value):
      count += 1
      profile.add(value)
      if first.count < Self.mostKept { first.append(value) }
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
}
