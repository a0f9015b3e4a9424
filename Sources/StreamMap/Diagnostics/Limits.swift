/// Bounds on what a feed may demand.
///
/// Each is named in the error that it causes, with the option that raises it.
///
/// ```swift
/// var limits = Limits()
/// limits.depth = 2_000
/// let mapper = try Mapper(person, limits: limits)
/// ```
public struct Limits: Sendable, Hashable {
  /// Objects and arrays open at a time (default 512).
  public var depth = 512
  /// Bytes of a mapped string as written in the feed, without its quotes (default 16 MiB).
  ///
  /// Strings that are not mapped are not limited: they stream through.
  public var string = 16 << 20
  /// Characters of a number (default 1,000).
  public var number = 1000
  /// Bytes of a key as written in the feed (default 64 KiB).
  public var key = 64 << 10
  /// Errors kept for one record (default 100); further ones are counted.
  public var errorsPerRecord = 100
  /// Bytes of one part that is mapped as a whole (default 16 MiB): a `JSONValue`, raw text, or a container that several
  /// fields take.
  public var capturedValue = 16 << 20
  /// Bytes of what is recorded that one record has played to mappings (default 128 MiB): where alternatives lie within
  /// alternatives, each level plays what is in it to each of them again.
  public var replayed = 128 << 20
  /// Bytes of one record, of which only those of mapped parts count (default 1 GiB).
  public var record = 1 << 30

  /// The defaults.
  public init() {}

  /// The limits that a feed can hit.
  enum Name: String, Sendable, CaseIterable {
    case depth, string, number, key, capturedValue, replayed, record

    /// The command's option.
    var option: String {
      switch self {
      case .capturedValue: "--limit-captured"
      default: "--limit-\(rawValue)"
      }
    }

    var phrase: String {
      switch self {
      case .depth: "levels of nesting"
      case .string: "bytes in a mapped string"
      case .number: "characters in a number"
      case .key: "bytes in a key"
      case .capturedValue: "bytes in a part mapped as a whole"
      case .replayed: "bytes replayed to the alternatives and takers of a record"
      case .record: "bytes in the mapped parts of a record"
      }
    }
  }

  /// As in “expected at most 512 levels of nesting (Limits.depth, --limit-depth)”.
  static func message(_ name: Name, _ value: Int) -> String {
    "at most \(value) \(name.phrase) (Limits.\(name.rawValue), \(name.option))"
  }
}
