// Arrays of nothing but scalars: made by code for their type.

extension ValueRowMaker {
  /// The cells of an array's elements.
  private struct Elements: ElementTokens {
    let row: RecordRow
    let count: Int
    var cell: UnsafeMutablePointer<RowCell>

    @inline(__always)
    func isEnd(after made: Int) -> Bool { made == count }

    @inline(__always)
    func numberText(after made: Int) -> UnsafeBufferPointer<UInt8>? {
      made < count && cell.pointee.kind.isNumber ? row.text(of: cell) : nil
    }

    @inline(__always)
    var plainToken: Token? { row.plainToken(of: cell) }

    @inline(__always)
    mutating func skip() { cell = row.cells + Int(cell.pointee.next) }
  }

  /// Makes an array of plain scalars; false, with nothing made, if it is anything else.
  @inline(__always)
  func makePlainArray(
    _ count: UInt32, _ element: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>,
    _ row: RecordRow, _ slot: UnsafeMutableRawPointer, by room: UnsafeMutableRawPointer
  ) -> Bool {
    let child = nodes + Int(node.pointee.child)
    var making = ArrayMaker<Elements>.Making(
      elements: Elements(row: row, count: Int(count), cell: element), node: node, child: child,
      room: room, slot: slot)
    return withUnsafeMutablePointer(to: &making) {
      child.pointee.scalar.visit(by: ArrayMaker(builder: builder), $0)
    }
  }

  /// Makes arrays of plain scalars side by side, up to the first that is anything else; returns how many.
  @inline(never)
  func makeArrays(
    from element: inout UnsafeMutablePointer<RowCell>, _ room: Int, _ node: UnsafePointer<PlanNode>,
    _ row: RecordRow, _ slot: UnsafeMutableRawPointer, _ stride: Int
  ) -> Int {
    if depth == Self.deepest { return 0 }
    let layout = layouts + (node - nodes)
    let scratch = arena.allocate(layout.pointee.memory)
    defer { arena.release(scratch) }
    let child = nodes + Int(node.pointee.child)
    var run = ArrayRun(
      row: row, element: element, node: node, child: child,
      room: scratch + layout.pointee.scratch,
      largest: UInt32(clamping: min(Int(layout.pointee.staged), elementLimit)), slot: slot,
      stride: stride, left: room)
    withUnsafeMutablePointer(to: &run) {
      child.pointee.scalar.visit(by: ArrayRunVisitor(builder: builder), $0)
    }
    element = run.element
    return room - run.left
  }

  /// Arrays of scalars that are made side by side.
  private struct ArrayRun: BitwiseCopyable {
    let row: RecordRow
    var element: UnsafeMutablePointer<RowCell>
    let node: UnsafePointer<PlanNode>
    /// The node of the elements.
    let child: UnsafePointer<PlanNode>
    /// Memory for the elements of one array, and how many may be in it.
    let room: UnsafeMutableRawPointer
    let largest: UInt32
    var slot: UnsafeMutableRawPointer
    let stride: Int
    /// How many arrays may still be made.
    var left: Int
  }

  private struct ArrayRunVisitor: ScalarVisitor {
    let builder: ValueBuilder

    /// Leaves what begins with the first array that is not made.
    @inline(never)
    func visit<Value: Scalar>(_ type: Value.Type, _ making: UnsafeMutablePointer<ArrayRun>) {
      var run = making.pointee
      let maker = ArrayMaker<Elements>(builder: builder)
      while run.left > 0 {
        let cell = run.element
        guard cell.pointee.kind == .array, !cell.pointee.isClosed, cell.pointee.end <= run.largest
        else { break }
        let first = run.row.cells + Int(cell.pointee.start)
        // An array that something else opens, too, is none of these.
        if cell.pointee.end > 0, first.pointee.isHead || first.pointee.isBlock { break }
        var making = ArrayMaker<Elements>.Making(
          elements: Elements(row: run.row, count: Int(cell.pointee.end), cell: first),
          node: run.node, child: run.child, room: run.room, slot: run.slot)
        if !maker.make(type, &making) { break }
        run.element = run.row.cells + Int(cell.pointee.next)
        run.slot += run.stride
        run.left -= 1
      }
      making.pointee = run
    }
  }
}
