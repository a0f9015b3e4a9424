import StreamMap
import StreamMapFiles

/// The result of mapping a sample of a feed: how many records are mapped, and which fields and paths find nothing.
struct Sample {
  /// Errors beyond this number are only counted.
  private static let mostErrors = 10

  private(set) var mapped = 0
  private(set) var rejected = 0
  private(set) var dropped = 0
  private(set) var issues = 0
  private var errors: [MappingError] = []
  private var unseenPaths: [PathPattern] = []
  private var missing: MissingFields
  /// Why the sample could not be read to its end.
  private var fault: MappingError?

  /// Whether reading stopped before the end of the feed: the rest is not known.
  private var isCut = false

  private let settings: MappingFile
  private let feed: FeedFile
  private let most: Int

  /// Maps the first records of a feed.
  ///
  /// - Parameters:
  ///   - settings: The mapping.
  ///   - path: The feed, `-` for standard input.
  ///   - most: The number of records.
  /// - Throws: `SystemError`, `DefinitionError`.
  init(_ settings: MappingFile, of path: String, most: Int) throws {
    self.settings = settings
    self.most = most
    try FeedFile.look(at: path)
    feed = try FeedFile(path)
    missing = try MissingFields(settings.sourceFields.map(\.name), within: settings.limits)
  }

  mutating func run() throws {
    let converter = OutputConverter(try settings.plan(), layout: .lines)
    try converter.begin(format: feed.format(settings.format), file: feed.name)
    while mapped + rejected + dropped < most {
      switch converter.next() {
      case .input:
        let piece = try feed.read()
        converter.input(piece, isFinal: piece.isEmpty)
      case .dropped: dropped += 1
      // Only with several jobs.
      case .records: continue
      case .record(let record): try take(record, converter)
      case .end:
        unseenPaths = settings.records.isEmpty ? [] : converter.unseenPaths
        return
      }
    }
    isCut = true
  }

  private mutating func take(_ record: Record<Void>, _ converter: OutputConverter) throws {
    issues += record.issues.count
    if let error = record.error {
      rejected += 1
      if error.code.category != .data { fault = error }
      if errors.count < Self.mostErrors { errors.append(error) }
      return
    }
    mapped += 1
    try converter.takeOutput { text in try missing.look(in: text) }
  }

  var status: ExitStatus {
    if let fault { return ExitStatus(endedBy: fault) }
    if !unseenPaths.isEmpty { return .unseenPath }
    return rejected > 0 ? .someRejected : .success
  }

  /// One line for the counts, and one for each thing to look at.
  var text: String {
    var lines = [
      "\(feed.title): \(mapped) mapped, \(rejected) rejected, \(dropped) dropped, \(issues) issues"
    ]
    if isCut { lines.append("only the first \(most) records were mapped (--sample-records)") }
    lines += unseenPaths.map { "no records: the path \($0) does not occur" }
    if mapped > 0 {
      for field in settings.sourceFields where missing.names.contains(field.name) {
        lines.append(
          "'\(field.name)' is null in every record: is '\(field.path)' the right path?")
      }
    }
    lines += errors.map { "\($0)" }
    if rejected > errors.count { lines.append("and \(rejected - errors.count) more rejected") }
    return lines.joined(separator: "\n")
  }
}
