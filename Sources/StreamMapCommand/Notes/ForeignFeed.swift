import StreamMap
import StreamMapFiles

// MARK: What is no JSON

extension FeedBeginning {
  /// What a file is that is not JSON.
  enum Foreign: Equatable {
    /// A zip archive: its contents have to be taken out.
    case zip, html, xml, csv
    /// Another encoding of Unicode, by its name.
    case encoded(String)

    /// As the end of a message about a feed.
    func hint(for feed: FeedName) -> String {
      switch self {
      case .zip:
        let words = feed.words("funzip") { "unzip -p \($0)" }
        return "; these are bytes of a zip archive: \(words) | stream-map …"
      case .html: return "; this is HTML, not JSON: maybe the page of an error"
      case .xml: return "; this is XML, not JSON"
      case .encoded(let name):
        let iconv = "iconv -f \(name) -t UTF-8"
        let words = feed.words(iconv) { "\(iconv) \($0)" }
        return "; this is \(name), not UTF-8: \(words) | stream-map …"
      case .csv:
        let words = feed.words("mlr --icsv --ojsonl cat") { "mlr --icsv --ojsonl cat \($0)" }
        return "; this looks like CSV, not JSON: \(words) | stream-map …"
      }
    }
  }

  private static let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

  /// What the feed is, if the bytes show that it is not JSON.
  var foreign: Foreign? {
    if bytes.starts(with: Self.zip) { return .zip }
    if let encoding { return .encoded(encoding) }
    let text = bytes.drop { Self.beforeText.contains($0) }
    guard let first = text.first else { return nil }
    if first == UInt8(ascii: "<") {
      let start = String(decoding: text.prefix(200), as: UTF8.self).lowercased()
      return start.hasPrefix("<!doctype html") || start.contains("<html") ? .html : .xml
    }
    return !"{[".utf8.contains(first) && isTable(text) ? .csv : nil
  }

  /// Marks of other encodings, and how JSON begins in them without a mark (RFC 4627, section 3): the longer ones first.
  private static let encodings: [(start: [UInt8?], name: String)] = [
    ([0xFF, 0xFE, 0, 0], "UTF-32"), ([0, 0, 0xFE, 0xFF], "UTF-32"), ([0xFF, 0xFE], "UTF-16"),
    ([0xFE, 0xFF], "UTF-16"), ([nil, 0, 0, 0], "UTF-32LE"), ([0, 0, 0, nil], "UTF-32BE"),
    ([nil, 0, nil, 0], "UTF-16LE"), ([0, nil, 0, nil], "UTF-16BE"),
  ]

  private var encoding: String? {
    guard bytes.count >= 4 else { return nil }
    let encoding = Self.encodings.first { start, _ in
      Swift.zip(start, bytes).allSatisfy { (expected: UInt8?, byte: UInt8) -> Bool in
        if let expected { expected == byte } else { byte != 0 }
      }
    }
    return encoding?.name
  }

  /// White space, and the bytes of a byte-order mark.
  private static let beforeText: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]

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
