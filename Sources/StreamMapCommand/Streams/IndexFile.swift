import StreamMap
import StreamMapPlatform

/// An index as it lies on the disk: its JSON.
enum IndexFile {
  /// Far more than the index of any feed: one of 100 TB, cut each 64 MiB, has less.
  private static let bound = 1 << 30

  /// Reads an index.
  ///
  /// - Throws: ``SystemError``.
  static func read(_ path: String) throws(SystemError) -> FeedIndex {
    let bytes = try FileReading.bytes(of: path, upTo: bound)
    do {
      return try JSONDecoder().decode(FeedIndex.self, from: Data(bytes))
    } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
      throw SystemError(
        "use the index \(path)", "it is \(context.debugDescription)", status: .usage)
    } catch {
      throw SystemError(
        "use the index \(path)", "it is not an index; 'stream-map index' makes one", status: .usage)
    }
  }

  /// The bytes of an index: a line.
  static func bytes(of index: FeedIndex) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(index)) + [UInt8(ascii: "\n")]
  }
}
