import StreamMap
import StreamMapFiles

/// What is said about a run besides its errors: fields that found nothing, records that were rejected, keys that no field names.
struct RunNotes {
  /// The number of rejected records whose reasons are shown.
  private static let mostReasons = 3
  /// The number of fields, keys and kinds of errors that are named.
  private static let mostNames = 10
  /// The number of paths whose names are kept.
  private static let mostRecent = 32

  /// What tells a member whose name a field has from a key that came twice: they have the same code.
  private static let nameOfField = "a key that is the name of a field"

  private var paths: FeedNotes
  private let origin: FieldOrigin
  private var feed = FeedName("-")
  private var format = FeedFormat.auto
  /// What errors at the last paths are called, and which of these is replaced next.
  private var recent: [Name] = []
  private var oldest = 0
  /// What was noted of the records; a run that continues in another process takes it along.
  private(set) var taken = Taken()

  /// What an error at a path is called, or the path alone.
  private struct Name {
    let code: ErrorCode?
    let path: JSONPath
    let text: String
  }

  /// What was noted of records.
  struct Taken: Codable {
    fileprivate var reasons: [String] = []
    /// What tells the reasons apart: those whose fix is shown.
    fileprivate var fixed: [String] = []
    fileprivate var rejected = 0
    fileprivate var errors = Tally()
    fileprivate var unknownKeys = Tally()
    fileprivate var hiddenMembers = Tally()
    fileprivate var repeatedKeys = Tally()

    /// Whether it can come from a run.
    var isPlausible: Bool {
      reasons.count <= RunNotes.mostReasons && fixed.count <= reasons.count && rejected >= 0
        && errors.isPlausible
        && unknownKeys.isPlausible && hiddenMembers.isPlausible && repeatedKeys.isPlausible
    }
  }

  /// Nothing yet.
  ///
  /// - Parameters:
  ///   - mapping: The mapping.
  ///   - hidesValues: Whether some value must not be shown: then no keys of the feed are suggested, which may be values.
  init(_ mapping: MappingFile, hidesValues: Bool) {
    origin = mapping.origin
    paths = FeedNotes(records: mapping.records, hidesValues: hidesValues) {
      "--records \(ShellWord($0))"
    }
  }

  // MARK: Feeds

  /// A feed begins, or continues where an earlier run stopped.
  mutating func begin(_ feed: FeedFile, format: FeedFormat, isAtStart: Bool) {
    self.feed = feed.source
    self.format = format
    let name = feed.name
    paths.begin(
      isAtStart
        ? FeedBeginning(isAtStart: true) : FeedBeginning { FileReading.beginning(of: [name]) })
  }

  /// Continues what an earlier run has noted of these inputs.
  mutating func resume(_ taken: Taken, of inputs: [String]) {
    self.taken = taken
    paths.resume(after: FeedBeginning { FileReading.beginning(of: inputs) })
  }

  /// The next piece of the feed.
  mutating func read(_ piece: UnsafeBufferPointer<UInt8>) { paths.read(piece) }

  /// An error of the feed in one line or more, with what is to be done about it.
  func text(of error: MappingError) -> String {
    let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { ShownText.of(String($0)) }.joined(separator: "\n")
    guard error.code == .severalErrors else {
      let end = text.firstIndex(of: "\n") ?? text.endIndex
      return text[..<end] + hint(for: error) + text[end...]
    }
    // Each line is one error; after those that are not shown nothing can be said.
    let leaves = error.leaves
    guard leaves.count == lines.count - 1 else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { number, line in number == 0 ? String(line) : line + hint(for: leaves[number - 1]) }
      .joined(separator: "\n")
  }

  private func hint(for error: MappingError) -> String {
    FeedHint(feed: feed, format: format, paths: paths, origin: origin).text(for: error)
  }

  /// What to say of a path of records that does not occur.
  func text(ofUnseen path: PathPattern) -> String { paths.text(ofUnseen: path) }

  // MARK: Records

  /// Notes what has to be reported of a record, if anything.
  mutating func take(_ record: Record<Void>) {
    for issue in record.issues {
      switch issue.code {
      case .unknownKey: taken.unknownKeys.add(general(issue.path))
      case .duplicateKey where issue.found == Self.nameOfField:
        taken.hiddenMembers.add(general(issue.path))
      case .duplicateKey: taken.repeatedKeys.add(general(issue.path))
      default: break
      }
    }
    guard let error = record.error else { return }
    taken.rejected += 1
    if taken.reasons.count < Self.mostReasons {
      let title = FileReading.title(of: feed.name)
      // Each different reason has its fix once. To find it, the mapping file is read again: only for reasons that are shown.
      let first = error.leaves[0]
      let kind = "\(first.code.rawValue) \(general(first.path)) \(first.found ?? "")"
      let isNew = !taken.fixed.contains { $0 == kind }
      if isNew { taken.fixed.append(kind) }
      let hint = isNew ? hint(for: first) : ""
      taken.reasons.append("\(title): \(Self.line(error))\(hint)")
    }
    for error in error.leaves {
      taken.errors.add(name(of: error.code, at: error.path))
    }
  }

  /// An error in one line: of several, the first one.
  private static func line(_ error: MappingError) -> String {
    let leaves = error.leaves
    let first = leaves[0].description.split(separator: "\n").first.map(String.init) ?? ""
    let more = error.code == .severalErrors ? leaves.count + error.omittedCount - 1 : 0
    return ShownText.of(first) + (more > 0 ? " (and \(more) more in this record)" : "")
  }

  /// The path, for all elements of arrays.
  private mutating func general(_ path: JSONPath) -> String { name(of: nil, at: path) }

  /// What an error at a path is called; the path alone if there is no error.
  private mutating func name(of code: ErrorCode?, at path: JSONPath) -> String {
    // PERF: errors of many records are often at few paths.
    if let known = recent.first(where: { $0.code == code && $0.path == path }) { return known.text }
    let general = Self.general(path)
    let name = Name(
      code: code, path: path, text: code.map { "\($0.rawValue) at \(general)" } ?? general)
    if recent.count < Self.mostRecent {
      recent.append(name)
    } else {
      recent[oldest] = name
      oldest = (oldest + 1) % Self.mostRecent
    }
    return name.text
  }

  private static func general(_ path: JSONPath) -> String {
    let steps = path.components.prefix(20).map { component -> PathPattern.Step in
      switch component {
      case .key(let key): .key(key)
      case .index: .wildcard
      }
    }
    return ShownText.of(PathPattern(steps)) + (path.components.count > 20 ? "…" : "")
  }

  // MARK: Lines

  /// Why records were rejected: the first reasons and, where there are more, how often which error came.
  var rejections: [String] {
    guard taken.rejected > Self.mostReasons else { return taken.reasons }
    let (shown, names, rest) = taken.errors.most(Self.mostNames)
    var lines = taken.reasons + shown.map { "\($0.count) × \($0.name)" }
    if names > 0 { lines.append("\(rest) × other errors") }
    return lines
  }

  /// Members that are not in the output though the record was mapped: those that no field names, those whose name a field has, and
  /// those whose key came twice, where the mapping reports them.
  var leftOut: [String] {
    let lines = [
      list("unknown keys", taken.unknownKeys),
      list("members left out, since a field has their name", taken.hiddenMembers)
        .map { $0 + "; drop them if that is meant" },
      list("keys that came twice", taken.repeatedKeys),
    ]
    return lines.compactMap(\.self)
  }

  private func list(_ title: String, _ tally: Tally) -> String? {
    if tally.isEmpty { return nil }
    let (shown, names, rest) = tally.most(Self.mostNames)
    let keys = shown.map { "\($0.name) (\($0.count))" }.joined(separator: ", ")
    let more = names == 0 ? "" : names == 1 ? ", and 1 more" : ", and \(names) more"
    return "\(title): \(keys)\(more)" + (names > 0 ? " (\(rest))" : "")
  }

  /// What the fields did not find: see ``FeedNotes/unfound(_:ofRecords:isOver:most:)``.
  func unfound(_ converter: OutputConverter, ofRecords count: Int, isOver: Bool) -> [String] {
    paths.unfound(converter.unfound, ofRecords: count, isOver: isOver, most: Self.mostNames)
  }
}
