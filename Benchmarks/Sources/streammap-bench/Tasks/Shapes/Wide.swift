enum Wide: BenchmarkTask {
  static let name = "wide"
  static let summary = "two of 1,000 fields of one object"
  static let feed = "wide.ndjson"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    try Note.contenders(feed)
  }
}
