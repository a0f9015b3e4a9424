import Foundation

/// The solution of a Swift programmer without any package: `JSONDecoder`, one line at a time.
enum FoundationContender {
  static let name = "Foundation JSONDecoder"

  static func contender<Value: Decodable & Digestible>(_ type: Value.Type, _ feed: MappedFile)
    -> any Contender
  {
    InsideContender(name) { try digest(type, feed, hashes: $0) }
  }

  /// Decodes one value per line.
  static func digest<Value: Decodable & Digestible>(
    _ type: Value.Type, _ feed: MappedFile, hashes: Bool = true
  ) throws -> Digest {
    let decoder = JSONDecoder()
    var builder = DigestBuilder(hashes: hashes)
    for line in feed.lines {
      guard let start = UnsafeMutableRawPointer(mutating: line.baseAddress) else { continue }
      let data = Data(bytesNoCopy: start, count: line.count, deallocator: .none)
      builder.add(try decoder.decode(type, from: data))
    }
    return builder.digest
  }
}
