import StreamMap

/// Reads what a field, an element or a case becomes, from a map of its keys.
struct ValueReader {
  let fields: FieldReader
  let map: MapReader<ValueKey>
  /// As in messages: `field 'id'`.
  let name: String

  var mistakes: FileMistakes { fields.mistakes }

  init(_ fields: FieldReader, _ map: MapReader<ValueKey>, _ name: String) {
    self.fields = fields
    self.map = map
    self.name = name
  }

  /// What an element, a member or a case becomes: a type's name, or a map as a field's.
  static func element(_ node: LocatedNode, _ name: String, _ fields: FieldReader) -> ValueSpec? {
    let name = "'\(name)'"
    return fields.noting(node.mark, name, readElement(node, name, fields))
  }

  private static func readElement(_ node: LocatedNode, _ name: String, _ fields: FieldReader)
    -> ValueSpec?
  {
    guard case .map = node.content else {
      return ScalarReader.nullableType(node, name, fields.mistakes).flatMap { type, isNullable in
        if type == .enum {
          fields.mistakes.add(node.mark, "type 'enum' needs a map, with its values")
          return nil
        }
        return ValueSpec(.scalar(ScalarSpec(type)), policy: isNullable ? .nullable : .required)
      }
    }
    if fields.refuseFields(node, name, ValueKey.element, in: "object: ") { return nil }
    guard let map = MapReader(node, name, ValueKey.element, fields.mistakes) else {
      return nil
    }
    if let made = fields.made(map, name) {
      return made.source.map {
        ValueSpec(.made(FieldSpec(name: "value", source: $0), fields.setting.keys.duplicates))
      }
    }
    guard let (path, value) = ValueReader(fields, map, name).sourced()
    else { return nil }
    guard let path, path != "$" else { return value }
    return value.map { ValueSpec(.inside(path, $0, fields.setting.keys.duplicates)) }
  }

  // MARK: Sources

  /// The value and where it comes from, without a path where none is given; nil after a mistake in that.
  func sourced() -> (path: String?, value: ValueSpec?)? {
    let isRedacted = map.bool(.redact) == true
    guard var found = found() else { return nil }
    found.value?.isRedacted = isRedacted
    return found
  }

  /// The value of what has its source elsewhere.
  func unsourced() -> ValueSpec? {
    let isRedacted = map.bool(.redact) == true
    var value = value()
    value?.isRedacted = isRedacted
    return value
  }

  /// What becomes of a value whose path is read elsewhere, or of what it has at several paths.
  func atPath() -> ValueSpec? {
    let source = source(among: ValueKey.sources.filter { $0.source?.hasSeveralPaths == true })
    let read: () -> ValueSpec?
    switch source {
    case .firstOf: read = firstOf
    case .join: read = joined
    case .template: read = templated
    case .from, .zip, nil: return unsourced()
    }
    let isRedacted = map.bool(.redact) == true
    var value = read()
    value?.isRedacted = isRedacted
    return value
  }

  /// What becomes of a value from outside the record, or of what is at a path in it.
  func ofContext() -> ValueSpec? {
    guard let node = map[.from] else { return unsourced() }
    let isRedacted = map.bool(.redact) == true
    let value = value()
    guard let value,
      let (path, found) = PathReader(mistakes).place(
        node, "from", of: value, fields.setting.keys.duplicates), var inner = found
    else { return nil }
    if path != "$" {
      inner = ValueSpec(
        .inside(path, inner, fields.setting.keys.duplicates), policy: value.policy)
    }
    inner.isRedacted = isRedacted
    return inner
  }

  private func found() -> (path: String?, value: ValueSpec?)? {
    switch source(among: ValueKey.sources) {
    case .firstOf: return ("$", firstOf())
    case .join: return ("$", joined())
    case .template: return ("$", templated())
    case .zip: return zipped()
    case .from:
      let value = value()
      return map[.from].flatMap {
        PathReader(mistakes).place($0, "from", of: value, fields.setting.keys.duplicates)
      }
    case nil: return (nil, value())
    }
  }

  /// The source that the first of the keys names; it goes without the others.
  private func source(among keys: [ValueKey]) -> ValueKey.Source? {
    let sources = map.present(keys)
    for key in sources.dropFirst() {
      mistakes.add(
        map.mark(of: key), "\(name) has '\(sources[0])' and '\(key)'; keep one of them")
    }
    return sources.first?.source
  }

  private func firstOf() -> ValueSpec? {
    guard let whole = value(), let nodes = map.list(.firstOf) else { return nil }
    // What the field says of its value, it says of each path.
    let plain = ValueSpec(whole.kind)
    let alternatives = nodes.map { node in
      if case .map(let entries) = node.content {
        var value = Self.element(node, "first_of", fields)
        // If none of these is there, the next alternative is tried.
        if entries.count == 1, entries[0].key == ValueKey.firstOf.name { value?.policy = .required }
        if case .inside(let path, let inner, _)? = value?.kind {
          value?.kind = .inside(path, inner, duplicatesAgain)
        }
        return value
      }
      return PathReader(mistakes).place(node, "first_of", of: plain, duplicatesAgain)
        .flatMap { path, value in
          value.map { ValueSpec(.inside(path, $0, duplicatesAgain)) }
        }
    }
    if nodes.isEmpty { mistakes.add(map.mark(of: .firstOf), "first_of has no paths") }
    guard !nodes.isEmpty, !alternatives.contains(nil) else { return nil }
    return ValueSpec(
      .firstOf(alternatives.compactMap(\.self)), rules: whole.rules, policy: whole.policy)
  }

  /// What becomes of duplicates where the object around is searched again: it reports them itself.
  private var duplicatesAgain: DuplicateKeyPolicy {
    fields.setting.keys.duplicates.replaces ? .last : .first
  }

  private func joined() -> ValueSpec? {
    composed(.join) { reader in
      map.list(.join).flatMap { reader.joined($0, with: separator(), map.mark(of: .join)) }
    }
  }

  private func templated() -> ValueSpec? {
    composed(.template) { reader in map[.template].flatMap { reader.template($0) } }
  }

  /// One text of several.
  private func composed(_ key: ValueKey, by read: (TemplateReader) -> TemplateSpec?) -> ValueSpec? {
    let value = value()
    let template = read(TemplateReader(fields.setting.names, mistakes))
    guard let value, let template else { return nil }
    if case .shaped(.row(let text), let then) = value.kind, case .scalar(let scalar) = text.kind {
      let text = ValueSpec(.composed(template, scalar, duplicatesAgain))
      return ValueSpec(
        .shaped(.row(of: text), then), rules: value.rules, policy: value.policy)
    }
    guard case .scalar(var scalar) = value.kind, scalar.type != .json else {
      let kind = map.present(ValueKey.kinds).first ?? key
      mistakes.add(
        map.mark(of: kind), "\(key) makes a text, so its type has to be that of a scalar")
      return nil
    }
    if map[.type] == nil, scalar.type == .scalar(.any) { scalar.type = .scalar(.string) }
    return ValueSpec(
      .composed(template, scalar, duplicatesAgain), rules: value.rules, policy: value.policy)
  }

  /// What stands between the texts of `join`.
  private func separator() -> String {
    guard TextReader.hasSeveralKeys(map) else { return map.string(.with) ?? "" }
    if map[.with] != nil {
      mistakes.add(
        map.mark(of: .with), "with is for a text: a lookup by several columns takes each by itself")
    }
    return TableColumns.separator
  }

  // MARK: Values

  func value() -> ValueSpec? {
    let kinds = map.present(ValueKey.kinds)
    for key in kinds.dropFirst() {
      mistakes.add(map.mark(of: key), "\(name) has '\(kinds[0])' and '\(key)'; keep one of them")
    }
    if map[.with] != nil, map[.join] == nil { misplaced(.with, "'join'") }
    if kinds.first != .object {
      for key in map.present([.rest, .drop]) { misplaced(key, "'object'") }
    }
    if map[.by] != nil, map[.zip] == nil { misplaced(.by, "'zip'") }
    if map[.where] != nil, kinds.first != .each {
      misplaced(
        .where,
        map[.count] == nil ? "'each'" : "'each': to count some, write list: [{ where: … }, count]")
    }
    if map[.onItemError] != nil, kinds.first != .each { misplaced(.onItemError, "'each'") }
    guard let kind = kind(kinds.first) else {
      _ = policy(nil)
      return nil
    }
    let rules =
      map[.validate].map { RuleReader(mistakes).rules($0, "validate", kind.domain) } ?? []
    return ValueSpec(kind, rules: rules, policy: policy(kind))
  }

  private func misplaced(_ key: ValueKey, _ owner: String) {
    mistakes.add(map.mark(of: key), "\(key) is only for \(owner)")
  }

  private func kind(_ key: ValueKey?) -> ValueSpec.Kind? {
    if let shaped = shaped(key) { return shaped }
    let scalar = ScalarReader(map, fields)
    guard key == .type || key == nil else {
      scalar.refuseCompanions()
      return container(key)
    }
    // Not known what was meant, where a key is misspelt.
    if key == nil, map[.values] == nil, map.hasUnknown {
      scalar.refuseCompanions()
      return nil
    }
    return scalar.scalar().map { .scalar($0) }
  }

  func container(_ key: ValueKey?) -> ValueSpec.Kind? {
    switch key?.kind {
    case .object: object()
    case .each: array()
    case .map: dictionary()
    case .use: used()
    case .dispatch: map[.dispatch].flatMap { dispatch($0) }
    case .type, nil: nil
    }
  }

  private func object() -> ValueSpec.Kind? {
    map[.object].map { node in
      var object = fields.object(node, "object")
      object.rest = RestReader(map, rest: .rest, drop: .drop, mistakes)
        .rest(beside: object.fields)
      return .object(object)
    }
  }

  private func array() -> ValueSpec.Kind? {
    let rule = map.choice(.onItemError, ItemError.self)
    var element = map[.each].flatMap { Self.element($0, "each", fields) }
    if let node = map[.where] {
      element?.condition = ConditionReader(fields.setting.names, mistakes).condition(node)
      element?.conditionDuplicates = fields.setting.keys.duplicates
    }
    return element.map { .array(of: $0, omitsInvalid: rule == .drop) }
  }

  private func dictionary() -> ValueSpec.Kind? {
    map[.map].flatMap { Self.element($0, "map", fields) }
      .map { .dictionary(of: $0, fields.setting.keys.duplicates) }
  }

  enum ItemError: String, CaseIterable {
    case drop, fail
  }

  private func used() -> ValueSpec.Kind? {
    guard let node = map[.use], let name = map.string(.use) else { return nil }
    if name == UsedFiles.ownName {
      guard let own = fields.setting.ownUse else {
        mistakes.add(
          node.mark,
          "use: 'record' is the record of this file, for values inside it; the file needs a record of fields"
        )
        return nil
      }
      own.isUsed = true
      return .ownRecord
    }
    guard let object = fields.setting.uses[ExactText(name)] else {
      let known = fields.setting.uses.keys.map(\.text).sorted()
      mistakes.add(
        node.mark, "use: there is no file named '\(name)' under the file's 'use'",
        suggestion: Suggestion.nearest(to: name, among: known))
      return nil
    }
    guard let object else { return nil }
    return fields.setting.used?.put(object, node.mark, mistakes).map { .object($0) }
  }

  // MARK: Dispatch

  private func dispatch(_ node: LocatedNode) -> ValueSpec.Kind? {
    guard let map = MapReader(node, "dispatch", DispatchKey.keys, mistakes) else {
      return nil
    }
    let otherwise = map[.otherwise].map { Self.element($0, "otherwise", fields) }
    guard let node = map[.cases] else {
      mistakes.add(map.mark, "cases is missing: it says what becomes of each kind or text")
      return nil
    }
    guard case .map(let entries) = node.content, !entries.isEmpty else {
      mistakes.add(node.mark, "cases has to be a map of values; found \(node.phrase)")
      return nil
    }
    let cases = entries.unique(mistakes).map { entry in
      (entry: entry, value: Self.element(entry.value, entry.key, fields))
    }
    let choice = map[.on].map { member($0, cases) } ?? kinds(cases)
    guard let choice, otherwise.map({ $0 != nil }) ?? true else { return nil }
    return .dispatch(DispatchSpec(choice: choice, otherwise: otherwise ?? nil))
  }

  private typealias Case = (entry: LocatedNode.Entry, value: ValueSpec?)

  private func member(_ node: LocatedNode, _ cases: [Case]) -> DispatchSpec.Choice? {
    guard let text = PathReader(mistakes).single(node, "on"),
      let pattern = try? PathPattern(parsing: text)
    else { return nil }
    var path: [String] = []
    for step in pattern.steps { if case .key(let key) = step { path.append(key) } }
    guard !path.isEmpty, path.count == pattern.steps.count else {
      mistakes.add(node.mark, "on has to be a path of keys; found \(node.phrase)")
      return nil
    }
    let known = cases.compactMap { found in found.value.map { (found.entry.key, $0) } }
    return known.count == cases.count ? .member(path, known) : nil
  }

  private func kinds(_ cases: [Case]) -> DispatchSpec.Choice? {
    let known: [(JSONKind, ValueSpec)] = cases.compactMap { entry, value in
      guard let kind = JSONKind(rawValue: entry.key) else {
        let names = JSONKind.allCases.map(\.rawValue)
        mistakes.add(
          entry.mark,
          "without 'on', cases are kinds: \(names.joined(separator: ", ")); found '\(entry.key)'",
          suggestion: Suggestion.nameMeant(by: entry.key, among: names))
        return nil
      }
      return value.map { (kind, $0) }
    }
    return known.count == cases.count ? .kind(known) : nil
  }

  // MARK: Policies

  private func policy(_ kind: ValueSpec.Kind?) -> ValueSpec.Policy {
    // Those that only say what is so without them are nothing to exclude others.
    let isNullable = map.bool(.nullable) == true
    let isRequired = map.bool(.required)
    let given = map.present(ValueKey.policies).filter { key in
      key == .nullable ? isNullable : key != .required || isRequired != nil
    }
    for key in given.dropFirst() {
      mistakes.add(map.mark(of: key), "\(name) has '\(given[0])' and '\(key)'; keep one of them")
    }
    if let type = map[.type]?.string, type.hasSuffix("?") {
      for key in given where key != .nullable && isRequired != false {
        mistakes.add(
          map.mark(of: key), "\(name) has 'type: \(type)' and '\(key)'; keep one of them")
      }
      return .nullable
    }
    switch given.first?.policy {
    case .nullable: return .nullable
    case .required: return isRequired == false ? .nullable : .required
    case .substitute: return substitute(.substitute, kind).map { .default($0) } ?? .required
    case .optionally: return substitute(.optionally, kind).map { .optionally($0) } ?? .required
    // What only says where a value is may be absent, as in the short form.
    case nil:
      // A value of the context has a path beside it.
      let isPlain = map.present.allSatisfy { [.firstOf, .from, .late].contains($0) }
      return map[.firstOf] != nil && isPlain ? .nullable : .required
    }
  }

  /// What stands for a value.
  private func substitute(_ key: ValueKey, _ kind: ValueSpec.Kind?) -> JSONValue? {
    guard let node = map[key], let value = node.json(mistakes) else { return nil }
    if let kind { check(value, node, fits: kind, key) }
    return value
  }

  /// A substitute has to be of the value's type: readers of the output rely on that.
  private func check(
    _ value: JSONValue, _ node: LocatedNode, fits kind: ValueSpec.Kind, _ key: ValueKey
  ) {
    if value == .null { return }
    switch (kind, value) {
    case (.inside, _), (.firstOf, _), (.composed, _), (.dispatch, _), (.made, _): return
    case (.shaped(_, let then), _): check(value, node, fits: then.kind, key)
    case (.joinedElements, .string), (.count, .number): return
    case (.joinedElements, _):
      mistakes.add(node.mark, "\(key): expected a string or null, found \(node.phrase)")
    case (.count, _):
      mistakes.add(node.mark, "\(key): expected a number or null, found \(node.phrase)")
    case (.object, .object), (.ownRecord, .object), (.dictionary, .object), (.array, .array): return
    case (.object, _), (.ownRecord, _), (.dictionary, _):
      mistakes.add(node.mark, "\(key): expected an object or null, found \(node.phrase)")
    case (.array, _):
      mistakes.add(node.mark, "\(key): expected a list or null, found \(node.phrase)")
    case (.scalar(let scalar), _): check(value, node, fits: scalar, key)
    }
  }

  private func check(
    _ value: JSONValue, _ node: LocatedNode, fits scalar: ScalarSpec, _ key: ValueKey
  ) {
    if scalar.type == .enum {
      let targets = scalar.values.map(\.target) + [scalar.otherwise].compactMap(\.self)
      guard !targets.isEmpty, !targets.contains(value) else { return }
      mistakes.add(
        node.mark,
        "\(key): expected one of \(targets.map(\.description).joined(separator: ", ")), "
          + "found \(node.phrase)")
      return
    }
    if scalar.otherwise == value { return }
    if let form = scalar.form {
      let fits = form.format.isNumber ? value.scalarText != value.string : value.string != nil
      if !fits {
        let kind = form.format.isNumber ? "a number" : "a text"
        mistakes.add(node.mark, "\(key): expected \(kind) or null, found \(node.phrase)")
      }
      return
    }
    // As it is written: what becomes one of another kind is for the feed.
    var written = ScalarSpec(scalar.type)
    written.schemes = scalar.schemes
    guard let mapper = try? Mapper(output: written.mapping),
      let error = mapper.decode(value.description.utf8).error
    else { return }
    mistakes.add(node.mark, "\(key): \(error.message)")
  }
}

extension ValueKey.Source {
  /// Whether it looks at several paths from one place.
  fileprivate var hasSeveralPaths: Bool {
    switch self {
    case .firstOf, .join, .template: true
    case .from, .zip: false
    }
  }
}
