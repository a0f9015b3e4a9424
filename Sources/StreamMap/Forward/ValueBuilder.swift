import Foundation

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
    super.init(followsRecords: false)
  }

  deinit {
    counts.deallocate()
  }

  private let rawWriter = JSONWriter()
  private var valueBuilder = JSONValueBuilder()

  // MARK: Scalars

  override func scalar(
    _ token: Token, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) -> Verdict {
    switch node.pointee.opcode {
    case .string: return string(token, node, destination)
    case .bool:
      guard token.kind == .boolean else { return .wrongType }
      return store(token.isTrue, node, destination)
    case .int: return integer(token, Int.self, node, destination)
    case .int8: return integer(token, Int8.self, node, destination)
    case .int16: return integer(token, Int16.self, node, destination)
    case .int32: return integer(token, Int32.self, node, destination)
    case .int64: return integer(token, Int64.self, node, destination)
    case .uint: return integer(token, UInt.self, node, destination)
    case .uint8: return integer(token, UInt8.self, node, destination)
    case .uint16: return integer(token, UInt16.self, node, destination)
    case .uint32: return integer(token, UInt32.self, node, destination)
    case .uint64: return integer(token, UInt64.self, node, destination)
    case .double: return double(token, node, destination)
    case .float: return float(token, node, destination)
    case .decimal, .url, .uuid, .date: return foundation(token, node, destination)
    case .number, .any, .jsonValue, .rawJSON, .array, .dictionary, .object, .transform, .rewritten,
      .firstOf, .dispatch:
      return .wrongType
    }
  }

  // PERF: each outlined, so that the switch that calls it has no registers to save.

  @inline(never)
  private func string(
    _ token: Token, _ node: UnsafePointer<PlanNode>, _ destination: UnsafeMutableRawPointer
  ) -> Verdict {
    guard token.kind == .string else { return .wrongType }
    return store(StringText.string(token.text), node, destination)
  }

  @inline(never)
  private func double(
    _ token: Token, _ node: UnsafePointer<PlanNode>, _ destination: UnsafeMutableRawPointer
  ) -> Verdict {
    guard token.kind == .number else { return .wrongType }
    guard let value = NumberText.double(token.text) else { return .outOfRange }
    return store(value, node, destination)
  }

  @inline(never)
  private func float(
    _ token: Token, _ node: UnsafePointer<PlanNode>, _ destination: UnsafeMutableRawPointer
  ) -> Verdict {
    guard token.kind == .number else { return .wrongType }
    guard let value = NumberText.float(token.text) else { return .outOfRange }
    return store(value, node, destination)
  }

  @inline(never)
  private func foundation(
    _ token: Token, _ node: UnsafePointer<PlanNode>, _ destination: UnsafeMutableRawPointer
  ) -> Verdict {
    guard token.kind == (node.pointee.opcode == .decimal ? .number : .string) else {
      return .wrongType
    }
    switch node.pointee.opcode {
    case .decimal:
      guard let value = NumberText.decimal(token.text) else { return .outOfRange }
      return store(value, node, destination)
    case .url:
      let schemes = plan.details[Int(node.pointee.detail)].schemes
      guard let value = StringToURL.url(StringText.string(token.text), schemes: schemes) else {
        return .invalid
      }
      return store(value, node, destination)
    case .uuid:
      guard let value = UUIDText.parse(token.text) else { return .invalid }
      return store(value, node, destination)
    case .date:
      guard let value = RFC3339.parse(token.text) else { return .invalid }
      return store(value, node, destination)
    default: return .wrongType
    }
  }

  @inline(never)
  private func integer<Value: FixedWidthInteger>(
    _ token: Token, _: Value.Type, _ node: UnsafePointer<PlanNode>,
    _ destination: UnsafeMutableRawPointer
  ) -> Verdict {
    guard token.kind == .number else { return .wrongType }
    switch NumberText.integer(token.text, as: Value.self) {
    case .value(let value): return store(value, node, destination)
    case .notInteger: return .invalid
    case .outOfRange: return .outOfRange
    }
  }

  @inline(__always)
  private func store<Value>(
    _ value: consuming Value, _ node: UnsafePointer<PlanNode>,
    _ destination: UnsafeMutableRawPointer
  ) -> Verdict {
    Slot.store(value, in: destination, isOptional: node.pointee.storesOptional)
    return .made
  }

  override func storeNil(as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer)
  {
    // PERF: for types that are known here, the Optional's description is not needed.
    switch node.pointee.opcode {
    case .string: destination.initializeMemory(as: String?.self, to: nil)
    case .bool: destination.initializeMemory(as: Bool?.self, to: nil)
    case .int: destination.initializeMemory(as: Int?.self, to: nil)
    case .int64: destination.initializeMemory(as: Int64?.self, to: nil)
    case .double: destination.initializeMemory(as: Double?.self, to: nil)
    default: node.pointee.operations?._withUnsafeGuaranteedRef { $0.storeNil(destination) }
    }
  }

  override func store(
    supply index: Int32, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) {
    plan.supplies[Int(index)].store(destination, node.pointee.storesOptional)
  }

  override func beginJSON(as node: UnsafePointer<PlanNode>) -> EventSink {
    if node.pointee.opcode == .rawJSON {
      rawWriter.clear()
      return rawWriter
    }
    valueBuilder = JSONValueBuilder()
    return valueBuilder
  }

  override func finishJSON(
    as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) {
    if node.pointee.opcode == .rawJSON {
      _ = store(RawJSON(unchecked: rawWriter.bytes), node, destination)
    } else {
      _ = store(valueBuilder.value ?? .null, node, destination)
    }
    abandonJSON()
  }

  override func abandonJSON() {
    rawWriter.clear()
    valueBuilder = JSONValueBuilder()
  }

  override func destroy(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer) {
    node.pointee.operations?._withUnsafeGuaranteedRef { $0.destroy(slot) }
  }

  override func failures(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer)
    -> [RuleFailure]?
  {
    plan.failures(of: slot, as: node, isOptional: node.pointee.storesOptional)
  }

  override func takeJSON(as node: UnsafePointer<PlanNode>, from slot: UnsafeMutableRawPointer)
    -> JSONValue
  {
    // The source of a rewritten mapping makes a `JSONValue`: the compiler ensures it.
    slot.assumingMemoryBound(to: JSONValue.self).move()
  }

  // MARK: Collections

  override func elementSize(of node: UnsafePointer<PlanNode>) -> Int {
    node.pointee.operations?._withUnsafeGuaranteedRef { $0.size } ?? 0
  }

  override func collectionSize(of node: UnsafePointer<PlanNode>) -> Int {
    node.pointee.operations?._withUnsafeGuaranteedRef { $0.scratchSize } ?? 0
  }

  override func beginCollection(
    as node: UnsafePointer<PlanNode>, in scratch: UnsafeMutableRawPointer
  ) {
    let count = node.pointee.opcode == .array ? 0 : counts[node - nodes]
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.beginCollection(scratch, expecting: count)
    }
  }

  /// The number of elements that fit into 512 bytes, at most 64.
  // PERF: an array of up to this many elements is made in one step, in memory of exactly its size.
  override func stagedElements(of node: UnsafePointer<PlanNode>) -> Int {
    let size = elementSize(of: plan.nodes[node.pointee.child])
    return max(1, min(64, 512 / max(size, 1)))
  }

  override func append(
    _ elements: UnsafeMutableRawPointer, count: Int, as node: UnsafePointer<PlanNode>,
    to scratch: UnsafeMutableRawPointer
  ) {
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.append(elements, count: count, to: scratch)
    }
  }

  override func insert(
    _ element: UnsafeMutableRawPointer, key: UnsafeBufferPointer<UInt8>,
    as node: UnsafePointer<PlanNode>,
    into scratch: UnsafeMutableRawPointer
  ) {
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.insert(element, key: key, into: scratch)
    }
  }

  override func finishCollection(
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

  override func abandonCollection(
    _ scratch: UnsafeMutableRawPointer, with elements: UnsafeMutableRawPointer, count: Int,
    as node: UnsafePointer<PlanNode>
  ) {
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.abandonCollection(scratch, with: elements, count: count)
    }
  }

  // MARK: Objects and transforms

  override func construct(
    _ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer,
    as node: UnsafePointer<PlanNode>,
    in destination: UnsafeMutableRawPointer
  ) {
    let offsets = offsets + Int(object.pointee.firstField)
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.construct(slots, offsets: offsets, into: destination)
    }
  }

  override func makePatch(
    _ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer,
    states: UnsafeMutablePointer<UInt8>, as node: UnsafePointer<PlanNode>, at place: Patch.Place,
    in destination: UnsafeMutableRawPointer
  ) {
    let offsets = offsets + Int(object.pointee.firstField)
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.makePatch(slots, offsets: offsets, states: states, at: place, into: destination)
    }
  }

  override func storeKnown(
    _ index: Int32, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) {
    node.pointee.operations?._withUnsafeGuaranteedRef {
      $0.storeKnown(Int(index), in: destination)
    }
  }

  override func transform(
    _ source: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>,
    into destination: UnsafeMutableRawPointer
  ) throws {
    try node.pointee.operations?._withUnsafeGuaranteedRef {
      try $0.transform(source, into: destination)
    }
  }

  override func transform(
    _ source: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>,
    into destination: UnsafeMutableRawPointer, issues: inout ValueIssues
  ) throws {
    try node.pointee.operations?._withUnsafeGuaranteedRef {
      try $0.transform(source, into: destination, issues: &issues)
    }
  }
}
