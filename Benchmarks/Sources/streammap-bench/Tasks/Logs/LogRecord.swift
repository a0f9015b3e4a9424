import StreamMap

/// A line of a log: all but its user agent, flat.
struct LogRecord {
  let timestamp: String
  let level: String
  let service: String
  let trace: String
  let user: Int
  let method: String
  let path: String
  let status: Int
  let milliseconds: Double
  let tags: [String]
  let message: String

  /// The same fields, as output records.
  static let output: OutputMapping = .object([
    OutputField("timestamp", from: "time", .string),
    OutputField("level", from: "level", .string),
    OutputField("service", from: "service", .string),
    OutputField("trace", from: "trace_id", .string),
    OutputField("user", from: "user_id", .int64),
    OutputField("method", from: "http.method", .string),
    OutputField("path", from: "http.path", .string),
    OutputField("status", from: "http.status", .int64),
    OutputField("ms", from: "http.ms", .double),
    OutputField("tags", from: "tags", .array(of: .string)),
    OutputField("message", from: "message", .string),
  ])
}

// As `@Mappable` generates it, like serde's `derive` for the peer: see TweetUser.swift.
extension LogRecord: Mappable {
  static var mapping: Mapping<LogRecord> {
    var fields = _GeneratedFields<LogRecord>()
    fields.add("timestamp", at: .key("time"), \.timestamp) { $0.timestamp }
    fields.add("level", at: .key("level"), \.level) { $0.level }
    fields.add("service", at: .key("service"), \.service) { $0.service }
    fields.add("trace", at: .key("trace_id"), \.trace) { $0.trace }
    fields.add("user", at: .key("user_id"), \.user) { $0.user }
    fields.add("method", at: .path("http.method"), \.method) { $0.method }
    fields.add("path", at: .path("http.path"), \.path) { $0.path }
    fields.add("status", at: .path("http.status"), \.status) { $0.status }
    fields.add("milliseconds", at: .path("http.ms"), \.milliseconds) { $0.milliseconds }
    fields.add("tags", at: .key("tags"), \.tags) { $0.tags }
    fields.add("message", at: .key("message"), \.message) { $0.message }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      LogRecord(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    timestamp = slots.take()
    level = slots.take()
    service = slots.take()
    trace = slots.take()
    user = slots.take()
    method = slots.take()
    path = slots.take()
    status = slots.take()
    milliseconds = slots.take()
    tags = slots.take()
    message = slots.take()
  }
}

extension LogRecord: Digestible {
  func read(by digest: inout DigestBuilder) {
    digest.add(user, salt: 1)
    digest.add(status, salt: 3)
    digest.add(milliseconds)
    digest.add(timestamp, salt: 1)
    digest.add(level, salt: 2)
    digest.add(service, salt: 3)
    digest.add(trace, salt: 4)
    digest.add(method, salt: 5)
    digest.add(path, salt: 6)
    digest.add(message, salt: 7)
    for tag in tags { digest.add(tag, salt: 8) }
  }
}

/// The same fields nested as in the feed, which `Codable` needs.
struct NestedLogRecord: Decodable {
  let time: String
  let level: String
  let service: String
  let traceID: String
  let userID: Int
  let http: Request
  let tags: [String]
  let message: String

  struct Request: Decodable {
    let method: String
    let path: String
    let status: Int
    let ms: Double
  }

  enum CodingKeys: String, CodingKey {
    case time, level, service, http, tags, message
    case traceID = "trace_id"
    case userID = "user_id"
  }

  var flat: LogRecord {
    LogRecord(
      timestamp: time, level: level, service: service, trace: traceID, user: userID,
      method: http.method, path: http.path, status: http.status, milliseconds: http.ms, tags: tags,
      message: message)
  }
}

extension NestedLogRecord: Digestible {
  func read(by digest: inout DigestBuilder) { flat.read(by: &digest) }
}

/// The output of commands.
struct WrittenLogRecord: Decodable {
  let timestamp: String
  let level: String
  let service: String
  let trace: String
  let user: Int
  let method: String
  let path: String
  let status: Int
  let ms: Double
  let tags: [String]
  let message: String

  var record: LogRecord {
    LogRecord(
      timestamp: timestamp, level: level, service: service, trace: trace, user: user,
      method: method, path: path, status: status, milliseconds: ms, tags: tags, message: message)
  }

  /// A digest of a command's output.
  static func digest(_ output: MappedFile) throws -> Digest {
    try FoundationContender.digest(WrittenLogRecord.self, output)
  }
}

extension WrittenLogRecord: Digestible {
  func read(by digest: inout DigestBuilder) { record.read(by: &digest) }
}
