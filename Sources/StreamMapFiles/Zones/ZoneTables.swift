import StreamMap

/// The time zones that a mapping file names, each read once.
final class ZoneTables {
  private let folder: ZoneFolder
  private var known: [ExactText: Result<Zone, ZoneProblem>] = [:]
  /// The names of all zones, some hundreds: their folders are read once.
  private lazy var names = folder.names
  /// What was suggested for names without a zone.
  private var suggestions: [ExactText: String?] = [:]
  // A name is compared with all others, which takes a millisecond. A file with more wrong names gets no further help.
  private static let mostSuggestions = 20

  init(in folder: ZoneFolder = .system) {
    self.folder = folder
  }

  /// The zone of a name.
  func zone(_ name: String) throws(ZoneProblem) -> Zone {
    if let zone = known[ExactText(name)] { return try zone.get() }
    let zone = Result { () throws(ZoneProblem) in try Zone(name, in: folder) }
    known[ExactText(name)] = zone
    return try zone.get()
  }

  /// The zone that a name without one may stand for; nil if there is none, and after many such names.
  func nearest(to name: String) -> String? {
    if "+-".contains(name.prefix(1)), !name.isEmpty, (try? zone("UTC" + name)) != nil {
      return "UTC" + name
    }
    if let suggestion = suggestions[ExactText(name)] { return suggestion }
    if suggestions.count == Self.mostSuggestions { return nil }
    let suggestion = Suggestion.nearest(to: name, among: names)
    suggestions[ExactText(name)] = .some(suggestion)
    return suggestion
  }
}
