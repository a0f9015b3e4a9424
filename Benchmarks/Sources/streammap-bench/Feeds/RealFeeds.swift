import Foundation
import StreamMap

/// Feeds from published JSON files: their records in compact form, one per line, repeated up to the requested size.
///
/// They are written with the library itself, as raw JSON; every contender reads the same file, so this does not affect
/// their comparison.
struct RealFeeds {
  /// A folder with some of the files.
  let folder: String

  private static let sources = [
    (file: "twitter.json", records: "$.statuses[*]", feed: "tweets.ndjson"),
    (file: "citm_catalog.json", records: "$", feed: "catalogue.ndjson"),
    (file: "canada.json", records: "$", feed: "numbers.ndjson"),
  ]

  /// Writes the feeds for which the folder has files.
  ///
  /// - Returns: The names of the feeds written.
  func write(to directory: String, size: Int) throws -> Set<String> {
    var written: Set<String> = []
    for source in Self.sources {
      let path = "\(folder)/\(source.file)"
      guard FileManager.default.fileExists(atPath: path) else {
        print("\(source.feed): seeded, since \(path) is missing")
        continue
      }
      let records = try records(of: path, at: source.records)
      let file = try OutputFile(path: "\(directory)/\(source.feed)")
      while file.count < size {
        for record in records where file.count < size { try file.write(record + [0x0A]) }
      }
      try file.close()
      written.insert(source.feed)
    }
    return written
  }

  private func records(of path: String, at place: String) throws -> [[UInt8]] {
    let mapper = try Mapper(Mapping<RawJSON>.raw)
    let records = try mapper.records(in: Feed(.file(path), at: RecordPaths(place), format: .json))
    return try records.map { try $0.get().bytes }
  }
}
