import StreamMap

// Values that get another form: a text that becomes an array or an object, an array that becomes a text, and the like.
extension ValueReader {
  /// What is said of the value's form; nil if nothing is said, and outside it nil after a mistake.
  func shaped(_ kind: ValueKey?) -> ValueSpec.Kind?? {
    map[.zip] == nil ? form(kind) : .some(zip(kind))
  }

  /// The same of what `zip` makes.
  func form(_ kind: ValueKey?) -> ValueSpec.Kind?? {
    let isGroups = kind == .object && map[.extract] != nil && map[.parse] == nil
    let isTable = TextReader.isTable(map)
    if map.present(ValueKey.shapes).isEmpty, !isGroups, !isTable { return nil }
    // The steps of a list stand between what makes one, and what is made of it.
    let others: [ValueKey] = map[.list] == nil ? [.fromEntries] : []
    let shapes = map.present([.split, .parse, .entries, .count, .unwrap] + others)
    for key in shapes.dropFirst() {
      mistakes.add(
        map.mark(of: key), "\(name) has '\(shapes[0])' and '\(key)'; keep one of them")
    }
    if map[.count] != nil { return .some(counted(kind)) }
    let inner: ValueSpec.Kind?
    switch shapes.first {
    case .split: inner = split(kind)
    case .parse: inner = parsed(kind)
    case .entries: inner = entries(kind)
    case .fromEntries: inner = fromEntries(kind)
    case .unwrap: inner = unwrapped(kind)
    default: inner = isTable ? row(kind) : isGroups ? groups() : steps(kind) ?? array(kind)
    }
    guard map[.joined] != nil else { return .some(inner) }
    guard let separator = map.string(.joined), let inner else { return .some(nil) }
    return .some(joined(inner, separator))
  }

  // MARK: Texts

  /// The text that is given another form.
  private func source() -> ScalarSpec {
    var scalar = ScalarSpec(.scalar(.string))
    scalar.text = TextReader(map, fields).spec()
    if map[.lookup] != nil {
      mistakes.add(
        map.mark(of: .lookup), "lookup is for a text as a whole, before its type")
    }
    return scalar
  }

  private func refuse(_ kind: ValueKey?, for key: ValueKey, _ possible: [ValueKey]) {
    guard let kind, !possible.contains(kind) else { return }
    let kinds = possible.map { "'\($0)'" }.joined(separator: ", ")
    mistakes.add(map.mark(of: kind), "\(key) goes with \(kinds), not with '\(kind)'")
  }

  private func split(_ kind: ValueKey?) -> ValueSpec.Kind? {
    let source = source()
    guard let separator = map.string(.split), let node = map[.split] else { return nil }
    if separator.isEmpty { mistakes.add(node.mark, "split: the text to split at is empty") }
    let then: ValueSpec.Kind?
    if map[.list] != nil {
      then = steps(kind, textsAreUsed: true)
    } else {
      ScalarReader(map, fields).refuseCompanions(except: TextReader.keys)
      refuse(kind, for: .split, [.each])
      then = kind == .each ? container(.each) : Self.anyArray(.scalar(.string))
    }
    return then.map { .shaped(.split(separator, of: source), ValueSpec($0).readingTexts()) }
  }

  enum Parsed: String, CaseIterable { case json, query }

  private func parsed(_ kind: ValueKey?) -> ValueSpec.Kind? {
    let source = source()
    guard let form = map.choice(.parse, Parsed.self) else { return nil }
    switch form {
    case .json:
      return inString(kind).map { .shaped(.json(in: source), ValueSpec($0)) }
    case .query:
      ScalarReader(map, fields).refuseCompanions(except: TextReader.keys)
      refuse(kind, for: .parse, [.map, .object, .use])
      let then =
        kind == nil
        ? .dictionary(
          of: ValueSpec(.scalar(ScalarSpec(.scalar(.string)))), fields.setting.keys.duplicates)
        : container(kind)
      return then.map { .shaped(.query(in: source), ValueSpec($0).readingTexts()) }
    }
  }

  /// What becomes of the JSON in a string.
  private func inString(_ kind: ValueKey?) -> ValueSpec.Kind? {
    if map[.list] != nil { return steps(kind, textsAreUsed: true) }
    if kind == .type || map[.values] != nil {
      return ScalarReader(map, fields, readsTexts: false).scalar().map { .scalar($0) }
    }
    ScalarReader(map, fields).refuseCompanions(except: TextReader.keys)
    return kind == nil ? .scalar(ScalarSpec(.json)) : container(kind)
  }

  /// The object that a table has for the text.
  private func row(_ kind: ValueKey?) -> ValueSpec.Kind? {
    var source = ScalarSpec(.scalar(.string))
    source.text = TextReader(map, fields).spec()
    if map[.coerce] != nil {
      source.coercions = ScalarReader(map, fields).coercions(.scalar(.string), [.number, .bool])
    }
    ScalarReader(map, fields).refuseCompanions(except: TextReader.keys + [.coerce])
    refuse(kind, for: .lookup, [.object, .map, .use])
    let then = kind == nil ? .scalar(ScalarSpec(.json)) : container(kind)
    return then.map {
      .shaped(.row(of: ValueSpec(.scalar(source))), ValueSpec($0).readingTexts())
    }
  }

  private func groups() -> ValueSpec.Kind? {
    var source = source()
    guard let pattern = source.text.pattern, let node = map[.extract] else { return nil }
    ScalarReader(map, fields).refuseCompanions(except: TextReader.keys)
    source.text.pattern = nil
    if pattern.pattern.groups.isEmpty {
      mistakes.add(
        node.mark, "extract with object needs groups with names, as in (?<verb>\\w+)")
    } else if pattern.pattern.groupCount > LinearPattern.mostGroups {
      mistakes.add(node.mark, "extract: at most \(LinearPattern.mostGroups) groups can be taken")
    }
    return container(.object).map {
      .shaped(.groups(pattern, of: source), ValueSpec($0).readingTexts())
    }
  }

  // MARK: Wrapped values

  private func unwrapped(_ kind: ValueKey?) -> ValueSpec.Kind? {
    let wrappers = wrappers()
    let then: ValueSpec.Kind?
    if map[.list] != nil {
      then = steps(kind, textsAreUsed: false)
    } else if kind == .type || map[.values] != nil {
      then = ScalarReader(map, fields).scalar().map { .scalar($0) }
    } else {
      ScalarReader(map, fields).refuseCompanions()
      then = kind == nil ? .scalar(ScalarSpec(.json)) : container(kind)
    }
    guard let wrappers, let then else { return nil }
    return .shaped(.unwrapped(wrappers), ValueSpec(then))
  }

  /// The keys that wrap values; a list of keys is one of plain values.
  private func wrappers() -> [WrapperSpec]? {
    guard let node = map[.unwrap] else { return nil }
    switch node.content {
    case .map(let entries) where !entries.isEmpty:
      let found = entries.unique(mistakes).map { entry -> WrapperSpec? in
        // The word `null` is also YAML's null.
        var word = entry.value.string
        if case .scalar(let scalar) = entry.value.content, case .null? = scalar.value {
          word = WrappedContent.null.rawValue
        }
        if let content = word.flatMap({ WrappedContent(rawValue: $0) }) {
          return WrapperSpec(key: entry.key, content: content)
        }
        let words = WrappedContent.allCases.map(\.rawValue)
        mistakes.add(
          entry.value.mark,
          "unwrap: what '\(entry.key)' holds has to be one of \(words.joined(separator: ", ")); found \(entry.value.phrase)",
          suggestion: word.flatMap { Suggestion.nearest(to: $0, among: words) })
        return nil
      }
      return found.allSatisfy { $0 != nil } ? found.compactMap(\.self) : nil
    case .list(let elements) where !elements.isEmpty && elements.allSatisfy({ $0.string != nil }):
      let keys = elements.compactMap(\.string)
      for (index, key) in keys.enumerated()
      where keys[..<index].contains(where: { ExactText($0) == ExactText(key) }) {
        mistakes.add(elements[index].mark, "unwrap: '\(key)' comes twice")
      }
      return keys.map { WrapperSpec(key: $0, content: .value) }
    default:
      mistakes.add(
        node.mark,
        "unwrap has to be a map of keys, as in { S: value, N: number, M: members }, or a list of keys; found \(node.phrase)"
      )
      return nil
    }
  }

  // MARK: Lists

  /// The names of an entry's key and value.
  private func names(_ key: ValueKey) -> (String, String)? {
    guard let node = map[key] else { return nil }
    if case .list(let elements) = node.content, elements.count == 2,
      let first = elements[0].string, let second = elements[1].string
    {
      if first != second, !first.isEmpty, !second.isEmpty { return (first, second) }
      mistakes.add(node.mark, "\(key): the key and the value need two different names")
      return nil
    }
    mistakes.add(
      node.mark, "\(key) has to be two names, as in [name, value]; found \(node.phrase)")
    return nil
  }

  private func entries(_ kind: ValueKey?) -> ValueSpec.Kind? {
    let names = names(.entries)
    let then: ValueSpec.Kind?
    if map[.list] != nil {
      then = steps(kind, textsAreUsed: false)
    } else {
      ScalarReader(map, fields).refuseCompanions()
      refuse(kind, for: .entries, [.each])
      then = kind == .each ? container(.each) : Self.anyArray(.json)
    }
    guard let names, let then else { return nil }
    return .shaped(
      .entries(key: names.0, value: names.1, fields.setting.keys.duplicates), ValueSpec(then))
  }

  private func fromEntries(_ kind: ValueKey?) -> ValueSpec.Kind? {
    ScalarReader(map, fields).refuseCompanions()
    let names = names(.fromEntries)
    refuse(kind, for: .fromEntries, [.map, .object, .use, .dispatch])
    let then =
      kind == nil
      ? .dictionary(of: ValueSpec(.scalar(ScalarSpec(.json))), fields.setting.keys.duplicates)
      : container(kind)
    guard let names, let then else { return nil }
    return .shaped(.fromEntries(key: names.0, value: names.1), ValueSpec(then))
  }

  /// What `list` makes, and what becomes of that; nil if there is no `list`, and inside it nil after a mistake.
  private func steps(_ kind: ValueKey?) -> ValueSpec.Kind?? {
    map[.list] == nil ? nil : .some(steps(kind, textsAreUsed: false))
  }

  /// What `list` makes, and what becomes of that; the keys about texts may be used for the text that the list is made from.
  private func steps(_ kind: ValueKey?, textsAreUsed: Bool) -> ValueSpec.Kind? {
    guard let node = map[.list], let steps = ListReader(fields).steps(node),
      let result = steps.last?.step.result
    else { return nil }
    return then(kind, after: result, textsAreUsed: textsAreUsed).map {
      .shaped(.list(steps), ValueSpec($0))
    }
  }

  /// What becomes of the result of a list's steps.
  private func then(_ kind: ValueKey?, after result: ListStep.Result, textsAreUsed: Bool)
    -> ValueSpec.Kind?
  {
    if map[.fromEntries] != nil || map[.joined] != nil || kind == .each || result == .list {
      guard result == .list else {
        let key = map.present([.fromEntries, .joined, .each]).first ?? .list
        mistakes.add(
          map.mark(of: key),
          "\(key) is about a list, and the last step of list makes one value of it")
        return nil
      }
      if map[.fromEntries] != nil { return fromEntries(kind) }
      return array(
        kind, of: map[.joined] == nil ? .json : .scalar(.any), textsAreUsed: textsAreUsed)
    }
    let scalar = ScalarReader(map, fields, readsTexts: !textsAreUsed)
    if kind == nil || kind == .type {
      return scalar.scalar(else: Self.type(of: result)).map { .scalar($0) }
    }
    scalar.refuseCompanions(except: textsAreUsed ? TextReader.keys : [])
    if result == .element { return container(kind) }
    refuse(kind, for: .list, [.type])
    return nil
  }

  /// The type of what a list's steps make, if none is given.
  private static func type(of result: ListStep.Result) -> TypeName {
    switch result {
    case .list: .json
    case .element: .scalar(.any)
    case .count: .scalar(.int64)
    case .number: .scalar(.number)
    case .text: .scalar(.string)
    case .truth: .scalar(.bool)
    }
  }

  private func array(
    _ kind: ValueKey?, of type: TypeName = .scalar(.any), textsAreUsed: Bool = false
  ) -> ValueSpec.Kind? {
    ScalarReader(map, fields).refuseCompanions(except: textsAreUsed ? TextReader.keys : [])
    if kind == .type, map[.joined] == nil, isJSON { return Self.anyArray(.json) }
    refuse(kind, for: map[.joined] == nil ? .list : .joined, [.each])
    return kind == .each ? container(.each) : Self.anyArray(type)
  }

  /// Whether the type is that of any value as it stands.
  var isJSON: Bool {
    [TypeName.json.rawValue, TypeName.json.rawValue + "?"].contains(map[.type]?.string ?? "")
  }

  private static func anyArray(_ type: TypeName) -> ValueSpec.Kind {
    .array(of: ValueSpec(.scalar(ScalarSpec(type))), omitsInvalid: false)
  }

  /// An array as one text.
  private func joined(_ inner: ValueSpec.Kind, _ separator: String) -> ValueSpec.Kind? {
    var array = inner
    while case .shaped(_, let then) = array { array = then.kind }
    guard case .array(let element, _) = array else {
      mistakes.add(map.mark(of: .joined), "joined goes with 'each': it makes a text of an array")
      return nil
    }
    switch element.kind {
    case .object, .array, .dictionary, .scalar(ScalarSpec(.json)):
      mistakes.add(
        map.mark(of: .joined),
        "joined makes a text of strings, numbers and booleans; give the elements such a type")
      return nil
    default: return .joinedElements(ValueSpec(inner), separator: separator)
    }
  }

  private func counted(_ kind: ValueKey?) -> ValueSpec.Kind? {
    ScalarReader(map, fields).refuseCompanions()
    guard let isOn = map.bool(.count), let node = map[.count] else { return nil }
    if !isOn { mistakes.add(node.mark, "count has to be true; found false") }
    for key in [kind].compactMap(\.self) + map.present([.joined, .list]) {
      mistakes.add(
        map.mark(of: key), "count is about an array or object as it is; it goes without '\(key)'")
    }
    return .count(fields.setting.keys.duplicates)
  }
}
