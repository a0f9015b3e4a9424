import StreamMap

/// Finds in a mapping file what a part of its compiled mapping was made from.
///
/// The compiler knows parts that no file shows, such as what stands in for absent values: for a mistake in one of those, it
/// is what they are in.
struct PartFinder {
  private var node: LocatedNode
  private var mark: FileMark
  /// Whether the node is a map of fields, and not what one of them becomes.
  private var isFields = false

  /// The place of a part, or of the nearest one around it.
  static func mark(of path: [DefinitionError.Mistake.Step], in root: LocatedNode) -> FileMark {
    var finder = PartFinder(root)
    finder.enter(path.first)
    for step in path { finder.go(step) }
    return finder.mark
  }

  private init(_ root: LocatedNode) {
    node = root
    mark = root.mark
  }

  /// From the file to that part of it which the first step is about.
  private mutating func enter(_ first: DefinitionError.Mistake.Step?) {
    switch first {
    case .recordPaths, .recordPath:
      go("input")
      go("records")
    case .contextValue: go("context")
    default:
      go("record")
      isFields = true
    }
  }

  private mutating func go(_ step: DefinitionError.Mistake.Step) {
    switch step {
    case .object:
      if !isFields { isFields = go("object") }
    case .field(_, let name):
      guard isFields, case .map(let entries) = node.content,
        let entry = entries.first(where: { $0.key == name })
      else { return }
      (node, mark, isFields) = (entry.value, entry.mark, false)
    case .elements: go("each")
    case .members: go("map")
    case .alternative(let number):
      go("first_of")
      go(toElement: number)
    case .dispatchCase(let label):
      go("dispatch")
      go("cases")
      go(label)
    case .otherCases:
      go("dispatch")
      go("otherwise")
    case .recordPaths: break
    case .recordPath(let number): go(toElement: number)
    case .contextValue(let number):
      guard case .map(let entries) = node.content, entries.indices.contains(number - 1) else {
        return
      }
      (node, mark) = (entries[number - 1].value, entries[number - 1].mark)
    }
  }

  /// Goes to the value of a key, if it is there.
  @discardableResult
  private mutating func go(_ key: String) -> Bool {
    guard case .map(let entries) = node.content,
      let entry = entries.first(where: { $0.key == key })
    else { return false }
    (node, mark, isFields) = (entry.value, entry.value.mark, false)
    return true
  }

  private mutating func go(toElement number: Int) {
    guard case .list(let elements) = node.content, elements.indices.contains(number - 1) else {
      return
    }
    (node, mark) = (elements[number - 1], elements[number - 1].mark)
  }
}
