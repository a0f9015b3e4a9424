import StreamMap

/// Lists, or objects, that are joined to one, as a mapping file says it.
struct ZipSpec: Equatable, Sendable {
  /// What makes them, each under its name; nil if they are the members of the value itself.
  let fields: ObjectSpec?
  /// What elements that belong together have in common; nil if it is their position.
  let path: String?
  /// What becomes of members that come twice.
  let duplicates: DuplicateKeyPolicy

  /// The object whose members are joined.
  var source: OutputMapping {
    fields?.mapping ?? OutputMapping.dictionary(of: .raw).duplicateKeys(duplicates)
  }
}

// `zip`: several lists as one.
extension ValueReader {
  /// What is joined, and where it is.
  func zipped() -> (path: String?, value: ValueSpec?)? {
    guard let node = map[.zip] else { return nil }
    let value = value()
    if case .map = node.content { return ("$", value) }
    return PathReader(mistakes).place(node, "zip", of: value, fields.setting.keys.duplicates)
  }

  /// Several lists as one, and what becomes of that.
  func zip(_ kind: ValueKey?) -> ValueSpec.Kind? {
    for key in map.present([.split, .parse, .count]) {
      mistakes.add(
        map.mark(of: key), "zip makes a list, or an object, of several; it goes without '\(key)'")
    }
    let path = map[.by].flatMap { PathReader(mistakes).single($0, "by") }
    guard let node = map[.zip], map[.by] == nil || path != nil,
      let then = form(kind) ?? whole(kind)
    else { return nil }
    var named: ObjectSpec?
    if case .map(let entries) = node.content {
      if entries.count < 2 { mistakes.add(node.mark, "zip joins two lists, or more") }
      named = lists(entries)
    }
    let spec = ZipSpec(fields: named, path: path, duplicates: fields.setting.keys.duplicates)
    return .shaped(.zip(spec), ValueSpec(then))
  }

  /// What becomes of what is joined, if nothing is said of its form.
  private func whole(_ kind: ValueKey?) -> ValueSpec.Kind? {
    ScalarReader(map, fields).refuseCompanions()
    if let kind, kind != .type { return container(kind) }
    guard let node = map[.type], !isJSON else {
      return .scalar(ScalarSpec(.json))
    }
    mistakes.add(node.mark, "zip makes a list or an object, so its type can only be json")
    return nil
  }

  /// The lists, each a path or a field.
  private func lists(_ entries: [LocatedNode.Entry]) -> ObjectSpec {
    let list = ValueSpec(.scalar(ScalarSpec(.json)), policy: .nullable)
    let named = entries.unique(mistakes).compactMap { entry -> FieldSpec? in
      if case .map = entry.value.content { return fields.field(entry) }
      return fields.field(entry.key, at: entry.value, list)
    }
    var object = ObjectSpec(fields: named, keys: fields.setting.keys)
    object.keys.unknown = .ignore
    return object
  }
}
