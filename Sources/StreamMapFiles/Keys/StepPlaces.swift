import StreamMap

/// Steps of `text` and of `list` that stand where they do not belong: as keys of a field, or as a key of a map of steps.
enum StepPlaces {
  /// The keys whose steps are looked for.
  private enum Owner: CaseIterable {
    case text, list

    var key: ValueKey { self == .text ? .text : .list }

    /// The steps that take nothing.
    var words: [String] {
      switch self {
      case .text: TextReader.words.map(\.name)
      case .list: ListReader.words.map(\.name)
      }
    }

    /// The steps that are keys of a map.
    var keys: [String] {
      switch self {
      case .text: StepKey.steps.names
      case .list: ListKey.keys.names
      }
    }

    /// What stands under a step that is a key.
    private func form(_ name: String) -> KeyForm? {
      switch self {
      case .text: StepKey.steps.key(named: name)?.spec.form
      case .list: ListKey.keys.key(named: name)?.spec.form
      }
    }

    /// The steps that a word of other programs may mean: what is a key of fields, too, has its meaning there.
    var meanings: [String] { (words + keys).filter { ValueKey(rawValue: $0) == nil } }

    /// Whether a step may take what a file has under its name.
    func takes(_ node: LocatedNode, _ name: String) -> Bool {
      if form(name)?.mayHold(node) == true { return true }
      guard words.contains(name) else { return false }
      switch node.content {
      case .scalar:
        switch node.scalar {
        case .bool(let isTrue)?: return isTrue
        case .null?: return true
        // As a path of what is added up, or looked at.
        case .string?: return self == .list
        case .number?: return ["first", "last"].contains(name)
        case .array?, .object?, nil: return false
        }
      case .map: return name == "count"
      case .list: return false
      }
    }

    /// The step as it is written, with what stands under its name in the file where that can stay.
    func example(_ name: String, _ node: LocatedNode?) -> String {
      if let node, form(name)?.mayHold(node) == true, let text = Self.text(node) {
        return "{ \(name): \(text) }"
      }
      switch self {
      case .text:
        return StepKey.steps.key(named: name).map { TextReader.example($0) } ?? name
      case .list:
        guard words.contains(name) else {
          return ListKey.keys.key(named: name).map { ListReader.example($0) } ?? name
        }
        return node.flatMap { Self.steps(name, $0) } ?? name
      }
    }

    /// What says what a step without operand was meant to do with one; nil if it goes as it stands.
    private static func steps(_ name: String, _ node: LocatedNode) -> String? {
      switch node.content {
      case .map: return "[{ where: … }, \(name)]"
      case .list: return nil
      case .scalar:
        switch node.scalar {
        case .string(let path)?: return "[{ from: \(ShownText.excerpt(path)) }, \(name)]"
        case .number(let count)? where name == "first": return "{ slice: [0, \(count)] }"
        case .number(let count)? where name == "last": return "{ slice: [-\(count)] }"
        case .null?, .bool?, .number?, .array?, .object?, nil: return nil
        }
      }
    }

    private static func text(_ node: LocatedNode) -> String? {
      switch node.content {
      case .scalar(let scalar): ShownText.excerpt(scalar.text)
      case .list(let elements):
        elements.contains { $0.scalar == nil || $0.string != nil }
          ? nil : "[\(elements.compactMap { text($0) }.joined(separator: ", "))]"
      case .map: nil
      }
    }
  }

  /// Where a step of ours belongs that stands beside `text` or `list`, as in `of text, as in text: { mask: 4 }`.
  ///
  /// - Parameters:
  ///   - entry: The step, and what stands under it.
  ///   - names: The keys that can stand there.
  ///   - isFitting: Whether only steps count that take what is there.
  /// - Returns: The ends of messages.
  static func places(of entry: LocatedNode.Entry, beside names: [String], isFitting: Bool)
    -> [String]
  {
    Owner.allCases.compactMap { owner in
      guard names.contains(owner.key.name),
        (owner.words + owner.keys).contains(entry.key),
        !isFitting || owner.takes(entry.value, entry.key)
      else { return nil }
      return place(owner, entry.key, entry.value)
    }
  }

  /// Where the step belongs that a word of other programs means.
  static func place(ofOtherWord word: String, beside names: [String]) -> String? {
    Owner.allCases.lazy.compactMap { owner -> String? in
      guard names.contains(owner.key.name),
        case .name(let name)? = Suggestion.known(word, among: owner.meanings)
      else { return nil }
      return place(owner, name, nil)
    }.first
  }

  private static func place(_ owner: Owner, _ name: String, _ node: LocatedNode?) -> String {
    "of \(owner.key), as in \(owner.key): \(owner.example(name, node))"
  }

  /// What to write for a step that takes nothing and stands in a map of steps, as `sum` in `{ sum: price }`; nil if it is none.
  static func word(_ entry: LocatedNode.Entry, in names: [String]) -> String? {
    Owner.allCases.lazy.filter { $0.keys == names || $0 == .text && names == StepKey.keys.names }
      .compactMap { owner -> String? in
        guard owner.words.contains(entry.key) else { return nil }
        return
          "the step '\(entry.key)' takes nothing; write \(owner.key): \(owner.example(entry.key, entry.value))"
      }.first
  }

  /// Whether a word is a step, in our words or in others.
  static func isStep(_ word: String) -> Bool {
    Owner.allCases.contains { owner in
      if case .name? = Suggestion.known(word, among: owner.meanings) { return true }
      return false
    }
  }
}
