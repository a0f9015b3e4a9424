/// Builds and walks `[Element]`.
///
/// The elements come in stages. The scratch memory has an array only if there is more than one stage.
/// In a stage they are made side by side, and then moved into the array together. So a short array is made in one step, in memory of
/// its size.
final class ArrayOperations<Element>: TypedOperations<[Element]>, @unchecked Sendable {
  private let access: ArrayAccess

  init(isOptional: Bool = false, access: ArrayAccess) {
    self.access = access
    super.init(isOptional: isOptional)
  }

  override func optional() -> ValueOperations { ArrayOperations(isOptional: true, access: access) }

  // Invariant: the scratch memory starts with a Bool; if it is true, an array follows in the next word.
  override var scratchSize: Int { Self.arrayOffset + MemoryLayout<[Element]>.stride }
  private static var arrayOffset: Int { MemoryLayout<Int>.stride }

  override func beginCollection(_ scratch: UnsafeMutableRawPointer, expecting count: Int) {
    scratch.storeBytes(of: false, as: Bool.self)
  }

  override func append(
    _ elements: UnsafeMutableRawPointer, count: Int, to scratch: UnsafeMutableRawPointer
  ) {
    if let array = array(in: scratch) { return access.append(elements, count, array) }
    access.begin(elements, count, scratch + Self.arrayOffset)
    scratch.storeBytes(of: true, as: Bool.self)
  }

  override func finishCollection(
    _ scratch: UnsafeMutableRawPointer, appending elements: UnsafeMutableRawPointer, count: Int,
    into slot: UnsafeMutableRawPointer
  ) -> Int {
    access.finish(elements, count, array(in: scratch), slot, isOptional)
    return count
  }

  override func abandonCollection(
    _ scratch: UnsafeMutableRawPointer, with elements: UnsafeMutableRawPointer, count: Int
  ) {
    elements.assumingMemoryBound(to: Element.self).deinitialize(count: count)
    array(in: scratch)?.assumingMemoryBound(to: [Element].self).deinitialize(count: 1)
  }

  private func array(in scratch: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    scratch.load(as: Bool.self) ? scratch + Self.arrayOffset : nil
  }

  override func withElements(_ value: UnsafeRawPointer, _ body: (UnsafeRawPointer, Int) -> Void) {
    access.withElements(value, body)
  }
}

/// The operations on an array in raw memory.
///
/// PERF: closures that are made in inlinable code, so that they know the element type of the program; generic code
/// would look up the array type's description at each call.
@usableFromInline
struct ArrayAccess: Sendable {
  /// Makes an array of its first elements, taking ownership, with room for more.
  let begin: Append
  /// Appends more elements, taking ownership.
  let append: Append
  @usableFromInline
  typealias Append =
    @Sendable (
      _ elements: UnsafeMutableRawPointer, _ count: Int, _ array: UnsafeMutableRawPointer
    ) -> Void
  /// Moves an array to its slot with the last elements, taking ownership; without an array (nil), these are all elements.
  let finish: Finish
  @usableFromInline
  typealias Finish =
    @Sendable (
      _ elements: UnsafeMutableRawPointer, _ count: Int, _ array: UnsafeMutableRawPointer?,
      _ slot: UnsafeMutableRawPointer, _ isOptional: Bool
    ) -> Void
  let withElements:
    @Sendable (_ value: UnsafeRawPointer, _ body: (UnsafeRawPointer, Int) -> Void) -> Void

  @usableFromInline
  init(
    begin: @escaping Append, append: @escaping Append, finish: @escaping Finish,
    withElements: @escaping @Sendable (UnsafeRawPointer, (UnsafeRawPointer, Int) -> Void) -> Void
  ) {
    self.begin = begin
    self.append = append
    self.finish = finish
    self.withElements = withElements
  }

  @inlinable
  static func of<Element>(_: Element.Type) -> ArrayAccess {
    ArrayAccess(
      begin: { elements, count, array in
        array.initializeMemory(
          as: [Element].self,
          to: reserved(elements.assumingMemoryBound(to: Element.self), count, capacity: count * 4))
      },
      append: { elements, count, array in
        append(
          elements.assumingMemoryBound(to: Element.self), count,
          to: &array.assumingMemoryBound(to: [Element].self).pointee)
      },
      finish: { elements, count, array, slot, isOptional in
        let elements = elements.assumingMemoryBound(to: Element.self)
        guard let array = array?.assumingMemoryBound(to: [Element].self) else {
          return Slot.store(exact(elements, count), in: slot, isOptional: isOptional)
        }
        append(elements, count, to: &array.pointee)
        Slot.store(array.move(), in: slot, isOptional: isOptional)
      },
      withElements: { value, body in
        value.assumingMemoryBound(to: [Element].self).pointee.withUnsafeBufferPointer { elements in
          guard let start = elements.baseAddress else { return }
          body(UnsafeRawPointer(start), elements.count)
        }
      })
  }

  /// Makes an array in memory of exactly its size.
  @inlinable
  @inline(__always)
  static func exact<Element>(_ elements: UnsafeMutablePointer<Element>, _ count: Int) -> [Element] {
    // PERF: literals for the shortest arrays, which are the most common: a hundred instructions less, because the size
    // is known.
    switch count {
    case 0: []
    case 1: [elements.move()]
    case 2: [elements.move(), (elements + 1).move()]
    case 3: [elements.move(), (elements + 1).move(), (elements + 2).move()]
    case 4:
      [elements.move(), (elements + 1).move(), (elements + 2).move(), (elements + 3).move()]
    default: reserved(elements, count, capacity: count)
    }
  }

  /// Makes an array with room for more elements.
  @inlinable
  @inline(__always)
  static func reserved<Element>(
    _ elements: UnsafeMutablePointer<Element>, _ count: Int, capacity: Int
  ) -> [Element] {
    // PERF: not `Array(unsafeUninitializedCapacity:)`, which looks up the array type's description.
    var array: [Element] = []
    array.reserveCapacity(capacity)
    append(elements, count, to: &array)
    return array
  }

  @inlinable
  @inline(__always)
  static func append<Element>(
    _ elements: UnsafeMutablePointer<Element>, _ count: Int, to array: inout [Element]
  ) {
    array.append(addingCapacity: count) { span in
      for index in 0..<count { span.append((elements + index).move()) }
    }
  }
}

/// Builds and walks `[String: Value]`.
final class DictionaryOperations<Value>: TypedOperations<[String: Value]>, @unchecked Sendable {
  private let access: DictionaryAccess

  init(isOptional: Bool = false, access: DictionaryAccess) {
    self.access = access
    super.init(isOptional: isOptional)
  }

  override func optional() -> ValueOperations {
    DictionaryOperations(isOptional: true, access: access)
  }

  override var scratchSize: Int { MemoryLayout<[String: Value]>.stride }

  override var hasStringKeys: Bool { true }

  override func beginCollection(_ scratch: UnsafeMutableRawPointer, expecting count: Int) {
    access.begin(count, scratch)
  }

  override func insert(
    _ element: UnsafeMutableRawPointer, key: UnsafeBufferPointer<UInt8>,
    into scratch: UnsafeMutableRawPointer
  ) -> Bool {
    access.insert(element, String(decoding: key, as: UTF8.self), scratch)
  }

  override func finishCollection(
    _ scratch: UnsafeMutableRawPointer, appending elements: UnsafeMutableRawPointer, count: Int,
    into slot: UnsafeMutableRawPointer
  ) -> Int {
    let dictionary = scratch.assumingMemoryBound(to: [String: Value].self).move()
    let count = dictionary.count
    store(dictionary, in: slot)
    return count
  }

  override func abandonCollection(
    _ scratch: UnsafeMutableRawPointer, with elements: UnsafeMutableRawPointer, count: Int
  ) {
    scratch.assumingMemoryBound(to: [String: Value].self).deinitialize(count: 1)
  }

  /// Visits the members in the order of their keys' Unicode scalars, so that the same value always gives the same text.
  override func forEachMember(_ value: UnsafeRawPointer, _ body: (String, UnsafeRawPointer) -> Void)
  {
    let dictionary = value.assumingMemoryBound(to: [String: Value].self).pointee
    for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
      withUnsafePointer(to: value) { body(key, UnsafeRawPointer($0)) }
    }
  }
}

/// The operations on a dictionary in raw memory.
///
/// PERF: closures that know the value type of the program, as in ``ArrayAccess``: generic code hashes and moves through
/// tables of functions.
@usableFromInline
struct DictionaryAccess: Sendable {
  /// Makes an empty dictionary with room for a number of members.
  let begin: @Sendable (_ count: Int, _ dictionary: UnsafeMutableRawPointer) -> Void
  /// Moves a value under a key; it replaces the one that is there, and the key with it.
  let insert: Insert
  @usableFromInline
  typealias Insert =
    @Sendable (
      _ value: UnsafeMutableRawPointer, _ key: String, _ dictionary: UnsafeMutableRawPointer
    ) -> Bool

  @usableFromInline
  init(
    begin: @escaping @Sendable (Int, UnsafeMutableRawPointer) -> Void, insert: @escaping Insert
  ) {
    self.begin = begin
    self.insert = insert
  }

  @inlinable
  static func of<Value>(_: Value.Type) -> DictionaryAccess {
    DictionaryAccess(
      begin: { count, dictionary in
        dictionary.initializeMemory(
          as: [String: Value].self, to: Dictionary(minimumCapacity: count))
      },
      insert: { value, key, dictionary in
        let dictionary = dictionary.assumingMemoryBound(to: [String: Value].self)
        let value = value.assumingMemoryBound(to: Value.self).move()
        guard dictionary.pointee.updateValue(value, forKey: key) != nil else { return false }
        return respell(key, in: &dictionary.pointee)
      })
  }

  /// Gives a member the key that it was found by.
  ///
  /// - Returns: False if it has this key; true if its own was only canonically equal.
  @inlinable
  static func respell<Value>(_ key: String, in dictionary: inout [String: Value]) -> Bool {
    guard let index = dictionary.index(forKey: key),
      !dictionary[index].key.utf8.elementsEqual(key.utf8)
    else { return false }
    dictionary[key] = dictionary.remove(at: index).value
    return true
  }
}

/// A value that code of the mapping's author makes from another one, and converts back.
final class TransformOperations<Source, Value>: TypedOperations<Value>, @unchecked Sendable {
  private let forward: @Sendable (Source) throws -> Value
  /// Nil if there is no reverse.
  private let reverse: (@Sendable (Value) throws -> Source)?
  private let known: [(text: String, value: Value)]
  // PERF: a separate array of the values, because elements of an array of tuples are copied whole. Invariant: it has as
  // many values as `known`; they live as long as this object.
  private let knownValues: UnsafeMutablePointer<Value>

  /// A transform and its reverse; `known` holds the results of `forward` for some texts, if the source is a string.
  init(
    isOptional: Bool = false, forward: @escaping @Sendable (Source) throws -> Value,
    reverse: (@Sendable (Value) throws -> Source)?, known: [(text: String, value: Value)] = []
  ) {
    self.forward = forward
    self.reverse = reverse
    self.known = known
    knownValues = .allocate(capacity: max(known.count, 1))
    for (number, entry) in known.enumerated() {
      (knownValues + number).initialize(to: entry.value)
    }
    super.init(isOptional: isOptional)
  }

  override func optional() -> ValueOperations {
    TransformOperations(
      isOptional: true, forward: forward, reverse: reverse, known: known)
  }

  deinit {
    knownValues.deinitialize(count: known.count)
    knownValues.deallocate()
  }

  override var literals: [String] { known.map(\.text) }

  override func storeLiteral(_ index: Int, in slot: UnsafeMutableRawPointer) {
    if isOptional { return storeOptional(knownValues[index], in: slot) }
    slot.initializeMemory(as: Value.self, from: knownValues + index, count: 1)
  }

  // PERF: outlined, because the type `Value?` is looked up at the beginning of any function that names it.
  @inline(never)
  private func storeOptional(_ value: Value, in slot: UnsafeMutableRawPointer) {
    slot.initializeMemory(as: Value?.self, to: value)
  }

  override var isReversible: Bool { reverse != nil }

  override func transform(_ source: UnsafeMutableRawPointer, into slot: UnsafeMutableRawPointer)
    throws
  {
    store(try forward(source.assumingMemoryBound(to: Source.self).move()), in: slot)
  }

  override func reverseTransform(_ value: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void)
    throws
  {
    guard let reverse else { throw OneWayConversion() }
    let source = try reverse(value.assumingMemoryBound(to: Value.self).pointee)
    withUnsafePointer(to: source) { body(UnsafeRawPointer($0)) }
  }
}

/// A value cannot be converted back: its mapping is one-way.
struct OneWayConversion: Error {}
