/// Makes elements of arrays from their tokens, as many as come one after the other: plain scalars, and arrays of nothing but these.
///
/// They are made by code for their type. No event is sent, and no frame is kept. It never makes an error: it stops at the first element
/// that is anything else, and leaves nothing of that behind. The machine then takes it from its first token, and finds all errors, with
/// their addresses. An array that is longer than what is staged at a time is the machine's.
///
/// The index offers its tokens wherever an element may come (`EventSink.takeAhead`). It is for what is no row: most arrays are part of one.
final class ElementRuns {
  /// The tokens that are there, from the next one on.
  struct Part {
    var next: UnsafePointer<FeedToken>
    let end: UnsafePointer<FeedToken>
    let origin: UInt

    /// The text of the next token, which is plain.
    @inline(__always)
    var text: UnsafeBufferPointer<UInt8> { next.pointee.text(from: origin) }
  }

  private let builder: ValueBuilder
  private let arena: SlotArena
  private let nodes: UnsafePointer<PlanNode>
  private let layouts: UnsafePointer<ValueLayout>
  private let elementLimit: Int

  /// Makes values for a machine, in its arena and with its layouts, which it keeps alive, as it does the plan.
  init(
    _ plan: PlanTables, builder: ValueBuilder, _ arena: SlotArena,
    _ layouts: UnsafePointer<ValueLayout>, _ limits: Limits
  ) {
    self.builder = builder
    self.arena = arena
    nodes = plan.nodes.start
    self.layouts = layouts
    elementLimit = limits.elements
  }

  /// Makes elements of an array side by side, up to the first that the machine has to make, or to the array's end.
  ///
  /// - Parameters:
  ///   - part: Begins with the first element; begins after those that are made then.
  ///   - node: The node of an element.
  ///   - slot: Where the first one is made.
  ///   - stride: The bytes from one slot to the next.
  ///   - room: How many may be made.
  /// - Returns: How many were made.
  func make(
    _ part: inout Part, as node: Int32, in slot: UnsafeMutableRawPointer, stride: Int,
    atMost room: Int
  ) -> Int {
    let child = nodes + Int(node)
    if child.pointee.isPlainScalar { return scalars(&part, child, slot, stride, room) }
    guard child.pointee.isPlainArray, child.pointee.checkCount == 0 else { return 0 }
    return arrays(&part, child, slot, stride, room)
  }

  /// The tokens of an array's elements, as far as they are there and there is room for what is made of them.
  private struct Elements: ElementTokens {
    // Ends after the bracket of the largest array there is room for. So its last token is no element.
    var part: Part

    /// - Parameters:
    ///   - part: Begins after the array's bracket.
    ///   - count: How many elements there may be.
    @inline(__always)
    init(_ part: Part, atMost count: Int) {
      let next = part.next
      self.part = Part(
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

  /// Makes arrays of plain scalars side by side, up to the first that is anything else; returns how many.
  @inline(never)
  private func arrays(
    _ part: inout Part, _ node: UnsafePointer<PlanNode>, _ slot: UnsafeMutableRawPointer,
    _ stride: Int, _ room: Int
  ) -> Int {
    let layout = layouts + (node - nodes)
    let scratch = arena.allocate(layout.pointee.memory)
    defer { arena.release(scratch) }
    let child = nodes + Int(node.pointee.child)
    var making = ArrayRun<Arrays>.Making(
      arrays: Arrays(part: part, largest: min(Int(layout.pointee.staged), elementLimit)),
      node: node, child: child, room: scratch + layout.pointee.scratch, slot: slot, stride: stride,
      left: room)
    withUnsafeMutablePointer(to: &making) {
      child.pointee.scalar.visit(by: ArrayRun(builder: builder), $0)
    }
    part.next = making.arrays.part.next
    return room - making.left
  }

  /// The tokens of arrays.
  private struct Arrays: ArrayTokens {
    var part: Part
    /// How many elements an array may have here.
    let largest: Int

    @inline(__always)
    var hasNext: Bool {
      part.next < part.end && part.next.pointee.isPlain && part.text.first == UInt8(ascii: "[")
    }

    @inline(__always)
    var elements: Elements {
      Elements(
        Part(next: part.next + 1, end: part.end, origin: part.origin), atMost: largest)
    }

    @inline(__always)
    mutating func skip(_ elements: Elements) { part.next = elements.part.next + 1 }
  }

  /// Makes scalars side by side, as far as they are plain and have no escapes; returns how many.
  @inline(__always)
  private func scalars(
    _ part: inout Part, _ node: UnsafePointer<PlanNode>, _ slot: UnsafeMutableRawPointer,
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
    let part: Part
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
