/// The first bytes of a feed, kept in case there is something to say about it.
struct FeedBeginning {
  /// As many as show what there is; copying them takes no time that could be measured.
  private static let most = 256 << 10

  private(set) var bytes: [UInt8] = []
  private var isComplete: Bool

  /// Of a feed that is read from its beginning; of any other, nothing is kept.
  init(isAtStart: Bool) {
    isComplete = !isAtStart
  }

  /// Adds the next piece of the feed.
  mutating func add(_ piece: UnsafeBufferPointer<UInt8>) {
    if isComplete { return }
    bytes += piece.prefix(Self.most - bytes.count)
    isComplete = bytes.count == Self.most
  }

  /// What is in the feed, as far as it was kept.
  var shape: FeedShape { FeedShape(of: bytes) }
}

// MARK: What is no JSON

extension FeedBeginning {
  /// What a file is that is not JSON.
  enum Foreign: Equatable {
    /// Compressed, and by what it is unpacked.
    case compressed(String, command: String)
    case html, xml, csv

    /// As the end of a message about the feed of this name.
    func hint(for feed: String) -> String {
      switch self {
      case .compressed(let name, let command):
        let before = feed == "-" ? "… | \(command)" : "\(command) \(ShellWord(feed))"
        return "; these are bytes of \(name): \(before) | stream-map …"
      case .html: return "; this is HTML, not JSON: maybe the page of an error"
      case .xml: return "; this is XML, not JSON"
      case .csv:
        let name = feed == "-" ? "" : " \(ShellWord(feed))"
        return "; this looks like CSV, not JSON: mlr --icsv --ojsonl cat\(name) | stream-map …"
      }
    }
  }

  private static let compressions: [(first: [UInt8], name: String, command: String)] = [
    ([0x1F, 0x8B], "gzip", "gzip -dc"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard", "zstd -dc"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz", "xz -dc"),
    ([0x42, 0x5A, 0x68], "bzip2", "bzip2 -dc"),
    ([0x50, 0x4B, 0x03, 0x04], "a zip archive", "unzip -p"),
  ]

  /// What the feed is, if the bytes show that it is not JSON.
  var foreign: Foreign? {
    for (first, name, command) in Self.compressions where bytes.starts(with: first) {
      return .compressed(name, command: command)
    }
    let text = bytes.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    guard let first = text.first else { return nil }
    if first == UInt8(ascii: "<") {
      let start = String(decoding: text.prefix(200), as: UTF8.self).lowercased()
      return start.hasPrefix("<!doctype html") || start.contains("<html") ? .html : .xml
    }
    return !"{[".utf8.contains(first) && isTable(text) ? .csv : nil
  }

  /// Whether the first two lines have the same number of fields, and more than one.
  private func isTable(_ text: ArraySlice<UInt8>) -> Bool {
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2).prefix(2)
    guard lines.count == 2, let header = lines.first else { return false }
    return ",;\t".utf8.contains { separator in
      let counts = lines.map { line in line.count { $0 == separator } }
      return counts[0] > 0 && counts[0] == counts[1]
    } && !header.contains { "{}[]".utf8.contains($0) }
  }
}

/// A path as a shell takes it.
struct ShellWord: CustomStringConvertible {
  let description: String

  init(_ text: String) {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy {
        $0 >= 0x80 || "_-./+:@%=,".utf8.contains($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
      }
    description = isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}
