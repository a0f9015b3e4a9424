import StreamMap
import StreamMapFiles

/// The first records of a feed, as values.
struct FeedSample {
  /// How much of a feed is looked at for the place of its records.
  private static let mostBeginning = 1 << 20

  /// What all records have in common.
  let profile = ValueProfile()
  private(set) var count = 0
  /// Whether there are more records.
  private(set) var isCut = false
  /// Where the records are; nil where each document or line is one.
  let records: PathPattern?
  /// The errors of records that are no JSON.
  private(set) var faults: [MappingError] = []

  /// Reads the first records of a feed.
  ///
  /// - Parameters:
  ///   - path: The feed, `-` for standard input.
  ///   - records: Where the records are; without it, they are the lines, or the elements of the largest array of the only document.
  ///   - format: The feed's format.
  ///   - most: The number of records.
  /// - Throws: ``SystemError``, `DefinitionError`, `MappingError`.
  init(of path: String, at records: PathPattern?, format: FeedFormat, most: Int) throws {
    try FeedFile.look(at: path)
    let feed = try FeedFile(path)
    let format = feed.format(format)
    var bytes = try Self.beginning(of: feed)
    self.records = records ?? Self.records(in: bytes, format)
    let paths = RecordPaths(self.records.map { [$0.description] } ?? [])
    let stream = try Mapper(Mapping<JSONValue>.json).stream(at: paths, format: format)
    while !bytes.isEmpty {
      stream.feed(bytes) { record in take(record, most) }
      if isCut { return }
      bytes = Array(try feed.read())
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

  private static func beginning(of feed: FeedFile) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < mostBeginning {
      let piece = try feed.read()
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
