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

  static let mapping = Mapping.object(LogRecord.self) { field in
    let timestamp = field("time", \.timestamp)
    let level = field("level", \.level)
    let service = field("service", \.service)
    let trace = field("trace_id", \.trace)
    let user = field("user_id", \.user)
    let method = field("http.method", \.method)
    let path = field("http.path", \.path)
    let status = field("http.status", \.status)
    let milliseconds = field("http.ms", \.milliseconds)
    let tags = field("tags", \.tags)
    let message = field("message", \.message)
    return field.make(
      LogRecord.init, timestamp, level, service, trace, user, method, path, status, milliseconds,
      tags, message)
  }

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

extension DigestBuilder {
  mutating func add(_ record: LogRecord) {
    add(record.user, salt: 1)
    add(record.status, salt: 3)
    add(record.milliseconds)
    add(record.timestamp, salt: 1)
    add(record.level, salt: 2)
    add(record.service, salt: 3)
    add(record.trace, salt: 4)
    add(record.method, salt: 5)
    add(record.path, salt: 6)
    add(record.message, salt: 7)
    for tag in record.tags { add(tag, salt: 8) }
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
    try FoundationContender.digest(WrittenLogRecord.self, output) { $1.add($0.record) }
  }
}
