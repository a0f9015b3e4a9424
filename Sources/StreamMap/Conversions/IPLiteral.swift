/// A host in brackets (RFC 3986, 3.2.2): Foundation takes nearly everything there.
enum IPLiteral {
  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  /// Whether a host without a bracket at its start, or an address in brackets, which a port may follow.
  static func isGood(host text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    let host = text[range]
    guard host.first == UInt8(ascii: "[") else { return true }
    guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
    let port = host[(end + 1)...]
    let literal = host[(host.startIndex + 1)..<end]
    return (port.isEmpty || port.first == UInt8(ascii: ":"))
      && (isIPv6(literal) || isFuture(literal))
  }

  /// Eight groups of up to four hexadecimal digits; `::` stands for at least one group, and an address of IPv4 for the last two.
  private static func isIPv6(_ text: Bytes) -> Bool {
    var rest = text
    var (groups, isShort) = (0, false)
    if rest.starts(with: "::".utf8) {
      isShort = true
      rest.removeFirst(2)
    }
    while !rest.isEmpty {
      let digits = rest.prefix { HexDigit.value($0) != nil }
      if rest.contains(UInt8(ascii: ".")), !rest.contains(UInt8(ascii: ":")) {
        guard isIPv4(rest) else { return false }
        groups += 2
        break
      }
      guard (1...4).contains(digits.count), groups < 8 else { return false }
      groups += 1
      rest.removeFirst(digits.count)
      if rest.isEmpty { break }
      guard rest.popFirst() == UInt8(ascii: ":"), let next = rest.first else { return false }
      if next == UInt8(ascii: ":") {
        if isShort { return false }
        isShort = true
        rest.removeFirst()
      }
    }
    return isShort ? groups < 8 : groups == 8
  }

  /// Four numbers up to 255, without zeros before them.
  private static func isIPv4(_ text: Bytes) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        guard (1...3).contains(part.count), part.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
          return false
        }
        let number = part.reduce(0) { $0 * 10 + Int($1 & 15) }
        return number < 256 && (part.count == 1 || part.first != UInt8(ascii: "0"))
      }
  }

  /// `v`, the hexadecimal number of a version, a point, and an address.
  private static func isFuture(_ text: Bytes) -> Bool {
    var rest = text
    guard let first = rest.popFirst(), first | 0x20 == UInt8(ascii: "v") else { return false }
    let version = rest.prefix { HexDigit.value($0) != nil }
    rest.removeFirst(version.count)
    return !version.isEmpty && rest.popFirst() == UInt8(ascii: ".") && !rest.isEmpty
  }
}
