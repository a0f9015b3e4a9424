/// Work of one kind, and all who do it.
protocol BenchmarkTask: SendableMetatype {
  /// As on the command line.
  static var name: String { get }
  /// What is done, in a line.
  static var summary: String { get }
  /// The file that is read.
  static var feed: String { get }
  /// How many bytes of it the work goes through; nil where throughput says nothing.
  static func work(_ feed: MappedFile) -> Int?
  /// Whose result the others' is compared with.
  static var reference: String { get }
  /// Whose time ratios are to.
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
    Tweets7.self, TweetsDocument.self, TweetsAll.self, Numbers.self, Catalogue.self, Encode.self,
    EncodeAll.self,
    Tiny.self, Escaped.self, Wide.self, Deep.self, Startup.self, Chunks.self, Jobs.self,
  ]
}
