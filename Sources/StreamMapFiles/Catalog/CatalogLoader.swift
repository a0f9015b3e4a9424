import StreamMap

/// Keeps what is known of the files of a catalog, and reads those that have changed.
struct CatalogLoader: Sendable {
  /// The stamps of files by their paths; nil for a file that is not there.
  typealias Stamps = [ExactText: FileStamp?]

  /// A name of the catalog.
  private struct Known: Sendable {
    /// The files that were read last for it, as they were; none after what has to be tried again.
    var stamps: Stamps = [:]
    /// What was last without a mistake.
    var good: MappingCatalog.Entry?
    var mistakes: MappingFile.Mistakes?
  }

  /// How often files that change while they are read are read again at once.
  private static let mostTries = 5

  private let path: String
  private let arguments: @Sendable (String) -> [String: String]
  private var known: [ExactText: Known] = [:]
  /// What is wrong with other things in the folder.
  private var others: [MappingFile.Mistakes] = []
  /// Why the folder could not be read; what was read before stays.
  private(set) var failure: MappingFile.Mistakes?
  /// Changes that were seen by one look, and are taken by the next one that sees the same.
  private var seen: [ExactText: Stamps] = [:]
  /// Grows with each change of the contents.
  private var version = 0

  init(_ path: String, _ arguments: @escaping @Sendable (String) -> [String: String]) {
    self.path = path
    self.arguments = arguments
  }

  /// The contents now.
  var contents: MappingCatalog.Contents {
    MappingCatalog.Contents(
      entries: known.compactMapValues(\.good),
      mistakes: (known.values.compactMap(\.mistakes) + others + [failure].compactMap(\.self))
        .sorted { $0.file < $1.file })
  }

  /// Reads all that has changed.
  ///
  /// - Parameter waits: Whether a change is taken only once two looks have seen the same.
  /// - Returns: Whether anything is other than before.
  @discardableResult
  mutating func look(waits: Bool) -> Bool {
    let before = (version, others, failure)
    read(waits: waits)
    return (version, others, failure) != before
  }

  private mutating func read(waits: Bool) {
    for _ in 0..<Self.mostTries {
      var next = self
      do throws(UnreadableFile) {
        let folder = try CatalogFolder(path)
        let isWhole = next.look(into: folder, try folder.listing(), waits: waits)
        // A link that leads to another folder now is a change of everything.
        if isWhole, try CatalogFolder(path).realPath == folder.realPath {
          next.failure = nil
          self = next
          return
        }
      } catch {
        // All that was read stays: a folder that is away is more likely to be put back than meant to be empty.
        failure = Self.mistake(path, error.reason, isUnreadable: true)
        return
      }
      // The next look comes soon enough.
      if waits { return }
    }
    failure = Self.mistake(path, "the folder changes while it is read", isUnreadable: true)
  }

  /// Reads what has changed; false if files changed while they were read.
  private mutating func look(
    into folder: CatalogFolder, _ listing: CatalogFolder.Listing, waits: Bool
  ) -> Bool {
    let groups = Dictionary(grouping: listing.members, by: { ExactText($0.name) })
    let before = seen
    seen = [:]
    others = listing.problems.map { Self.mistake(folder.path(of: $0.path), $0.reason) }
    for (name, members) in groups {
      let paths = members.map { folder.path(of: $0.path) }.sorted()
      if paths.count == 1, let last = known[name], !last.stamps.isEmpty,
        last.stamps.index(forKey: ExactText(paths[0])) != nil,
        CatalogReading.stamps(of: last.stamps.keys) == last.stamps
      {
        continue
      }
      let now = CatalogReading.stamps(
        of: paths.map { ExactText($0) } + (known[name]?.stamps.keys.sorted() ?? []))
      if waits, before[name] != now {
        seen[name] = now
      } else if paths.count > 1 {
        let reason = "'\(name)' is \(paths[0]), too; a name belongs to one file"
        note(name, stamps: [:], nil, Self.mistake(paths[1], reason))
      } else if !load(name, paths[0], folder) {
        return false
      }
    }
    for name in known.keys.sorted() where groups[name] == nil {
      if listing.unreadable.contains(where: { name.text.hasPrefix($0) }) { continue }
      if waits, before[name] != [:] {
        seen[name] = [:]
      } else {
        known[name] = nil
        version += 1
      }
    }
    return true
  }

  /// Reads a mapping file; false if it, or one that it uses, changed meanwhile.
  private mutating func load(_ name: ExactText, _ path: String, _ folder: CatalogFolder) -> Bool {
    let reading = CatalogReading(folder)
    var entry: MappingCatalog.Entry?
    var mistakes: MappingFile.Mistakes?
    do {
      let bytes = try reading.bytes(of: path, upTo: MappingFile.mostBytes)
      let file = try MappingFile(
        bytes, named: path, arguments: ExactText.keys(of: arguments(name.text)),
        reading: reading.bytes(of:upTo:))
      entry = MappingCatalog.Entry(file: file, mapper: try file.mapper())
    } catch let error as UnreadableFile {
      mistakes = Self.mistake(path, error.reason, isUnreadable: true)
    } catch {
      mistakes = error as? MappingFile.Mistakes ?? Self.mistake(path, "\(error)")
    }
    guard reading.isWhole else { return false }
    note(name, stamps: reading.stamps, entry, mistakes)
    return true
  }

  private mutating func note(
    _ name: ExactText, stamps: Stamps, _ entry: MappingCatalog.Entry?,
    _ mistakes: MappingFile.Mistakes?
  ) {
    var next = known[name] ?? Known()
    if entry != nil || mistakes != next.mistakes { version += 1 }
    next.stamps = stamps
    next.mistakes = mistakes
    // After a mistake the last good one stays.
    if let entry { next.good = entry }
    known[name] = next
  }

  private static func mistake(_ file: String, _ reason: String, isUnreadable: Bool = false)
    -> MappingFile.Mistakes
  {
    let mistake = MappingFile.Mistake(
      file: file, line: 1, column: 1, keys: [], message: reason, suggestion: nil, note: nil,
      excerpt: nil)
    return MappingFile.Mistakes(file, [mistake], isUnreadable: isUnreadable)
  }
}
