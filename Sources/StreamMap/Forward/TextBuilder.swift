/// Builds output records: the JSON text of a mapped record, without typed values and without a tree.
///
/// A slot holds a range of the buffer (`TextRange`). The fields' order in the feed may differ from their order in the
/// output, so a field's text is written when it comes, and moved to its place when its object ends. Invariant: when a
/// value is over, its text is the end of the buffer, and nothing of its parts is left before it.
final class TextBuilder: Builder {
  private let plan: PlanTables
  let output = OutputBuffer(capacity: 1 << 16)
  /// Writes JSON parts into the same buffer; and where the current part starts.
  private let writer: JSONWriter
  private var jsonStart = 0
  let names: FieldNames
  private let substitutes: [[UInt8]]
  let omitsNulls: Bool
  /// The feed's name as JSON.
  private let file: [UInt8]
  /// For the value whose rules are checked: see ``WrittenValue``.
  private let tree = UnsafeMutablePointer<JSONValue?>.allocate(capacity: 1)
  /// The filter's decision, and where the members that decide are stored.
  private let keeps: (@Sendable (RecordMembers) -> Bool)?
  private let decisive: FlatTable<Int>
  /// Whether records without members are kept.
  private let keepsOthers: Bool
  private var isKept = true
  /// The members of open dictionaries, to find duplicates.
  private var members: [Member] = []

  private struct Member {
    var hash: Int
    var start: Int
    var keyEnd: Int
    var end: Int
  }

  /// A half-built array or dictionary.
  private struct Scratch: BitwiseCopyable {
    var start: Int
    /// Where the current element or member starts.
    var element: Int
    var firstMember: Int
    /// For the current member: where its key ends.
    var keyEnd: Int
  }

  init(plan: Plan, omitsNulls: Bool, file: String?, filter: RecordFilter? = nil) {
    self.plan = plan.tables
    keeps = filter?.keeps
    decisive = FlatTable(filter.map { plan.tables.offsets(ofMembers: $0.members) } ?? [])
    keepsOthers = filter?.keeps(RecordMembers()) ?? true
    tree.initialize(to: nil)
    self.omitsNulls = omitsNulls
    self.file = Array((file.map { JSONValue.string($0) } ?? .null).description.utf8)
    writer = JSONWriter(output: output)
    names = FieldNames(plan.tables)
    substitutes = plan.tables.substitutes.map { Array($0.json.description.utf8) }
    super.init(followsRecords: true, filtersRecords: filter != nil)
  }

  deinit {
    tree.deinitialize(count: 1)
    tree.deallocate()
  }

  /// The record's text.
  ///
  /// Valid until the next record begins.
  func withText<Result>(_ range: TextRange, _ body: (UnsafeBufferPointer<UInt8>) -> Result)
    -> Result
  {
    body(output.slice(range.start, range.end))
  }

  override var keepsRecord: Bool { isKept }

  /// Whether a filter looks at the members of each record.
  var isFiltered: Bool { keeps != nil }

  override func rowMaker(limits: Limits) -> RowMaker? {
    // A filter also looks at nulls that are left out; rows do not write these.
    guard plan.rows != nil, keeps == nil || !omitsNulls else { return nil }
    return TextRowMaker(plan, builder: self, limits: limits)
  }

  override func reset() {
    members.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
  }

  override func beginRecord(_ record: RecordInformation) {
    output.clear()
    isKept = keepsOthers
    self.record = record
  }

  private var record = RecordInformation(number: 0, start: .none)

  // MARK: Scalars

  override func scalar(
    _ token: Token, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) -> Verdict {
    let verdict = check(token, node)
    if verdict == .made { write(token, in: destination) }
    return verdict
  }

  func check(_ token: Token, _ node: UnsafePointer<PlanNode>) -> Verdict {
    let check = Check(token: token, options: node.pointee.options)
    return node.pointee.scalar.visit(by: self, check)
  }

  private func write(_ token: Token, in destination: UnsafeMutableRawPointer) {
    let start = output.count
    switch token.kind {
    case .string: JSONText.append(quoted: token.text, to: output)
    case .number: output.append(token.text)
    case .boolean: output.append(token.isTrue ? "true" : "false")
    case .null, .object, .array: output.append("null")
    }
    store(from: start, in: destination)
  }

  private func store(from start: Int, in destination: UnsafeMutableRawPointer) {
    destination.initializeMemory(as: TextRange.self, to: TextRange(start: start, end: output.count))
  }

  override func storeNil(as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer)
  {
    let start = output.count
    output.append("null")
    store(from: start, in: destination)
  }

  override func store(
    substitute index: Int32, as node: UnsafePointer<PlanNode>,
    in destination: UnsafeMutableRawPointer
  ) {
    let start = output.count
    let substitute = plan.substitutes[Int(index)]
    if let fact = substitute.fact {
      append(fact)
    } else if let value = substitute.contextValue {
      output.append(record.context?.text(value) ?? Array("null".utf8))
    } else {
      output.append(substitutes[Int(index)])
    }
    store(from: start, in: destination)
  }

  /// The text of a substitute that is the same for all records; nil for others.
  func text(ofSubstitute index: Int32) -> [UInt8]? {
    let substitute = plan.substitutes[Int(index)]
    return substitute.fact == nil && substitute.contextValue == nil ? substitutes[Int(index)] : nil
  }

  private func append(_ fact: RecordFact) {
    let number: UInt64
    switch fact {
    case .number: number = UInt64(clamping: record.number)
    case .offset: number = record.start.start
    case .line: number = record.start.line
    case .file: return output.append(file)
    }
    output.append(Array("\(number)".utf8))
  }

  override func beginJSON(as node: UnsafePointer<PlanNode>) -> EventSink {
    jsonStart = output.count
    writer.beginValue()
    return writer
  }

  override func finishJSON(
    as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) {
    store(from: jsonStart, in: destination)
  }

  override func abandonJSON() {
    output.truncate(to: jsonStart)
  }

  // MARK: Text that is read again as a value: for rules, functions and second mappings

  override func discard(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer) {
    output.truncate(to: slot.load(as: TextRange.self).start)
  }

  override func failures(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer)
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

  override func takeJSON(as node: UnsafePointer<PlanNode>, from slot: UnsafeMutableRawPointer)
    -> JSONValue
  {
    let range = slot.load(as: TextRange.self)
    let value = WrittenValue(output.slice(range.start, range.end)).json
    discard(as: node, in: slot)
    return value
  }

  override func transform(
    _ source: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>,
    into destination: UnsafeMutableRawPointer
  ) throws {
    let value = takeJSON(as: node, from: source)
    let start = output.count
    let changed = try node.pointee.operations?._withUnsafeGuaranteedRef { operations in
      try (operations as? OutputTransform)?.change(value)
    }
    writer.beginValue()
    (changed ?? value).emit(to: writer)
    store(from: start, in: destination)
  }

  // MARK: Collections

  override func elementSize(of node: UnsafePointer<PlanNode>) -> Int {
    MemoryLayout<TextRange>.stride
  }

  override func collectionSize(of node: UnsafePointer<PlanNode>) -> Int {
    MemoryLayout<Scratch>.stride
  }

  override func beginCollection(
    as node: UnsafePointer<PlanNode>, in scratch: UnsafeMutableRawPointer
  ) {
    let start = output.count
    output.append(node.pointee.opcode == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    scratch.initializeMemory(
      as: Scratch.self,
      to: Scratch(
        start: start, element: output.count, firstMember: members.count, keyEnd: output.count))
  }

  override func beginMember(_ key: UnsafeBufferPointer<UInt8>, in scratch: UnsafeMutableRawPointer)
  {
    JSONText.append(quoted: key, to: output)
    scratch.assumingMemoryBound(to: Scratch.self).pointee.keyEnd = output.count
    output.append(UInt8(ascii: ":"))
  }

  // A comma is written after each element; the last comma becomes the bracket.

  override func append(
    _ elements: UnsafeMutableRawPointer, count: Int, as node: UnsafePointer<PlanNode>,
    to scratch: UnsafeMutableRawPointer
  ) {
    output.append(UInt8(ascii: ","))
    scratch.assumingMemoryBound(to: Scratch.self).pointee.element = output.count
  }

  override func insert(
    _ element: UnsafeMutableRawPointer, key: UnsafeBufferPointer<UInt8>,
    as node: UnsafePointer<PlanNode>,
    into scratch: UnsafeMutableRawPointer
  ) {
    let state = scratch.assumingMemoryBound(to: Scratch.self)
    output.append(UInt8(ascii: ","))
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(key))
    members.append(
      Member(
        hash: hasher.finalize(), start: state.pointee.element, keyEnd: state.pointee.keyEnd,
        end: output.count))
    state.pointee.element = output.count
  }

  override func dropElement(as node: UnsafePointer<PlanNode>, in scratch: UnsafeMutableRawPointer) {
    output.truncate(to: scratch.assumingMemoryBound(to: Scratch.self).pointee.element)
  }

  override func finishCollection(
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

  override func abandonCollection(
    _ scratch: UnsafeMutableRawPointer, with elements: UnsafeMutableRawPointer, count: Int,
    as node: UnsafePointer<PlanNode>
  ) {
    let state = scratch.assumingMemoryBound(to: Scratch.self).pointee
    output.truncate(to: state.start)
    members.removeLast(members.count - min(state.firstMember, members.count))
  }

  /// Of members with the same key, the last one stays, in the first one's place in the order of keys.
  private func removeDuplicates(from first: Int) {
    let own = members[first...]
    defer { members.removeLast(own.count) }
    guard own.count > 1, Set(own.map(\.hash)).count < own.count else { return }
    var order: [[UInt8]] = []
    var last: [[UInt8]: Member] = [:]
    for member in own {
      let key = Array(output.slice(member.start, member.keyEnd))
      if last.updateValue(member, forKey: key) == nil { order.append(key) }
    }
    guard let start = own.first?.start, order.count < own.count else { return }
    let end = output.count
    for key in order {
      if let member = last[key] { output.appendSlice(member.start, member.end) }
    }
    output.remove(start, end)
  }

  // MARK: Objects

  override func beginObject(_ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer) {
    starts.append(output.count)
  }

  /// Where the text of each open object starts.
  private var starts: [Int] = []

  override func abandonObject() {
    if let start = starts.popLast() { output.truncate(to: start) }
  }

  override func construct(
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
    if keeps != nil, starts.isEmpty { decide(slots) }
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
    if output.count == parts + 1 {
      output.append(UInt8(ascii: "}"))
    } else {
      output.replaceLast(with: UInt8(ascii: "}"))
    }
    output.remove(start, parts)
    store(from: start, in: destination)
  }

  /// Lets the filter look at the record's members, while each is still stored separately.
  @inline(never)
  func decide(_ slots: UnsafeMutableRawPointer) {
    guard let keeps else { return }
    isKept = keeps(RecordMembers(text: output.bytes, slots: slots, offsets: decisive.start))
  }
}

extension TextBuilder: ScalarVisitor {
  /// A token that is to be a scalar's text.
  struct Check {
    let token: Token
    let options: Unmanaged<ScalarOptions>?
  }

  func visit<Value: Scalar>(_ type: Value.Type, _ check: Check) -> Verdict {
    type.takes(check.token.kind) ? type.check(check.token, check.options) : .wrongType
  }
}

extension PlanTables {
  /// The offsets of the slots of the record's members; -1 for members that it does not have.
  fileprivate func offsets(ofMembers names: [String]) -> [Int] {
    let node = nodes[root].pointee
    guard node.opcode == .object else { return names.map { _ in -1 } }
    let object = objects[node.child].pointee
    let own = object.firstField..<object.firstField + object.fieldCount
    return names.map { name in
      own.first { targets[Int($0)].map { ExactKey($0) } == [ExactKey(name)] }
        .map { Int(fields[$0].pointee.offset) } ?? -1
    }
  }
}
