/// Bounds on what the records of a feed may demand.
///
/// The error that a limit causes names the limit. What a whole feed may demand is in ``FeedOptions``, which may also have limits for
/// one feed alone.
///
/// ```swift
/// var limits = Limits()
/// limits.depth = 2_000
/// let mapper = try Mapper(person, limits: limits)
/// ```
public struct Limits: Sendable, Hashable {
  /// Objects and arrays that are open at the same time (default 512).
  ///
  /// Reading uses no stack space per level. Parts that become a tree are also bounded by ``JSONValue/maximumDepth``,
  /// whatever is set here. Values of your own types that contain themselves are built without the stack, but Swift
  /// releases them level by level: with such types, raise this to thousands, not to millions.
  public var depth = 512
  /// Bytes of a mapped string as written in the feed, without its quotes (default 16 MiB).
  ///
  /// Strings that are not mapped are not limited: they stream through.
  public var string = 16 << 20
  /// Characters of a number (default 1,000).
  public var number = 1000
  /// Bytes of a key as written in the feed (default 64 KiB).
  public var key = 64 << 10
  /// Members of a mapped dictionary, or members collected by a field of an object (default 1,000,000).
  ///
  /// A repeated key counts again, unless its member is skipped. Members that are not mapped are not limited. Members of
  /// parts that are mapped as a whole are not limited either: ``capturedValue`` bounds these parts.
  public var members = 1_000_000
  /// Elements of a mapped array (default 10,000,000), including those that are left out.
  public var elements = 10_000_000
  /// Errors kept for one record (default 100); further errors are only counted.
  public var errorsPerRecord = 100
  /// Bytes of one part that is mapped as a whole (default 16 MiB): a `JSONValue`, raw text, or a container that several
  /// fields take.
  public var capturedValue = 16 << 20
  /// Recorded bytes that one record may have replayed to mappings (default 128 MiB): if alternatives are nested, each
  /// level replays its contents to each of its alternatives again.
  public var replayed = 128 << 20
  /// Bytes of one record (default 1 GiB): the keys, values and brackets of its mapped parts, without what separates them.
  public var record = 1 << 30

  /// The defaults: those of a tool that maps files which one knows.
  public init() {}

  /// For feeds from whoever can reach a server.
  ///
  /// - ``depth``: 64. Documents that people design have less than twenty levels.
  /// - ``string``: 1 MiB, as of a long text or a small picture in Base64.
  /// - ``number``: 100 characters. A `Double` has at most 24, a 256-bit integer 78.
  /// - ``key``: 1 KiB.
  /// - ``members``: 10,000.
  /// - ``elements``: 100,000.
  /// - ``errorsPerRecord``: 20. Nobody reads more of them in an answer.
  /// - ``capturedValue``: 1 MiB.
  /// - ``replayed``: 8 MiB.
  /// - ``record``: 8 MiB. The values of a record take some multiple of its bytes: a one-digit number is 8 bytes in a `[Double]`.
  public static var untrusted: Limits {
    var limits = Limits()
    limits.depth = 64
    limits.string = 1 << 20
    limits.number = 100
    limits.key = 1 << 10
    limits.members = 10_000
    limits.elements = 100_000
    limits.errorsPerRecord = 20
    limits.capturedValue = 1 << 20
    limits.replayed = 8 << 20
    limits.record = 8 << 20
    return limits
  }

  /// The limits that a feed can reach.
  package enum Name: String, Sendable, CaseIterable {
    case depth, string, number, key, members, elements, errorsPerRecord, capturedValue, replayed
    case record

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
      case .replayed:
        "bytes of a record read again for alternatives and for fields that share a source"
      case .record: "bytes in the mapped parts of a record"
      }
    }
  }

  /// The text of “expected at most 512 levels of nesting (Limits.depth)”.
  package static func message(_ name: Name, _ value: Int) -> String {
    "at most \(value) \(name.phrase) (\(hint(name)))"
  }

  /// What raises a limit, as in “Limits.depth”.
  static func hint(_ name: Name) -> String { "Limits.\(name.rawValue)" }
}
