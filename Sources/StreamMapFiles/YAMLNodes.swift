/// Reads YAML into located nodes: maps, lists, scalars and comments.
struct YAMLNodes {
  private let mistakes: FileMistakes
  private let events: [YAMLEvent]
  private let text: String
  private var index = 0

  /// The file's root; nil after a mistake that leaves nothing to look at.
  static func read(_ text: String, _ mistakes: FileMistakes) -> LocatedNode? {
    do throws(YAMLFailure) {
      let events = try YAMLEvent.all(in: Array(text.utf8))
      if events.isEmpty {
        mistakes.add(.start, "the file is empty")
        return nil
      }
      var nodes = YAMLNodes(text, events, mistakes)
      nodes.refuseMarks()
      return nodes.node()
    } catch {
      YAMLNodes(text, [], mistakes).report(error)
      return nil
    }
  }

  private init(_ text: String, _ events: [YAMLEvent], _ mistakes: FileMistakes) {
    self.text = text
    self.events = events
    self.mistakes = mistakes
  }

  private static let byteOrderMark = "\u{FEFF}" as Unicode.Scalar

  /// The parser drops a byte-order mark at the beginning of a line, as if it were the beginning of a file.
  private func refuseMarks() {
    guard text.unicodeScalars.contains(Self.byteOrderMark) else { return }
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for event in events {
      guard lines.indices.contains(event.mark.line - 1) else { continue }
      let before = lines[event.mark.line - 1].prefix(event.mark.column - 1)
      guard before.first == Self.byteOrderMark, before.dropFirst().allSatisfy({ $0 == " " }) else {
        continue
      }
      refuseMark(inLine: event.mark.line)
    }
  }

  private func refuseMark(inLine line: Int) {
    mistakes.add(
      FileMark(line: line, column: 1),
      "a byte-order mark (U+FEFF) can stand at the beginning of a file only; a text that begins with one has to be quoted"
    )
  }

  // MARK: Nodes

  /// The node at the next event; after it comes the next one.
  private mutating func node() -> LocatedNode {
    let event = events[index]
    index += 1
    if event.hasAnchor { refuseAnchor(event.mark) }
    if let tag = event.tag {
      mistakes.add(event.mark, "tags (\(ShownText.of(tag))) are not part of mapping files")
    }
    switch event.content {
    case .scalar(let scalar): return LocatedNode(mark: event.mark, content: .scalar(scalar))
    case .list:
      var elements: [LocatedNode] = []
      while !isAtEnd { elements.append(node()) }
      index += 1
      return LocatedNode(mark: event.mark, content: .list(elements))
    case .map:
      var entries: [LocatedNode.Entry] = []
      while !isAtEnd { if let entry = entry() { entries.append(entry) } }
      index += 1
      return LocatedNode(mark: event.mark, content: .map(entries))
    case .alias, .end:
      refuseAnchor(event.mark)
      // Any text, so that nothing else is found wrong with it.
      let text = LocatedNode.Scalar(text: "alias", isPlain: true)
      return LocatedNode(mark: event.mark, content: .scalar(text))
    }
  }

  /// Whether no more comes in the list or the map.
  private var isAtEnd: Bool {
    guard index < events.count else { return true }
    if case .end = events[index].content { return true }
    return false
  }

  private mutating func entry() -> LocatedNode.Entry? {
    let key = node()
    if isAtEnd { return nil }
    let value = node()
    guard case .scalar(let scalar) = key.content else {
      mistakes.add(key.mark, "a key has to be a name")
      return nil
    }
    return LocatedNode.Entry(key: scalar.text, mark: key.mark, value: value)
  }

  private func refuseAnchor(_ mark: FileMark) {
    mistakes.add(
      mark,
      "anchors and aliases (& and *) are not part of mapping files: a text that starts with one of these has to be quoted"
    )
  }

  // MARK: Errors of the parser

  private func report(_ failure: YAMLFailure) {
    let line = FileMark(line: failure.mark.line, column: 1)
    if let start = index(of: line), text.unicodeScalars[start] == Self.byteOrderMark {
      return refuseMark(inLine: line.line)
    }
    // In [*], YAML complains about the star or about what follows it.
    for distance in 0...2 where mistakes.showsText {
      let bracket = FileMark(line: failure.mark.line, column: failure.mark.column - distance)
      if let hint = bracketHint(at: bracket) { return mistakes.add(bracket, hint) }
    }
    let character = index(of: failure.mark).map { text.unicodeScalars[$0] }
    let found = YAMLProblem(failure, character)
    mistakes.add(found.mark, found.message)
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

  /// In `{ from: images[0].url }` the bracket ends the plain scalar, and YAML's own message does not
  /// help.
  private func bracketHint(at mark: FileMark) -> String? {
    guard mark.column > 0, let index = self.index(of: mark) else { return nil }
    let line = text.unicodeScalars[index...].prefix { $0 != "\n" }
    let before = text.unicodeScalars[..<index].reversed().prefix {
      !" \t\n,:{[\"'".unicodeScalars.contains($0)
    }
    guard line.first == "[", !before.isEmpty else { return nil }
    let after = line.prefix { !" \t,}".unicodeScalars.contains($0) }
    let path = String(String.UnicodeScalarView(before.reversed())) + String(after)
    return
      "inside { } and [ ] a path with brackets has to be quoted: \"\(ShownText.excerpt(path))\""
  }
}
