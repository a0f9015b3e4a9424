/// Builds output records: the JSON text of a mapped record, without typed values and without a tree.
///
/// A slot holds a range of the buffer (`TextRange`). The fields' order in the feed may differ from their order in the
/// output, so a field's text is written when it comes, and moved to its place when its object ends. Invariant: when a
/// value is over, its text is the end of the buffer, and nothing of its parts is left before it.
final class TextBuilder: Builder {
  let plan: PlanTables
  let output = OutputBuffer(capacity: 1 << 16)
  /// Writes JSON parts into the same buffer; and where the current part starts.
  private let writer: JSONWriter
  private var jsonStart = 0
  private let room: TransformRoom
  let names: FieldNames
  let substitutes: [[UInt8]]
  let omitsNulls: Bool
  /// The feed's name, and as JSON.
  let fileName: String?
  let file: [UInt8]
  /// For the value whose rules are checked: see ``WrittenValue``.
  private let tree = UnsafeMutablePointer<JSONValue?>.allocate(capacity: 1)
  /// For the values of formulas; the builder of rows uses it, too.
  let formulaStack: UnsafeMutablePointer<FormulaValue>
  /// The text of a formula's value, which must not lie in the output that is written.
  private let formulaText = OutputBuffer(capacity: 64)
  /// The members of open dictionaries, to find duplicates.
  private var members: [Member] = []

  private struct Member {
    var hash: Int
    var start: Int
    var keyEnd: Int
    var end: Int
  }

  /// A member that is kept beside the fields of an open object: how many objects are open there, and its text.
  private struct RestMember {
    var depth: Int
    var member: Member
  }

  private var rest: [RestMember] = []
  /// Where the key ends of the one that is being written.
  private var restKeyEnd = 0

  /// A half-built array or dictionary.
  private struct Scratch: BitwiseCopyable {
    var start: Int
    /// Where the current element or member starts.
    var element: Int
    var firstMember: Int
    /// For the current member: where its key ends.
    var keyEnd: Int
  }

  init(plan: Plan, omitsNulls: Bool, file: String?) {
    self.plan = plan.tables
    formulaStack = .allocate(capacity: max(plan.tables.mostFormulaValues, 1))
    tree.initialize(to: nil)
    self.omitsNulls = omitsNulls
    fileName = file
    self.file = Array((file.map { JSONValue.string($0) } ?? .null).description.utf8)
    writer = JSONWriter(output: output)
    room = TransformRoom(output: output, writer: writer)
    names = FieldNames(plan.tables)
    substitutes = Self.texts(ofSubstitutes: plan.tables)
  }

  deinit {
    tree.deinitialize(count: 1)
    tree.deallocate()
    formulaStack.deallocate()
  }

  /// The record's text.
  ///
  /// Valid until the next record begins.
  func withText<Result>(_ range: TextRange, _ body: (UnsafeBufferPointer<UInt8>) -> Result)
    -> Result
  {
    body(output.slice(range.start, range.end))
  }

  func keep(to limits: Limits) { room.limits = limits }

  func rowMaker(limits: Limits) -> RowMaker? {
    TextRowMaker(plan, builder: self, limits: limits)
  }

  func reset() {
    members.removeAll(keepingCapacity: true)
    if !rest.isEmpty { rest.removeAll(keepingCapacity: true) }
    starts.removeAll(keepingCapacity: true)
  }

  func beginRecord(_ record: RecordInformation) {
    output.clear()
    self.record = record
  }

  private(set) var record = RecordInformation(number: 0, start: .none, step: nil)

  // MARK: Scalars

  func scalar(
    _ token: Token, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) -> Verdict {
    let verdict = check(token, node)
    if verdict == .made {
      let start = output.count
      append(token, as: node.pointee.scalar)
      store(from: start, in: destination)
    }
    return verdict
  }

  func storeNil(as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer) {
    let start = output.count
    output.append("null")
    store(from: start, in: destination)
  }

  func store(
    substitute index: Int32, as node: UnsafePointer<PlanNode>,
    in destination: UnsafeMutableRawPointer
  ) {
    let start = output.count
    let substitute = plan.substitutes[Int(index)]
    if let fact = substitute.fact {
      if !append(fact, to: output) { output.append("null") }
    } else if let value = substitute.contextValue {
      append(contextValue: value, to: output)
    } else {
      output.append(substitutes[Int(index)])
    }
    store(from: start, in: destination)
  }

  func beginJSON(as node: UnsafePointer<PlanNode>) -> EventSink {
    jsonStart = output.count
    writer.beginValue()
    return writer
  }

  func finishJSON(
    as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) {
    store(from: jsonStart, in: destination)
  }

  func abandonJSON() {
    output.truncate(to: jsonStart)
  }

  func beginRest(_ key: UnsafeBufferPointer<UInt8>) -> EventSink {
    jsonStart = output.count
    JSONText.append(quoted: key, to: output)
    restKeyEnd = output.count
    output.append(UInt8(ascii: ":"))
    writer.beginValue()
    return writer
  }

  var restSize: Int { output.count - jsonStart }

  func finishRest() {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(output.slice(jsonStart, restKeyEnd)))
    rest.append(
      RestMember(
        depth: starts.count,
        member: Member(
          hash: hasher.finalize(), start: jsonStart, keyEnd: restKeyEnd, end: output.count)))
  }

  // MARK: Text that is read again as a value: for rules, functions and second mappings

  func discard(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer) {
    output.truncate(to: slot.load(as: TextRange.self).start)
  }

  func failures(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer)
    -> [RuleFailure]?
  {
    let range = slot.load(as: TextRange.self)
    if tree.pointee != nil { tree.pointee = nil }
    let value = WrittenValue(output.slice(range.start, range.end), tree: tree)
    // Rules apply only to values that are there.
    if value.isNull { return nil }
    return withUnsafePointer(to: value) {
      plan.failures(of: UnsafeRawPointer($0), as: node, isOptional: false)
    }
  }

  func takeJSON(as node: UnsafePointer<PlanNode>, from slot: UnsafeMutableRawPointer)
    -> JSONValue
  {
    let range = slot.load(as: TextRange.self)
    let value = WrittenValue(output.slice(range.start, range.end)).json
    discard(as: node, in: slot)
    return value
  }

  func replay(
    as node: UnsafePointer<PlanNode>, from slot: UnsafeMutableRawPointer, to sink: EventSink
  ) {
    // The output is written while the value is read.
    let copy = OutputBuffer()
    let start = slot.load(as: TextRange.self).start
    copy.append(output.slice(start, output.count))
    output.truncate(to: start)
    withExtendedLifetime(copy) { WrittenText(copy.bytes).emit(to: sink) }
  }

  func transform(
    _ source: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>,
    into destination: UnsafeMutableRawPointer
  ) throws {
    let written = room.take(from: source.load(as: TextRange.self).start)
    try transform(written, as: node, into: destination)
  }

  /// Writes what a node's transform makes of a value that is not in the output.
  func transform(
    _ written: UnsafeBufferPointer<UInt8>, as node: UnsafePointer<PlanNode>,
    into destination: UnsafeMutableRawPointer
  ) throws {
    let start = output.count
    do {
      try node.pointee.operations?._withUnsafeGuaranteedRef { operations in
        try (operations as? OutputOperations)?.transform.apply(to: written, in: room)
      }
    } catch {
      output.truncate(to: start)
      throw error
    }
    store(from: start, in: destination)
  }

  // MARK: Collections

  func elementSize(of node: UnsafePointer<PlanNode>) -> Int {
    MemoryLayout<TextRange>.stride
  }

  func collectionSize(of node: UnsafePointer<PlanNode>) -> Int {
    MemoryLayout<Scratch>.stride
  }

  func beginCollection(
    as node: UnsafePointer<PlanNode>, in scratch: UnsafeMutableRawPointer
  ) {
    let start = output.count
    output.append(node.pointee.opcode == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    scratch.initializeMemory(
      as: Scratch.self,
      to: Scratch(
        start: start, element: output.count, firstMember: members.count, keyEnd: output.count))
  }

  func beginMember(
    _ key: UnsafeBufferPointer<UInt8>, as node: UnsafePointer<PlanNode>,
    in scratch: UnsafeMutableRawPointer
  ) {
    JSONText.append(quoted: key, to: output)
    scratch.assumingMemoryBound(to: Scratch.self).pointee.keyEnd = output.count
    output.append(UInt8(ascii: ":"))
  }

  // A comma is written after each element; the last comma becomes the bracket.

  func append(
    _ elements: UnsafeMutableRawPointer, count: Int, as node: UnsafePointer<PlanNode>,
    to scratch: UnsafeMutableRawPointer
  ) {
    output.append(UInt8(ascii: ","))
    scratch.assumingMemoryBound(to: Scratch.self).pointee.element = output.count
  }

  func insert(
    _ element: UnsafeMutableRawPointer, key: UnsafeBufferPointer<UInt8>,
    as node: UnsafePointer<PlanNode>, into scratch: UnsafeMutableRawPointer
  ) -> Bool {
    finishMember(key, scratch.assumingMemoryBound(to: Scratch.self))
    return false
  }

  private func finishMember(
    _ key: UnsafeBufferPointer<UInt8>, _ state: UnsafeMutablePointer<Scratch>
  ) {
    output.append(UInt8(ascii: ","))
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(key))
    members.append(
      Member(
        hash: hasher.finalize(), start: state.pointee.element, keyEnd: state.pointee.keyEnd,
        end: output.count))
    state.pointee.element = output.count
  }

  /// A member without a value: where the dictionary is made, a later one has the same key, and takes its place.
  func holdPlace(
    of key: UnsafeBufferPointer<UInt8>, in scratch: UnsafeMutableRawPointer
  ) {
    let state = scratch.assumingMemoryBound(to: Scratch.self)
    output.truncate(to: state.pointee.keyEnd + 1)
    finishMember(key, state)
  }

  func dropElement(as node: UnsafePointer<PlanNode>, in scratch: UnsafeMutableRawPointer) {
    output.truncate(to: scratch.assumingMemoryBound(to: Scratch.self).pointee.element)
  }

  func finishCollection(
    _ scratch: UnsafeMutableRawPointer, appending elements: UnsafeMutableRawPointer, count: Int,
    as node: UnsafePointer<PlanNode>, into destination: UnsafeMutableRawPointer
  ) {
    let state = scratch.assumingMemoryBound(to: Scratch.self).pointee
    let isArray = node.pointee.opcode == .array
    if !isArray { removeDuplicates(from: state.firstMember) }
    let bracket = isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")
    if output.count == state.start + 1 {
      output.append(bracket)
    } else {
      output.replaceLast(with: bracket)
    }
    store(from: state.start, in: destination)
  }

  func abandonCollection(
    _ scratch: UnsafeMutableRawPointer, with elements: UnsafeMutableRawPointer, count: Int,
    as node: UnsafePointer<PlanNode>
  ) {
    let state = scratch.assumingMemoryBound(to: Scratch.self).pointee
    output.truncate(to: state.start)
    members.removeLast(members.count - min(state.firstMember, members.count))
  }

  /// If several members have the same key, the last one stays, at the first one's place in the order of keys.
  private func removeDuplicates(from first: Int) {
    let own = members[first...]
    defer { members.removeLast(own.count) }
    guard let start = own.first?.start, let kept = withoutDuplicates(own) else { return }
    let end = output.count
    for member in kept { output.appendSlice(member.start, member.end) }
    output.remove(start, end)
  }

  /// The members without those that a later one with the same key replaces; the last one is at the first one's place.
  ///
  /// Nil if all keys differ.
  private func withoutDuplicates(_ members: ArraySlice<Member>) -> [Member]? {
    guard members.count > 1, Set(members.map(\.hash)).count < members.count else { return nil }
    var order: [[UInt8]] = []
    var last: [[UInt8]: Member] = [:]
    for member in members {
      let key = Array(output.slice(member.start, member.keyEnd))
      if last.updateValue(member, forKey: key) == nil { order.append(key) }
    }
    return order.count < members.count ? order.compactMap { last[$0] } : nil
  }

  // MARK: Objects

  func beginObject(_ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer) {
    starts.append(output.count)
  }

  /// Where the text of each open object starts.
  private var starts: [Int] = []

  func abandonObject() {
    if let start = starts.popLast() { output.truncate(to: start) }
    forgetRest()
  }

  /// Forgets the members that are kept beside the fields of objects that are over.
  private func forgetRest() {
    while let last = rest.last, last.depth > starts.count { rest.removeLast() }
  }

  /// Writes those of the object that is just over, each with a comma.
  @inline(never)
  private func appendRest() {
    let first = (rest.lastIndex { $0.depth <= starts.count } ?? -1) + 1
    let own = rest[first...].map(\.member)
    for member in withoutDuplicates(own[...]) ?? own {
      if omitsNulls, member.end - member.keyEnd == 5,
        output.slice(member.keyEnd + 1, member.keyEnd + 2).first == UInt8(ascii: "n")
      {
        continue
      }
      output.appendSlice(member.start, member.end)
      output.append(UInt8(ascii: ","))
    }
    forgetRest()
  }

  func construct(
    _ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer,
    as node: UnsafePointer<PlanNode>,
    in destination: UnsafeMutableRawPointer
  ) {
    let start = starts.popLast() ?? output.count
    if object.pointee.fieldCount == 1, names[Int(object.pointee.firstField)].isEmpty {
      // There is no other field: anything else written since the start is an earlier duplicate.
      let range = (slots + Int(plan.fields[object.pointee.firstField].pointee.offset))
        .load(as: TextRange.self)
      output.truncate(to: range.end)
      if range.start > start { output.remove(start, range.start) }
      store(from: start, in: destination)
      return
    }
    let parts = output.count
    output.append(UInt8(ascii: "{"))
    for number in 0..<object.pointee.fieldCount {
      let field = object.pointee.firstField + number
      let range = (slots + Int(plan.fields[field].pointee.offset)).load(as: TextRange.self)
      if omitsNulls, range.end - range.start == 4,
        output.slice(range.start, range.start + 1).first == UInt8(ascii: "n")
      {
        continue
      }
      output.append(names[Int(field)])
      output.appendSlice(range.start, range.end)
      output.append(UInt8(ascii: ","))
    }
    if object.pointee.rest >= 0 { appendRest() }
    if output.count == parts + 1 {
      output.append(UInt8(ascii: "}"))
    } else {
      output.replaceLast(with: UInt8(ascii: "}"))
    }
    output.remove(start, parts)
    store(from: start, in: destination)
  }

  // MARK: Formulas

  /// Fields of an object, each where it was written.
  private struct SlotOperands: FormulaOperands {
    let plan: PlanTables
    let text: UnsafeBufferPointer<UInt8>
    let slots: UnsafeMutableRawPointer
    let firstField: Int32

    func text(ofSource number: Int) -> UnsafeBufferPointer<UInt8> {
      let field = plan.fields[plan.formulaFields[firstField + Int32(number)].pointee]
      let state = slots.load(fromByteOffset: Int(field.pointee.state), as: UInt8.self)
      guard state == SlotState.filled else { return UnsafeBufferPointer(start: nil, count: 0) }
      let range = (slots + Int(field.pointee.offset)).load(as: TextRange.self)
      return UnsafeBufferPointer(rebasing: text[range.start..<range.end])
    }
  }

  private func operands(of formula: PlanFormula, _ slots: UnsafeMutableRawPointer) -> SlotOperands {
    SlotOperands(plan: plan, text: output.bytes, slots: slots, firstField: formula.firstField)
  }

  func holds(_ condition: Int32, slots: UnsafeMutableRawPointer) throws(Formula.Fault)
    -> Bool
  {
    let formula = plan.formulas[condition].pointee
    return try formula.formula.takeUnretainedValue()
      .holds(for: operands(of: formula, slots), on: formulaStack)
  }

  func value(of index: Int32, slots: UnsafeMutableRawPointer) throws(Formula.Fault)
    -> FormulaValue
  {
    let formula = plan.formulas[index].pointee
    var value = try formula.formula.takeUnretainedValue()
      .value(of: operands(of: formula, slots), on: formulaStack)
    if !value.text.isEmpty {
      formulaText.clear()
      formulaText.append(value.text)
      value.text = formulaText.bytes
    }
    return value
  }
}
