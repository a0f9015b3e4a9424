/// Walks a plan with a typed value and sends the events of its JSON: the reverse of `Machine`.
///
/// - Fields are written in the order of their declaration; objects on their paths are made once and shared.
/// - A field that is nil is left out; nil elsewhere (in an array, as the whole value) is null.
/// - Elements on paths (`tags[1]`) are at their index; earlier elements that no field fills are null.
/// - If several fields have one source, or a source inside it, the first that is not nil is written; objects that they
///   write are merged into one, with the members of all.
final class ReverseWalk {
  private let tables: ReverseTables
  let plan: PlanTables
  let sink: EventSink
  // For the text of a number, a date or a UUID.
  private let scratch: UnsafeMutablePointer<UInt8>
  private let path: ReversePath
  /// Made when there is raw text.
  ///
  /// It came from a checked feed, or was written here or by Foundation.
  private lazy var raw = RawSource(sink: sink)
  /// The first value that has no JSON.
  private(set) var failure: MappingError?

  init(_ tables: ReverseTables, sink: EventSink, path: ReversePath = ReversePath()) {
    self.tables = tables
    self.path = path
    plan = tables.plan
    self.sink = sink
    scratch = .allocate(capacity: ScalarType.longestText)
  }

  deinit {
    scratch.deallocate()
  }

  /// A walk that continues from here, but with its own sink and failure.
  func inner(sink: EventSink) -> ReverseWalk {
    ReverseWalk(tables, sink: sink, path: path)
  }

  /// Sends the events of a value.
  ///
  /// - Parameter value: A value of the plan's type, or an Optional where the plan stores one.
  /// - Throws: ``MappingError`` if a part of it has no JSON (a number that is not finite, a date beyond year 9999)
  ///   or a reverse conversion fails. The caller must discard everything that was sent until then.
  func walk(_ value: UnsafeRawPointer) throws(MappingError) {
    if !emit(value, plan.nodes[plan.root], at: Self.noPlace) { sink.null() }
    if let failure {
      self.failure = nil
      throw failure
    }
  }

  /// Stands for the place of a value that is not a field's; its key, if any, was already sent.
  static let noPlace: Int32 = -1

  /// Sends a value after the key of its place; false, without an event, if it is nil.
  func emit(
    _ value: UnsafeRawPointer, _ node: UnsafePointer<PlanNode>, at place: Int32
  ) -> Bool {
    if node.pointee.reverse >= 0 {
      return emit(value, plan.nodes[node.pointee.reverse], at: place)
    }
    return emit(value, node, isOptional: node.pointee.storesOptional, at: place)
  }

  /// Sends a value that may be stored in an Optional.
  func emit(
    _ value: UnsafeRawPointer, _ node: UnsafePointer<PlanNode>, isOptional: Bool, at place: Int32
  ) -> Bool {
    switch node.pointee.opcode.family {
    case .scalar:
      return node.pointee.scalar.visit(
        by: self, Written(value: value, node: node, isOptional: isOptional, place: place))
    case .json:
      return node.pointee.opcode == .rawJSON
        ? scalar(value, isOptional, RawJSON.self, place) { send($0, at: place) }
        : scalar(value, isOptional, JSONValue.self, place) { send($0, at: place) }
    case .collection, .object, .change, .remap, .choice:
      guard let operations = node.pointee.operations else { return false }
      return operations._withUnsafeGuaranteedRef { operations in
        if !isOptional {
          emit(inside: value, node, operations, at: place)
          return true
        }
        return operations.withValue(value) { emit(inside: $0, node, operations, at: place) }
      }
    }
  }

  /// Calls `send` with a value after the key of its place; false, without an event, if it is nil.
  @inline(__always)
  private func scalar<Value>(
    _ value: UnsafeRawPointer, _ isOptional: Bool, _: Value.Type, _ place: Int32,
    _ send: (Value) -> Void
  ) -> Bool {
    if isOptional {
      guard let value = value.assumingMemoryBound(to: Value?.self).pointee else { return false }
      sendKey(of: place)
      send(value)
    } else {
      sendKey(of: place)
      send(value.assumingMemoryBound(to: Value.self).pointee)
    }
    return true
  }

  @inline(__always)
  private func sendKey(of place: Int32) {
    if place >= 0, let key = tables.places[place].pointee.key { sink.key(key) }
  }

  /// Sends a value that is not nil and contains other values.
  private func emit(
    inside value: UnsafeRawPointer, _ node: UnsafePointer<PlanNode>, _ operations: ValueOperations,
    at place: Int32
  ) {
    if path.depth >= path.stackEnd { return emitOnOwnStack(value, node, operations, at: place) }
    sendKey(of: place)
    if place >= 0 { path.append(.place(place)) }
    defer { if place >= 0 { path.removeLast() } }
    switch node.pointee.opcode.family {
    case .object:
      let root = plan.objects[node.pointee.child].pointee.rootPlace
      if !emitWhole(root, of: value, at: Self.noPlace) { emitBelow(root, value) }
    case .collection:
      if node.pointee.opcode == .array {
        emitArray(value, node, operations)
      } else {
        emitMembers(value, node, operations)
      }
    case .change:
      let inner = plan.nodes[node.pointee.child]
      do {
        try operations.reverseTransform(value) { source in
          if !emit(source, inner, at: Self.noPlace) { sink.null() }
        }
      } catch {
        fail(conversionError(error))
      }
    case .remap: emitRewritten(value, node)
    case .choice(let choice): emit(value, by: choice, of: node)
    case .scalar, .json: sink.null()
    }
  }

  /// Sends the members of a dictionary.
  private func emitMembers(
    _ value: UnsafeRawPointer, _ node: UnsafePointer<PlanNode>, _ operations: ValueOperations
  ) {
    let member = plan.nodes[node.pointee.child]
    guard open() else { return }
    defer { path.depth -= 1 }
    sink.beginObject()
    do {
      try operations.forEachMember(value) { key, value in
        sink.key(key)
        path.append(key)
        if !emit(value, member, at: Self.noPlace) { sink.null() }
        path.removeKey()
      }
    } catch {
      adopt(conversionError(error))
    }
    sink.endObject()
  }

  /// Continues with another stack: the walk goes down with the value, and its own stack may be small.
  @inline(never)
  private func emitOnOwnStack(
    _ value: UnsafeRawPointer, _ node: UnsafePointer<PlanNode>, _ operations: ValueOperations,
    at place: Int32
  ) {
    let end = path.stackEnd
    path.stackEnd = path.depth + ReversePath.levelsOnStack
    defer { path.stackEnd = end }
    let isDone = WorkerThread.doWithOwnStack {
      self.emit(inside: value, node, operations, at: place)
    }
    if !isDone {
      sendKey(of: place)
      fail(.limitExceeded, expected: "a thread for a value of so many levels", found: "none")
    }
  }

  /// Counts an object or an array that begins; false, with an error, where it would be deeper than what is decoded.
  @inline(__always)
  private func open() -> Bool {
    if path.depth >= tables.mostLevels {
      failTooDeep()
      return false
    }
    path.depth += 1
    return true
  }

  /// Whether so many levels below here would be too many.
  func opensTooMany(_ levels: Int) -> Bool { path.depth + levels > tables.mostLevels }

  @inline(never)
  func failTooDeep(at place: Int32 = noPlace) {
    fail(
      .limitExceeded, at: place, expected: Limits.message(.depth, tables.mostLevels), found: "more")
  }

  private func emitArray(
    _ value: UnsafeRawPointer, _ node: UnsafePointer<PlanNode>, _ operations: ValueOperations
  ) {
    let element = plan.nodes[node.pointee.child]
    let stride = element.pointee.operations?._withUnsafeGuaranteedRef { $0.size } ?? 0
    guard open() else { return }
    defer { path.depth -= 1 }
    sink.beginArray()
    operations.withElements(value) { start, count in
      for index in 0..<count {
        path.append(.element(index))
        if !emit(start + index &* stride, element, at: Self.noPlace) { sink.null() }
        path.removeLast()
      }
    }
    sink.endArray()
  }

  // MARK: Places

  /// Sends the values of an object's fields at and below a place, after its key; nothing if all are nil.
  private func emitPlace(_ place: Int32, of object: UnsafeRawPointer) {
    let field = tables.places[place].pointee.onlyField
    if field >= 0 {
      _ = emitField(field, of: object, at: place)
    } else if !emitWhole(place, of: object, at: place) {
      if holdsAnything(place, object)
        || (writesNil(at: place) && plan.places[place].pointee.fieldCount == 0)
      {
        sendKey(of: place)
        path.append(.place(place))
        emitBelow(place, object)
        path.removeLast()
      } else if writesNil(at: place) {
        sendKey(of: place)
        sink.null()
      }
    }
  }

  /// Whether nil is written at a place.
  func writesNil(at place: Int32) -> Bool {
    tables.writesNils && tables.places[place].pointee.isWritten
  }

  /// Sends the value of the fields that end at a place, with everything below it; false if no field ends here, or all
  /// are nil.
  private func emitWhole(_ whole: Int32, of object: UnsafeRawPointer, at place: Int32) -> Bool {
    let here = plan.places[whole]
    if here.pointee.fieldCount == 0 { return false }
    if here.pointee.fieldCount == 1, tables.places[whole].pointee.subtreePlaceCount == 1,
      !collects(at: whole)
    {
      return emitField(plan.placeFields[here.pointee.fieldStart].pointee, of: object, at: place)
    }
    if place >= 0 { path.append(.place(place)) }
    let value = merged(at: whole, of: object)
    if place >= 0 { path.removeLast() }
    guard let value else { return false }
    sendKey(of: place)
    value.emit(to: sink)
    return true
  }

  /// The fields that end at a place.
  func fields(of place: Int32) -> [Int32] {
    let here = plan.places[place].pointee
    return (here.fieldStart..<here.fieldStart + here.fieldCount).map {
      plan.placeFields[$0].pointee
    }
  }

  @inline(__always)
  func emitField(_ index: Int32, of object: UnsafeRawPointer, at place: Int32) -> Bool {
    var isWritten = false
    withField(index, of: object) { isWritten = emit($0, $1, at: place) }
    return isWritten
  }

  @inline(__always)
  private func withField(
    _ index: Int32, of object: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, UnsafePointer<PlanNode>) -> Void
  ) {
    let field = tables.fields[index].pointee
    let node = plan.nodes[field.node]
    if field.offset >= 0 {
      body(object + Int(field.offset), node)
    } else {
      tables.properties[Int(index)].withValue(object) { body($0, node) }
    }
  }

  /// Sends the object or array that the paths through a place make.
  func emitBelow(_ place: Int32, _ object: UnsafeRawPointer) {
    guard open() else { return }
    defer { path.depth -= 1 }
    let here = plan.places[place]
    let isObject =
      here.pointee.elementCount == 0 || (here.pointee.keys != nil && hasMember(place, object))
    if isObject {
      sink.beginObject()
      forEachChild(of: place) { child in
        if tables.places[child].pointee.key != nil { emitPlace(child, of: object) }
      }
      let owner = plan.objects[here.pointee.object]
      if owner.pointee.rootPlace == place, owner.pointee.collector >= 0 {
        emitCollected(owner.pointee.collector, of: object)
      }
      sink.endObject()
    } else {
      emitElements(of: place, object)
    }
  }

  /// Sends the members that a field collected, as members of its object.
  private func emitCollected(_ field: Int32, of object: UnsafeRawPointer) {
    let walk = inner(sink: MemberWriter(sink))
    _ = walk.emitField(field, of: object, at: Self.noPlace)
    failure = failure ?? walk.failure
  }

  /// Whether a field to which a path by key leads is not nil.
  private func hasMember(_ place: Int32, _ object: UnsafeRawPointer) -> Bool {
    var holds = false
    forEachChild(of: place) { child in
      if !holds, tables.places[child].pointee.key != nil { holds = holdsAnything(child, object) }
    }
    return holds
  }

  private func emitElements(of place: Int32, _ object: UnsafeRawPointer) {
    sink.beginArray()
    var next = 0
    forEachChild(of: place) { child in
      guard case .index(let index)? = plan.steps[Int(child)],
        writesNil(at: child) || holdsAnything(child, object)
      else { return }
      while next < index {
        sink.null()
        next += 1
      }
      emitPlace(child, of: object)
      next = index + 1
    }
    sink.endArray()
  }

  @inline(__always)
  func forEachChild(of place: Int32, _ body: (Int32) -> Void) {
    let end = place + tables.places[place].pointee.subtreePlaceCount
    var child = place + 1
    while child < end {
      body(child)
      child += tables.places[child].pointee.subtreePlaceCount
    }
  }

  /// Whether a field at or below a place is not nil.
  func holdsAnything(_ place: Int32, _ object: UnsafeRawPointer) -> Bool {
    if tables.places[place].pointee.isAlwaysHeld { return true }
    let here = plan.places[place]
    for entry in here.pointee.fieldStart..<here.pointee.fieldStart + here.pointee.subtreeFieldCount
    {
      var holds = false
      withField(plan.placeFields[entry].pointee, of: object) { value, node in
        holds =
          node.pointee.operations?._withUnsafeGuaranteedRef { $0.withValue(value) { _ in } }
          ?? false
      }
      if holds { return true }
    }
    return false
  }

  // MARK: Scalars

  private func send(_ value: JSONValue, at place: Int32) {
    switch value.flaw(mostLevels: tables.mostLevels - path.depth) {
    case nil: value.emit(to: sink)
    case .number(let text)?:
      fail(
        .invalidValue, at: place, expected: "a number by RFC 8259",
        found: "a text of \(text.utf8.count) bytes that is not one")
    case .depth?: failTooDeep(at: place)
    }
  }

  private func send(_ value: RawJSON, at place: Int32) {
    if value.isDeeper(than: tables.mostLevels - path.depth) { return failTooDeep(at: place) }
    do throws(Refusal) {
      try value.bytes.withUnsafeBufferPointer { bytes throws(Refusal) in try raw.send(bytes) }
    } catch {
      fail(.invalidValue, at: place, expected: "JSON text", found: error.message)
    }
  }

  func fail(
    _ code: ErrorCode, at place: Int32 = noPlace, expected: String, found: String? = nil,
    underlying: [any Error] = []
  ) {
    guard failure == nil else { return sink.null() }
    fail(error(code, at: place, expected: expected, found: found, underlying: underlying))
  }

  private func error(
    _ code: ErrorCode, at place: Int32 = noPlace, expected: String, found: String? = nil,
    underlying: [any Error] = []
  ) -> MappingError {
    var components = here.components
    if place >= 0, let last = plan.steps[Int(place)] { components.append(last) }
    return MappingError(
      code, path: JSONPath(components), expected: expected, found: found,
      underlying: plan.hidesValues ? [] : underlying)
  }

  /// What is said of an error that a conversion threw on the way back.
  private func conversionError(_ thrown: any Error) -> MappingError {
    thrown is OneWayConversion
      ? error(
        .invalidDefinition, expected: "a mapping that can encode", found: "one that only decodes")
      : error(.thrown(thrown), expected: "a value that can be encoded", underlying: [thrown])
  }

  /// The path to the value being sent.
  var here: JSONPath { JSONPath(path.components(plan)) }

  /// Sends null in place of a value that has no JSON.
  func fail(_ error: MappingError) {
    sink.null()
    adopt(error)
  }

  /// Takes over the failure of a walk inside this one.
  func adopt(_ error: MappingError) {
    failure = failure ?? error
  }
}

extension ReverseWalk: ScalarVisitor {
  /// A scalar that is sent after the key of its place.
  struct Written: BitwiseCopyable {
    let value: UnsafeRawPointer
    let node: UnsafePointer<PlanNode>
    let isOptional: Bool
    let place: Int32
  }

  /// Sends a scalar; false, without an event, if it is nil.
  func visit<Value: Scalar>(_ type: Value.Type, _ written: Written) -> Bool {
    scalar(written.value, written.isOptional, type, written.place) { value in
      guard let refusal = value.send(to: sink, by: scratch, written.node.pointee.options) else {
        return
      }
      let expected = plan.details[Int(written.node.pointee.detail)].expected
      fail(
        .invalidValue, at: written.place, expected: refusal.expected ?? expected,
        found: refusal.found)
    }
  }
}
