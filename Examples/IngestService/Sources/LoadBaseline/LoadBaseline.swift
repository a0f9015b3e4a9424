import Foundation
import Hummingbird
import Logging
import StreamMap
import StreamMapNIO

// What `scripts/test load` measures the engine by: the same server and the same records, mapped by StreamMap or by JSONDecoder, one a
// line, and thrown away. It is not part of the service. The sections tell which lines each of the two needs.

/// A line of a log, as both make it.
struct LogLine: Sendable {
  let time: String
  let level: String
  let host: String
  let status: Int
  let bytes: Int
  let seconds: Double
}

/// Seven fields of a tweet.
struct Tweet: Sendable {
  struct User: Sendable {
    let id: Int
    let screenName: String
    let followersCount: Int
  }

  let id: Int
  let createdAt: String
  let text: String
  let retweetCount: Int
  let user: User
}

/// The program: `LoadBaseline PORT`.
@main
struct LoadBaseline {
  static func main() async throws {
    let router = Router()
    router.get("health/ready") { _, _ in HTTPResponse.Status.noContent }
    try StreamMapRoutes.add(to: router)
    FoundationRoutes.add(to: router)
    let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8081
    var logger = Logger(label: "baseline")
    logger.logLevel = .error
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
      logger: logger)
    try await application.runService()
  }
}

// MARK: StreamMap

extension LogLine {
  static let mapping = Mapping.object(LogLine.self) { field in
    let time = field("time", \.time)
    let level = field("level", \.level)
    let host = field("host", \.host)
    let status = field("status", \.status)
    let bytes = field("bytes", \.bytes)
    let seconds = field("seconds", \.seconds)
    return field.make(LogLine.init, time, level, host, status, bytes, seconds)
  }
}

extension Tweet.User {
  static let mapping = Mapping.object(Tweet.User.self) { field in
    let id = field("id", \.id)
    let screenName = field("screen_name", \.screenName)
    let followersCount = field("followers_count", \.followersCount)
    return field.make(Tweet.User.init, id, screenName, followersCount)
  }
}

extension Tweet {
  static let mapping = Mapping.object(Tweet.self) { field in
    let id = field("id", \.id)
    let createdAt = field("created_at", \.createdAt)
    let text = field("text", \.text)
    let retweetCount = field("retweet_count", \.retweetCount)
    let user = field("user", \.user, User.mapping)
    return field.make(Tweet.init, id, createdAt, text, retweetCount, user)
  }
}

enum StreamMapRoutes {
  static func add(to router: Router<BasicRequestContext>) throws {
    let logs = try Mapper(LogLine.mapping)
    let tweets = try Mapper(Tweet.mapping)
    router.post("streammap/logs") { request, _ in try await count(request, logs) }
    router.post("streammap/tweets") { request, _ in try await count(request, tweets) }
  }

  private static func count<Value: Sendable>(
    _ request: Request, _ mapper: Mapper<Value>
  ) async throws -> String {
    var count = 0
    let batches = try mapper.batches(in: Feed(request.body, format: .ndjson))
    for try await batch in batches { count += batch.values.count }
    guard batches.verdict == .complete else { throw HTTPError(.badRequest) }
    return "\(count)"
  }
}

// MARK: JSONDecoder

extension LogLine: Decodable {}

extension Tweet.User: Decodable {
  enum CodingKeys: String, CodingKey {
    case id
    case screenName = "screen_name"
    case followersCount = "followers_count"
  }
}

extension Tweet: Decodable {
  enum CodingKeys: String, CodingKey {
    case id
    case createdAt = "created_at"
    case text
    case retweetCount = "retweet_count"
    case user
  }
}

enum FoundationRoutes {
  static func add(to router: Router<BasicRequestContext>) {
    router.post("foundation/logs") { request, _ in try await count(request, LogLine.self) }
    router.post("foundation/tweets") { request, _ in try await count(request, Tweet.self) }
  }

  private static func count<Value: Decodable>(
    _ request: Request, _ type: Value.Type
  ) async throws -> String {
    let decoder = JSONDecoder()
    var count = 0
    var rest: [UInt8] = []
    for try await buffer in request.body {
      for line in buffer.readableBytesView.split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
      ).enumerated() {
        if line.offset > 0 {
          if !rest.isEmpty {
            _ = try decoder.decode(Value.self, from: Data(rest))
            count += 1
          }
          rest.removeAll(keepingCapacity: true)
        }
        rest += line.element
      }
    }
    if !rest.isEmpty {
      _ = try decoder.decode(Value.self, from: Data(rest))
      count += 1
    }
    return "\(count)"
  }
}
