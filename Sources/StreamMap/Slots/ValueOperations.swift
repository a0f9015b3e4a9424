/// What the engine does with values of one type that lie in raw memory.
///
/// The machine knows no Swift types: it moves through tables and addresses memory. One of these objects stands for
/// each mapping and does the typed part. Subclasses override what their kind of mapping needs; the rest does nothing.
///
/// A class with a method table, not closures or existentials: it can be called through an unmanaged reference without
/// retaining anything.
///
/// Invariant: all stored properties are constants, so that it may be used from many threads.
class ValueOperations: @unchecked Sendable {
  /// The memory one value takes, in bytes; the same for a value in an array (its stride).
  let size: Int
  let alignment: Int
  /// Whether what is stored is an Optional of the type.
  let isOptional: Bool

  init(size: Int, alignment: Int, isOptional: Bool) {
    self.size = size
    self.alignment = alignment
    self.isOptional = isOptional
  }

  // MARK: Any value

  /// Ends the life of a value at `slot`.
  func destroy(_ slot: UnsafeMutableRawPointer) {}
  /// Initialises `slot` with nil.
  ///
  /// Only where `isOptional`.
  func storeNil(_ slot: UnsafeMutableRawPointer) {}
  /// Calls `body` with the value (that inside the Optional); false, without a call, where it is nil.
  func withValue(_ slot: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) -> Bool { false }
  /// The same mapping storing an Optional.
  func optional() -> ValueOperations { self }
  /// Operations on values of the same type, stored the same way, whatever they are made from.
  var sameValue: ValueOperations { self }

  // MARK: Collections, built up in `scratch` and then moved to their slot

  func beginCollection(_ scratch: UnsafeMutableRawPointer, expecting count: Int) {}
  /// Moves elements of an array in, which lie side by side.
  func append(
    _ elements: UnsafeMutableRawPointer, count: Int, to scratch: UnsafeMutableRawPointer
  ) {}
  /// Moves a member in; a member with the same key is replaced.
  func insert(
    _ element: UnsafeMutableRawPointer, key: UnsafeBufferPointer<UInt8>,
    into scratch: UnsafeMutableRawPointer
  ) {}
  /// Moves the collection from scratch to its slot, an array with these last elements; its count, to guess the next one's.
  func finishCollection(
    _ scratch: UnsafeMutableRawPointer, appending elements: UnsafeMutableRawPointer, count: Int,
    into slot: UnsafeMutableRawPointer
  ) -> Int { 0 }
  /// Ends the life of what is there, and of these elements.
  func abandonCollection(
    _ scratch: UnsafeMutableRawPointer, with elements: UnsafeMutableRawPointer, count: Int
  ) {}
  /// The memory a half-built collection takes.
  var scratchSize: Int { 0 }
  /// Calls `body` with the elements, which lie `stride` apart from the address given, and their count.
  func withElements(_ value: UnsafeRawPointer, _ body: (UnsafeRawPointer, Int) -> Void) {}
  func forEachMember(_ value: UnsafeRawPointer, _ body: (String, UnsafeRawPointer) -> Void) {}

  // MARK: Objects

  /// Makes the object from its fields at `slots + offsets[i]`, which it takes, in `slot`.
  func construct(
    _ slots: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>,
    into slot: UnsafeMutableRawPointer
  ) {}
  /// How the fields of an object are read.
  var properties: [PropertyAccess] { [] }

  /// The operations that make a patch of such an object instead of the object.
  ///
  /// - Parameters:
  ///   - makesWhole: Whether the patch makes an object where there is none to change.
  ///   - rules: What an object that was changed is held against: how it breaks one.
  /// - Returns: Nil of what is no object made from fields.
  func patched(
    makesWhole: Bool, by rules: [@Sendable (UnsafeRawPointer) -> (any Error)?]
  ) -> ValueOperations? { nil }
  /// Makes a patch from the fields whose state says that they are filled, in `slot`.
  ///
  /// Where it took the fields, it sets their states to unset.
  func makePatch(
    _ slots: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>,
    states: UnsafeMutablePointer<UInt8>, at place: Patch.Place, into slot: UnsafeMutableRawPointer
  ) {}

  // MARK: Transforms

  /// Where the transform is a function on the finished value: that function, of its JSON and the value, which it changes.
  var process: Patch.Process? { nil }
  /// The strings whose values are known without a call, where the transform is one of strings.
  var knownTexts: [String] { [] }
  /// Makes what the transform makes of a known text in `slot`.
  func storeKnown(_ index: Int, in slot: UnsafeMutableRawPointer) {}
  /// Whether there is a way back.
  var isReversible: Bool { true }
  /// Makes a value in `slot` from another one at `source`, which it takes.
  func transform(_ source: UnsafeMutableRawPointer, into slot: UnsafeMutableRawPointer) throws {}
  /// Whether the transform looks at the issues of the value it is given, and may take them back.
  var seesIssues: Bool { false }
  /// The same with the issues of that value: of those that look at them.
  func transform(
    _ source: UnsafeMutableRawPointer, into slot: UnsafeMutableRawPointer,
    issues: inout ValueIssues
  ) throws {}
  /// The way back: calls `body` with what was there before the transform.
  func reverseTransform(_ value: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) throws {}
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
    Slot.store(value, in: slot, isOptional: isOptional)
  }

  final override func destroy(_ slot: UnsafeMutableRawPointer) {
    if isOptional {
      slot.assumingMemoryBound(to: Value?.self).deinitialize(count: 1)
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
    guard isOptional else {
      body(slot)
      return true
    }
    return Slot.withPayload(slot.assumingMemoryBound(to: Value?.self).pointee, body)
  }
}

/// A slot: raw memory that is to hold one value.
@usableFromInline
enum Slot {
  /// Initialises a slot with a value, or with an Optional that holds it.
  @inlinable
  @inline(__always)
  static func store<Value>(
    _ value: consuming Value, in slot: UnsafeMutableRawPointer, isOptional: Bool
  ) {
    if isOptional {
      slot.initializeMemory(as: Value?.self, to: value)
    } else {
      slot.initializeMemory(as: Value.self, to: value)
    }
  }

  /// Asks `body` about the value at an address, without a copy: see ``withPayload(_:_:)``.
  static func lend<Value: ~Copyable>(
    _ value: UnsafePointer<Value>, to body: (borrowing Value) throws -> Bool
  ) rethrows -> Bool {
    try body(value.pointee)
  }

  /// Calls `body` with the address of the value inside an Optional; false, without a call, where it is nil.
  ///
  /// PERF: a value whose type might be one that cannot be copied is not copied, but lent where it is.
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

/// Values that are made whole from one token.
final class ScalarOperations<Value>: TypedOperations<Value>, @unchecked Sendable {
  override func optional() -> ValueOperations { ScalarOperations(isOptional: true) }
}
