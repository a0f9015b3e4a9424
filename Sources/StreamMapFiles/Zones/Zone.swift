import StreamMap

/// A time zone that a mapping file names: an offset from UTC, or a table of the system's.
struct Zone: Equatable, Sendable, LocalClock {
  /// The seconds from UTC; 0 where a table says them.
  private let fixed: Int64
  // It is no case of an enum: the compiler's code to copy such a one looks at words that the other case has not set.
  private let table: ZoneTable?

  static let gmt = Zone(fixed: 0)

  private init(fixed: Int64) {
    self.fixed = fixed
    table = nil
  }

  /// The zone of a name: `UTC`, `GMT`, an offset with one of these or alone, as `UTC+2` or `-03:30`, or a name of the folder's.
  init(_ name: String, in folder: ZoneFolder) throws(ZoneProblem) {
    if let offset = Self.offset(Array(name.utf8)) {
      fixed = offset
      table = nil
    } else {
      fixed = 0
      table = try folder.table(of: name)
    }
  }

  func offset(at seconds: Int64) -> Int64 {
    table?.offset(at: seconds) ?? fixed
  }

  /// The seconds that a name says; nil if it is not an offset.
  private static func offset(_ name: [UInt8]) -> Int64? {
    let isNamed = name.starts(with: "UTC".utf8) || name.starts(with: "GMT".utf8)
    var rest = name.dropFirst(isNamed ? 3 : 0)
    guard let sign = rest.popFirst() else { return isNamed ? 0 : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let parts = rest.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    let number = digits.reduce(0) { min($0 * 10 + Int64($1 - 0x30), 10_000) }
    let time: (hours: Int64, minutes: Int64)
    switch parts.map(\.count) {
    case [1], [2]: time = (number, 0)
    case [1, 2], [2, 2], [4]: time = (number / 100, number % 100)
    default: return nil
    }
    // No clock of a country is further away.
    guard time.hours <= 18, time.minutes <= 59 else { return nil }
    let seconds = (time.hours * 60 + time.minutes) * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }
}

/// Why there is no zone of a name.
enum ZoneProblem: Error, Equatable {
  case unknown
  /// The system has no folder of zones: its path.
  case noFolder(String)
  /// The zone's file is not a table of a zone, or cannot be read: the file and the reason.
  case unreadable(String)
}
