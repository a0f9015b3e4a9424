/// The memory that a node's value takes while it is built.
struct ValueLayout: BitwiseCopyable {
  /// The size of the value itself, where several are stored side by side.
  var size = 0
  /// The size of an unfinished array or dictionary, a multiple of the arena's alignment.
  var scratch = 0
  /// The size of one of its elements or members.
  var element = 0
  /// How many elements are made before they are appended.
  var staged: Int32 = 0
  /// The size of the scratch memory and of the elements after it.
  var memory: Int { scratch &+ element &* Int(staged) }

  /// The layouts of a plan's nodes, for the values of this builder.
  static func table(_ plan: PlanTables, _ builder: any Builder) -> FlatTable<ValueLayout> {
    FlatTable(
      (0..<plan.nodes.count).map { index in
        let node = plan.nodes.start + index
        var layout = ValueLayout(size: builder.elementSize(of: node))
        if node.pointee.opcode.family == .collection {
          let alignment = SlotArena.alignment
          layout.scratch = (builder.collectionSize(of: node) + alignment - 1) & ~(alignment - 1)
          // Each element takes a place, even one without memory.
          layout.element = max(builder.elementSize(of: plan.nodes[node.pointee.child]), 1)
          layout.staged =
            node.pointee.opcode == .array ? Int32(clamping: builder.stagedElements(of: node)) : 1
        }
        return layout
      })
  }
}
