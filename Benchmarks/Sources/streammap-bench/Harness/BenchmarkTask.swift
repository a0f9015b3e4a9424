/// Work of one kind, and all contenders that do it.
protocol BenchmarkTask: SendableMetatype {
  /// The name on the command line.
  static var name: String { get }
  /// What is done, in one line.
  static var summary: String { get }
  /// The file that is read.
  static var feed: String { get }
  /// How many bytes of the feed the work reads; nil if throughput has no meaning.
  static func work(_ feed: MappedFile) -> Int?
  /// The contender with whose result the others are compared.
  static var reference: String { get }
  /// The contender to whose time the ratios are relative.
  static var baseline: String { get }

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender]
}

extension BenchmarkTask {
  static var baseline: String { YajlBaseline.withCallbacks }
  static var reference: String { FoundationContender.name }

  static func work(_ feed: MappedFile) -> Int? { feed.count }
}

enum BenchmarkTasks {
  static let all: [any BenchmarkTask.Type] = [
    Tweets7.self, TweetsDocument.self, TweetsAll.self, Logs.self, Messages.self, Async.self,
    Numbers.self, Catalogue.self, Encode.self, EncodeAll.self, Tiny.self, Escaped.self, Wide.self,
    Deep.self, Startup.self, Chunks.self, JobsTweets.self, JobsDocument.self, JobsLogs.self,
  ]
}
