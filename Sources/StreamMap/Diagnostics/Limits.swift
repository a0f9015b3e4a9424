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
  ///
  /// Reading takes no stack by depth. Parts that become a tree are bounded by ``JSONValue/maximumDepth`` besides, whatever is set
  /// here. Values of your own types that contain themselves are built without stack, but Swift releases them level by level:
  /// where there are such, raise this to thousands, not to millions.
  public var depth = 512
  /// Bytes of a mapped string as written in the feed, without its quotes (default 16 MiB).
  ///
  /// Strings that are not mapped are not limited: they stream through.
  public var string = 16 << 20
  /// Characters of a number (default 1,000).
  public var number = 1000
  /// Bytes of a key as written in the feed (default 64 KiB).
  public var key = 64 << 10
  /// Members of a mapped dictionary, or collected by a field of an object (default 1,000,000).
  ///
  /// A key that occurs again counts again, where its member is not passed over. Members that are not mapped are not limited, nor are those of parts that are
  /// mapped as a whole: ``capturedValue`` bounds these.
  public var members = 1_000_000
  /// Elements of a mapped array (default 10,000,000), those included that are left out.
  public var elements = 10_000_000
  /// Errors kept for one record (default 100); further ones are counted.
  public var errorsPerRecord = 100
  /// Bytes of one part that is mapped as a whole (default 16 MiB): a `JSONValue`, raw text, or a container that several
  /// fields take.
  public var capturedValue = 16 << 20
  /// Bytes of what is recorded that one record has played to mappings (default 128 MiB): where alternatives lie within
  /// alternatives, each level plays what is in it to each of them again.
  public var replayed = 128 << 20
  /// Bytes of one record (default 1 GiB): of the keys, values and brackets of its mapped parts, without what separates them.
  public var record = 1 << 30

  /// The defaults.
  public init() {}

  /// The limits that a feed can hit.
  enum Name: String, Sendable, CaseIterable {
    case depth, string, number, key, members, elements, errorsPerRecord, capturedValue, replayed
    case record

    /// The command's option.
    var option: String {
      switch self {
      case .capturedValue: "--limit-captured"
      case .errorsPerRecord: "--limit-errors"
      default: "--limit-\(rawValue)"
      }
    }

    var phrase: String {
      switch self {
      case .depth: "levels of nesting"
      case .string: "bytes in a mapped string"
      case .number: "characters in a number"
      case .key: "bytes in a key"
      case .members: "members in a mapped object"
      case .elements: "elements in a mapped array"
      case .errorsPerRecord: "errors kept of a record"
      case .capturedValue: "bytes in a part mapped as a whole"
      case .replayed: "bytes replayed to the alternatives and takers of a record"
      case .record: "bytes in the mapped parts of a record"
      }
    }
  }

  /// As in “expected at most 512 levels of nesting (Limits.depth, --limit-depth)”.
  static func message(_ name: Name, _ value: Int) -> String {
    "at most \(value) \(name.phrase) (\(hint(name)))"
  }

  /// What raises a limit, as in “Limits.depth, --limit-depth”.
  static func hint(_ name: Name) -> String { "Limits.\(name.rawValue), \(name.option)" }
}
