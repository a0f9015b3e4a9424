import StreamMap

// Values that get another form: a text that becomes an array or an object, an array that becomes a text, and the like.
extension ValueReader {
  /// What is said of the value's form; nil if nothing is said, and outside it nil after a mistake.
  func shaped(_ kind: ValueKey?) -> ValueSpec.Kind?? {
    let isGroups = kind == .object && map[.extract] != nil && map[.parse] == nil
    if map.present(ValueKey.shapes).isEmpty, !isGroups { return nil }
    let shapes = map.present([.split, .parse, .entries, .fromEntries, .count])
    for key in shapes.dropFirst() {
      mistakes.add(
        map.mark(of: key), "\(name) has '\(shapes[0])' and '\(key)'; keep one of them")
    }
    if map[.count] != nil { return .some(counted(kind)) }
    let inner: ValueSpec.Kind?
    switch shapes.first {
    case .split: inner = split(kind)
    case .parse: inner = parsed(kind)
    case .entries, .fromEntries: inner = listed(shapes[0], kind)
    default: inner = isGroups ? groups() : list(kind)
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
    ScalarReader(map, fields).refuseCompanions(except: TextReader.keys)
    refuse(kind, for: .split, [.each])
    let element = kind == .each ? container(.each) : Self.anyArray(.scalar(.string))
    return element.map { .shaped(.split(separator, of: source), ValueSpec($0).readingTexts()) }
  }

  enum Parsed: String, CaseIterable { case json }

  private func parsed(_ kind: ValueKey?) -> ValueSpec.Kind? {
    let source = source()
    guard map.choice(.parse, Parsed.self) != nil else { return nil }
    var then: ValueSpec.Kind? = .scalar(ScalarSpec(.json))
    if kind == .type || map[.values] != nil {
      then = ScalarReader(map, fields, readsTexts: false).scalar().map { .scalar($0) }
    } else if let kind {
      ScalarReader(map, fields).refuseCompanions(except: TextReader.keys)
      then = container(kind)
    } else {
      ScalarReader(map, fields).refuseCompanions(except: TextReader.keys)
    }
    return then.map { .shaped(.json(in: source), ValueSpec($0)) }
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

  private func listed(_ key: ValueKey, _ kind: ValueKey?) -> ValueSpec.Kind? {
    ScalarReader(map, fields).refuseCompanions()
    let names = names(key)
    let duplicates = fields.setting.keys.duplicates
    if key == .entries {
      refuse(kind, for: key, [.each])
      let then = kind == .each ? container(.each) : Self.anyArray(.json)
      guard let names, let then else { return nil }
      return .shaped(.entries(key: names.0, value: names.1, duplicates), ValueSpec(then))
    }
    refuse(kind, for: key, [.map, .object, .use, .dispatch])
    let then =
      kind == nil
      ? .dictionary(of: ValueSpec(.scalar(ScalarSpec(.json))), duplicates) : container(kind)
    guard let names, let then else { return nil }
    return .shaped(.fromEntries(key: names.0, value: names.1), ValueSpec(then))
  }

  private func list(_ kind: ValueKey?) -> ValueSpec.Kind? {
    ScalarReader(map, fields).refuseCompanions()
    refuse(kind, for: .joined, [.each])
    return kind == .each ? container(.each) : Self.anyArray(.scalar(.any))
  }

  private static func anyArray(_ type: TypeName) -> ValueSpec.Kind {
    .array(of: ValueSpec(.scalar(ScalarSpec(type))), omitsInvalid: false)
  }

  /// An array as one text.
  private func joined(_ inner: ValueSpec.Kind, _ separator: String) -> ValueSpec.Kind? {
    var array = inner
    if case .shaped(_, let then) = array { array = then.kind }
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
    for key in [kind, map[.joined] == nil ? nil : .joined].compactMap(\.self) {
      mistakes.add(
        map.mark(of: key), "count is about an array or object as it is; it goes without '\(key)'")
    }
    return .count(fields.setting.keys.duplicates)
  }
}
