import StreamMap

/// Events: small records, nearly all of whose fields are mapped: the bulk of what is ingested.
enum Logs: BenchmarkTask {
  static let name = "logs"
  static let summary = "events of 315 bytes, eleven of thirteen members, renamed and lifted"
  static let feed = LogFeed.feed
  static let command = "stream-map"
  static let serdeCommand = "serde_json borrowed, as a command"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    let toBytes = StreamMapContender.contenderToBytes(
      try Mapper(output: LogRecord.output), feed, read: WrittenLogRecord.digest)
    let serde = Peers.serde(["slices", "stream", "bytes"], name, bench, feed.path)
    let python = Peers.python(["msgspec", "duckdb"], name, bench, feed.path)
    return try YajlBaseline.contenders(feed) + [
      streamMapTyped(feed), toBytes, foundation(feed), Peers.simdjson(name, bench, feed.path),
    ] + serde + python + commands(feed, bench)
  }

  static func streamMapTyped(_ feed: MappedFile) throws -> any Contender {
    StreamMapContender.contender(try Mapper(LogRecord.mapping), feed)
  }

  static func foundation(_ feed: MappedFile) -> any Contender {
    FoundationContender.contender(NestedLogRecord.self, feed)
  }

  // MARK: Commands

  private static let filter = """
    {timestamp: .time, level, service, trace: .trace_id, user: .user_id, method: .http.method,
    path: .http.path, status: .http.status, ms: .http.ms, tags, message}
    """

  private static func commands(_ feed: MappedFile, _ bench: Workbench) -> [any Contender] {
    let read = WrittenLogRecord.digest
    return [
      CommandContender(
        command, [bench.streamMap, "-m", bench.mapping("logs.map.yaml"), feed.path], read: read),
      Peers.serdeCommand(serdeCommand, name, bench, feed.path, read: read),
      Peers.pythonCommand("msgspec", name, bench, feed.path, read: read),
      Peers.pythonCommand("duckdb", name, bench, feed.path, read: read),
      Peers.pythonCommand("chdb", name, bench, feed.path, read: read),
    ]
      + ["jq", "gojq"].map {
        CommandContender(
          $0, [$0, "-c", filter, feed.path], environment: ["GOMAXPROCS": "1"], read: read)
      }
  }
}
