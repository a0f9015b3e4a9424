import Yams

/// Reads YAML into located nodes: maps, lists, scalars and comments.
struct YAMLNodes {
  private let mistakes: FileMistakes
  /// The text, with the first character of some keys replaced: see ``maskDuplicate(at:)``.
  private var text: String
  /// By replacement the character it stands for.
  private var masked: [Unicode.Scalar: Unicode.Scalar] = [:]

  /// The file's root; nil after a mistake that leaves nothing to look at.
  static func read(_ text: String, _ mistakes: FileMistakes) -> LocatedNode? {
    var nodes = YAMLNodes(text: text, mistakes: mistakes)
    return nodes.root()
  }

  private init(text: String, mistakes: FileMistakes) {
    self.text = text
    self.mistakes = mistakes
  }

  private mutating func root() -> LocatedNode? {
    while true {
      do {
        let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
        guard let root = try parser.singleRoot() else {
          mistakes.add(.start, "the file is empty")
          return nil
        }
        // Nodes refer weakly to anchors, which the parser holds.
        return withExtendedLifetime(parser) { node(root) }
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        if maskDuplicate(at: FileMark(context.mark)) { continue }
        let names = keys.map { "'\($0)'" }.joined(separator: ", ")
        mistakes.add(FileMark(context.mark), "duplicate key \(names)")
        return nil
      } catch {
        report(error)
        return nil
      }
    }
  }

  // MARK: Duplicate keys

  /// Makes a duplicate key another one, so that parsing can go on to further mistakes.
  ///
  /// The parser stops at a duplicate, and whoever looks at the nodes reports duplicates anyway,
  /// with the places of both. So the key's first character becomes one of the private use area
  /// here, and is put back in ``key(_:)``.
  private mutating func maskDuplicate(at mark: FileMark) -> Bool {
    guard masked.count < 500, let mask = Unicode.Scalar(0xE000 + UInt32(masked.count)),
      var index = self.index(of: mark)
    else { return false }
    if "\"'".unicodeScalars.contains(text.unicodeScalars[index]) {
      text.unicodeScalars.formIndex(after: &index)
    }
    guard index < text.unicodeScalars.endIndex else { return false }
    let original = text.unicodeScalars[index]
    guard original.properties.isAlphabetic || original == "_" || original == "$" else {
      return false
    }
    masked[mask] = original
    text.unicodeScalars.replaceSubrange(index...index, with: [mask])
    return true
  }

  private func index(of mark: FileMark) -> String.Index? {
    let scalars = text.unicodeScalars
    var index = scalars.startIndex
    for _ in 1..<max(mark.line, 1) {
      guard let lineFeed = scalars[index...].firstIndex(of: "\n") else { return nil }
      index = scalars.index(after: lineFeed)
    }
    guard let found = scalars.index(index, offsetBy: mark.column - 1, limitedBy: scalars.endIndex),
      found < scalars.endIndex
    else { return nil }
    return found
  }

  // MARK: Nodes

  private func node(_ node: Node) -> LocatedNode {
    let mark = FileMark(node.mark)
    if node.anchor != nil {
      mistakes.add(mark, "anchors and aliases (& and *) are not part of mapping files")
      // An alias shares the node, so going on inside could take time without bounds.
      if node.scalar == nil { return LocatedNode(mark: mark, content: .map([])) }
    }
    switch node {
    case .scalar(let scalar):
      let isPlain = scalar.style == .plain
      refuseTag(isPlain ? scalar.tag : .implicit, mark)
      return LocatedNode(
        mark: mark, content: .scalar(LocatedNode.Scalar(text: scalar.string, isPlain: isPlain)))
    case .sequence(let sequence):
      refuseTag(sequence.tag, mark)
      return LocatedNode(mark: mark, content: .list(sequence.map { self.node($0) }))
    case .mapping(let mapping):
      refuseTag(mapping.tag, mark)
      return LocatedNode(mark: mark, content: .map(mapping.compactMap { entry($0.key, $0.value) }))
    case .alias:
      mistakes.add(mark, "anchors and aliases (& and *) are not part of mapping files")
      return LocatedNode(mark: mark, content: .map([]))
    }
  }

  private func entry(_ key: Node, _ value: Node) -> LocatedNode.Entry? {
    guard case .scalar(let scalar) = key else {
      mistakes.add(FileMark(key.mark), "a key has to be a name")
      return nil
    }
    return LocatedNode.Entry(
      key: self.key(scalar.string), mark: FileMark(key.mark), value: node(value))
  }

  private func key(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, let original = masked[first] else { return text }
    return String(original) + String(text.unicodeScalars.dropFirst())
  }

  private func refuseTag(_ tag: Tag, _ mark: FileMark) {
    if !tag.description.isEmpty {
      mistakes.add(mark, "tags (\(tag)) are not part of mapping files")
    }
  }

  // MARK: Errors of the parser

  private func report(_ error: any Error) {
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      // Of [*] the star or what follows it is what YAML complains of.
      for distance in 0...2 {
        let bracket = FileMark(line: mark.line, column: mark.column - distance)
        if let hint = bracketHint(at: bracket) { return mistakes.add(bracket, hint) }
      }
      let character = index(of: FileMark(mark)).map { text.unicodeScalars[$0] }
      let found = YAMLProblem(problem, context, at: mark, character)
      mistakes.add(FileMark(found.mark), found.message)
    case .reader(let problem, _, let character, _):
      let found = character < 0 ? "" : " (U+\(String(character, radix: 16, uppercase: true)))"
      mistakes.add(.start, "not YAML: \(problem)\(found)")
    default:
      mistakes.add(.start, "not YAML: \(error)")
    }
  }

  /// In `{ from: images[0].url }` the bracket ends the plain scalar, and what YAML says of it helps
  /// nobody.
  private func bracketHint(at mark: FileMark) -> String? {
    guard mark.column > 0, let index = self.index(of: mark) else { return nil }
    let line = text.unicodeScalars[index...].prefix { $0 != "\n" }
    let before = text.unicodeScalars[..<index].reversed().prefix {
      !" \t\n,:{[\"'".unicodeScalars.contains($0)
    }
    guard line.first == "[", !before.isEmpty else { return nil }
    let after = line.prefix { !" \t,}".unicodeScalars.contains($0) }
    let path = String(String.UnicodeScalarView(before.reversed())) + String(after)
    return "inside { } and [ ] a path with brackets has to be quoted: \"\(path)\""
  }
}

extension FileMark {
  fileprivate init(_ mark: Mark?) {
    self.init(line: mark?.line ?? 1, column: mark?.column ?? 1)
  }
}
