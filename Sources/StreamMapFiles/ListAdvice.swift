import StreamMap

/// What to write in a field instead of a path that means several values.
enum ListAdvice {
  /// As in `from: items, list: { slice: [0, 2] }`; nil if the steps of `list` do not say it.
  static func text(for steps: [PathPattern.Step]) -> String? {
    guard let first = steps.firstIndex(where: \.meansSeveral) else { return nil }
    var list: [String] = []
    var path: [PathPattern.Step] = []
    func look() {
      if !path.isEmpty { list.append("{ from: \(written(path)) }") }
      path = []
    }
    for (number, step) in steps[first...].enumerated() {
      guard step.meansSeveral else {
        path.append(step)
        continue
      }
      look()
      // What follows is about the elements of each list, and only lists that are joined have steps in common.
      if number > 0 {
        guard case .wildcard = step else { return nil }
        list.append("flatten")
        continue
      }
      switch step {
      case .wildcard: break
      case .elements(let start, let end, 1):
        list.append("{ slice: [\(start ?? 0)\(end.map { ", \($0)" } ?? "")] }")
      case .filter:
        guard let condition = condition(step) else { return nil }
        list.append("{ where: \(condition) }")
      case .key, .index, .elements, .anyOf, .descendants: return nil
      }
    }
    look()
    let array = written(Array(steps[..<first]))
    if list.isEmpty { return nil }
    return "from: \(array), list: \(list.count == 1 ? list[0] : "[\(list.joined(separator: ", "))]")"
  }

  /// As in `from: items, and each …`, for a path to all elements; nil for any other.
  static func each(of steps: [PathPattern.Step]) -> String? {
    guard case .wildcard? = steps.last, !steps.dropLast().contains(where: \.meansSeveral) else {
      return nil
    }
    return "from: \(written(Array(steps.dropLast()))), and each for the elements, or map for the members of an object"
  }

  /// A path as it is written in a mapping file.
  private static func written(_ steps: [PathPattern.Step]) -> String {
    let text = PathPattern(steps).description
    if text.hasPrefix("$."), !text.contains("[") { return String(text.dropFirst(2)) }
    return text.contains("[") ? "\"\(text.replacing("\"", with: "\\\""))\"" : text
  }

  /// The condition that a filter with one comparison says; nil for any other.
  private static func condition(_ filter: PathPattern.Step) -> String? {
    var text = filter.description
    guard text.hasPrefix("[?@"), text.hasSuffix("]") else { return nil }
    text = String(text.dropFirst(3).dropLast())
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard let path = path(words[0]) else { return nil }
    if words.count == 1 { return "{ from: \(path), exists: true }" }
    guard words.count == 3, let value = value(words[2]) else { return nil }
    let start = "{ from: \(path), "
    switch words[1] {
    case "==": return start + "equals: \(value) }"
    case "!=": return "{ not: \(start)equals: \(value) } }"
    case "<": return start + "less_than: \(value) }"
    case "<=": return start + "max: \(value) }"
    case ">": return start + "greater_than: \(value) }"
    case ">=": return start + "min: \(value) }"
    default: return nil
    }
  }

  private static func path(_ text: String) -> String? {
    if text.isEmpty { return "$" }
    let names = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
    let isPlain =
      text.hasPrefix(".")
      && names.allSatisfy { name in
        !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      }
    return isPlain ? String(text.dropFirst()) : nil
  }

  private static func value(_ text: String) -> String? {
    if text == "true" || text == "false" || NumberText.isNumber(text) { return text }
    return text.first == "'" && text.last == "'" && text.count > 1 && !text.contains("\\")
      ? text : nil
  }
}
