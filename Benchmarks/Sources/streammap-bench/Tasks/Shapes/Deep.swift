enum Deep: BenchmarkTask {
  static let name = "deep"
  static let summary = "two fields around 200 levels of nesting"
  static let feed = "deep.ndjson"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    try Note.contenders(feed)
  }
}
