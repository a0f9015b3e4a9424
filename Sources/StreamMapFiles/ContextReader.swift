import StreamMap

/// A value from outside the records, as a mapping file says it.
struct ContextSpec: Equatable, Sendable {
  let name: String
  let path: PathPattern
  let value: ValueSpec
  /// What records have that come before it; nil if they are rejected.
  let standIn: JSONValue?

  var definition: ContextDefinition {
    ContextDefinition(name, at: path, value.mapping, standIn: standIn)
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
    return entries.unique(mistakes).compactMap { value($0) }
  }

  private func value(_ entry: LocatedNode.Entry) -> ContextSpec? {
    let name = "context '\(entry.key)'"
    if case .scalar = entry.value.content {
      return PathReader(mistakes).path(entry.value, name).map { _, pattern in
        let value = ValueSpec(.scalar(ScalarSpec(.scalar(.any))), policy: .nullable)
        return ContextSpec(name: entry.key, path: pattern, value: value, standIn: nil)
      }
    }
    guard let map = MapReader(entry.value, name, ValueKey.contextValue, mistakes) else {
      return nil
    }
    let value = ValueReader(fields, map, name).unsourced()
    let late = late(map)
    guard let node = map[.from] else {
      mistakes.add(entry.mark, "from is missing: the path of \(name) in the document")
      return nil
    }
    guard let (_, pattern) = PathReader(mistakes).path(node, "from") else { return nil }
    return value.map { value in
      ContextSpec(name: entry.key, path: pattern, value: value, standIn: standIn(value, late))
    }
  }

  private enum Late: String, CaseIterable {
    case fail, null
  }

  private func late(_ map: MapReader<ValueKey>) -> Late? {
    // YAML's null is what is meant.
    if case .scalar(let scalar)? = map[.late]?.content, scalar.value == .null { return .null }
    return map.choice(.late, Late.self)
  }

  private func standIn(_ value: ValueSpec, _ late: Late?) -> JSONValue? {
    if late == .fail { return nil }
    switch value.policy {
    case .default(let value), .optionally(let value): return value
    case .nullable: return .null
    case .required: return late == .null ? .null : nil
    }
  }
}
