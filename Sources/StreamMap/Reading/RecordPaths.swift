import CScan

/// The paths to the records of a document, merged into one tree that the walker follows.
struct RecordPaths {
  private struct Tree {
    var members: [ExactKey: Tree] = [:]
    var elements: [Int: Tree] = [:]
    var everyElement: [Tree] = []
    /// The number of the path that ends here.
    var path: Int?

    mutating func add(_ steps: ArraySlice<PathPattern.Step>, path: Int) {
      switch steps.first {
      case nil: self.path = self.path ?? path
      case .key(let key)?:
        members[ExactKey(key), default: Tree()].add(steps.dropFirst(), path: path)
      case .index(let index)?: elements[index, default: Tree()].add(steps.dropFirst(), path: path)
      case .everyElement?:
        if everyElement.isEmpty { everyElement.append(Tree()) }
        everyElement[0].add(steps.dropFirst(), path: path)
      }
    }

    mutating func merge(_ other: Tree) {
      path = path ?? other.path
      for (key, tree) in other.members { members[key, default: Tree()].merge(tree) }
      for (index, tree) in other.elements { elements[index, default: Tree()].merge(tree) }
      for tree in other.everyElement {
        if everyElement.isEmpty { everyElement.append(tree) } else { everyElement[0].merge(tree) }
      }
    }

    var leadsOn: Bool { !members.isEmpty || !elements.isEmpty || !everyElement.isEmpty }

    /// An element with an index of its own is also one of every element.
    mutating func spread() {
      if let every = everyElement.first {
        for index in elements.keys { elements[index]?.merge(every) }
      }
      for key in members.keys { members[key]?.spread() }
      for index in elements.keys { elements[index]?.spread() }
      if !everyElement.isEmpty { everyElement[0].spread() }
    }

    /// The first path that ends where another one goes on.
    var conflict: Int? {
      if let path, leadsOn { return path }
      for tree in members.values { if let conflict = tree.conflict { return conflict } }
      for tree in elements.values { if let conflict = tree.conflict { return conflict } }
      return everyElement.first?.conflict
    }
  }

  /// Those of the records.
  let patterns: [PathPattern]
  /// Those of values outside the records, numbered behind them.
  private let context: [PathPattern]
  private var tree = Tree()

  /// - Throws: ``DefinitionError`` where a record or a value of the context would lie inside another one.
  init(_ patterns: [PathPattern], context: [PathPattern] = []) throws(DefinitionError) {
    self.patterns = patterns.isEmpty ? [PathPattern([])] : patterns
    self.context = context
    for (number, pattern) in all.enumerated() {
      tree.add(pattern.steps[...], path: number)
    }
    tree.spread()
    for (number, path) in context.enumerated() {
      if let other = (self.patterns + context[..<number]).first(where: { $0.mayBe(path) }) {
        throw Self.mistake("the context value at \(path) is also what is at \(other)")
      }
    }
    if let conflict = tree.conflict {
      let kind = conflict < self.patterns.count ? "records" : "the context value"
      throw Self.mistake("\(kind) at \(all[conflict]) would contain those of another path")
    }
    // The walker reports in a word of bits which paths occurred.
    if all.count > 64 { throw Self.mistake("at most 64 paths can be merged") }
  }

  private var all: [PathPattern] { patterns + context }

  /// Whether each text is a record.
  var isWholeText: Bool { tree.path != nil }

  private static func mistake(_ reason: String) -> DefinitionError {
    DefinitionError(mistakes: [DefinitionError.Mistake(place: "records", reason: reason)])
  }

  /// Builds the walker's tables; the node where a text starts.
  ///
  /// - Parameters:
  ///   - selection: The tables.
  ///   - record: What is wanted of a record.
  ///   - context: What is wanted of each value outside the records.
  /// - Returns: The node.
  func build(in selection: OpaquePointer, inside record: sm_node, context: [sm_node]) -> sm_node {
    build(tree, in: selection, inside: patterns.map { _ in record } + context)
  }

  private func build(_ tree: Tree, in selection: OpaquePointer, inside nodes: [sm_node]) -> sm_node
  {
    if let path = tree.path {
      let node = sm_selection_record(selection, nodes[path])
      mark(selection, node, path)
      return node
    }
    let node = sm_selection_navigation(selection)
    for (key, child) in tree.members {
      let child = build(child, in: selection, inside: nodes)
      var key = key.text
      key.withUTF8 { sm_selection_member(selection, node, $0.baseAddress, $0.count, child, 0) }
    }
    for (index, child) in tree.elements {
      sm_selection_element(
        selection, node, UInt64(index), build(child, in: selection, inside: nodes))
    }
    for child in tree.everyElement {
      sm_selection_other_elements(selection, node, build(child, in: selection, inside: nodes))
      // An array without elements is there, too.
      if let path = child.path { mark(selection, node, path) }
    }
    return node
  }

  private func mark(_ selection: OpaquePointer, _ node: sm_node, _ path: Int) {
    let all = all
    let pattern = all[path]
    for (number, other) in all.enumerated() where other == pattern {
      sm_selection_mark(selection, node, UInt32(number))
    }
  }
}

extension PathPattern {
  /// Whether a value that one of them means may be one that the other means, too.
  fileprivate func mayBe(_ other: PathPattern) -> Bool {
    steps.count == other.steps.count
      && zip(steps, other.steps).allSatisfy { step, other in
        switch (step, other) {
        case (.key(let a), .key(let b)): ExactKey(a) == ExactKey(b)
        case (.index(let a), .index(let b)): a == b
        case (.everyElement, .index), (.index, .everyElement), (.everyElement, .everyElement): true
        default: false
        }
      }
  }
}
