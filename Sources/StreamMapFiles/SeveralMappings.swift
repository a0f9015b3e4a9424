import StreamMap

/// The mappings of a file that has several (`mappings`), each as a file of its own.
///
/// What stands beside `mappings` is said for each mapping that does not say it itself.
struct SeveralMappings {
  /// A mapping, with all that holds for it.
  struct Member {
    let name: String
    let root: LocatedNode
  }

  private(set) var members: [Member] = []

  /// The mappings of a file; nil if it is one mapping.
  ///
  /// Mistakes in what surrounds them are reported, and those in their keys.
  init?(_ file: LocatedNode, _ mistakes: FileMistakes) {
    guard case .map(let all) = file.content,
      let mappings = all.first(where: { $0.key == FileKey.mappings.name })?.value
    else { return nil }
    let entries = all.unique(mistakes)
    guard case .map(let named) = mappings.content, !named.isEmpty else {
      mistakes.add(
        mappings.mark,
        "mappings has to be a map of names and mappings, as in { orders: { record: … } }; "
          + "found \(mappings.isEmptyMap ? "an empty map" : mappings.phrase)")
      return
    }
    let shared = entries.filter { $0.key != FileKey.mappings.name }
    for entry in named.unique(mistakes) {
      if entry.key.isEmpty || entry.key.contains("=") {
        mistakes.add(
          entry.mark,
          "the name of a mapping must not be empty or have '=': it stands in -o NAME=FILE"
        )
      }
      guard MapReader(entry.value, "mapping '\(entry.key)'", FileKey.ofMember, mistakes) != nil,
        case .map(let own) = entry.value.content
      else { continue }
      let known = own.filter { FileKey.ofMember.key(named: $0.key) != nil }
      let rest = shared.filter { entry in !known.contains { $0.key == entry.key } }
      members.append(
        Member(
          name: entry.key,
          root: LocatedNode(mark: entry.value.mark, content: .map(rest + known))))
    }
    // Else each of them would lack it.
    if !shared.contains(where: { $0.key == FileKey.streammap.name }) {
      mistakes.add(file.mark, MappingFileReader.missingVersion)
      members = []
    }
  }
}

extension LocatedNode {
  fileprivate var isEmptyMap: Bool {
    if case .map(let entries) = content { entries.isEmpty } else { false }
  }
}
