/// The tokens of an array's elements, one after the other.
protocol ElementTokens: BitwiseCopyable {
  /// The next element; nil where it is null, a container, or a string with escapes.
  mutating func next() -> Token?
}

/// Makes an array of scalars in one step, in memory of its size.
///
/// PERF: its code is made for each scalar type. So an element costs its conversion and one store, and no operations are
/// called for the array.
///
/// It makes nothing where an element is anything but a value of the type. The general way then decides on each.
struct ArrayMaker<Elements: ElementTokens>: ScalarVisitor {
  /// An array that is made: `PlanNode.isPlainArray` holds for its node.
  struct Making: BitwiseCopyable {
    let elements: Elements
    let count: Int
    let node: UnsafePointer<PlanNode>
    let options: Unmanaged<ScalarOptions>?
    let slot: UnsafeMutableRawPointer
  }

  /// Makes the array in its uninitialised slot; false where nothing is made.
  @inline(never)
  func visit<Value: Scalar>(_ type: Value.Type, _ making: Making) -> Bool {
    let array = [Value](unsafeUninitializedCapacity: making.count) { memory, count in
      var elements = making.elements
      var made = 0
      while made < making.count, let token = elements.next(), type.takes(token.kind),
        case .value(let value) = type.read(token, making.options)
      {
        memory.initializeElement(at: made, to: value)
        made += 1
      }
      count = made
    }
    guard array.count == making.count else { return false }
    Slot.store(array, in: making.slot, isOptional: making.node.pointee.storesOptional)
    return true
  }
}
