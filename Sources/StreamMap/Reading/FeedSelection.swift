import CScan

/// Where the records of a feed are, and which of their parts are wanted, in the walker's own tables.
///
/// It is immutable, and shared by all readers of a mapping.
final class FeedSelection: @unchecked Sendable {
  // Invariant: sealed in `init`, only read afterwards, freed with the object.
  let pointer: OpaquePointer
  let paths: RecordPlaces
  /// Whether a malformed part of a record must not be shown.
  let hidesValues: Bool
  /// The nodes whose values are held.
  private var held: [sm_node: HeldPlace] = [:]

  /// - Throws: ``DefinitionError`` if the paths contradict each other.
  init(
    _ selection: Selection, at patterns: [PathPattern],
    context: [(path: PathPattern, selection: Selection)] = []
  ) throws(DefinitionError) {
    paths = try RecordPlaces(patterns, context: context.map(\.path))
    hidesValues = selection.hidesValues || context.contains { $0.selection.hidesValues }
    guard let pointer = sm_selection_create() else { throw Self.outOfMemory }
    self.pointer = pointer
    // The first nodes are those of the records, so that they have the same numbers as in the plan.
    let record = Self.build(selection, in: pointer, hasRows: true)
    // Only records are taken as rows.
    let others = context.map { Self.build($0.selection, in: pointer, hasRows: false) }
    let built = paths.build(in: pointer, inside: record, context: others)
    held = built.held.filter { !$0.value.isEmpty }
      .mapValues { HeldPlace($0, of: paths.segments) }
    guard sm_selection_seal(pointer, built.root) else {
      // `deinit` runs, because all properties are set.
      throw Self.outOfMemory
    }
  }

  /// The node of a selection's root.
  private static func build(
    _ selection: Selection, in pointer: OpaquePointer, hasRows: Bool
  ) -> sm_node {
    var nodes: [sm_node] = [sm_node(SM_SKIP), sm_node(SM_KEEP), sm_node(SM_SHELL)]
    for _ in selection.parts { nodes.append(sm_selection_node(pointer)) }
    // PERF: counted, because the type of `zip`'s sequence is looked up by its name, among all conformances of the program.
    for index in selection.parts.indices {
      let (parts, node) = (selection.parts[index], nodes[index + 3])
      sm_selection_other_members(pointer, node, nodes[parts.otherMembers])
      sm_selection_other_elements(pointer, node, nodes[parts.otherElements])
      for (key, member) in parts.members {
        var key = key.text
        key.withUTF8 {
          sm_selection_member(
            pointer, node, $0.baseAddress, $0.count, nodes[member.node],
            UInt32(clamping: member.tag))
        }
      }
      if parts.cellCount > 0 {
        sm_selection_block(pointer, node, 0, UInt32(clamping: parts.cellCount))
      }
      if parts.reopens { sm_selection_reopen(pointer, node) }
      for (index, element) in parts.elements {
        sm_selection_element(
          pointer, node, UInt64(index), nodes[element.node], UInt32(clamping: element.tag))
      }
    }
    if hasRows {
      for (index, parts) in selection.parts.enumerated() {
        if let rows = parts.rows { sm_selection_rows(pointer, nodes[index + 3], nodes[rows]) }
      }
      if let rows = selection.rows {
        sm_selection_rows(pointer, nodes[selection.root], nodes[rows])
      }
    }
    return nodes[selection.root]
  }

  /// What is known of the values at a node; nil if they are not held.
  func place(at node: sm_node) -> HeldPlace? { held[node] }

  /// The record paths that are not among those seen; these are given as bits in the order of the paths.
  func unseenPaths(_ seen: UInt64) -> [PathPattern] {
    paths.patterns.enumerated().filter { seen & (1 << UInt64($0.offset)) == 0 }.map(\.element)
  }

  deinit {
    sm_selection_destroy(pointer)
  }

  private static var outOfMemory: DefinitionError {
    DefinitionError(mistakes: [
      DefinitionError.Mistake(path: [], reason: "out of memory")
    ])
  }
}
