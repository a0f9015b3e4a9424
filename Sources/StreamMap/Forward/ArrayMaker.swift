/// The tokens of an array's elements, one after the other.
protocol ElementTokens: BitwiseCopyable {
  /// Whether the array ends here, after this many elements.
  func isEnd(after count: Int) -> Bool

  /// The text of the next element if that may be a number's; nil if it is none, and at the end.
  func numberText(after count: Int) -> UnsafeBufferPointer<UInt8>?

  /// The next element; nil if it is null, a container, or a string with escapes, and if there is none.
  var plainToken: Token? { get }

  /// Continues after the next element.
  mutating func skip()
}

/// Makes an array of scalars in one step.
///
/// PERF: its code is made for each scalar type. So no operations are called for the array, and none is looked up for an
/// element.
///
/// It makes nothing if an element is anything but a value of the type. The general way then decides on each.
struct ArrayMaker<Elements: ElementTokens>: ScalarVisitor {
  /// An array that is made: `PlanNode.isPlainArray` holds for its node.
  struct Making: BitwiseCopyable {
    /// Once it is made, what is at its end.
    var elements: Elements
    let node: UnsafePointer<PlanNode>
    /// The node of the elements.
    let child: UnsafePointer<PlanNode>
    /// Memory for all elements for which there are tokens.
    let room: UnsafeMutableRawPointer
    let slot: UnsafeMutableRawPointer
  }

  let builder: ValueBuilder

  @inline(never)
  func visit<Value: Scalar>(_ type: Value.Type, _ making: UnsafeMutablePointer<Making>) -> Bool {
    make(type, &making.pointee)
  }

  /// Makes the array in its uninitialised slot; false, with nothing made, if an element is anything else.
  // It answers with a Boolean: an Optional of elements that generic code had made was not nil to the code for one type (Swift 6.3).
  @inline(__always)
  func make<Value: Scalar>(_ type: Value.Type, _ making: inout Making) -> Bool {
    let room = making.room.assumingMemoryBound(to: Value.self)
    var elements = making.elements
    var made = 0
    while true {
      // PERF: first, because most elements of such a type end here.
      if let text = elements.numberText(after: made), let value = type.recognize(text) {
        (room + made).initialize(to: value)
      } else if elements.isEnd(after: made) {
        break
      } else if let token = elements.plainToken,
        builder.visit(
          type, ValueBuilder.Making(token: token, node: making.child, slot: room + made)) == .made
      {
      } else {
        room.deinitialize(count: made)
        return false
      }
      made += 1
      elements.skip()
    }
    Slot.store(
      ArrayAccess.exact(room, made), in: making.slot, isOptional: making.node.pointee.storesOptional
    )
    making.elements = elements
    return true
  }
}

/// Arrays of scalars, one after the other.
protocol ArrayTokens: BitwiseCopyable {
  associatedtype Elements: ElementTokens

  /// Whether an array comes next that may be made at once.
  var hasNext: Bool { get }

  /// The elements of the array that comes next.
  var elements: Elements { get }

  /// Continues after an array, with what is left of its elements.
  mutating func skip(_ elements: Elements)
}

/// Makes arrays of plain scalars side by side, up to the first that is anything else.
// PERF: its code is made for each scalar type, too: each array takes a call, and nothing is looked up for it.
struct ArrayRun<Arrays: ArrayTokens>: ScalarVisitor {
  struct Making: BitwiseCopyable {
    /// Once they are made, begins with the first that is not.
    var arrays: Arrays
    let node: UnsafePointer<PlanNode>
    /// The node of the elements.
    let child: UnsafePointer<PlanNode>
    /// Memory for the elements of one array.
    let room: UnsafeMutableRawPointer
    /// Where the next array is made, and the bytes from there to the one after it.
    var slot: UnsafeMutableRawPointer
    let stride: Int
    /// How many arrays may still be made.
    var left: Int
  }

  let builder: ValueBuilder

  @inline(never)
  func visit<Value: Scalar>(_ type: Value.Type, _ making: UnsafeMutablePointer<Making>) {
    var run = making.pointee
    let maker = ArrayMaker<Arrays.Elements>(builder: builder)
    while run.left > 0, run.arrays.hasNext {
      var array = ArrayMaker<Arrays.Elements>.Making(
        elements: run.arrays.elements, node: run.node, child: run.child, room: run.room,
        slot: run.slot)
      if !maker.make(type, &array) { break }
      run.arrays.skip(array.elements)
      run.slot += run.stride
      run.left -= 1
    }
    making.pointee = run
  }
}
