import Foundation

/// One record, from the start of a command to its end.
enum Startup: BenchmarkTask {
  static let name = "startup"
  static let summary = "commands on one record, from start to end"
  static let feed = "tweets.ndjson"
  static let reference = "stream-map"
  static let baseline = "jq"
  private static let repetitions = 20
  /// The one record, in a file that the run removes at its end.
  static let record = Workbench.temporary("record")

  static func work(_ feed: MappedFile) -> Int? { nil }

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    let path = record
    var lines = feed.lines
    let file = try OutputFile(path: path)
    if let line = lines.next() { try file.write(Array(line) + [0x0A]) }
    try file.close()
    return [
      CommandContender(
        reference, [bench.streamMap, "--field", "id:int64", "--field", "text", path],
        repetitions: repetitions, read: digest),
      CommandContender(
        "jq", ["jq", "-c", "{id, text}", path], comparison: .roundedIntegers,
        repetitions: repetitions, read: digest),
      CommandContender(
        "gojq", ["gojq", "-c", "{id, text}", path], repetitions: repetitions, read: digest),
    ]
  }

  private static func digest(_ output: MappedFile) throws -> Digest {
    try FoundationContender.digest(Note.self, output)
  }
}
