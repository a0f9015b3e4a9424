import Foundation

/// Pieces of real feeds: the examples, and if STREAMMAP_SHARED names a folder, its feeds and conformance data.
enum RealFeeds {
  static func pieces(root: URL) -> [[UInt8]] {
    var files = list(root.appendingPathComponent("Examples"), ["ndjson", "json"])
    if let shared = ProcessInfo.processInfo.environment["STREAMMAP_SHARED"], !shared.isEmpty {
      let shared = URL(fileURLWithPath: shared, isDirectory: true)
      files += list(shared.appendingPathComponent("data"), ["ndjson", "json"])
      files += list(shared.appendingPathComponent("conformance/json-test-suite"), ["json"])
    } else {
      say("STREAMMAP_SHARED is not set: real feeds are those of Examples alone")
    }
    var pieces: [[UInt8]] = []
    for file in files {
      guard let data = try? Data(contentsOf: file) else { continue }
      let bytes = Array(data)
      let small = bytes.count <= longest ? [bytes] : values(bytes)
      // A number of values from each file, from all over the file.
      pieces += stride(from: 0, to: small.count, by: max(1, small.count / 2000)).map { small[$0] }
    }
    return pieces
  }

  private static let longest = 900

  private static func list(_ folder: URL, _ kinds: Set<String>) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map(folder.appendingPathComponent).filter {
      kinds.contains($0.pathExtension)
    }
  }

  /// The small objects and arrays in a text, found by the brackets outside strings.
  private static func values(_ bytes: [UInt8]) -> [[UInt8]] {
    var values: [[UInt8]] = []
    var open: [Int] = []
    var index = 0
    var isInString = false
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString:
        open.append(index)
      case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString:
        guard let start = open.popLast() else { return values }
        if 8...longest ~= index + 1 - start { values.append(Array(bytes[start...index])) }
      default: break
      }
      index += 1
    }
    return values
  }
}
