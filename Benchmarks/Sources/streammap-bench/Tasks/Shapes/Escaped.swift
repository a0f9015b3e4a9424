enum Escaped: BenchmarkTask {
  static let name = "escaped"
  static let summary = "two of three fields, strings full of escapes"
  static let feed = "escaped.ndjson"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    try Note.contenders(feed)
  }
}
