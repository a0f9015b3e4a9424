import StreamMap

/// Reads the fields of a mapping file.
struct FieldReader {
  /// What the fields of a file have in common.
  struct Setting {
    var keys = KeyPolicies()
    /// The objects of other files, by the names that this one has for them; nil for those that could not be read.
    var uses: [String: ObjectSpec?] = [:]
    var context: [ContextSpec] = []
    /// The tables that lookups are in.
    var tables: TableFiles?
  }

  let mistakes: FileMistakes
  let setting: Setting

  init(_ mistakes: FileMistakes, _ setting: Setting) {
    self.mistakes = mistakes
    self.setting = setting
  }

  /// A map of fields: `record`, or an `object` inside it.
  func object(_ node: LocatedNode, _ name: String) -> ObjectSpec {
    guard case .map(let entries) = node.content else {
      mistakes.add(node.mark, "\(name) has to be a map of fields; found \(node.phrase)")
      return ObjectSpec(keys: setting.keys)
    }
    let fields = MapReader.unique(entries, mistakes).compactMap { field($0) }
    return ObjectSpec(fields: fields, keys: setting.keys)
  }

  private func field(_ entry: LocatedNode.Entry) -> FieldSpec? {
    guard case .map = entry.value.content else {
      guard let path = PathReader(mistakes).single(entry.value, "'\(entry.key)'") else {
        return nil
      }
      let value = ValueSpec(.scalar(ScalarSpec(.scalar(.any))), policy: .nullable)
      return FieldSpec(name: entry.key, source: .path(path, value))
    }
    let name = "field '\(entry.key)'"
    guard let map = MapReader(entry.value, name, keys: MappingKeys.field, mistakes) else {
      return nil
    }
    if let key = map.present(MappingKeys.fixed).first {
      return fixed(key, map).map { FieldSpec(name: entry.key, source: $0) }
    }
    let reader = ValueReader(self, map, name)
    guard let (path, value) = reader.sourced() else { return nil }
    guard let path else {
      if !map.hasUnknown {
        mistakes.add(entry.mark, "from is missing: the path of \(name), or $ for the whole record")
      }
      return nil
    }
    return value.map { value in
      var value = value
      // The object around it is the same, and asks for its keys.
      if path == "$", case .object(var object) = value.kind {
        object.keys.unknown = .ignore
        value.kind = .object(object)
      }
      return FieldSpec(name: entry.key, source: .path(path, value))
    }
  }

  private func context(_ map: MapReader) -> FieldSpec.Source? {
    guard let name = map.string("context"), let node = map["context"] else { return nil }
    if let number = setting.context.firstIndex(where: { $0.name == name }) {
      return .context(number, name, setting.context[number].value.kind.domain)
    }
    mistakes.add(
      node.mark, "context: there is no value named '\(name)' under the file's 'context'",
      suggestion: Suggestion.nearest(to: name, among: setting.context.map(\.name)))
    return nil
  }

  /// A field that comes from nowhere in the record.
  private func fixed(_ key: String, _ map: MapReader) -> FieldSpec.Source? {
    for other in map.present(MappingKeys.field) where other != key {
      mistakes.add(map.mark(of: other), "a field with \(key) cannot have '\(other)'")
    }
    switch key {
    case "const": return map[key].flatMap { $0.json(mistakes) }.map { .constant($0) }
    case "context": return context(map)
    default: return map.choice(key, RecordFact.self).map { .fact($0) }
    }
  }
}
