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

  /// A path to one value, which may count from the end of arrays.
  func place(_ node: LocatedNode, _ name: String) -> ValuePlace? {
    guard let (text, pattern) = path(node, name) else { return nil }
    for step in pattern.steps where step.meansSeveral {
      let advice = ListAdvice.text(for: pattern.steps) ?? ListAdvice.each(of: pattern.steps)
      refuse(text, step, advice.map { "write \($0)" }, at: node.mark)
      return nil
    }
    return ValuePlace(text, pattern)
  }

  /// A path to one value, from the start of arrays; its text.
  func single(_ node: LocatedNode, _ name: String) -> String? {
    guard let (text, pattern) = path(node, name) else { return nil }
    for step in pattern.steps where step.refusalInField != nil {
      let advice = ListAdvice.text(for: pattern.steps)
      refuse(text, step, advice.map { "a field can have \($0)" }, at: node.mark)
      return nil
    }
    return text
  }

  private func refuse(
    _ text: String, _ step: PathPattern.Step, _ advice: String?, at mark: FileMark
  ) {
    let reason = step.refusalInField ?? ""
    mistakes.add(mark, "path '\(text)': \(reason)\(advice.map { "; \($0)" } ?? Self.hint(step))")
  }

  /// What to do instead of a step that cannot be in a path to one value.
  private static func hint(_ step: PathPattern.Step) -> String {
    switch step {
    case .key: ""
    case .index(let index):
      "; from of a field can, and there is list: \(index == -1 ? "last" : "{ nth: \(index) }")"
    case .wildcard: "; map the array with each"
    case .elements: "; there is list, with slice for some elements of an array"
    case .filter: "; filters are for input.records; for elements, there is list, with where"
    case .anyOf: "; write a field for each"
    case .descendants: "; write the whole path, .. is for input.records"
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
