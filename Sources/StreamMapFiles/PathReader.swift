import StreamMap

/// Reads the paths of a mapping file.
struct PathReader {
  private let mistakes: FileMistakes

  init(_ mistakes: FileMistakes) {
    self.mistakes = mistakes
  }

  /// A path that may mean several values.
  func pattern(_ text: String, at mark: FileMark) -> PathPattern? {
    if let mistake = UnlikelyPath.mistake(in: text) {
      mistakes.add(mark, mistake)
      return nil
    }
    do throws(PathSyntaxError) {
      return try PathPattern(reading: text)
    } catch {
      mistakes.add(mark, "\(error)")
      return nil
    }
  }

  /// A path, which may count from the end of arrays or select several values, and what becomes of the value there; nil after a mistake.
  func place(
    _ node: LocatedNode, _ name: String, of value: ValueSpec?, _ duplicates: DuplicateKeyPolicy
  ) -> (path: String, value: ValueSpec?)? {
    guard let (text, pattern) = path(node, name) else { return nil }
    let place = ValuePlace(text, pattern)
    guard let value else { return (place.path, nil) }
    if place.meansSeveral, !value.kind.takesList {
      mistakes.add(
        node.mark,
        "path '\(text)': it may select several values, and they are a list; write each for what becomes of each, "
          + "list for one value of them, or type: json")
      return nil
    }
    if let mistake = pattern.steps.lazy.compactMap(\.refusalInRecord).first {
      mistakes.add(node.mark, "path '\(text)': \(mistake)")
      return nil
    }
    return (place.path, place.value(value, duplicates))
  }

  /// A path to one value, from the start of arrays; its text.
  func single(_ node: LocatedNode, _ name: String) -> String? {
    guard let (text, pattern) = path(node, name) else { return nil }
    for step in pattern.steps {
      guard let reason = step.refusalInField else { continue }
      mistakes.add(node.mark, "path '\(text)': \(reason)\(Self.hint(step))")
      return nil
    }
    return text
  }

  /// What to do instead of a step that cannot be in a path to one value.
  private static func hint(_ step: PathPattern.Step) -> String {
    switch step {
    case .key: ""
    case .index(let index):
      "; from of a field can, and there is list: \(index == -1 ? "last" : "{ nth: \(index) }")"
    case .wildcard, .elements, .filter, .anyOf, .descendants:
      "; from of a field can have it, and makes a list"
    }
  }

  /// A path, and its text.
  func path(_ node: LocatedNode, _ name: String) -> (text: String, pattern: PathPattern)? {
    switch node.content {
    case .scalar(let scalar):
      guard let text = scalar.string else {
        mistakes.add(
          node.mark, "\(name) has to be a path; found \(node.phrase) (if that is a key, quote it)")
        return nil
      }
      return pattern(text, at: node.mark).map { (text, $0) }
    case .list(let elements):
      var hint = ""
      if elements.count == 1, case .scalar(let scalar) = elements[0].content {
        hint = "; a path that starts with a bracket has to be quoted: \"[\(scalar.text)]\""
      }
      mistakes.add(node.mark, "\(name) has to be a path; found a list\(hint)")
      return nil
    case .map:
      mistakes.add(node.mark, "\(name) has to be a path; found a map")
      return nil
    }
  }
}
