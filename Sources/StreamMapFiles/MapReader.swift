import StreamMap

/// One map of a mapping file, its keys checked.
///
/// Those that are misspelt or given twice are reported when it is made.
struct MapReader<Key: MapKey> {
  let mark: FileMark
  // A map has a few keys of many: looking at each of these is less work than hashing all that it might have.
  /// Those that are known, in the order of the file.
  private let entries: [(key: Key, entry: LocatedNode.Entry)]
  /// Whether something was left out that might say what is missing now.
  let hasUnknown: Bool
  private let mistakes: FileMistakes

  /// Reads a map that may hold `keys`; the name says in messages what it is.
  init?(
    _ node: LocatedNode, _ name: String, _ keys: KeyTable<Key>, _ mistakes: FileMistakes
  ) {
    guard case .map(let given) = node.content else {
      let message = "\(name) has to be a map with \(keys.list); found \(node.phrase)"
      mistakes.add(
        node.mark, message + (Self.map(around: node, keys).map { "; write \(name): \($0)" } ?? ""))
      return nil
    }
    var known: [(key: Key, entry: LocatedNode.Entry)] = []
    var hasUnknown = false
    let entries = given.unique(mistakes)
    for entry in entries {
      if let key = keys.key(named: entry.key) {
        known.append((key, entry))
      } else {
        hasUnknown = true
      }
    }
    if hasUnknown {
      let present = known.map(\.key.name)
      for entry in entries where keys.key(named: entry.key) == nil {
        Self.refuse(entry, in: name, keys, beside: present, mistakes)
      }
    }
    mark = node.mark
    self.entries = known
    self.hasUnknown = hasUnknown
    self.mistakes = mistakes
  }

  /// The map that a single value was meant to be, as `{ mode: skip }` for `skip`; nil if no key has that value.
  private static func map(around node: LocatedNode, _ keys: KeyTable<Key>) -> String? {
    guard let text = node.string else { return nil }
    if keys.names.contains(ValueKey.from.name) { return "{ from: \(ShownText.excerpt(text)) }" }
    if keys.names == LookupKey.keys.names {
      return "{ file: \(ShownText.excerpt(text)), key: …, value: … }"
    }
    return keys.keys.lazy.compactMap { key -> String? in
      let names = key.spec.form.names
      if names.contains(text) { return "{ \(key): \(text) }" }
      guard case .name(let name)? = OtherWords.meaning(of: text, among: names) else { return nil }
      return "{ \(key): \(name) }"
    }.first
  }

  /// Reports a key that cannot be there.
  private static func refuse(
    _ entry: LocatedNode.Entry, in name: String, _ keys: KeyTable<Key>, beside present: [String],
    _ mistakes: FileMistakes
  ) {
    let message = "unknown key '\(entry.key)' in \(name)"
    // What is there already was not meant, and neither is what takes no value of this kind.
    let possible = keys.keys.filter {
      !present.contains($0.name) && $0.spec.form.mayHold(entry.value)
    }.map(\.name)
    if let step = StepPlaces.word(entry, in: keys.names) {
      return mistakes.add(entry.mark, "\(message): \(step)")
    }
    if let advice = OtherWords.advice(on: entry.key, beside: keys.names) {
      return mistakes.add(entry.mark, "\(message): \(advice)")
    }
    if let place = KeyOwners.inside(
      entry, beside: keys.names, present: present, isFitting: true)
      ?? KeyOwners.elsewhere(entry.key, beside: keys.names)
    {
      return mistakes.add(entry.mark, "\(message): \(place)")
    }
    let known = Suggestion.known(entry.key, among: keys.names, possible)
    switch known {
    case .name(let near): return mistakes.add(entry.mark, message, suggestion: near)
    case .advice(let advice): return mistakes.add(entry.mark, "\(message): \(advice)")
    case .nothing, nil: break
    }
    if let place = KeyOwners.inside(
      entry, beside: keys.names, present: present, isFitting: false)
      ?? KeyOwners.outside(entry.key, beside: keys.names)
    {
      return mistakes.add(entry.mark, "\(message): \(place)")
    }
    if known == nil, let near = Suggestion.nearest(to: entry.key, among: keys.names) {
      return mistakes.add(entry.mark, message, suggestion: near)
    }
    if let place = KeyOwners.inside(otherWord: entry, beside: keys.names) {
      return mistakes.add(entry.mark, "\(message): \(place)")
    }
    mistakes.add(entry.mark, message, note: "\(name) can have \(keys.list)")
  }

  subscript(key: Key) -> LocatedNode? { entry(key)?.value }

  private func entry(_ key: Key) -> LocatedNode.Entry? { entries.first { $0.key == key }?.entry }

  /// All keys that are there, in the order of the file.
  var present: [Key] { entries.map(\.key) }

  /// Those of the keys that are there, in the order of the file.
  func present(_ keys: [Key]) -> [Key] {
    entries.compactMap { keys.contains($0.key) ? $0.key : nil }
  }

  func mark(of key: Key) -> FileMark { entry(key)?.mark ?? mark }

  // MARK: Values

  func string(_ key: Key) -> String? {
    guard let node = self[key] else { return nil }
    if case .scalar(let scalar) = node.content, let text = scalar.string { return text }
    mistakes.add(node.mark, "\(key) has to be a string; found \(node.phrase)")
    return nil
  }

  func bool(_ key: Key) -> Bool? {
    guard let node = self[key] else { return nil }
    if case .scalar(let scalar) = node.content, case .bool(let value)? = scalar.value {
      return value
    }
    mistakes.add(node.mark, "\(key) has to be true or false; found \(node.phrase)")
    return nil
  }

  /// Whether a key says `true`; what it says wrongly is reported by who reads it.
  func isTrue(_ key: Key) -> Bool {
    if case .bool(true)? = self[key]?.scalar { true } else { false }
  }

  /// One of several names, given by their raw values.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: Key, _: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    guard let node = self[key] else { return nil }
    let names = Choice.allCases.map(\.rawValue)
    guard case .scalar(let scalar) = node.content else {
      mistakes.add(
        node.mark, "\(key) has to be one of \(names.joined(separator: ", ")); found \(node.phrase)")
      return nil
    }
    // YAML's null is the name, too.
    if let choice = Choice(rawValue: scalar.text) { return choice }
    let message = "\(key) has to be one of \(names.joined(separator: ", ")); found \(node.phrase)"
    mistakes.add(node.mark, message, meant: Suggestion.meant(by: scalar.text, among: names))
    return nil
  }

  /// A string or a list of them, each with its place.
  func strings(_ key: Key) -> [(text: String, mark: FileMark)] {
    guard let node = self[key] else { return [] }
    var nodes = [node]
    if case .list(let elements) = node.content { nodes = elements }
    return nodes.compactMap { node in
      if case .scalar(let scalar) = node.content, let text = scalar.string {
        return (text, node.mark)
      }
      mistakes.add(
        node.mark, "\(key) has to be a string or a list of strings; found \(node.phrase)")
      return nil
    }
  }

  /// The elements of a list.
  func list(_ key: Key) -> [LocatedNode]? {
    guard let node = self[key] else { return nil }
    if case .list(let elements) = node.content { return elements }
    mistakes.add(node.mark, "\(key) has to be a list; found \(node.phrase)")
    return nil
  }

  /// A number in a range.
  func number(_ key: Key, in range: ClosedRange<Double>, _ expected: String) -> Double? {
    guard let node = self[key] else { return nil }
    if case .scalar(let scalar) = node.content, case .number(let text)? = scalar.value,
      let number = Double(text), range.contains(number)
    {
      return number
    }
    mistakes.add(node.mark, "\(key) has to be \(expected); found \(node.phrase)")
    return nil
  }

  func size(_ key: Key) -> Int? {
    guard let node = self[key] else { return nil }
    if case .scalar(let scalar) = node.content, let size = ByteSize(argument: scalar.text) {
      return size.bytes
    }
    mistakes.add(node.mark, "\(key) has to be \(ByteSize.expectation); found \(node.phrase)")
    return nil
  }
}

extension [LocatedNode.Entry] {
  /// The entries whose keys were not there before; the others are reported.
  func unique(_ mistakes: FileMistakes) -> [LocatedNode.Entry] {
    // If there are few keys, each is compared with those before it.
    if count <= 8, !hasDuplicates { return self }
    var first: [ExactText: FileMark] = [:]
    return filter { entry in
      guard let earlier = first[ExactText(entry.key)] else {
        first[ExactText(entry.key)] = entry.mark
        return true
      }
      mistakes.add(
        entry.mark, "duplicate key '\(entry.key)': the first one is in line \(earlier.line)")
      return false
    }
  }

  private var hasDuplicates: Bool {
    indices.contains { index in
      self[..<index].contains { $0.key == self[index].key }
    }
  }
}
