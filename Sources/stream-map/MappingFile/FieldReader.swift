import StreamMap

/// Reads the fields of a mapping file.
struct FieldReader {
  private static let kinds = ["type", "object", "each", "map"]
  private static let policies = ["nullable", "default", "optionally"]
  private static let valueKeys = ["from"] + kinds + policies + ["schemes", "on_item_error"]
  private static let later = [
    "first_of", "join", "with", "context", "meta", "use", "validate", "coerce", "values", "format",
    "zone",
  ]

  private let mistakes: FileMistakes

  init(_ mistakes: FileMistakes) {
    self.mistakes = mistakes
  }

  /// A map of fields: `record`, or an `object` inside it.
  func fields(_ node: LocatedNode, _ name: String) -> [FieldSpec] {
    guard case .map(let entries) = node.content else {
      mistakes.add(node.mark, "\(name) has to be a map of fields; found \(node.phrase)")
      return []
    }
    return MapReader.unique(entries, mistakes).compactMap { field($0) }
  }

  private func field(_ entry: LocatedNode.Entry) -> FieldSpec? {
    guard case .map = entry.value.content else {
      guard let path = PathReader(mistakes).single(entry.value, "'\(entry.key)'") else {
        return nil
      }
      let value = ValueSpec(.scalar(.any, schemes: []), policy: .nullable)
      return FieldSpec(name: entry.key, source: .path(path), value: value)
    }
    let name = "field '\(entry.key)'"
    guard
      let map = MapReader(
        entry.value, name, keys: Self.valueKeys + ["const"], later: Self.later, mistakes)
    else { return nil }
    if let constant = map["const"] { return self.constant(constant, map, entry.key) }
    let value = self.value(map, name)
    guard let from = map["from"] else {
      if !map.hasUnknown {
        mistakes.add(entry.mark, "from is missing: the path of \(name), or $ for the whole")
      }
      return nil
    }
    guard let path = PathReader(mistakes).single(from, "from") else { return nil }
    return value.map { FieldSpec(name: entry.key, source: .path(path), value: $0) }
  }

  private func constant(_ node: LocatedNode, _ map: MapReader, _ name: String) -> FieldSpec? {
    for key in map.present(Self.valueKeys) {
      mistakes.add(map.mark(of: key), "a field with const has no '\(key)'")
    }
    return json(node).map {
      FieldSpec(name: name, source: .constant($0), value: ValueSpec(.scalar(.json, schemes: [])))
    }
  }

  // MARK: Values

  private func value(_ map: MapReader, _ name: String) -> ValueSpec? {
    let kinds = map.present(Self.kinds)
    for key in kinds.dropFirst() {
      mistakes.add(map.mark(of: key), "\(name) has '\(kinds[0])' already; '\(key)' excludes it")
    }
    checkCompanions(map, kinds.first)
    guard let kind = kind(map, kinds.first) else {
      _ = policy(map, nil, name)
      return nil
    }
    return ValueSpec(kind, policy: policy(map, kind, name))
  }

  private func checkCompanions(_ map: MapReader, _ kind: String?) {
    if map["on_item_error"] != nil, kind != "each" {
      mistakes.add(map.mark(of: "on_item_error"), "on_item_error belongs to 'each'")
    }
    if map["schemes"] != nil, map["type"].flatMap(text) != TypeName.url.rawValue {
      mistakes.add(map.mark(of: "schemes"), "schemes belongs to 'type: url'")
    }
  }

  private func kind(_ map: MapReader, _ key: String?) -> ValueSpec.Kind? {
    switch key {
    case "object":
      return map["object"].map { .object(fields($0, "object")) }
    case "each":
      let rule = map.choice("on_item_error", ItemError.self)
      let element = map["each"].flatMap { self.element($0, "each") }
      return element.map { .array(of: $0, omitsInvalid: rule == .drop) }
    case "map":
      return map["map"].flatMap { self.element($0, "map") }.map { .dictionary(of: $0) }
    case "type":
      guard let node = map["type"], let type = type(node, "type") else { return nil }
      return .scalar(type, schemes: map.strings("schemes").map(\.text))
    default:
      // Not known what was meant, where a key is misspelt or not supported.
      return map.hasUnknown ? nil : .scalar(.any, schemes: [])
    }
  }

  private enum ItemError: String, CaseIterable {
    case drop, fail
  }

  /// What each element of an array, or each value of a dictionary, becomes: a type's name, or a map
  /// as a field's.
  private func element(_ node: LocatedNode, _ name: String) -> ValueSpec? {
    guard case .map = node.content else {
      return type(node, name).map { ValueSpec(.scalar($0, schemes: [])) }
    }
    guard let map = MapReader(node, "'\(name)'", keys: Self.valueKeys, later: Self.later, mistakes)
    else {
      return nil
    }
    let value = self.value(map, "'\(name)'")
    guard let from = map["from"] else { return value }
    guard let path = PathReader(mistakes).single(from, "from") else { return nil }
    return value.map { ValueSpec(.inside(path, $0)) }
  }

  private func text(_ node: LocatedNode) -> String? {
    if case .scalar(let scalar) = node.content { scalar.string } else { nil }
  }

  private func type(_ node: LocatedNode, _ name: String) -> TypeName? {
    guard let text = text(node) else {
      mistakes.add(node.mark, "\(name) has to be a type; found \(node.phrase)")
      return nil
    }
    if let type = TypeName(rawValue: text) { return type }
    let names = TypeName.allCases.map(\.rawValue)
    if text == "enum" {
      mistakes.add(node.mark, "type 'enum' is not supported yet")
    } else if let near = Suggestion.nearest(to: text, among: names + ["enum"]) {
      mistakes.add(node.mark, "there is no type '\(text)'; did you mean '\(near)'?")
    } else {
      mistakes.add(
        node.mark, "there is no type '\(text)'; types are \(names.joined(separator: ", "))")
    }
    return nil
  }

  // MARK: Policies

  private func policy(_ map: MapReader, _ kind: ValueSpec.Kind?, _ name: String) -> ValueSpec.Policy
  {
    let isNullable = map.bool("nullable")
    let given = map.present(Self.policies).filter { $0 != "nullable" || isNullable == true }
    for key in given.dropFirst() {
      mistakes.add(map.mark(of: key), "\(name) has '\(given[0])' already; '\(key)' excludes it")
    }
    guard let key = given.first else { return .required }
    if key == "nullable" { return .nullable }
    guard let node = map[key], let value = json(node) else { return .required }
    if let kind { check(value, node, fits: kind, key) }
    return key == "default" ? .default(value) : .optionally(value)
  }

  /// What stands in for a value has to be of its type: who reads the output relies on that.
  private func check(
    _ value: JSONValue, _ node: LocatedNode, fits kind: ValueSpec.Kind, _ key: String
  ) {
    if value == .null { return }
    switch (kind, value) {
    case (.inside, _): return
    case (.object, .object), (.dictionary, .object), (.array, .array): return
    case (.object, _), (.dictionary, _):
      mistakes.add(node.mark, "\(key): expected an object or null, found \(node.phrase)")
    case (.array, _):
      mistakes.add(node.mark, "\(key): expected a list or null, found \(node.phrase)")
    case (.scalar, _):
      guard let mapper = try? Mapper(output: ValueSpec(kind).mapping),
        let error = mapper.decode(value.description.utf8).error
      else { return }
      mistakes.add(node.mark, "\(key): \(error.message)")
    }
  }

  // MARK: JSON

  /// Any part of the file as the JSON value that it is.
  private func json(_ node: LocatedNode) -> JSONValue? {
    switch node.content {
    case .scalar(let scalar):
      if let value = scalar.value { return value }
      mistakes.add(
        node.mark,
        "JSON cannot write the number \(scalar.text); if it is meant to be a string, quote it")
      return nil
    case .list(let elements):
      let values = elements.map { json($0) }
      return values.contains { $0 == nil } ? nil : .array(values.compactMap(\.self))
    case .map(let entries):
      let members = MapReader.unique(entries, mistakes).map { entry in
        json(entry.value).map { JSONValue.Member(entry.key, $0) }
      }
      return members.contains { $0 == nil } ? nil : .object(members.compactMap(\.self))
    }
  }
}
