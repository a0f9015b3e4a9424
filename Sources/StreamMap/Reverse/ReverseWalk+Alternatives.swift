// Encoding of values that one of several mappings made: by the first of them that can take the value back.
extension ReverseWalk {
  /// Sends a value that one of several nodes made.
  func emit(
    _ value: UnsafeRawPointer, by choice: PlanNode.Opcode.Choice, of node: UnsafePointer<PlanNode>
  ) {
    switch choice {
    case .first: emitFirst(value, node)
    case .dispatch: emitDispatch(value, plan.dispatches[Int(node.pointee.child)])
    }
  }

  private func emitFirst(_ value: UnsafeRawPointer, _ node: UnsafePointer<PlanNode>) {
    var failures: [any Error] = []
    for offset in 0..<node.pointee.second {
      let alternative = plan.alternatives[node.pointee.child + offset].pointee
      if let tape = attempt(value, as: alternative, &failures) { return tape.replay(into: sink) }
    }
    fail(.noAlternative, expected: "a value that an alternative can encode", underlying: failures)
  }

  private func emitDispatch(_ value: UnsafeRawPointer, _ dispatch: PlanTables.Dispatch) {
    var failures: [any Error] = []
    for (label, node) in dispatch.cases {
      guard let tape = attempt(value, as: node, &failures) else { continue }
      let reader = DiscriminatorReader(dispatch.path)
      tape.replay(into: reader)
      switch reader.found {
      case .text(let text) where ExactText(text) == ExactText(label): return tape.replay(into: sink)
      case .nothing where takesAllMembers(node):
        failures.append(
          otherChoice(
            dispatch, expected: "'\(label)' in the value, since the case takes all members"))
      case .nothing(let steps):
        if opensTooMany(dispatch.path.count) { return failTooDeep() }
        return tape.replay(
          into: DiscriminatorWriter(sink, path: dispatch.path, after: steps, label: label))
      case .text, .another:
        failures.append(otherChoice(dispatch, expected: "'\(label)', which chooses the case"))
      }
    }
    if let fallback = dispatch.fallback, let tape = attempt(value, as: fallback, &failures) {
      let reader = DiscriminatorReader(dispatch.path)
      tape.replay(into: reader)
      if case .text(let label) = reader.found, dispatch.labels[ExactText(label)] != nil {
        failures.append(otherChoice(dispatch, expected: "a text that chooses no case"))
      } else if !dispatch.path.isEmpty, reader.kind == .null {
        // A null is missing, before anything is chosen.
        failures.append(otherChoice(dispatch, expected: "a value that is not written as null"))
      } else {
        return tape.replay(into: sink)
      }
    }
    fail(.noAlternative, expected: "a value that a case can encode", underlying: failures)
  }

  /// Whether a node makes its value from all members of an object: then one that is added would be a part of the value.
  private func takesAllMembers(_ start: Int32) -> Bool {
    var open = [start]
    var visited = Set(open)
    while let index = open.popLast() {
      let node = plan.nodes[index].pointee
      var next: [Int32] = []
      switch node.opcode.family {
      case .scalar: break
      case .json: return true
      case .collection: if node.opcode == .dictionary { return true }
      case .object:
        next = fields(of: plan.objects[node.child].pointee.rootPlace).map {
          plan.fields[$0].pointee.node
        }
      case .change, .remap, .choice:
        next = node.children(in: plan).filter(\.role.takesSameValue).map(\.node)
      }
      open += next.filter { visited.insert($0).inserted }
    }
    return false
  }

  /// What a case wrote would be decoded by another one.
  private func otherChoice(_ dispatch: PlanTables.Dispatch, expected: String) -> MappingError {
    let steps = dispatch.path.map { JSONPath.Component.key(String(decoding: $0, as: UTF8.self)) }
    return MappingError(
      .invalidValue, path: JSONPath(here.components + steps), expected: expected,
      found: dispatch.path.isEmpty ? "a value of another kind" : "another value")
  }

  /// The events that a node makes from a value; nil if the node cannot encode it.
  private func attempt(_ value: UnsafeRawPointer, as index: Int32, _ failures: inout [any Error])
    -> Tape?
  {
    let tape = Tape()
    let walk = inner(sink: tape)
    _ = walk.emit(value, wayBack(of: index), isOptional: false, at: Self.noPlace)
    guard let failure = walk.failure else { return tape }
    failures.append(failure)
    return nil
  }

  /// The node that encodes a value; for a split node, the reverse one.
  private func wayBack(of index: Int32) -> UnsafePointer<PlanNode> {
    var node = plan.nodes[index]
    while node.pointee.reverse >= 0 { node = plan.nodes[node.pointee.reverse] }
    return node
  }

  func emitRewritten(_ value: UnsafeRawPointer, _ node: UnsafePointer<PlanNode>) {
    let builder = JSONValueBuilder(depthLimit: JSONValue.maximumDepth)
    let walk = inner(sink: builder)
    _ = walk.emit(value, wayBack(of: node.pointee.second), isOptional: false, at: Self.noPlace)
    if let error = walk.failure { return fail(error) }
    if builder.isTooDeep { return fail(.limitExceeded, expected: JSONValue.depthMessage) }
    withUnsafePointer(to: builder.value ?? .null) { json in
      if !emit(UnsafeRawPointer(json), plan.nodes[node.pointee.child], at: Self.noPlace) {
        sink.null()
      }
    }
  }
}

/// Follows the path of a discriminator through the events of a value.
struct DiscriminatorTrack {
  let path: [[UInt8]]
  /// How many containers are open, and how many steps of the path these match.
  private var depth = 0
  private var matched = 0
  /// Whether the next value belongs to the next step.
  private var isNext = false

  init(_ path: [[UInt8]]) {
    self.path = path
  }

  /// Where a value is.
  enum Place: Equatable {
    case elsewhere
    /// An object to which so many steps lead.
    case holder(Int)
    /// Something else than an object, where the path continues.
    case obstacle
    case end
  }

  mutating func key(_ text: UnsafeBufferPointer<UInt8>) {
    if depth == matched + 1, matched < path.count { isNext = path[matched].elementsEqual(text) }
  }

  mutating func value(_ kind: JSONKind) -> Place {
    defer { if kind == .object || kind == .array { depth += 1 } }
    if depth == 0 { return path.isEmpty ? .end : kind == .object ? .holder(0) : .obstacle }
    guard isNext, depth == matched + 1 else { return .elsewhere }
    isNext = false
    if matched + 1 == path.count { return .end }
    guard kind == .object else { return .obstacle }
    matched += 1
    return .holder(matched)
  }

  /// A container ends.
  mutating func close() {
    depth -= 1
    if depth <= matched { matched = max(depth - 1, 0) }
  }
}

/// Finds what would choose when a value that is written is decoded: the kind of the value, or the scalar at the path.
final class DiscriminatorReader: EventSink {
  enum Found: Equatable {
    /// The path ends in an object to which so many of its steps lead.
    case nothing(steps: Int)
    case text(String)
    /// Something that chooses no case.
    case another
  }

  private(set) var found = Found.another
  /// The kind of the whole value; nil before it begins.
  private(set) var kind: JSONKind?
  private var track: DiscriminatorTrack
  private var isOver = false

  init(_ path: [[UInt8]]) {
    track = DiscriminatorTrack(path)
  }

  override func null() { take(.null) { "null" } }
  override func bool(_ value: Bool) { take(.boolean) { "\(value)" } }
  override func number(_ text: UnsafeBufferPointer<UInt8>) {
    take(.number) { String(decoding: text, as: UTF8.self) }
  }
  override func string(_ text: UnsafeBufferPointer<UInt8>) {
    take(.string) { String(decoding: text, as: UTF8.self) }
  }
  override func key(_ text: UnsafeBufferPointer<UInt8>) { track.key(text) }
  override func beginObject() { take(.object) { nil } }
  override func beginArray() { take(.array) { nil } }
  override func endObject() { track.close() }
  override func endArray() { track.close() }

  private func take(_ kind: JSONKind, _ text: () -> String?) {
    let place = track.value(kind)
    if self.kind == nil { self.kind = kind }
    if isOver { return }
    switch place {
    case .elsewhere: break
    case .holder(let steps): found = .nothing(steps: steps)
    case .obstacle, .end:
      isOver = true
      // Without a path, the kind of the whole value chooses.
      let label = track.path.isEmpty ? kind.rawValue : text()
      found = place == .end ? label.map { .text($0) } ?? .another : .another
    }
  }
}

/// Passes on the events of an object, with the member that names the case of a dispatch, in the object to which so many steps
/// of its path lead.
final class DiscriminatorWriter: EventSink {
  private let sink: EventSink
  private let steps: Int
  private let label: String
  private var track: DiscriminatorTrack

  init(_ sink: EventSink, path: [[UInt8]], after steps: Int, label: String) {
    self.sink = sink
    self.steps = steps
    self.label = label
    track = DiscriminatorTrack(path)
  }

  override func null() {
    _ = track.value(.null)
    sink.null()
  }
  override func bool(_ value: Bool) {
    _ = track.value(.boolean)
    sink.bool(value)
  }
  override func number(_ text: UnsafeBufferPointer<UInt8>) {
    _ = track.value(.number)
    sink.number(text)
  }
  override func string(_ text: UnsafeBufferPointer<UInt8>) {
    _ = track.value(.string)
    sink.string(text)
  }
  override func key(_ text: UnsafeBufferPointer<UInt8>) {
    track.key(text)
    sink.key(text)
  }
  override func beginArray() {
    _ = track.value(.array)
    sink.beginArray()
  }
  override func endObject() {
    track.close()
    sink.endObject()
  }
  override func endArray() {
    track.close()
    sink.endArray()
  }
  override func beginObject() {
    sink.beginObject()
    guard track.value(.object) == .holder(steps) else { return }
    for (number, key) in track.path.dropFirst(steps).enumerated() {
      if number > 0 { sink.beginObject() }
      key.withUnsafeBufferPointer { sink.key($0) }
    }
    var label = label
    label.withUTF8 { sink.string($0) }
    for _ in track.path.dropFirst(steps + 1) { sink.endObject() }
  }
}

/// Passes on the members of an object, without its braces; from a value that is not an object, it passes on nothing.
final class MemberWriter: EventSink {
  private let sink: EventSink
  private var depth = 0
  private var isObject = false

  init(_ sink: EventSink) {
    self.sink = sink
  }

  private var isInside: Bool { isObject && depth > 0 }

  override func null() { if isInside { sink.null() } }
  override func bool(_ value: Bool) { if isInside { sink.bool(value) } }
  override func number(_ text: UnsafeBufferPointer<UInt8>) { if isInside { sink.number(text) } }
  override func string(_ text: UnsafeBufferPointer<UInt8>) { if isInside { sink.string(text) } }
  override func key(_ text: UnsafeBufferPointer<UInt8>) { if isInside { sink.key(text) } }
  override func beginObject() {
    if depth == 0 { isObject = true } else if isObject { sink.beginObject() }
    depth += 1
  }
  override func endObject() {
    depth -= 1
    if isInside { sink.endObject() }
  }
  override func beginArray() {
    if isInside { sink.beginArray() }
    depth += 1
  }
  override func endArray() {
    depth -= 1
    if isInside { sink.endArray() }
  }
}
