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
  private var notes: RunNotes
  private let converter: OutputConverter
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
    // As it will be written: a record that cannot be is rejected here, too.
    let format = settings.output.format ?? .ndjson
    let plan = try settings.plan(as: format)
    let layout = try settings.layout(of: plan, as: format)
    converter = OutputConverter(plan, layout: layout)
    notes = RunNotes(settings, hidesValues: converter.hidesValues)
  }

  mutating func run() throws {
    let format = feed.format(settings.format)
    notes.begin(feed, format: format, isAtStart: true)
    try converter.begin(format: format, file: feed.source.path)
    while mapped + rejected + dropped < most {
      switch converter.next() {
      case .input:
        let piece = try feed.read()
        notes.read(piece)
        converter.input(piece, isFinal: piece.isEmpty)
      case .dropped: dropped += 1
      // Only with several jobs.
      case .records: continue
      case .record(let record): take(record)
      case .end:
        unseenPaths = settings.records.isEmpty ? [] : converter.unseenPaths
        return
      }
    }
    isCut = true
  }

  private mutating func take(_ record: Record<Void>) {
    if !record.issues.isEmpty || record.error != nil { notes.take(record) }
    issues += record.issues.count
    if let error = record.error {
      rejected += 1
      if error.code.category != .data { fault = error }
      if errors.count < Self.mostErrors { errors.append(error) }
      return
    }
    mapped += 1
    converter.takeOutput { _ in }
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
    lines += unseenPaths.map { notes.text(ofUnseen: $0) }
    lines += notes.unfound(converter, ofRecords: mapped + rejected + dropped, isOver: fault == nil)
    lines += notes.leftOut
    lines += errors.map { notes.text(of: $0) }
    if rejected > errors.count { lines.append("and \(rejected - errors.count) more rejected") }
    return lines.joined(separator: "\n")
  }
}
