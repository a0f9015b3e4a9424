/// The engine's operations on values of one type in raw memory.
///
/// The machine knows no Swift types: it moves through tables and addresses memory. One of these objects stands for
/// each mapping and does the typed part. Subclasses override what their kind of mapping needs; the rest does nothing.
///
/// A class with a method table, not closures or existentials: it can be called through an unmanaged reference without
/// retaining anything.
///
/// Invariant: all stored properties are constants, so many threads may use it.
class ValueOperations: @unchecked Sendable {
  /// The number of bytes that one value takes, also in an array (its stride).
  let size: Int
  let alignment: Int
  /// Whether an Optional of the type is stored.
  let isOptional: Bool

  init(size: Int, alignment: Int, isOptional: Bool) {
    self.size = size
    self.alignment = alignment
    self.isOptional = isOptional
  }

  // MARK: Any value

  /// Destroys the value at `slot`.
  func destroy(_ slot: UnsafeMutableRawPointer) {}
  /// Initialises `slot` with nil.
  ///
  /// Only where `isOptional`.
  func storeNil(_ slot: UnsafeMutableRawPointer) {}
  /// Calls `body` with the value (the one inside an Optional); false, without a call, if it is nil.
  func withValue(_ slot: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) -> Bool { false }
  /// The same operations for an Optional of the type.
  func optional() -> ValueOperations { self }
  /// Operations on values of the same type that are stored the same way, whatever the values are made from.
  var sameValue: ValueOperations { self }

  // MARK: Collections, built up in `scratch` and then moved to their slot

  func beginCollection(_ scratch: UnsafeMutableRawPointer, expecting count: Int) {}
  /// Moves elements into an array; they are stored side by side.
  func append(
    _ elements: UnsafeMutableRawPointer, count: Int, to scratch: UnsafeMutableRawPointer
  ) {}
  /// Whether the keys of a dictionary are Strings: two of them may be equal though their code points differ.
  var hasStringKeys: Bool { false }
  /// Takes the key of a dictionary's next member; throws if the dictionary cannot have a member under it.
  func take(key: UnsafeBufferPointer<UInt8>, into scratch: UnsafeMutableRawPointer) throws {}
  /// Moves a member into a dictionary; it replaces a member with the same key.
  ///
  /// - Returns: Whether something is to be reported: it replaced a member of another key, which the dictionary cannot tell from this
  ///   one, or the dictionary cannot have it. The latter is not if the key was taken before.
  func insert(
    _ element: UnsafeMutableRawPointer, key: UnsafeBufferPointer<UInt8>,
    into scratch: UnsafeMutableRawPointer
  ) -> Bool { false }
  /// Moves the collection to its slot, an array with these last elements; returns a dictionary's count, to guess the next one.
  func finishCollection(
    _ scratch: UnsafeMutableRawPointer, appending elements: UnsafeMutableRawPointer, count: Int,
    into slot: UnsafeMutableRawPointer
  ) -> Int { 0 }
  /// Destroys the scratch memory's values, and these elements.
  func abandonCollection(
    _ scratch: UnsafeMutableRawPointer, with elements: UnsafeMutableRawPointer, count: Int
  ) {}
  /// The memory that a half-built collection takes.
  var scratchSize: Int { 0 }
  /// Calls `body` with the address of the first element, and the count; the elements are `stride` bytes apart.
  func withElements(_ value: UnsafeRawPointer, _ body: (UnsafeRawPointer, Int) -> Void) {}
  /// Calls `body` with each member; throws, before the first one, if a key has no text.
  func forEachMember(_ value: UnsafeRawPointer, _ body: (String, UnsafeRawPointer) -> Void) throws {
  }

  // MARK: Objects

  /// Makes the object in `slot` from its fields at `slots + offsets[i]`, taking ownership of them.
  func construct(
    _ slots: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>,
    into slot: UnsafeMutableRawPointer
  ) {}
  /// How the fields of an object are read.
  var properties: [PropertyAccess] { [] }
  /// Whether an object is nothing but its fields, each where its property is: then it can be made by storing them there.
  var isMadeOfFields: Bool { false }

  /// The operations that make a patch of such an object instead of the object.
  ///
  /// - Parameters:
  ///   - makesWhole: Whether the patch makes an object if there is none to change.
  ///   - rules: The rules for a changed object; each returns its failure.
  /// - Returns: Nil for a value that is not an object made from fields.
  func patched(
    makesWhole: Bool, by rules: [@Sendable (UnsafeRawPointer) -> (any Error)?]
  ) -> ValueOperations? { nil }
  /// Makes a patch in `slot` from the fields whose state says that they are filled.
  ///
  /// The states of fields that it took are set to unset.
  func makePatch(
    _ slots: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>,
    states: UnsafeMutablePointer<UInt8>, at place: Patch.Origin, into slot: UnsafeMutableRawPointer
  ) {}

  // MARK: Transforms

  /// The function on the finished value, if the transform is one: it receives the JSON, and changes the value.
  var process: Patch.Process? { nil }
  /// The strings whose results are known without a call, if the transform is one of strings.
  var literals: [String] { [] }
  /// Stores the transform's result for a known text in `slot`.
  func storeLiteral(_ index: Int, in slot: UnsafeMutableRawPointer) {}
  /// Whether there is a reverse.
  var isReversible: Bool { true }
  /// Makes a value in `slot` from the value at `source`, taking ownership of that.
  func transform(_ source: UnsafeMutableRawPointer, into slot: UnsafeMutableRawPointer) throws {}
  /// Whether the transform looks at the issues of its source value, and may remove them.
  var seesIssues: Bool { false }
  /// Does the same with the issues of that value, for transforms that look at them.
  func transform(
    _ source: UnsafeMutableRawPointer, into slot: UnsafeMutableRawPointer,
    issues: inout ValueIssues
  ) throws {}
  /// Converts back: calls `body` with the value before the transform.
  func reverseTransform(_ value: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) throws {}
}

extension ValueOperations {
  /// Whether a value takes the memory of a property.
  func holds(_ property: PropertyAccess) -> Bool {
    let stride = (property.size + property.alignment - 1) / property.alignment * property.alignment
    return alignment == property.alignment && size == max(stride, 1)
  }
}

/// The operations on values of a known type, stored as they are or as an Optional.
class TypedOperations<Value>: ValueOperations, @unchecked Sendable {
  init(isOptional: Bool = false) {
    if isOptional {
      super.init(
        size: MemoryLayout<Value?>.stride, alignment: MemoryLayout<Value?>.alignment,
        isOptional: true)
    } else {
      super.init(
        size: MemoryLayout<Value>.stride, alignment: MemoryLayout<Value>.alignment,
        isOptional: false)
    }
  }

  final override var sameValue: ValueOperations { ScalarOperations<Value>(isOptional: isOptional) }

  final func store(_ value: consuming Value, in slot: UnsafeMutableRawPointer) {
    Slot.storeApart(value, in: slot, isOptional: isOptional)
  }

  final override func destroy(_ slot: UnsafeMutableRawPointer) {
    if isOptional {
      destroyOptional(slot)
    } else {
      slot.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }
  }

  final override func storeNil(_ slot: UnsafeMutableRawPointer) {
    if isOptional { slot.initializeMemory(as: Value?.self, to: nil) }
  }

  final override func withValue(_ slot: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void)
    -> Bool
  {
    if isOptional { return withOptional(slot, body) }
    body(slot)
    return true
  }

  // PERF: outlined, because the type `Value?` is looked up at the beginning of any function that names it.
  @inline(never)
  private func destroyOptional(_ slot: UnsafeMutableRawPointer) {
    slot.assumingMemoryBound(to: Value?.self).deinitialize(count: 1)
  }

  @inline(never)
  private func withOptional(_ slot: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) -> Bool {
    Slot.withPayload(slot.assumingMemoryBound(to: Value?.self).pointee, body)
  }
}

/// A slot: raw memory for one value.
@usableFromInline
enum Slot {
  /// Initialises a slot with a value, or with an Optional that holds it.
  @inlinable
  @inline(__always)
  static func store<Value>(
    _ value: consuming Value, in slot: UnsafeMutableRawPointer, isOptional: Bool
  ) {
    if isOptional {
      storeOptional(value, in: slot)
    } else {
      slot.initializeMemory(as: Value.self, to: value)
    }
  }

  // PERF: apart, because the type `Value?` is looked up at the beginning of any function that names it, where nothing is optimised.
  @inlinable
  @inline(__always)
  static func storeOptional<Value>(_ value: consuming Value, in slot: UnsafeMutableRawPointer) {
    slot.initializeMemory(as: Value?.self, to: value)
  }

  /// The same for code that is not made for one type: the type `Value?` is looked up only where it is needed.
  static func storeApart<Value>(
    _ value: consuming Value, in slot: UnsafeMutableRawPointer, isOptional: Bool
  ) {
    if isOptional {
      storeOptionalApart(value, in: slot)
    } else {
      slot.initializeMemory(as: Value.self, to: value)
    }
  }

  @inline(never)
  private static func storeOptionalApart<Value>(
    _ value: consuming Value, in slot: UnsafeMutableRawPointer
  ) { storeOptional(value, in: slot) }

  /// Passes the value at an address to `body` without a copy: see ``withPayload(_:_:)``.
  static func lend<Value: ~Copyable>(
    _ value: UnsafePointer<Value>, to body: (borrowing Value) throws -> Bool
  ) rethrows -> Bool {
    try body(value.pointee)
  }

  /// Calls `body` with the address of the value inside an Optional; false, without a call, if it is nil.
  ///
  /// PERF: a value whose type might not be copyable is not copied, but borrowed in place.
  static func withPayload<Value: ~Copyable>(
    _ optional: borrowing Value?, _ body: (UnsafeRawPointer) -> Void
  ) -> Bool {
    switch optional {
    case .some(let value):
      withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) }
      return true
    case .none:
      return false
    }
  }
}

/// Values that one token makes completely.
final class ScalarOperations<Value>: TypedOperations<Value>, @unchecked Sendable {
  override func optional() -> ValueOperations { ScalarOperations(isOptional: true) }
}
