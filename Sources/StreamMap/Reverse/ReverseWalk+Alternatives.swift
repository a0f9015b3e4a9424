// Encoding of values that one of several mappings made: by the first of them that can take the value back.
extension ReverseWalk {
  func emitFirst(_ value: UnsafeRawPointer, _ node: UnsafePointer<PlanNode>) {
    var failures: [any Error] = []
    for offset in 0..<node.pointee.second {
      let alternative = plan.alternatives[node.pointee.child + offset].pointee
      if let tape = attempt(value, as: alternative, &failures) { return tape.replay(into: sink) }
    }
    fail(.noAlternative, expected: "a value that an alternative can encode", underlying: failures)
  }

  func emitDispatch(_ value: UnsafeRawPointer, _ dispatch: PlanTables.Dispatch) {
    var failures: [any Error] = []
    for (label, node) in dispatch.cases {
      guard let tape = attempt(value, as: node, &failures) else { continue }
      if dispatch.path.isEmpty { return tape.replay(into: sink) }
      let keys = DiscriminatorWriter.TopKeys()
      tape.replay(into: keys)
      let writer = DiscriminatorWriter(
        sink, path: keys.keys.contains(dispatch.path[0]) ? [] : dispatch.path, label: label)
      return tape.replay(into: writer)
    }
    if let fallback = dispatch.fallback, let tape = attempt(value, as: fallback, &failures) {
      return tape.replay(into: sink)
    }
    fail(.noAlternative, expected: "a value that a case can encode", underlying: failures)
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

/// Passes on the events of an object, preceded by the member that names the case of a dispatch.
final class DiscriminatorWriter: EventSink {
  private let sink: EventSink
  private let path: [[UInt8]]
  private let label: String
  private var isInside = false

  init(_ sink: EventSink, path: [[UInt8]], label: String) {
    self.sink = sink
    self.path = path
    self.label = label
  }

  override func null() { sink.null() }
  override func bool(_ value: Bool) { sink.bool(value) }
  override func number(_ text: UnsafeBufferPointer<UInt8>) { sink.number(text) }
  override func string(_ text: UnsafeBufferPointer<UInt8>) { sink.string(text) }
  override func key(_ text: UnsafeBufferPointer<UInt8>) { sink.key(text) }
  override func endObject() { sink.endObject() }
  override func beginArray() { sink.beginArray() }
  override func endArray() { sink.endArray() }
  override func beginObject() {
    sink.beginObject()
    if isInside { return }
    isInside = true
    for (number, key) in path.enumerated() {
      if number > 0 { sink.beginObject() }
      key.withUnsafeBufferPointer { sink.key($0) }
    }
    if path.isEmpty { return }
    var label = label
    label.withUTF8 { sink.string($0) }
    for _ in path.dropFirst() { sink.endObject() }
  }

  /// Finds the keys of an object's own members.
  final class TopKeys: EventSink {
    private(set) var keys: Set<[UInt8]> = []
    private var depth = 0

    override func key(_ text: UnsafeBufferPointer<UInt8>) {
      if depth == 1 { keys.insert(Array(text)) }
    }
    override func beginObject() { depth += 1 }
    override func beginArray() { depth += 1 }
    override func endObject() { depth -= 1 }
    override func endArray() { depth -= 1 }
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
