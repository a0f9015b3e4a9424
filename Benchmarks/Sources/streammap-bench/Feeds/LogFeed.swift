/// Lines of a service's log, of about 315 bytes.
struct LogFeed: SeededFeed {
  static let feed = "logs.ndjson"
  let name = LogFeed.feed
  let seed: UInt64 = 315

  private static let levels = ["debug", "info", "info", "info", "info", "warn", "error"]
  private static let services = ["checkout", "search", "login", "catalogue"]
  private static let methods = ["GET", "GET", "GET", "POST", "PUT"]
  private static let statuses = [200, 200, 200, 200, 201, 204, 304, 404, 500, 503]
  private static let tags = ["eu", "us", "canary", "mobile", "web", "beta"]
  private static let messages = [
    "request served from the cache", "request served", "upstream answered after one retry",
    "cannot read \"limit\": not a number", "session renewed", "item added to the basket",
  ]

  func record(_ random: inout SeededGenerator, _ text: inout FeedText) {
    text.object {
      $0.put("time", Self.time(&random))
      $0.put("level", random.pick(Self.levels))
      $0.put("service", random.pick(Self.services))
      $0.put("trace_id", Self.trace(&random))
      $0.put("user_id", random.number(1..<100_000_000))
      $0.object("http") {
        $0.put("method", random.pick(Self.methods))
        $0.put("path", "/v1/items/\(random.number(1..<1_000_000))")
        $0.put("status", random.pick(Self.statuses))
        $0.put("ms", verbatim: "\(random.number(0..<900)).\(random.number(100..<999))")
      }
      $0.array("tags") {
        let first = random.number(0..<Self.tags.count)
        for index in 0..<random.number(0..<4) {
          $0.put(nil, Self.tags[(first + index) % Self.tags.count])
        }
      }
      $0.put("user_agent", "Mozilla/5.0 (X11; Linux x86_64)")
      $0.put("message", random.pick(Self.messages))
    }
  }

  /// 32 hexadecimal digits.
  private static func trace(_ random: inout SeededGenerator) -> String {
    let digits = Array("0123456789abcdef")
    return String((0..<32).map { _ in random.pick(digits) })
  }

  private static func time(_ random: inout SeededGenerator) -> String {
    func two(_ range: Range<Int>) -> String {
      let value = random.number(range)
      return value < 10 ? "0\(value)" : "\(value)"
    }
    let date = "2026-\(two(1..<13))-\(two(1..<29))"
    return "\(date)T\(two(0..<24)):\(two(0..<60)):\(two(0..<60)).\(random.number(100..<1000))Z"
  }
}
