/// The tokens of an array's elements, one after the other.
protocol ElementTokens: BitwiseCopyable {
  /// The next element; nil where it is null, a container, or a string with escapes.
  mutating func next() -> Token?
}

/// Makes an array of scalars in one step.
///
/// PERF: its code is made for each scalar type. So no operations are called for the array, and none is looked up for an
/// element.
///
/// It makes nothing where an element is anything but a value of the type. The general way then decides on each.
struct ArrayMaker<Elements: ElementTokens>: ScalarVisitor {
  /// An array that is made: `PlanNode.isPlainArray` holds for its node.
  struct Making: BitwiseCopyable {
    let elements: Elements
    let count: Int
    let node: UnsafePointer<PlanNode>
    /// The node of the elements.
    let child: UnsafePointer<PlanNode>
    /// Memory for the elements.
    let room: UnsafeMutableRawPointer
    let slot: UnsafeMutableRawPointer
  }

  let builder: ValueBuilder

  @inline(never)
  func visit<Value: Scalar>(_ type: Value.Type, _ making: Making) -> Bool { make(type, making) }

  /// Makes the array in its uninitialised slot; false where nothing is made.
  @inline(__always)
  func make<Value: Scalar>(_ type: Value.Type, _ making: Making) -> Bool {
    let room = making.room.assumingMemoryBound(to: Value.self)
    var elements = making.elements
    var made = 0
    while made < making.count, let token = elements.next(),
      builder.visit(
        type, ValueBuilder.Making(token: token, node: making.child, slot: room + made)) == .made
    {
      made += 1
    }
    guard made == making.count else {
      room.deinitialize(count: made)
      return false
    }
    Slot.store(
      ArrayAccess.exact(room, made), in: making.slot, isOptional: making.node.pointee.storesOptional
    )
    return true
  }
}
