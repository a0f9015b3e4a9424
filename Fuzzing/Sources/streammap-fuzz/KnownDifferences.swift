@testable import StreamMap

/// Our result and a peer's result for one input, where they differ.
struct Difference {
  let peer: Peer
  let bytes: [UInt8]
  /// Our record: accepted if it has no code.
  let ours: Row
  let theirs: PeerVerdict

  var isAcceptedHere: Bool { ours.code == nil }
  var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }
}

/// A kind of difference that is intended, with its reason.
struct KnownDifference: Sendable {
  let peers: Set<Peer>
  let reason: String
  let applies: @Sendable (Difference) -> Bool

  /// The whole list: any other difference is a finding.
  static let all: [KnownDifference] = [
    KnownDifference(
      peers: [.yajl, .foundation, .python],
      reason:
        "accept a lone surrogate escape; it is not a character, and could not be written as UTF-8 again"
    ) { !$0.isAcceptedHere && $0.ours.code == .invalidUTF8 && $0.isUTF8 && $0.theirs.accepts },
    KnownDifference(
      peers: [.yajl],
      reason:
        "accepts overlong UTF-8, encoded surrogates and code points beyond U+10FFFF (RFC 3629)"
    ) { !$0.isAcceptedHere && $0.ours.code == .invalidUTF8 && !$0.isUTF8 && $0.theirs.accepts },
    KnownDifference(
      peers: [.yajl, .foundation, .python, .orjson],
      reason: "have no limit of depth, or another; ours is 512"
    ) { $0.ours.code == .limitExceeded && $0.theirs.accepts },
    KnownDifference(
      peers: [.foundation],
      reason: "reads UTF-16 and UTF-32, too; here they are named in the error"
    ) { $0.ours.isOtherEncoding && $0.theirs.accepts },
    KnownDifference(
      peers: [.foundation, .orjson],
      reason: "reject numbers beyond Double; here any number is JSON, and its target says what fits"
    ) { $0.isAcceptedHere && !$0.theirs.accepts && hasHugeNumber($0.bytes) },
    KnownDifference(
      peers: [.yajl], reason: "takes vertical tabs and form feeds for white space"
    ) { $0.theirs.accepts && (culprit($0) == 0x0B || culprit($0) == 0x0C) },
    KnownDifference(
      peers: [.yajl], reason: "does not see a token after the document that the end cuts off"
    ) {
      $0.theirs.accepts && $0.ours.message?.hasPrefix("expected the end of the document") == true
    },
    KnownDifference(
      peers: [.foundation], reason: "accepts a comma after the last element or member"
    ) {
      $0.theirs.accepts && (culprit($0) == UInt8(ascii: "]") || culprit($0) == UInt8(ascii: "}"))
        && before($0) == UInt8(ascii: ",")
    },
    KnownDifference(
      peers: [.foundation],
      reason: "drops a byte-order mark, as it is or escaped, in strings that have an escape"
    ) { $0.isAcceptedHere && $0.theirs.accepts && hasMark($0.bytes) },
  ]

  private static func hasMark(_ bytes: [UInt8]) -> Bool {
    bytes.contains([0xEF, 0xBB, 0xBF])
      || String(decoding: bytes, as: UTF8.self).lowercased().contains("\\ufeff")
  }

  /// The wrong byte.
  private static func culprit(_ difference: Difference) -> UInt8? {
    guard difference.ours.code == .syntax, let at = difference.ours.errorPosition?.bytes.lowerBound,
      difference.bytes.indices.contains(at)
    else { return nil }
    return difference.bytes[at]
  }

  /// The last byte before it that is not white space.
  private static func before(_ difference: Difference) -> UInt8? {
    let at = difference.ours.errorPosition?.bytes.lowerBound ?? 0
    return difference.bytes.prefix(at).last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }

  /// Whether a number has an exponent, or more digits than a Double has decimal places.
  private static func hasHugeNumber(_ bytes: [UInt8]) -> Bool {
    var digits = 0
    for (index, byte) in bytes.enumerated() {
      digits = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? digits + 1 : 0
      if digits > 300 { return true }
      if digits > 0, index + 1 < bytes.count, bytes[index + 1] | 0x20 == UInt8(ascii: "e") {
        return true
      }
    }
    return false
  }

  static func index(of difference: Difference) -> Int? {
    all.firstIndex { $0.peers.contains(difference.peer) && $0.applies(difference) }
  }
}
