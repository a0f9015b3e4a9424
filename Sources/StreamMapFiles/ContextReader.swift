import StreamMap

/// A value from outside the records, as a mapping file says it.
struct ContextSpec: Equatable, Sendable {
  let name: String
  let path: PathPattern
  let value: ValueSpec
  /// What records have if it is absent; nil if they are rejected.
  let standIn: JSONValue?
  /// Whether records may have that although the value comes after them.
  var mayComeLate = false
  /// The key or the index at the path, if it is that, and no value there.
  var step: RecordFact?

  var definition: ContextDefinition {
    step.map { ContextDefinition(name, $0, at: path) }
      ?? ContextDefinition(
        name, at: path, value.mapping, standIn: standIn, mayComeLate: mayComeLate)
  }
}

/// Reads `context`.
struct ContextReader {
  private let fields: FieldReader

  private var mistakes: FileMistakes { fields.mistakes }

  init(_ fields: FieldReader) {
    self.fields = fields
  }

  func values(_ node: LocatedNode) -> [ContextSpec] {
    guard case .map(let entries) = node.content else {
      mistakes.add(node.mark, "context has to be a map of values; found \(node.phrase)")
      return []
    }
    return Self.numbered(entries.unique(mistakes)).compactMap { value($0) }
  }

  /// The entries in the order in which their values are numbered: keys and indices come last.
  static func numbered(_ entries: [LocatedNode.Entry]) -> [LocatedNode.Entry] {
    func isStep(_ entry: LocatedNode.Entry) -> Bool {
      guard case .map(let keys) = entry.value.content else { return false }
      return keys.contains { $0.key == ValueKey.meta.name }
    }
    return entries.filter { !isStep($0) } + entries.filter { isStep($0) }
  }

  private func value(_ entry: LocatedNode.Entry) -> ContextSpec? {
    let name = "context '\(entry.key)'"
    if case .scalar = entry.value.content {
      return PathReader(mistakes).path(entry.value, name).map { _, pattern in
        let value = ValueSpec(.scalar(ScalarSpec(.scalar(.any))), policy: .nullable)
        return ContextSpec(name: entry.key, path: pattern, value: value, standIn: .null)
      }
    }
    guard let map = MapReader(entry.value, name, ValueKey.contextValue, mistakes) else {
      return nil
    }
    if map[.meta] != nil { return step(entry, map, name) }
    let value = fields.noting(map.mark, name, ValueReader(fields, map, name).atPath())
    let mayComeLate = late(map) == .null
    guard let node = map[.from] else {
      mistakes.add(entry.mark, "from is missing: the path of \(name) in the document")
      return nil
    }
    guard let (_, pattern) = PathReader(mistakes).path(node, "from") else { return nil }
    return value.map { value in
      ContextSpec(
        name: entry.key, path: pattern, value: value, standIn: standIn(value, mayComeLate),
        mayComeLate: mayComeLate)
    }
  }

  /// The key or the index of what the records are in.
  private func step(_ entry: LocatedNode.Entry, _ map: MapReader<ValueKey>, _ name: String)
    -> ContextSpec?
  {
    for other in map.present(ValueKey.contextValue.keys) where other != .meta && other != .from {
      mistakes.add(
        map.mark(of: other), "\(name) is a key or an index as it is; it goes without '\(other)'")
    }
    let step = map.choice(.meta, ContextStep.self)
    guard let node = map[.from] else {
      mistakes.add(entry.mark, "from is missing: the path of \(name) in the document")
      return nil
    }
    guard let step, let (text, pattern) = PathReader(mistakes).path(node, "from") else {
      return nil
    }
    if pattern.steps.contains(where: { !$0.isFixed }) {
      mistakes.add(
        node.mark,
        "path '\(text)': the way to a key or an index is made of keys, indices, .* and [*]")
      return nil
    }
    let type: ScalarType = step == .key ? .string : .int64
    let value = ValueSpec(.scalar(ScalarSpec(.scalar(type))), policy: .nullable)
    return ContextSpec(
      name: entry.key, path: pattern, value: value, standIn: .null, step: step.fact)
  }

  /// Where a record is in what is around it.
  private enum ContextStep: String, CaseIterable {
    case key, index

    var fact: RecordFact { self == .key ? .key : .index }
  }

  private enum Late: String, CaseIterable {
    case fail, null
  }

  private func late(_ map: MapReader<ValueKey>) -> Late? {
    // YAML's null is what is meant.
    if case .scalar(let scalar)? = map[.late]?.content, scalar.value == .null { return .null }
    return map.choice(.late, Late.self)
  }

  private func standIn(_ value: ValueSpec, _ mayComeLate: Bool) -> JSONValue? {
    switch value.policy {
    case .default(let value), .optionally(let value): return value
    case .nullable: return .null
    case .required: return mayComeLate ? .null : nil
    }
  }
}
