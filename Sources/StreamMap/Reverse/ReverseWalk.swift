import Foundation

/// Walks a plan with a typed value and sends the events of its JSON: the way back of `Machine`.
///
/// - Fields are written in the order of their declaration; objects on their paths are made once and shared.
/// - A field that is nil is left out; nil elsewhere (in an array, as the whole value) is null.
/// - Elements on paths (`tags[1]`) stand at their index; those before it that no field fills are null.
/// - Of several fields with one source the first that is not nil is written.
final class ReverseWalk {
  let plan: PlanTables
  var sink: EventSink
  private let digits = OutputBuffer(capacity: 64)
  private(set) var path: [JSONPath.Component] = []
  /// The first value that has no JSON.
  var failure: MappingError?

  init(plan: Plan, sink: EventSink) {
    self.plan = plan.tables
    self.sink = sink
  }

  /// Sends the events of a value.
  ///
  /// - Parameter value: A value of the plan's type, or an Optional where the plan stores one.
  /// - Throws: ``MappingError`` where a part of it has no JSON (a number that is not finite, a date beyond year 9999) or
  ///   a reverse conversion fails. What was sent until then is to be thrown away.
  func walk(_ value: UnsafeRawPointer) throws(MappingError) {
    path.removeAll()
    failure = nil
    if !emit(value, as: plan.root) { sink.null() }
    if let failure { throw failure }
  }

  /// Sends a value; false, without an event, where it is nil.
  func emit(_ value: UnsafeRawPointer, as index: Int32) -> Bool {
    let node = plan.nodes[index]
    if node.pointee.reverse >= 0 { return emit(value, as: node.pointee.reverse) }
    guard let operations = node.pointee.operations else { return false }
    return operations._withUnsafeGuaranteedRef { operations in
      operations.withValue(value) { emit($0, node, operations) }
    }
  }

  private func isNil(_ value: UnsafeRawPointer, as index: Int32) -> Bool {
    let operations = plan.nodes[index].pointee.operations
    return operations?._withUnsafeGuaranteedRef { !$0.withValue(value) { _ in } } ?? true
  }

  func emit(
    _ value: UnsafeRawPointer, _ node: UnsafePointer<PlanNode>, _ operations: ValueOperations
  ) {
    switch node.pointee.opcode {
    case .object:
      let object = plan.objects[node.pointee.child]
      emitPlace(object.pointee.rootPlace, of: value, operations)
    case .array:
      sink.beginArray()
      var index = 0
      operations.forEachElement(value) { element in
        path.append(.index(index))
        if !emit(element, as: node.pointee.child) { sink.null() }
        path.removeLast()
        index += 1
      }
      sink.endArray()
    case .dictionary:
      sink.beginObject()
      operations.forEachMember(value) { key, member in
        emit(key: key)
        path.append(.key(key))
        if !emit(member, as: node.pointee.child) { sink.null() }
        path.removeLast()
      }
      sink.endObject()
    case .transform:
      do {
        try operations.reverseTransform(value) { source in
          if !emit(source, as: node.pointee.child) { sink.null() }
        }
      } catch is OneWayConversion {
        fail(
          .invalidDefinition, expected: "a mapping that goes both ways",
          found: "one that is one way")
      } catch {
        fail(.conversionFailed, expected: "a value that can be taken back", underlying: [error])
      }
    case .rewritten: emitRewritten(value, node)
    case .firstOf: emitFirst(value, node)
    case .dispatch: emitDispatch(value, plan.dispatches[Int(node.pointee.child)])
    default:
      emitScalar(value, node.pointee.opcode)
    }
  }

  // MARK: Places

  /// Sends what fields have at and below a place of an object.
  private func emitPlace(_ place: Int32, of object: UnsafeRawPointer, _ operations: ValueOperations)
  {
    let here = plan.places[place].pointee
    for offset in 0..<here.takerCount {
      let field = plan.takers[here.firstTaker + offset].pointee
      var isWritten = false
      withField(field, place, of: object, operations) { value in
        isWritten = emit(value, as: plan.fields[field].pointee.node)
      }
      if isWritten { return }
    }
    let isObject =
      here.elementCount == 0 || (here.keys != nil && hasMember(place, object, operations))
    if isObject {
      emitMembers(of: place, object, operations)
    } else {
      emitElements(of: place, object, operations)
    }
  }

  /// Whether a field that a path by key leads to is not nil.
  private func hasMember(
    _ place: Int32, _ object: UnsafeRawPointer, _ operations: ValueOperations
  ) -> Bool {
    var holds = false
    forEachChild(of: place) { child in
      if case .key? = plan.steps[Int(child)], holdsAnything(child, object, operations) {
        holds = true
      }
    }
    return holds
  }

  private func emitMembers(
    of place: Int32, _ object: UnsafeRawPointer, _ operations: ValueOperations
  ) {
    sink.beginObject()
    forEachChild(of: place) { child in
      guard case .key(let key)? = plan.steps[Int(child)], holdsAnything(child, object, operations)
      else { return }
      emit(key: key)
      path.append(.key(key))
      emitPlace(child, of: object, operations)
      path.removeLast()
    }
    sink.endObject()
  }

  private func emitElements(
    of place: Int32, _ object: UnsafeRawPointer, _ operations: ValueOperations
  ) {
    sink.beginArray()
    var next = 0
    forEachChild(of: place) { child in
      guard case .index(let index)? = plan.steps[Int(child)],
        holdsAnything(child, object, operations)
      else { return }
      while next < index {
        sink.null()
        next += 1
      }
      path.append(.index(index))
      emitPlace(child, of: object, operations)
      path.removeLast()
      next = index + 1
    }
    sink.endArray()
  }

  private func forEachChild(of place: Int32, _ body: (Int32) -> Void) {
    let end = place + plan.places[place].pointee.subtreePlaceCount
    var child = place + 1
    while child < end {
      body(child)
      child += plan.places[child].pointee.subtreePlaceCount
    }
  }

  /// Whether a field at or below a place is not nil.
  private func holdsAnything(
    _ place: Int32, _ object: UnsafeRawPointer, _ operations: ValueOperations
  ) -> Bool {
    let here = plan.places[place].pointee
    for offset in 0..<here.subtreeTakerCount {
      let field = plan.takers[here.firstTaker + offset].pointee
      let node = plan.fields[field].pointee.node
      if !plan.nodes[node].pointee.storesOptional { return true }
      var holds = false
      withField(field, place, of: object, operations) { holds = !isNil($0, as: node) }
      if holds { return true }
    }
    return false
  }

  private func withField(
    _ field: Int32, _ place: Int32, of object: UnsafeRawPointer, _ operations: ValueOperations,
    _ body: (UnsafeRawPointer) -> Void
  ) {
    let first = plan.objects[plan.places[place].pointee.object].pointee.firstField
    operations.withField(Int(field - first), of: object, body)
  }

  // MARK: Scalars

  private func emitScalar(_ value: UnsafeRawPointer, _ opcode: PlanNode.Opcode) {
    switch opcode {
    case .string: emit(string: value.assumingMemoryBound(to: String.self).pointee)
    case .bool: sink.bool(value.assumingMemoryBound(to: Bool.self).pointee)
    case .int: emit(integer: value, Int.self)
    case .int8: emit(integer: value, Int8.self)
    case .int16: emit(integer: value, Int16.self)
    case .int32: emit(integer: value, Int32.self)
    case .int64: emit(integer: value, Int64.self)
    case .uint: emit(integer: value, UInt.self)
    case .uint8: emit(integer: value, UInt8.self)
    case .uint16: emit(integer: value, UInt16.self)
    case .uint32: emit(integer: value, UInt32.self)
    case .uint64: emit(integer: value, UInt64.self)
    case .double:
      let number = value.assumingMemoryBound(to: Double.self).pointee
      emitNumber("a finite number") { NumberToText.write(number, into: $0) }
    case .float:
      let number = value.assumingMemoryBound(to: Float.self).pointee
      emitNumber("a finite number") { NumberToText.write(number, into: $0) }
    case .decimal:
      let number = value.assumingMemoryBound(to: Decimal.self).pointee
      emitNumber("a finite number") { NumberToText.write(number, into: $0) }
    case .url: emit(string: StringToURL.text(value.assumingMemoryBound(to: URL.self).pointee))
    case .uuid:
      let uuid = value.assumingMemoryBound(to: UUID.self).pointee
      emitText("a UUID", isString: true) { UUIDText.write(uuid, into: $0) }
    case .date:
      let date = value.assumingMemoryBound(to: Date.self).pointee
      emitText("a date in the years 0 to 9999", isString: true) { RFC3339.write(date, into: $0) }
    case .jsonValue: emit(json: value.assumingMemoryBound(to: JSONValue.self).pointee)
    case .rawJSON: emit(raw: value.assumingMemoryBound(to: RawJSON.self).pointee)
    case .number, .any, .array, .dictionary, .object, .transform, .rewritten, .firstOf, .dispatch:
      sink.null()
    }
  }

  private func emit<Value: FixedWidthInteger>(integer value: UnsafeRawPointer, _: Value.Type) {
    let number = value.assumingMemoryBound(to: Value.self).pointee
    emitNumber("a number") { NumberToText.write(number, into: $0) }
  }

  private func emitNumber(_ expected: String, _ write: (UnsafeMutablePointer<UInt8>) -> Int?) {
    emitText(expected, isString: false, write)
  }

  /// Texts of numbers, dates and UUIDs are written to a small buffer: none is longer than 200 bytes.
  private func emitText(
    _ expected: String, isString: Bool, _ write: (UnsafeMutablePointer<UInt8>) -> Int?
  ) {
    var isWritten = false
    digits.truncate(to: 0)
    digits.append(upTo: 200) { room in
      guard let count = write(room) else { return 0 }
      isWritten = true
      return count
    }
    guard isWritten else {
      fail(.invalidValue, expected: expected, found: "a value without JSON")
      return
    }
    if isString { sink.string(digits.bytes) } else { sink.number(digits.bytes) }
  }

  private func emit(string: String) {
    var string = string
    string.withUTF8 { sink.string($0) }
  }

  private func emit(key: String) {
    var key = key
    key.withUTF8 { sink.key($0) }
  }

  private func emit(json value: JSONValue) {
    if let text = value.firstInvalidNumber {
      fail(
        .invalidValue, expected: "a number by RFC 8259",
        found: "a text of \(text.utf8.count) bytes that is not one")
    } else {
      value.emit(to: sink)
    }
  }

  private func emit(raw value: RawJSON) {
    // Raw text came from a feed that was checked: yajl reads it into events again.
    let parser = YajlParser(sink: sink)
    let sinkAddresses = sink.addresses
    defer { sink.addresses = sinkAddresses }
    do throws(YajlParser.Refusal) {
      try value.bytes.withUnsafeBufferPointer { bytes throws(YajlParser.Refusal) in
        try parser.parse(bytes)
        try parser.endValue()
      }
    } catch {
      fail(.invalidValue, expected: "JSON text", found: error.message)
    }
  }

  func fail(
    _ code: ErrorCode, expected: String, found: String? = nil, underlying: [any Error] = []
  ) {
    sink.null()
    guard failure == nil else { return }
    failure = MappingError(
      code, path: JSONPath(path), expected: expected, found: found, underlying: underlying)
  }
}
