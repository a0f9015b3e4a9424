import StreamMap
import StreamMapFiles

/// What a mapping makes of a sample of a feed: how many records it takes, and what it finds nothing for.
struct Sample {
  /// Errors beyond these are only counted.
  private static let mostErrors = 10

  private(set) var mapped = 0
  private(set) var rejected = 0
  private(set) var dropped = 0
  private(set) var issues = 0
  private var errors: [MappingError] = []
  private var unseenPaths: [PathPattern] = []
  /// The fields that were something else than null in some record.
  private var found: Set<String> = []
  /// Why the sample could not be read to its end.
  private var fault: MappingError?

  private let settings: MappingFile
  private let feed: FeedFile
  private let reader: Mapper<JSONValue>

  init(_ settings: MappingFile, of path: String) throws {
    self.settings = settings
    feed = try FeedFile(path)
    reader = try Mapper(JSONValue.self)
  }

  mutating func run() throws {
    let converter = OutputConverter(try settings.plan(), layout: .lines)
    try converter.begin(format: feed.format(settings.format), file: feed.name)
    while true {
      switch converter.next() {
      case .input:
        let piece = try feed.read()
        converter.input(piece, isFinal: piece.isEmpty)
      case .dropped: dropped += 1
      case .record(let record): take(record, converter)
      case .end:
        unseenPaths = settings.records.isEmpty ? [] : converter.unseenPaths
        return
      }
    }
  }

  private mutating func take(_ record: Record<Void>, _ converter: OutputConverter) {
    issues += record.issues.count
    if let error = record.error {
      rejected += 1
      if error.code.category != .data { fault = error }
      if errors.count < Self.mostErrors { errors.append(error) }
      return
    }
    mapped += 1
    var names: [String] = []
    converter.takeOutput { text in
      guard case .object(let members)? = reader.decode(text).value else { return }
      names = members.filter { $0.value != .null }.map(\.key)
    }
    found.formUnion(names)
  }

  var status: ExitStatus {
    if let fault { return ExitStatus(endedBy: fault) }
    if !unseenPaths.isEmpty { return .unseenPath }
    return rejected > 0 ? .someRejected : .success
  }

  /// One line for the counts and one for each thing to look at.
  var text: String {
    var lines = [
      "\(feed.name): \(mapped) mapped, \(rejected) rejected, \(dropped) dropped, \(issues) issues"
    ]
    lines += unseenPaths.map { "no records: the path \($0) does not occur" }
    if mapped > 0 {
      for field in settings.sourceFields where !found.contains(field.name) {
        lines.append(
          "'\(field.name)' is null in every record: is '\(field.path)' where it comes from?")
      }
    }
    lines += errors.map { "\($0)" }
    if rejected > errors.count { lines.append("and \(rejected - errors.count) more rejected") }
    return lines.joined(separator: "\n")
  }
}
