import StreamMap

/// Reads the paths of a mapping file.
struct PathReader {
  private let mistakes: FileMistakes

  init(_ mistakes: FileMistakes) {
    self.mistakes = mistakes
  }

  /// A path that may mean several values.
  func pattern(_ text: String, at mark: FileMark) -> PathPattern? {
    do throws(PathSyntaxError) {
      return try PathPattern(parsing: text)
    } catch {
      mistakes.add(mark, "\(error)")
      return nil
    }
  }

  /// A path to one value; its text.
  func single(_ node: LocatedNode, _ name: String) -> String? {
    guard let (text, pattern) = path(node, name) else { return nil }
    if let step = pattern.steps.first(where: \.meansSeveral) {
      var hint = "map the array with each"
      if case .descendants = step { hint = "write the whole path, .. is for input.records" }
      mistakes.add(node.mark, "path '\(text)': \(step) means several values here; \(hint)")
      return nil
    }
    return text
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
