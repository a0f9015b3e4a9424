import StreamMap

/// Finds in a mapping file what a part of its compiled mapping was made from.
///
/// A mistake that the compiler finds has the steps to that part (`DefinitionError.Mistake.path`); they are followed in the nodes.
///
/// The compiler knows parts that no file shows, such as what stands in for absent values: for a mistake in one of those, it
/// is what they are in.
///
/// One finder serves all mistakes of a file: it reads the keys of a map once, however many paths lead through it.
final class PartFinder {
  /// How far a path was followed.
  private struct Part {
    var node: LocatedNode
    var mark: FileMark
    /// Whether the node is a map of fields, and not what one of them becomes.
    var isFields = false

    init(_ node: LocatedNode, at mark: FileMark? = nil) {
      self.node = node
      self.mark = mark ?? node.mark
    }
  }

  private let root: LocatedNode
  /// The positions of the keys in each map that was looked into; the trail that leads to a map tells it from others.
  private var positions: [ObjectIdentifier?: [ExactText: Int]] = [:]
  /// How many keys were read.
  private(set) var keysRead = 0

  init(_ root: LocatedNode) {
    self.root = root
  }

  /// The place of a part, or of the nearest one around it.
  func mark(of path: [DefinitionError.Mistake.Step]) -> FileMark {
    var part = start(for: path.first)
    for step in path { follow(step, from: &part) }
    return part.mark
  }

  /// The part of the file that the first step is about.
  private func start(for first: DefinitionError.Mistake.Step?) -> Part {
    var part = Part(root)
    switch first {
    case .recordPaths, .recordPath:
      enter("input", of: &part)
      enter("records", of: &part)
    case .contextValue: enter("context", of: &part)
    default: part.isFields = enter("record", of: &part) || !enter("value", of: &part)
    }
    return part
  }

  private func follow(_ step: DefinitionError.Mistake.Step, from part: inout Part) {
    switch step {
    case .object:
      if !part.isFields { part.isFields = enter("object", of: &part) }
    case .field(_, let name):
      guard part.isFields, let entry = entry(name, of: part.node) else { return }
      part = Part(entry.value, at: entry.mark)
    case .elements: enter("each", of: &part)
    case .members: enter("map", of: &part)
    case .alternative(let number):
      enter("first_of", of: &part)
      enterElement(number, of: &part)
    case .dispatchCase(let label):
      enter("dispatch", of: &part)
      enter("cases", of: &part)
      enter(label, of: &part)
    case .otherCases:
      enter("dispatch", of: &part)
      enter("otherwise", of: &part)
    case .recordPaths: break
    case .recordPath(let number): enterElement(number, of: &part)
    case .contextValue(let number):
      guard case .map(let written) = part.node.content else { return }
      let entries = ContextReader.numbered(written)
      guard entries.indices.contains(number - 1) else { return }
      part = Part(entries[number - 1].value, at: entries[number - 1].mark)
    }
  }

  /// Goes to the value of a key, if it is there.
  @discardableResult
  private func enter(_ key: String, of part: inout Part) -> Bool {
    guard let entry = entry(key, of: part.node) else { return false }
    part = Part(entry.value)
    return true
  }

  private func enterElement(_ number: Int, of part: inout Part) {
    guard case .list(let elements) = part.node.content, elements.indices.contains(number - 1) else {
      return
    }
    part = Part(elements[number - 1])
  }

  /// The first entry of a map with this key.
  private func entry(_ key: String, of node: LocatedNode) -> LocatedNode.Entry? {
    guard case .map(let entries) = node.content else { return nil }
    let map = node.mark.trail.map { ObjectIdentifier($0) }
    if positions[map] == nil {
      positions[map] = Dictionary(
        zip(entries.lazy.map { ExactText($0.key) }, entries.indices),
        uniquingKeysWith: { first, _ in first })
      keysRead += entries.count
    }
    return positions[map]?[ExactText(key)].map { entries[$0] }
  }
}
