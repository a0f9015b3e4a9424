/// Builds typed values in their slots.
final class ValueBuilder: Builder {
  private let plan: PlanTables
  // PERF: without the access through the plan, which keeps them alive.
  private let nodes: UnsafePointer<PlanNode>
  private let offsets: UnsafePointer<Int>
  /// By node: how many members its last dictionary had, as a guess for the next one.
  // PERF: separate memory, because an array that is a property is checked for exclusive access each time. Invariant:
  // the plan has this many nodes.
  private let counts: UnsafeMutablePointer<Int>

  init(plan: Plan) {
    self.plan = plan.tables
    nodes = plan.tables.nodes.start
    offsets = plan.tables.offsets.start
    counts = .allocate(capacity: max(plan.tables.nodes.count, 1))
    counts.initialize(repeating: 0, count: plan.tables.nodes.count)
  }

  deinit {
    counts.deallocate()
  }

  func rowMaker(limits: Limits) -> RowMaker? {
    ValueRowMaker(plan, builder: self, limits: limits)
  }

  func elementRuns(
    _ arena: SlotArena, _ layouts: UnsafePointer<ValueLayout>, limits: Limits
  ) -> ElementRuns? {
    plan.hasRuns ? ElementRuns(plan, builder: self, arena, layouts, limits) : nil
  }

  private let rawWriter = JSONWriter()
  private var valueBuilder = JSONValueBuilder()

  // MARK: Scalars

  func scalar(
    _ token: Token, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) -> Verdict {
    node.pointee.scalar.visit(by: self, Making(token: token, node: node, slot: destination))
  }

  @inline(__always)
  fileprivate func store<Value>(
    _ value: consuming Value, _ node: UnsafePointer<PlanNode>,
    _ destination: UnsafeMutableRawPointer
  ) -> Verdict {
    Slot.store(value, in: destination, isOptional: node.pointee.storesOptional)
    return .made
  }

  func storeNil(as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer) {
    if node.pointee.opcode == .scalar {
      // PERF: for types that are known here, the Optional's description is not needed.
      node.pointee.scalar.visit(by: NilVisitor(), destination)
    } else {
      node.pointee.operations?._withUnsafeGuaranteedRef { $0.storeNil(destination) }
    }
  }

  private struct NilVisitor: ScalarVisitor {
    @inline(__always)
    func visit<Value: Scalar>(_ type: Value.Type, _ slot: UnsafeMutableRawPointer) {
      slot.initializeMemory(as: Value?.self, to: nil)
    }
  }

  func store(
    substitute index: Int32, as node: UnsafePointer<PlanNode>,
    in destination: UnsafeMutableRawPointer
  ) {
    plan.substitutes[Int(index)].store(destination, node.pointee.storesOptional)
  }

  func beginJSON(as node: UnsafePointer<PlanNode>) -> EventSink {
    if node.pointee.opcode == .rawJSON {
      rawWriter.clear()
      return rawWriter
    }
    valueBuilder = JSONValueBuilder()
    return valueBuilder
  }

  func finishJSON(
    as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) {
    if node.pointee.opcode == .rawJSON {
      store(raw: Array(rawWriter.bytes), as: node, in: destination)
    } else {
      store(json: valueBuilder.value ?? .null, as: node, in: destination)
    }
    abandonJSON()
  }

  func store(
    json value: JSONValue, as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer
  ) { _ = store(value, node, slot) }

  func store(
    raw bytes: [UInt8], as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer
  ) { _ = store(RawJSON(unchecked: bytes), node, slot) }

  func abandonJSON() {
    rawWriter.clear()
    valueBuilder = JSONValueBuilder()
  }

  func destroy(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer) {
    node.pointee.operations?._withUnsafeGuaranteedRef { $0.destroy(slot) }
  }

  func discard(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer) {
    destroy(as: node, in: slot)
  }

  func failures(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer)
    -> [RuleFailure]?
  {
    plan.failures(of: slot, as: node, isOptional: node.pointee.storesOptional)
  }

  func takeJSON(as node: UnsafePointer<PlanNode>, from slot: UnsafeMutableRawPointer)
    -> JSONValue
  {
    // The source of a rewritten mapping makes a `JSONValue`: the compiler ensures it.
    slot.assumingMemoryBound(to: JSONValue.self).move()
  }

  func replay(
    as node: UnsafePointer<PlanNode>, from slot: UnsafeMutableRawPointer, to sink: EventSink
  ) { takeJSON(as: node, from: slot).emit(to: sink) }

  // MARK: Collections

  func elementSize(of node: UnsafePointer<PlanNode>) -> Int {
    node.pointee.operations?._withUnsafeGuaranteedRef { $0.size } ?? 0
  }

  func collectionSize(of node: UnsafePointer<PlanNode>) -> Int {
    node.pointee.operations?._withUnsafeGuaranteedRef { $0.scratchSize } ?? 0
  }

  func beginCollection(
    as node: UnsafePointer<PlanNode>, in scratch: UnsafeMutableRawPointer
  ) {
    let count = node.pointee.opcode == .array ? 0 : counts[node - nodes]
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.beginCollection(scratch, expecting: count)
    }
  }

  /// The number of elements that fit into 512 bytes, at most 64.
  // PERF: an array of up to this many elements is made in one step, in memory of exactly its size.
  func stagedElements(of node: UnsafePointer<PlanNode>) -> Int {
    let size = elementSize(of: plan.nodes[node.pointee.child])
    return max(1, min(64, 512 / max(size, 1)))
  }

  func append(
    _ elements: UnsafeMutableRawPointer, count: Int, as node: UnsafePointer<PlanNode>,
    to scratch: UnsafeMutableRawPointer
  ) {
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.append(elements, count: count, to: scratch)
    }
  }

  func insert(
    _ element: UnsafeMutableRawPointer, key: UnsafeBufferPointer<UInt8>,
    as node: UnsafePointer<PlanNode>,
    into scratch: UnsafeMutableRawPointer
  ) -> Bool {
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.insert(element, key: key, into: scratch)
    } ?? false
  }

  func hasStringKeys(as node: UnsafePointer<PlanNode>) -> Bool {
    node.pointee.operations?._withUnsafeGuaranteedRef { $0.hasStringKeys } ?? false
  }

  func beginMember(
    _ key: UnsafeBufferPointer<UInt8>, as node: UnsafePointer<PlanNode>,
    in scratch: UnsafeMutableRawPointer
  ) throws {
    try node.pointee.operations?._withUnsafeGuaranteedRef { try $0.take(key: key, into: scratch) }
  }

  func finishCollection(
    _ scratch: UnsafeMutableRawPointer, appending elements: UnsafeMutableRawPointer, count: Int,
    as node: UnsafePointer<PlanNode>, into destination: UnsafeMutableRawPointer
  ) {
    let count = node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.finishCollection(scratch, appending: elements, count: count, into: destination)
    }
    if node.pointee.opcode == .array { return }
    // The guess is bounded: one huge dictionary must not make every small one after it huge.
    counts[node - nodes] = min(count ?? 0, 64)
  }

  func abandonCollection(
    _ scratch: UnsafeMutableRawPointer, with elements: UnsafeMutableRawPointer, count: Int,
    as node: UnsafePointer<PlanNode>
  ) {
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.abandonCollection(scratch, with: elements, count: count)
    }
  }

  // MARK: Objects and transforms

  func construct(
    _ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer,
    as node: UnsafePointer<PlanNode>,
    in destination: UnsafeMutableRawPointer
  ) {
    let offsets = offsets + Int(object.pointee.firstField)
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.construct(slots, offsets: offsets, into: destination)
    }
  }

  func makePatch(
    _ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer,
    states: UnsafeMutablePointer<UInt8>, as node: UnsafePointer<PlanNode>, at place: Patch.Origin,
    in destination: UnsafeMutableRawPointer
  ) {
    let offsets = offsets + Int(object.pointee.firstField)
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.makePatch(slots, offsets: offsets, states: states, at: place, into: destination)
    }
  }

  func storeLiteral(
    _ index: Int32, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) {
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.storeLiteral(Int(index), in: destination)
    }
  }

  func transform(
    _ source: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>,
    into destination: UnsafeMutableRawPointer
  ) throws {
    try node.pointee.operations?._withUnsafeGuaranteedRef {
      try $0.transform(source, into: destination)
    }
  }

  func transform(
    _ source: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>,
    into destination: UnsafeMutableRawPointer, issues: inout ValueIssues
  ) throws {
    try node.pointee.operations?._withUnsafeGuaranteedRef {
      try $0.transform(source, into: destination, issues: &issues)
    }
  }
}

extension ValueBuilder: ScalarVisitor {
  /// A value that is made from a token.
  struct Making: BitwiseCopyable {
    let token: Token
    let node: UnsafePointer<PlanNode>
    let slot: UnsafeMutableRawPointer
  }

  // PERF: outlined, so that the switch that calls it has no registers to save.
  @inline(never)
  func visit<Value: Scalar>(_ type: Value.Type, _ making: Making) -> Verdict {
    guard type.takes(making.token.kind) else { return .wrongType }
    switch type.read(making.token, making.node.pointee.options) {
    case .value(let value): return store(value, making.node, making.slot)
    case .invalid: return .invalid
    case .outOfRange: return .outOfRange
    }
  }
}
