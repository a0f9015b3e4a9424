import StreamMap

/// The offsets of a zone's clocks from UTC, as a file of the form TZif (RFC 8536) tells them.
///
/// Between two times at which the clocks were set, their offset is that of the earlier one; before the first it is that of the first
/// type of local time. After the last one the rule at the file's end says it, where there is one.
struct ZoneTable: Equatable, Sendable {
  /// What is wrong with a file.
  struct Fault: Error, Equatable {
    let reason: String
  }

  private let first: Int64
  /// When the clocks were set, in seconds since 1970, in their order.
  private var times: [Int64] = []
  /// The seconds by which the clocks are ahead of UTC from each of these times on.
  private var offsets: [Int64] = []
  private var rule: ZoneRule?

  init(_ bytes: [UInt8]) throws(Fault) {
    var reader = Reader(rest: bytes[...])
    var header = try Header(&reader)
    // A file of the first version has times of 32 bits. Later ones have these, too, and then all again with 64.
    var width = 4
    if header.version != 0 {
      _ = try reader.take(header.size(ofTimes: 4))
      header = try Header(&reader)
      width = 8
    }
    guard header.leapSeconds == 0 else { throw Fault(reason: "it counts leap seconds") }
    guard header.types > 0 else { throw Fault(reason: "it has no type of local time") }
    times = try Self.numbers(header.times, width, &reader)
    let kinds = try reader.take(header.times)
    var types: [Int64] = []
    for _ in 0..<header.types {
      let offset = try reader.number(4)
      // What the form allows: 25 hours to the west, 26 to the east.
      guard (-89_999...93_599).contains(offset) else {
        throw Fault(reason: "an offset of \(offset) seconds from UTC")
      }
      types.append(offset)
      _ = try reader.take(2)
    }
    _ = try reader.take(header.names + header.standards + header.universals)
    for kind in kinds {
      guard kind < types.count else {
        throw Fault(reason: "it names a type of local time that it does not have")
      }
      offsets.append(types[Int(kind)])
    }
    guard zip(times, times.dropFirst()).allSatisfy(<) else {
      throw Fault(reason: "its times are not in their order")
    }
    first = types[0]
    if width == 8 { rule = try Self.rule(&reader) }
  }

  private static func numbers(_ count: Int, _ width: Int, _ reader: inout Reader) throws(Fault)
    -> [Int64]
  {
    var bytes = Reader(rest: try reader.take(count * width))
    var numbers: [Int64] = []
    numbers.reserveCapacity(count)
    for _ in 0..<count { numbers.append(try bytes.number(width)) }
    return numbers
  }

  /// The rule at the end, between two line feeds; nil if it is empty.
  private static func rule(_ reader: inout Reader) throws(Fault) -> ZoneRule? {
    guard try reader.take(1).first == lineFeed, let end = reader.rest.firstIndex(of: lineFeed)
    else { throw Fault(reason: "its end is cut off") }
    let text = reader.rest[..<end]
    if text.isEmpty { return nil }
    guard let rule = ZoneRule(text) else {
      let shown = ShownText.excerpt(String(decoding: text, as: UTF8.self))
      throw Fault(reason: "its rule for later years is '\(shown)'")
    }
    return rule
  }

  private static let lineFeed = UInt8(ascii: "\n")

  /// The seconds by which the clocks are ahead of UTC, so many seconds after 1970.
  func offset(at seconds: Int64) -> Int64 {
    if let rule, times.last.map({ $0 <= seconds }) ?? true { return rule.offset(at: seconds) }
    // The number of times that are not later.
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : offsets[low - 1]
  }

  // MARK: Reading

  /// What the beginning of a part of the file says: how many there are of what follows.
  private struct Header {
    let version: UInt8
    let universals: Int
    let standards: Int
    let leapSeconds: Int
    let times: Int
    let types: Int
    let names: Int

    init(_ reader: inout Reader) throws(Fault) {
      guard try reader.take(4).elementsEqual("TZif".utf8) else {
        throw Fault(reason: "it does not begin with TZif")
      }
      version = UInt8(truncatingIfNeeded: try reader.number(1))
      _ = try reader.take(15)
      universals = try reader.count()
      standards = try reader.count()
      leapSeconds = try reader.count()
      times = try reader.count()
      types = try reader.count()
      names = try reader.count()
    }

    /// The bytes that follow, where a time has so many.
    func size(ofTimes width: Int) -> Int {
      times * (width + 1) + types * 6 + names + leapSeconds * (width + 4) + standards + universals
    }
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ count: Int) throws(Fault) -> ArraySlice<UInt8> {
      guard count <= rest.count else { throw Fault(reason: "it is cut off") }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }

    /// A number of so many bytes, the highest first.
    mutating func number(_ width: Int) throws(Fault) -> Int64 {
      let bytes = try take(width)
      let isNegative = bytes.first.map { $0 >= 0x80 } ?? false
      return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    /// A count: 32 bits without a sign.
    mutating func count() throws(Fault) -> Int {
      Int(try number(4) & 0xFFFF_FFFF)
    }
  }
}
