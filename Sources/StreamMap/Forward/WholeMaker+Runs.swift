// Scalars, and arrays of nothing but scalars: made by code for their type, as many as come one after the other.

extension WholeMaker {
  /// The tokens of an array's elements, as far as they are there and there is room for what is made of them.
  private struct Elements: ElementTokens {
    // Ends after the bracket of the largest array there is room for. So its last token is no element.
    var part: WholeMaker.Part

    /// - Parameters:
    ///   - part: Begins after the array's bracket.
    ///   - count: How many elements there may be.
    @inline(__always)
    init(_ part: WholeMaker.Part, atMost count: Int) {
      let next = part.next
      self.part = WholeMaker.Part(
        next: next, end: next + min(part.end - next, count + 1), origin: part.origin)
    }

    @inline(__always)
    func isEnd(after made: Int) -> Bool {
      part.next < part.end && part.next.pointee.isPlain && part.text.first == UInt8(ascii: "]")
    }

    @inline(__always)
    func numberText(after made: Int) -> UnsafeBufferPointer<UInt8>? { text }

    @inline(__always)
    private var text: UnsafeBufferPointer<UInt8>? {
      part.next + 1 < part.end && part.next.pointee.isPlain ? part.text : nil
    }

    @inline(__always)
    var plainToken: Token? {
      guard let text, let token = Token(written: text), token.kind != .null else { return nil }
      return token
    }

    @inline(__always)
    mutating func skip() { part.next += 1 }
  }

  /// Makes an array of plain scalars by a room for some of them, and nothing if it is anything else.
  @inline(__always)
  func plainArray(
    _ node: UnsafePointer<PlanNode>, _ elements: WholeMaker.Part, _ slot: UnsafeMutableRawPointer,
    by room: UnsafeMutableRawPointer, _ roomCount: Int
  ) -> UnsafePointer<FeedToken>? {
    let child = nodes + Int(node.pointee.child)
    let end = child.pointee.scalar.visit(
      by: ArrayMaker(builder: builder),
      ArrayMaker<Elements>.Making(
        elements: Elements(elements, atMost: min(roomCount, elementLimit)), node: node,
        child: child, room: room, slot: slot))
    return end.map { $0.part.next + 1 }
  }

  /// Makes arrays of plain scalars side by side, up to the first that is anything else; returns how many.
  @inline(never)
  func plainArrays(
    _ part: inout WholeMaker.Part, _ node: UnsafePointer<PlanNode>, _ slot: UnsafeMutableRawPointer,
    _ stride: Int, _ room: Int
  ) -> Int {
    let layout = layouts + (node - nodes)
    let scratch = arena.allocate(layout.pointee.memory)
    defer { arena.release(scratch) }
    let child = nodes + Int(node.pointee.child)
    var run = ArrayRun(
      part: part, node: node, child: child, room: scratch + layout.pointee.scratch,
      largest: min(Int(layout.pointee.staged), elementLimit), slot: slot, stride: stride,
      left: room)
    withUnsafeMutablePointer(to: &run) {
      child.pointee.scalar.visit(by: ArrayRunVisitor(builder: builder), $0)
    }
    part.next = run.part.next
    return room - run.left
  }

  /// Arrays of scalars that are made side by side.
  private struct ArrayRun: BitwiseCopyable {
    var part: WholeMaker.Part
    let node: UnsafePointer<PlanNode>
    /// The node of the elements.
    let child: UnsafePointer<PlanNode>
    /// Memory for the elements of one array, and how many may be in it.
    let room: UnsafeMutableRawPointer
    let largest: Int
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
      while run.left > 0, run.part.next < run.part.end, run.part.next.pointee.isPlain,
        run.part.text.first == UInt8(ascii: "[")
      {
        let elements = WholeMaker.Part(
          next: run.part.next + 1, end: run.part.end, origin: run.part.origin)
        guard
          let end = maker.make(
            type,
            ArrayMaker<Elements>.Making(
              elements: Elements(elements, atMost: run.largest), node: run.node, child: run.child,
              room: run.room, slot: run.slot))
        else { break }
        run.part.next = end.part.next + 1
        run.slot += run.stride
        run.left -= 1
      }
      making.pointee = run
    }
  }

  /// Makes scalars side by side, as far as they are plain and have no escapes; returns how many.
  @inline(__always)
  func scalars(
    _ part: inout WholeMaker.Part, _ node: UnsafePointer<PlanNode>, _ slot: UnsafeMutableRawPointer,
    _ stride: Int, _ room: Int
  ) -> Int {
    if room <= 0 || part.next >= part.end { return 0 }
    let run = Run(
      part: part, node: node, slot: slot, stride: stride,
      last: part.next + min(room, part.end - part.next))
    let after = node.pointee.scalar.visit(by: RunVisitor(builder: builder), run)
    defer { part.next = after }
    return after - part.next
  }

  /// Scalars that are made side by side.
  private struct Run: BitwiseCopyable {
    let part: WholeMaker.Part
    let node: UnsafePointer<PlanNode>
    let slot: UnsafeMutableRawPointer
    let stride: Int
    /// The end of the tokens that may be taken.
    let last: UnsafePointer<FeedToken>
  }

  private struct RunVisitor: ScalarVisitor {
    let builder: ValueBuilder

    /// Returns the first token that is not taken.
    @inline(never)
    func visit<Value: Scalar>(_ type: Value.Type, _ run: Run) -> UnsafePointer<FeedToken> {
      var next = run.part.next
      var slot = run.slot
      let storesOptional = run.node.pointee.storesOptional
      while next < run.last, next.pointee.isPlain {
        let text = next.pointee.text(from: run.part.origin)
        if let value = type.recognize(text) {
          Slot.store(value, in: slot, isOptional: storesOptional)
        } else if let token = Token(written: text), token.kind != .null,
          builder.visit(type, ValueBuilder.Making(token: token, node: run.node, slot: slot))
            == .made
        {
        } else {
          break
        }
        slot += run.stride
        next += 1
      }
      return next
    }
  }
}
