/// Bounds on what the records of a feed may demand.
///
/// The error that a limit causes names the limit. ``FeedOptions`` bound a whole feed, and may also have limits for one feed
/// alone.
///
/// ```swift
/// var limits = Limits()
/// limits.depth = 2_000
/// let mapper = try Mapper(person, limits: limits)
/// ```
public struct Limits: Sendable, Hashable {
  /// Objects and arrays that are open at the same time (default 512).
  ///
  /// Reading uses no stack space per level. ``JSONValue/maximumDepth`` also bounds parts that become a tree, whatever is set
  /// here. Values of your own types that contain themselves are built without the stack, but Swift releases them level by
  /// level: with such types, raise this to thousands, not to millions.
  public var depth = Name.depth.standard
  /// Bytes of a mapped string as written in the feed, without its quotes (default 16 MiB).
  ///
  /// Strings that are not mapped are not limited: they stream through.
  public var string = Name.string.standard
  /// Characters of a number (default 1,000).
  public var number = Name.number.standard
  /// Bytes of a key as written in the feed (default 64 KiB).
  public var key = Name.key.standard
  /// Members of a mapped dictionary, or members collected by a field of an object (default 1,000,000).
  ///
  /// A repeated key counts again, unless its member is skipped. Members that are not mapped are not limited. Members of
  /// parts that are mapped as a whole are not limited either: ``capturedValue`` bounds these parts.
  public var members = Name.members.standard
  /// Elements of a mapped array (default 10,000,000), including those that are left out.
  public var elements = Name.elements.standard
  /// Errors kept for one record (default 100), and as many issues, whose values were replaced; further ones are only counted.
  public var errorsPerRecord = Name.errorsPerRecord.standard
  /// Bytes of one part that is mapped as a whole (default 16 MiB): a `JSONValue`, raw text, or a container that several
  /// fields take.
  ///
  /// The limit also bounds a value that is held to find the records in it: see ``RecordPaths``.
  public var capturedValue = Name.capturedValue.standard
  /// Recorded bytes that one record may have replayed to mappings (default 128 MiB): if alternatives are nested, each
  /// level replays its contents to each of its alternatives again.
  ///
  /// Values in a long record that are read again where they lie count by themselves, up to as much. So a record near this limit may pass with
  /// one parser and be refused with the other.
  public var replayed = Name.replayed.standard
  /// Bytes of one record (default 16 GiB), from its first to its last, whatever is mapped of it.
  public var record = Name.record.standard

  /// The defaults: for files that you know.
  public init() {}

  /// For feeds from anyone who can reach a server.
  ///
  /// - ``depth``: 64. Documents that people design have less than twenty levels.
  /// - ``string``: 1 MiB, as of a long text or a small picture in Base64.
  /// - ``number``: 100 characters. A `Double` has at most 24, a 256-bit integer 78.
  /// - ``key``: 1 KiB.
  /// - ``members``: 10,000.
  /// - ``elements``: 100,000.
  /// - ``errorsPerRecord``: 20. An answer needs no more of them.
  /// - ``capturedValue``: 1 MiB.
  /// - ``replayed``: 8 MiB.
  /// - ``record``: 8 MiB. The values of a record take some multiple of its bytes: a one-digit number is 8 bytes in a `[Double]`.
  public static var untrusted: Limits {
    Name.allCases.reduce(into: Limits()) { $0[keyPath: $1.path] = $1.untrusted }
  }

  /// Whether a record of one batch can reach a limit of what is read again.
  ///
  /// Such a record is mapped event by event, which counts all of it.
  var boundRows: Bool {
    capturedValue < Name.capturedValue.untrusted || replayed < Name.replayed.untrusted
  }

  /// What is to be known of each limit; messages, mapping files, options and C follow from it.
  package enum Name: String, Sendable, CaseIterable {
    case depth, string, number, key, members, elements, errorsPerRecord, capturedValue, replayed
    case record

    /// As in “at most 512 levels of nesting”.
    package var phrase: String { facts.phrase }
    /// Its name in mapping files and in the options of C; the command's option is `--limit-` and this.
    package var word: String { facts.word ?? rawValue }
    /// Whether it is a number of bytes.
    package var isSize: Bool { facts.isSize }
    package var standard: Int { facts.standard }
    var untrusted: Int { facts.untrusted }

    private struct Facts {
      let standard: Int
      let untrusted: Int
      let phrase: String
      var isSize = false
      /// Where it is not the name of the property.
      var word: String?
    }

    private var facts: Facts {
      switch self {
      case .depth: Facts(standard: 512, untrusted: 64, phrase: "levels of nesting")
      case .string:
        Facts(
          standard: 16 << 20, untrusted: 1 << 20, phrase: "bytes in a mapped string", isSize: true)
      case .number: Facts(standard: 1000, untrusted: 100, phrase: "characters in a number")
      case .key:
        Facts(standard: 64 << 10, untrusted: 1 << 10, phrase: "bytes in a key", isSize: true)
      case .members:
        Facts(standard: 1_000_000, untrusted: 10_000, phrase: "members in a mapped object")
      case .elements:
        Facts(standard: 10_000_000, untrusted: 100_000, phrase: "elements in a mapped array")
      case .errorsPerRecord:
        Facts(standard: 100, untrusted: 20, phrase: "errors kept of a record", word: "errors")
      case .capturedValue:
        Facts(
          standard: 16 << 20, untrusted: 1 << 20, phrase: "bytes in a part mapped as a whole",
          isSize: true, word: "captured")
      case .replayed:
        Facts(
          standard: 128 << 20, untrusted: 8 << 20,
          phrase:
            "bytes of a record read again for alternatives and for fields that share a source",
          isSize: true)
      case .record:
        Facts(
          standard: 16 << 30, untrusted: 8 << 20, phrase: "bytes in a record", isSize: true)
      }
    }

    package var path: WritableKeyPath<Limits, Int> & Sendable {
      switch self {
      case .depth: \.depth
      case .string: \.string
      case .number: \.number
      case .key: \.key
      case .members: \.members
      case .elements: \.elements
      case .errorsPerRecord: \.errorsPerRecord
      case .capturedValue: \.capturedValue
      case .replayed: \.replayed
      case .record: \.record
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
