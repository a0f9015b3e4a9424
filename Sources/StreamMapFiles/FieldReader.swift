import StreamMap

/// Reads the fields of a mapping file.
struct FieldReader {
  /// What the fields of a file have in common.
  struct Setting {
    var keys = KeyPolicies()
    /// The objects of other files, by the names that this one has for them; nil for those that could not be read.
    var uses: [ExactText: ObjectSpec?] = [:]
    /// Notes that the record contains itself; nil if it cannot.
    var ownUse: OwnUse?
    var names = OutsideNames()
    /// Whether another file uses this one.
    var isInside = false
    /// The values of those that are secrets.
    var secrets: [ExactText: String] = [:]
    /// The files that this one uses.
    var used: UsedFiles?
    /// The tables that lookups are in.
    var tables: TableFiles?
    /// The time zones of its dates.
    var zones = ZoneTables()
  }

  /// Whether a file's record contains itself.
  final class OwnUse {
    var isUsed = false
  }

  let mistakes: FileMistakes
  let setting: Setting

  var isInside: Bool { setting.isInside }

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
    let fields = entries.unique(mistakes).compactMap { entry in
      noting(entry.mark, "field '\(entry.key)'", field(entry))
    }
    return ObjectSpec(fields: fields, keys: setting.keys)
  }

  /// What was read; if nothing was, and no mistake says why, that is one: nothing of a file vanishes.
  func noting<Part>(_ mark: FileMark, _ name: String, _ part: Part?) -> Part? {
    if part == nil, mistakes.isEmpty {
      mistakes.add(mark, "\(name) cannot be read; this is a bug in streammap: please report it")
    }
    return part
  }

  func field(_ entry: LocatedNode.Entry) -> FieldSpec? {
    guard case .map = entry.value.content else {
      let value = ValueSpec(.scalar(ScalarSpec(.scalar(.any))), policy: .nullable)
      return field(entry.key, at: entry.value, value)
    }
    let name = "field '\(entry.key)'"
    if refuseFields(entry.value, name, ValueKey.field, in: "from: …, object: ") { return nil }
    guard let map = MapReader(entry.value, name, ValueKey.field, mistakes) else {
      return nil
    }
    return source(map, name, at: entry.mark).map { FieldSpec(name: entry.key, source: $0) }
  }

  /// A field whose value is at a path.
  func field(_ name: String, at path: LocatedNode, _ value: ValueSpec) -> FieldSpec? {
    PathReader(mistakes).place(path, "'\(name)'", of: value, setting.keys.duplicates).flatMap {
      path, value in
      value.map { FieldSpec(name: name, source: .path(path, $0)) }
    }
  }

  /// Whether a map holds fields where it should hold the keys of one value, as in `each: { sku: sku }`; that is reported.
  func refuseFields(
    _ node: LocatedNode, _ name: String, _ keys: KeyTable<ValueKey>, in wrapper: String
  ) -> Bool {
    guard case .map(let entries) = node.content,
      !entries.contains(where: { keys.key(named: $0.key) != nil })
    else { return false }
    let strange = entries.filter { entry in
      if ValueKey(rawValue: entry.key) != nil { return false }
      // A source is what it needs.
      if case .name(let name)? = Suggestion.known(entry.key, among: ValueKey.sources.map(\.name)),
        keys.key(named: name) != nil
      {
        return false
      }
      if StepPlaces.isStep(entry.key) || OtherWords.needsSource(entry.key) {
        return KeyOwners.inside(entry, ofMapsBeside: keys.names).isEmpty
      }
      if KeyOwners.inside(entry, beside: keys.names, present: [], isFitting: false) != nil
        || KeyOwners.elsewhere(entry.key, beside: keys.names) != nil
      {
        return false
      }
      let possible = keys.keys.filter { $0.spec.form.mayHold(entry.value) }.map(\.name)
      switch Suggestion.known(entry.key, among: keys.names, possible) {
      case .name, .advice: return false
      case .nothing: return KeyOwners.inside(otherWord: entry, beside: keys.names) == nil
      case nil: return Suggestion.nearest(to: entry.key, among: keys.names) == nil
      }
    }
    guard let first = strange.first, strange.count * 2 >= entries.count else { return false }
    mistakes.add(
      first.mark,
      "unknown key '\(first.key)' in \(name): if it is a field, write { \(wrapper){ \(first.key): … } }"
    )
    return true
  }

  /// Where a field comes from, from the map of its keys.
  func source(_ map: MapReader<ValueKey>, _ name: String, at mark: FileMark) -> FieldSpec.Source? {
    switch map.present(ValueKey.fixed).first?.fixed {
    case .const: return constant(map)
    case .meta: return FactReader(self, map, name).source()
    case .context: return context(map, name)
    case .arg: return argument(map)
    case nil: break
    }
    if let made = made(map, name) { return made.source }
    let reader = ValueReader(self, map, name)
    guard let (path, value) = reader.sourced() else { return nil }
    guard let path else {
      if !map.hasUnknown {
        mistakes.add(mark, "from is missing: the path of \(name), or $ for the whole record")
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
      return .path(path, value)
    }
  }

  /// What is made of other values; nil if something is read from one place.
  func made(_ map: MapReader<ValueKey>, _ name: String) -> (source: FieldSpec.Source?, Void)? {
    let reader = FormulaReader(mistakes)
    if map[.calc] != nil { return (reader.calculated(map, name, self), ()) }
    if map[.cases] != nil { return (reader.cases(map, name, self), ()) }
    return nil
  }

  private func argument(_ map: MapReader<ValueKey>) -> FieldSpec.Source? {
    refuseOthers(than: .arg, map)
    guard let name = map.string(.arg), let node = map[.arg] else { return nil }
    if let value = setting.names.arguments[ExactText(name)] { return .constant(value) }
    if setting.secrets[ExactText(name)] != nil {
      mistakes.add(node.mark, "arg: '\(name)' has redact: true, so only key of hmac takes it")
      return nil
    }
    mistakes.add(
      node.mark, "arg: there is no argument named '\(name)' under the file's 'args'",
      suggestion: Suggestion.nearest(
        to: name, among: setting.names.arguments.keys.map(\.text).sorted()))
    return nil
  }

  private func context(_ map: MapReader<ValueKey>, _ field: String) -> FieldSpec.Source? {
    let others = map.present(ValueKey.field.keys).filter { $0 != .context }
    for other in others
    where other != .from && (ValueKey.sources + ValueKey.fixed).contains(other) {
      mistakes.add(map.mark(of: other), "a field with context cannot have '\(other)'")
    }
    let value = others.isEmpty ? nil : ValueReader(self, map, field).ofContext()
    guard let name = map.string(.context), let node = map[.context],
      let number = setting.names.contextValue(node, name, mistakes)
    else { return nil }
    if others.isEmpty {
      return .context(number, name, setting.names.context[number].value.kind.domain)
    }
    let source = value.map { FieldSpec.Source.ofContext(number, name, $0) }
    if map.isTrue(.redact), let place = source?.place(setting.names) {
      mistakes.add(map.mark(of: .redact), place.cannotBeHidden(in: field))
    }
    return source
  }

  private func constant(_ map: MapReader<ValueKey>) -> FieldSpec.Source? {
    refuseOthers(than: .const, map)
    return map[.const].flatMap { $0.json(mistakes) }.map { .constant($0) }
  }

  /// A field that comes from nowhere in the record has one key.
  private func refuseOthers(than key: ValueKey, _ map: MapReader<ValueKey>) {
    for other in map.present(ValueKey.field.keys) where other != key {
      mistakes.add(map.mark(of: other), "a field with \(key) cannot have '\(other)'")
    }
  }
}
