import StreamMap

/// A step on the elements of an array, as a mapping file says it.
enum ListStepSpec: Equatable, Sendable {
  case filter(ConditionSpec)
  case values(at: String)
  case numbers, flatten, reverse
  case slice(from: Int, to: Int?)
  case sort(by: String)
  case unique(by: String)
  case element(Int)
  case count, sum, mean, least, greatest, utf8
  case any(ConditionSpec)
  case all(ConditionSpec)

  var step: ListStep {
    switch self {
    case .filter(let condition): .filter(condition.condition)
    case .values(let path): .values(at: .path(path))
    case .numbers: .numbers
    case .flatten: .flatten
    case .reverse: .reverse
    case .slice(let start, let end): .slice(from: start, to: end)
    case .sort(let path): .sort(by: .path(path))
    case .unique(let path): .unique(by: .path(path))
    case .element(let index): .element(index)
    case .count: .count
    case .sum: .sum
    case .mean: .mean
    case .least: .least
    case .greatest: .greatest
    case .utf8: .utf8
    case .any(let condition): .any(condition.condition)
    case .all(let condition): .all(condition.condition)
    }
  }
}

/// Reads `list`.
struct ListReader {
  private let fields: FieldReader

  private var mistakes: FileMistakes { fields.mistakes }

  init(_ fields: FieldReader) {
    self.fields = fields
  }

  /// The steps that take nothing.
  static let words: [(name: String, step: ListStepSpec)] = [
    ("first", .element(0)), ("last", .element(-1)), ("count", .count), ("sum", .sum),
    ("mean", .mean), ("min", .least), ("max", .greatest), ("sort", .sort(by: "$")),
    ("unique", .unique(by: "$")), ("reverse", .reverse), ("flatten", .flatten),
    ("numbers", .numbers), ("utf8", .utf8),
  ]

  /// The steps; nil after a mistake.
  func steps(_ node: LocatedNode) -> [ListStepSpec]? {
    var nodes = [node]
    if case .list(let elements) = node.content { nodes = elements }
    if nodes.isEmpty { mistakes.add(node.mark, "list has no steps") }
    let steps = nodes.compactMap { node in step(node).map { (node, $0) } }
    guard !nodes.isEmpty, steps.count == nodes.count else { return nil }
    for (node, step) in steps.dropLast() where !step.step.makesList {
      mistakes.add(
        node.mark, "list: this step makes one value of the list, so it has to be the last one")
      return nil
    }
    return steps.map(\.1)
  }

  private func step(_ node: LocatedNode) -> ListStepSpec? {
    switch node.content {
    case .scalar(let scalar):
      if let word = Self.words.first(where: { $0.name == scalar.text }) { return word.step }
      refuse(node, scalar.text)
      return nil
    case .list:
      refuse(node, nil)
      return nil
    case .map(let entries):
      guard let map = MapReader(node, "a step of list", ListKey.keys, mistakes) else { return nil }
      let names = map.present
      if names.count > 1 {
        mistakes.add(
          map.mark(of: names[1]),
          "'\(names[0])' and '\(names[1])' are two steps; write them as { … }, { … }")
        return nil
      }
      if entries.isEmpty { mistakes.add(node.mark, "a step of list is empty") }
      guard let name = names.first, let value = map[name] else { return nil }
      return step(name, value)
    }
  }

  private func step(_ name: ListKey, _ node: LocatedNode) -> ListStepSpec? {
    switch name {
    case .where: condition(name, node).map { .filter($0) }
    case .any: condition(name, node).map { .any($0) }
    case .all: condition(name, node).map { .all($0) }
    case .from: PathReader(mistakes).single(node, name.name).map { .values(at: $0) }
    case .sort: PathReader(mistakes).single(node, name.name).map { .sort(by: $0) }
    case .unique: PathReader(mistakes).single(node, name.name).map { .unique(by: $0) }
    case .slice: slice(node)
    case .nth: nth(node)
    }
  }

  private func condition(_ name: ListKey, _ node: LocatedNode) -> ConditionSpec? {
    ConditionReader(fields.setting.names, mistakes).condition(node, name.name)
  }

  private func slice(_ node: LocatedNode) -> ListStepSpec? {
    if case .list(let elements) = node.content, 1...2 ~= elements.count {
      let numbers = elements.compactMap { TextReader.integer($0) }
      if numbers.count == elements.count {
        return .slice(from: numbers[0], to: numbers.count == 2 ? numbers[1] : nil)
      }
    }
    mistakes.add(
      node.mark, "slice has to be as in \(Self.example(.slice)); found \(node.phrase)")
    return nil
  }

  private func nth(_ node: LocatedNode) -> ListStepSpec? {
    if let index = TextReader.integer(node) { return .element(index) }
    mistakes.add(node.mark, "nth has to be a whole number; found \(node.phrase)")
    return nil
  }

  private func refuse(_ node: LocatedNode, _ text: String?) {
    if let name = text.flatMap({ ListKey.keys.key(named: $0) }) {
      mistakes.add(node.mark, "the step '\(name)' takes something, as in \(Self.example(name))")
      return
    }
    let names = Self.words.map(\.name)
    mistakes.add(
      node.mark,
      "a step of list has to be one of \(names.joined(separator: ", ")), or a map with one of "
        + "\(ListKey.keys.list); found \(node.phrase)",
      meant: text.flatMap { Suggestion.meant(by: $0, among: names + ListKey.keys.names) })
  }

  static func example(_ name: ListKey) -> String {
    switch name {
    case .where, .any, .all: "{ \(name): { from: state, equals: open } }"
    case .from, .sort, .unique: "{ \(name): price }"
    case .slice: "{ slice: [0, 3] }"
    case .nth: "{ nth: -2 }"
    }
  }
}
