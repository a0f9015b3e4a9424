import StreamMap

/// Eight members of a log, and one more thing.
struct CliffRecord<Extra> {
  let time: String
  let level: String
  let service: String
  let trace: String
  let user: Int
  let status: Int
  let milliseconds: Double
  let message: String
  let extra: Extra

  /// Without a source, it is what no other field takes.
  static func mapping(_ source: FieldSource?, _ extra: Mapping<Extra>) -> Mapping<CliffRecord> {
    Mapping.object(CliffRecord.self) { field in
      field.make(
        CliffRecord.init,
        field("time", \.time),
        field("level", \.level),
        field("service", \.service),
        field("trace_id", \.trace),
        field("user_id", \.user),
        field("http.status", \.status),
        field("http.ms", \.milliseconds),
        field("message", \.message),
        source.map { field($0, \.extra, extra) } ?? field(collecting: \.extra, extra))
    }
  }
}

/// The same without anything more.
struct PlainCliffRecord {
  let time: String
  let level: String
  let service: String
  let trace: String
  let user: Int
  let status: Int
  let milliseconds: Double
  let message: String

  static let mapping = Mapping.object(PlainCliffRecord.self) { field in
    field.make(
      PlainCliffRecord.init,
      field("time", \.time),
      field("level", \.level),
      field("service", \.service),
      field("trace_id", \.trace),
      field("user_id", \.user),
      field("http.status", \.status),
      field("http.ms", \.milliseconds),
      field("message", \.message))
  }
}

/// What a typed field of another kind costs.
enum CliffField: String, CaseIterable {
  case oneMore = "a string more"
  case severalSources = "several sources"
  case firstOf = "firstOf"
  case dispatch
  case function = "a function"
  case hook = "a hook that sees the JSON"
  case collected = "collected members"
  case dictionary = "a dictionary of JSON"
  case json = "a JSONValue"

  var bar: Double {
    switch self {
    case .oneMore, .severalSources, .firstOf, .dispatch, .function: 1.3
    case .hook, .collected, .dictionary, .json: 2.5
    }
  }

  /// Maps the feed; the result depends on all of it.
  func run(_ feed: MappedFile) throws -> Int {
    switch self {
    case .oneMore: try Self.each("user_agent", .string, feed) { $0.utf8.count }
    case .severalSources:
      try Self.each(.first("actor", "user_agent"), .string, feed) { $0.utf8.count }
    case .firstOf:
      try Self.each(
        "user_id",
        .firstOf(.string, .oneWay(from: Mapping<Int>.int) { String($0) }, reportsEarlier: false),
        feed
      ) { $0.utf8.count }
    case .dispatch:
      try Self.each(
        "http",
        .dispatch(
          on: "method", ["GET": Self.part("path"), "PUT": Self.part("path")],
          otherwise: Self.part("path")), feed
      ) { $0.utf8.count }
    case .function:
      try Self.each(
        "user_agent", .converted(from: .string, { $0 }, reverse: { $0 }), feed
      ) { $0.utf8.count }
    case .hook:
      try Self.each("user_agent", .string.postProcessed { _, value in value }, feed) {
        $0.utf8.count
      }
    case .collected:
      try Self.each(nil, .dictionary(of: .json), feed) { $0.count }
    case .dictionary:
      try Self.each("http", .dictionary(of: .json), feed) { $0.count }
    case .json: try Self.each("http", .json, feed) { $0["path"] == nil ? 0 : 1 }
    }
  }

  /// Maps the feed by the field of a name, or by the plain mapping if that is empty.
  static func run(_ name: String, _ feed: MappedFile) throws -> Int {
    if name.isEmpty { return try plain(feed) }
    guard let field = CliffField(rawValue: name) else { throw BenchmarkError("no field \(name)") }
    return try field.run(feed)
  }

  private static func plain(_ feed: MappedFile) throws -> Int {
    var sum = 0
    try StreamMapContender.each(try Mapper(PlainCliffRecord.mapping), in: feed) { sum &+= $0.user }
    return sum
  }

  private static func part(_ key: FieldSource) -> Mapping<String> { .at(key, .string) }

  private static func each<Extra>(
    _ source: FieldSource?, _ extra: Mapping<Extra>, _ feed: MappedFile, _ size: (Extra) -> Int
  ) throws -> Int {
    var sum = 0
    try StreamMapContender.each(try Mapper(CliffRecord.mapping(source, extra)), in: feed) {
      sum &+= size($0.extra)
    }
    return sum
  }
}
