import Foundation

/// Stores findings, minimized, where the tests replay them.
struct Findings {
  let folder: URL
  private(set) var kinds: Set<String> = []
  /// So many kinds of findings that more of them would add no information.
  var isFull: Bool { kinds.count >= 12 }

  init(folder: URL) {
    self.folder = folder
  }

  /// Prints a finding and stores it, once for each kind.
  mutating func keep(_ input: Case, _ finding: Finding, seed: UInt64, by harness: Harness) throws {
    guard kinds.insert(finding.kind).inserted else { return }
    var small = input
    var found = finding
    if try harness.examine(input)?.kind == finding.kind {
      small.bytes = try Minimizer.minimized(input.bytes) { bytes in
        var part = input
        part.bytes = bytes
        guard let again = try harness.examine(part), again.kind == finding.kind else {
          return false
        }
        found = again
        return true
      }
    } else {
      say("the finding below does not come again by itself: it hangs on the inputs before it")
    }
    let expected = found.peersAccept.map { $0 ? "accepted" : "rejected" } ?? "alike"
    let file = folder.appendingPathComponent(
      "\(input.format.rawValue)-\(expected)-\(String(Minimizer.digest(small.bytes), radix: 16)).txt"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(small.bytes).write(to: file)
    print(
      """
      FINDING \(finding.kind)
        seed \(seed), round \(input.round), \(input.format.rawValue)
        input \(String(decoding: small.bytes, as: UTF8.self).debugDescription)
        bytes \(small.bytes.map { String($0, radix: 16) }.joined(separator: " "))
        kept in \(file.path)
      \(found.details)
      """)
  }
}

/// Delta debugging: leaves out what a failure does not need.
enum Minimizer {
  static func minimized(_ bytes: [UInt8], _ fails: ([UInt8]) throws -> Bool) rethrows -> [UInt8] {
    var bytes = bytes
    var size = max(1, bytes.count / 2)
    var tries = 0
    while tries < 3000 {
      var isSmaller = false
      var start = 0
      while start < bytes.count, tries < 3000 {
        tries += 1
        let part = Array(bytes[..<start] + bytes[min(start + size, bytes.count)...])
        if try fails(part) {
          bytes = part
          isSmaller = true
        } else {
          start += size
        }
      }
      if size == 1, !isSmaller { break }
      size = max(1, size / 2)
    }
    return bytes
  }

  /// FNV-1a.
  static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
