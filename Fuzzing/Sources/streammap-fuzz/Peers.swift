import CYajlAlone
import Foundation

/// Another project's parser.
enum Peer: String, CaseIterable {
  case yajl = "yajl"
  case foundation = "Foundation"
  case python = "Python's json"
  case orjson = "orjson"
}

/// A peer's answer to an input.
struct PeerVerdict {
  let accepts: Bool
  /// Whether it reads the same value from our output.
  let isSame: Bool
}

/// The peers in this process.
enum LocalPeers {
  static func yajl(_ bytes: [UInt8], _ ours: [UInt8]?) -> PeerVerdict {
    var digest: UInt64 = 0
    guard yajl_alone(bytes, bytes.count, &digest) else {
      return PeerVerdict(accepts: false, isSame: false)
    }
    guard let ours else { return PeerVerdict(accepts: true, isSame: false) }
    var other: UInt64 = 0
    return PeerVerdict(
      accepts: true, isSame: yajl_alone(ours, ours.count, &other) && digest == other)
  }

  static func foundation(_ bytes: [UInt8], _ ours: [UInt8]?) -> PeerVerdict {
    guard let value = value(bytes) else { return PeerVerdict(accepts: false, isSame: false) }
    guard let ours, let other = self.value(ours) else {
      return PeerVerdict(accepts: true, isSame: false)
    }
    return PeerVerdict(accepts: true, isSame: isEqual(value, other))
  }

  private static func value(_ bytes: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  }

  private static func isEqual(_ one: Any, _ other: Any) -> Bool {
    switch (one, other) {
    case (let one as [String: Any], let other as [String: Any]):
      one.count == other.count
        && one.allSatisfy { key, value in other[key].map { isEqual(value, $0) } ?? false }
    case (let one as [Any], let other as [Any]):
      one.count == other.count && zip(one, other).allSatisfy { isEqual($0, $1) }
    case (let one as String, let other as String):
      // Compared byte by byte: Swift's strings are equal up to normalization.
      one.utf8.elementsEqual(other.utf8)
    case (let one as NSNumber, let other as NSNumber): one == other
    case (is NSNull, is NSNull): true
    default: false
    }
  }
}

/// Python's parsers, in one process that lives as long as the run; it receives batches over a pipe.
final class PythonPeer {
  private let process = Process()
  private let requests = Pipe()
  private let answers = Pipe()
  let names: String
  var hasOrjson: Bool { names.contains("orjson") }

  /// Nil if there is no Python.
  init?(script: URL) {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.path]
    process.standardInput = requests
    process.standardOutput = answers
    guard (try? process.run()) != nil else { return nil }
    var line: [UInt8] = []
    while let byte = try? answers.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
      line.append(byte)
    }
    if line.isEmpty { return nil }
    names = String(decoding: line, as: UTF8.self)
  }

  deinit {
    try? requests.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The verdicts on a batch; peer.py defines the bits.
  func verdicts(_ batch: [(bytes: [UInt8], ours: [UInt8]?)]) throws -> [UInt8] {
    if batch.isEmpty { return [] }
    var request: [UInt8] = []
    append(UInt32(batch.count), to: &request)
    for (bytes, ours) in batch {
      append(UInt32(bytes.count), to: &request)
      request += bytes
      append(ours.map { UInt32($0.count) } ?? .max, to: &request)
      request += ours ?? []
    }
    try requests.fileHandleForWriting.write(contentsOf: Data(request))
    var answer: [UInt8] = []
    while answer.count < batch.count {
      guard
        let more = try answers.fileHandleForReading.read(upToCount: batch.count - answer.count),
        !more.isEmpty
      else { throw PeerFailure() }
      answer += more
    }
    return answer
  }

  private func append(_ value: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }
}

/// Python ended in the middle of the run.
struct PeerFailure: Error, CustomStringConvertible {
  let description = "the Python process ended"
}
