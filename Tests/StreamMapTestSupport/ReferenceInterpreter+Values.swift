@testable import StreamMap

/// What the interpreter makes: a part of an output record, or a value of a Swift type.
enum Made {
  case text(String)
  case typed(TypedBox)

  /// The value that stands in; nil if none does.
  static func substitute(_ action: Policy.Action, _ definition: Definition) -> Made? {
    switch action {
    case .unsaid, .fail, .take, .leave: return nil
    case .useNil:
      guard let operations = definition.typedOperations else { return .text("null") }
      return .typed(TypedBox(operations) { operations.storeNil($0) })
    case .substitute(let substitute, _):
      guard let operations = definition.typedOperations else {
        return .text(substitute.json.written)
      }
      return .typed(TypedBox(operations) { substitute.store($0, operations.isOptional) })
    }
  }

  static func array(_ parts: [Made], _ definition: Definition) -> Made {
    guard let operations = definition.typedOperations else {
      return .text("[" + parts.compactMap(\.text).joined(separator: ",") + "]")
    }
    return .typed(.array(parts.compactMap(\.box), operations))
  }

  static func dictionary(_ parts: [(key: String, made: Made)], _ definition: Definition) -> Made {
    guard let operations = definition.typedOperations else {
      let members = parts.map { "\($0.key.quoted):\($0.made.text ?? "")" }
      return .text("{" + members.joined(separator: ",") + "}")
    }
    let members = parts.compactMap { part in part.made.box.map { (part.key, $0) } }
    return .typed(.dictionary(members, operations))
  }

  static func object(
    _ parts: [(name: String?, made: Made)], isTransparent: Bool, _ definition: Definition
  ) -> Made {
    guard let operations = definition.typedOperations else {
      let texts = parts.map { part in
        (part.name.map { "\($0.quoted):" } ?? "") + (part.made.text ?? "")
      }
      return .text(isTransparent ? texts.joined() : "{" + texts.joined(separator: ",") + "}")
    }
    return .typed(.object(parts.compactMap(\.made.box), operations))
  }

  static func json(_ json: NaiveJSON, _ form: Definition.JSONForm, _ definition: Definition) -> Made
  {
    guard let operations = definition.typedOperations else { return .text(json.written) }
    switch form {
    case .value: return .typed(TypedBox(holding: json.json, operations))
    case .raw:
      return .typed(TypedBox(holding: RawJSON(unchecked: Array(json.written.utf8)), operations))
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var box: TypedBox? { if case .typed(let box) = self { box } else { nil } }
}

/// A dictionary of a Swift type that takes its members one by one.
final class HalfBuiltDictionary {
  private let operations: ValueOperations
  private let scratch: UnsafeMutableRawPointer
  private var isFinished = false

  init(_ operations: ValueOperations) {
    self.operations = operations
    scratch = TypedBox.memory(operations.scratchSize)
    operations.beginCollection(scratch, expecting: 0)
  }

  deinit {
    if !isFinished { operations.abandonCollection(scratch, with: scratch, count: 0) }
    scratch.deallocate()
  }

  /// Throws if it cannot have a member under this key.
  func take(key: String) throws {
    try Array(key.utf8).withUnsafeBufferPointer { try operations.take(key: $0, into: scratch) }
  }

  func insert(_ value: TypedBox, under key: String) {
    _ = Array(key.utf8).withUnsafeBufferPointer {
      operations.insert(value.give(), key: $0, into: scratch)
    }
  }

  func finish() -> TypedBox {
    isFinished = true
    return TypedBox(operations) {
      _ = operations.finishCollection(scratch, appending: scratch, count: 0, into: $0)
    }
  }
}

/// A value of a Swift type in memory of its own.
final class TypedBox {
  let memory: UnsafeMutableRawPointer
  private let operations: ValueOperations
  private var isFull = false

  /// - Parameters:
  ///   - operations: Those of the value.
  ///   - fill: Makes the value.
  init(
    _ operations: ValueOperations, _ fill: (UnsafeMutableRawPointer) throws -> Void
  ) rethrows {
    self.operations = operations
    memory = Self.memory(operations.size)
    try fill(memory)
    isFull = true
  }

  convenience init<Value>(holding value: Value, _ operations: ValueOperations) {
    self.init(operations) { Slot.store(value, in: $0, isOptional: operations.isOptional) }
  }

  deinit {
    if isFull { operations.destroy(memory) }
    memory.deallocate()
  }

  fileprivate static func memory(_ size: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: max(size, 1), alignment: SlotArena.alignment)
  }

  /// Whether an Optional is in it.
  var isOptional: Bool { operations.isOptional }

  /// The value, which stays.
  func value<Value>(as _: Value.Type = Value.self) -> Value {
    memory.assumingMemoryBound(to: Value.self).pointee
  }

  /// The address of the value, which the caller takes.
  func give() -> UnsafeMutableRawPointer {
    isFull = false
    return memory
  }

  private func move(to slot: UnsafeMutableRawPointer) {
    slot.copyMemory(from: give(), byteCount: operations.size)
  }

  // MARK: Values made of others

  static func array(_ parts: [TypedBox], _ operations: ValueOperations) -> TypedBox {
    let stride = parts.first?.operations.size ?? 0
    let elements = memory(stride * parts.count)
    let scratch = memory(operations.scratchSize)
    defer {
      elements.deallocate()
      scratch.deallocate()
    }
    for (index, part) in parts.enumerated() { part.move(to: elements + index * stride) }
    operations.beginCollection(scratch, expecting: 0)
    return TypedBox(operations) {
      _ = operations.finishCollection(
        scratch, appending: elements, count: parts.count, into: $0)
    }
  }

  static func dictionary(_ parts: [(String, TypedBox)], _ operations: ValueOperations) -> TypedBox {
    let dictionary = HalfBuiltDictionary(operations)
    for (key, part) in parts { dictionary.insert(part, under: key) }
    return dictionary.finish()
  }

  static func object(_ parts: [TypedBox], _ operations: ValueOperations) -> TypedBox {
    var offsets: [Int] = []
    var size = 0
    for part in parts {
      offsets.append(size)
      // Each slot is aligned for any value.
      size += (part.operations.size + SlotArena.alignment - 1) & ~(SlotArena.alignment - 1)
    }
    let slots = memory(size)
    defer { slots.deallocate() }
    for (part, offset) in zip(parts, offsets) { part.move(to: slots + offset) }
    return TypedBox(operations) { operations.construct(slots, offsets: offsets, into: $0) }
  }
}

extension Definition {
  /// The operations on the mapping's typed values; nil if it makes a part of an output record.
  var typedOperations: ValueOperations? { isTyped ? operations : nil }
}

// MARK: JSON, written once more

extension String {
  /// The string as JSON, with the escapes that RFC 8259 requires.
  var quoted: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

extension NaiveJSON {
  /// The value as it was, without its white space.
  var written: String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): text
    case .string(let text): text.quoted
    case .array(let elements): "[" + elements.map(\.written).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\($0.key.quoted):\($0.value.written)" }.joined(separator: ",") + "}"
    }
  }

  /// A value that code has made; all of it stands where the value stood that it was made from.
  init(_ json: JSONValue, at position: SourcePosition) {
    let value: Value =
      switch json {
      case .null: .null
      case .bool(let value): .bool(value)
      case .number(let text): .number(text)
      case .string(let text): .string(text)
      case .array(let elements): .array(elements.map { NaiveJSON($0, at: position) })
      case .object(let members):
        .object(
          members.map {
            Member(
              key: $0.key, keyPosition: position, value: NaiveJSON($0.value, at: position))
          })
      }
    self.init(value, position)
  }
}

extension JSONValue {
  /// The value as JSON.
  var written: String {
    NaiveJSON(self, at: SourcePosition(bytes: 0..<0, line: 1, column: 1)).written
  }
}

extension ObjectDefinition.Field {
  /// The places where the value may be, in their order.
  var paths: [JSONPath] {
    guard case .path(let path) = source else { return [] }
    return [path] + fallbacks
  }
}
