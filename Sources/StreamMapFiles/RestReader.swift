import StreamMap

/// What an object keeps of the members that no field names, as a mapping file says it.
struct RestSpec: Equatable, Sendable {
  /// The paths of what is not kept.
  var except: [String] = []

  var rest: OutputRest { .kept(except: except) }
}

/// What becomes of the members that no field names, as `rest` says it.
enum KeptMembers: String, CaseIterable {
  case drop, keep
}

/// Reads `rest` and `drop`, which stand beside the fields of an object.
struct RestReader<Key: MapKey> {
  private let map: MapReader<Key>
  private let rest: Key
  private let drop: Key
  private let mistakes: FileMistakes

  init(_ map: MapReader<Key>, rest: Key, drop: Key, _ mistakes: FileMistakes) {
    self.map = map
    self.rest = rest
    self.drop = drop
    self.mistakes = mistakes
  }

  /// What is kept of the members that these fields do not name; nil for none.
  func rest(beside fields: [FieldSpec]) -> RestSpec? {
    guard map.choice(rest, KeptMembers.self) == .keep else {
      if map[drop] != nil, map[rest] == nil || map.string(rest) == KeptMembers.drop.rawValue {
        mistakes.add(
          map.mark(of: drop), "drop is only for 'rest: keep': it removes something that is kept")
      }
      return nil
    }
    let taken = Set(fields.flatMap(\.firstKeys).map { ExactText($0) })
    return RestSpec(
      except: map.strings(drop).compactMap { text, mark in
        dropped(text, at: mark, taken) ? text : nil
      })
  }

  private func dropped(_ text: String, at mark: FileMark, _ taken: Set<ExactText>) -> Bool {
    guard let pattern = PathReader(mistakes).pattern(text, at: mark) else { return false }
    guard case .key(let key)? = pattern.steps.first else {
      mistakes.add(mark, "drop: '\(text)' has to begin with the key of a member")
      return false
    }
    if let step = pattern.steps.first(where: { !$0.isFixed }) {
      let shown = if case .descendants = step { ".." } else { "\(step)" }
      mistakes.add(mark, "drop: '\(text)': \(shown) is for input.records; write the whole path")
      return false
    }
    if taken.contains(ExactText(key)) {
      mistakes.add(
        mark, "drop: a field names '\(key)', so it is not among the members that are kept")
      return false
    }
    return true
  }
}

extension FieldSpec {
  /// The keys with which the paths of its value begin, as far as they are known here.
  fileprivate var firstKeys: [String] {
    guard case .path(let path, _) = source, let pattern = try? PathPattern(parsing: path),
      case .key(let key)? = pattern.steps.first
    else { return [] }
    return [key]
  }
}
