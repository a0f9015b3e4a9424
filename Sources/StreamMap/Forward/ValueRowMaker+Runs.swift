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
    var making = ArrayRun<Arrays>.Making(
      arrays: Arrays(
        row: row, next: element,
        largest: UInt32(clamping: min(Int(layout.pointee.staged), elementLimit))),
      node: node, child: child, room: scratch + layout.pointee.scratch, slot: slot, stride: stride,
      left: room)
    withUnsafeMutablePointer(to: &making) {
      child.pointee.scalar.visit(by: ArrayRun(builder: builder), $0)
    }
    element = making.arrays.next
    return room - making.left
  }

  /// The cells of arrays.
  private struct Arrays: ArrayTokens {
    let row: RecordRow
    var next: UnsafeMutablePointer<RowCell>
    /// How many elements an array may have here.
    let largest: UInt32

    @inline(__always)
    var hasNext: Bool {
      guard next.pointee.kind == .array, !next.pointee.isClosed, next.pointee.end <= largest
      else { return false }
      // An array that something else opens, too, is none of these.
      return next.pointee.end == 0 || !first.pointee.isHead && !first.pointee.isBlock
    }

    @inline(__always)
    private var first: UnsafeMutablePointer<RowCell> { row.cells + Int(next.pointee.start) }

    @inline(__always)
    var elements: Elements { Elements(row: row, count: Int(next.pointee.end), cell: first) }

    @inline(__always)
    mutating func skip(_ elements: Elements) { next = row.cells + Int(next.pointee.next) }
  }
}
