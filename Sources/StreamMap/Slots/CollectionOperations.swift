/// Builds and walks `[Element]`.
final class ArrayOperations<Element>: TypedOperations<[Element]>, @unchecked Sendable {
  override func optional() -> ValueOperations { ArrayOperations(isOptional: true) }

  override var scratchSize: Int { MemoryLayout<[Element]>.stride }

  override func beginCollection(_ scratch: UnsafeMutableRawPointer, expecting count: Int) {
    var array: [Element] = []
    array.reserveCapacity(count)
    scratch.initializeMemory(as: [Element].self, to: array)
  }

  override func append(_ element: UnsafeMutableRawPointer, to scratch: UnsafeMutableRawPointer) {
    scratch.assumingMemoryBound(to: [Element].self).pointee.append(
      element.assumingMemoryBound(to: Element.self).move())
  }

  override func finishCollection(
    _ scratch: UnsafeMutableRawPointer, into slot: UnsafeMutableRawPointer
  ) -> Int {
    let array = scratch.assumingMemoryBound(to: [Element].self).move()
    let count = array.count
    store(array, in: slot)
    return count
  }

  override func abandonCollection(_ scratch: UnsafeMutableRawPointer) {
    scratch.assumingMemoryBound(to: [Element].self).deinitialize(count: 1)
  }

  override func forEachElement(_ value: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) {
    value.assumingMemoryBound(to: [Element].self).pointee.withUnsafeBufferPointer { elements in
      for index in elements.indices {
        guard let base = elements.baseAddress else { return }
        body(UnsafeRawPointer(base + index))
      }
    }
  }
}

/// Builds and walks `[String: Value]`.
final class DictionaryOperations<Value>: TypedOperations<[String: Value]>, @unchecked Sendable {
  override func optional() -> ValueOperations { DictionaryOperations(isOptional: true) }

  override var scratchSize: Int { MemoryLayout<[String: Value]>.stride }

  override func beginCollection(_ scratch: UnsafeMutableRawPointer, expecting count: Int) {
    scratch.initializeMemory(as: [String: Value].self, to: Dictionary(minimumCapacity: count))
  }

  override func insert(
    _ element: UnsafeMutableRawPointer, key: UnsafeBufferPointer<UInt8>,
    into scratch: UnsafeMutableRawPointer
  ) {
    let value = element.assumingMemoryBound(to: Value.self).move()
    scratch.assumingMemoryBound(to: [String: Value].self).pointee.updateValue(
      value, forKey: String(decoding: key, as: UTF8.self))
  }

  override func finishCollection(
    _ scratch: UnsafeMutableRawPointer, into slot: UnsafeMutableRawPointer
  ) -> Int {
    let dictionary = scratch.assumingMemoryBound(to: [String: Value].self).move()
    let count = dictionary.count
    store(dictionary, in: slot)
    return count
  }

  override func abandonCollection(_ scratch: UnsafeMutableRawPointer) {
    scratch.assumingMemoryBound(to: [String: Value].self).deinitialize(count: 1)
  }

  /// In the order of the keys' Unicode scalars, so that the same value is always the same text.
  override func forEachMember(_ value: UnsafeRawPointer, _ body: (String, UnsafeRawPointer) -> Void)
  {
    let dictionary = value.assumingMemoryBound(to: [String: Value].self).pointee
    for (key, value) in dictionary.sorted(by: {
      $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars)
    }) {
      withUnsafePointer(to: value) { body(key, UnsafeRawPointer($0)) }
    }
  }
}

/// A value made from another one by code of the mapping's author, and taken back by it.
final class TransformOperations<Source, Value>: TypedOperations<Value>, @unchecked Sendable {
  private let forward: @Sendable (Source) throws -> Value
  private let reverse: @Sendable (Value) throws -> Source

  init(
    isOptional: Bool = false, forward: @escaping @Sendable (Source) throws -> Value,
    reverse: @escaping @Sendable (Value) throws -> Source
  ) {
    self.forward = forward
    self.reverse = reverse
    super.init(isOptional: isOptional)
  }

  override func optional() -> ValueOperations {
    TransformOperations(isOptional: true, forward: forward, reverse: reverse)
  }

  override func transform(_ source: UnsafeMutableRawPointer, into slot: UnsafeMutableRawPointer)
    throws
  {
    store(try forward(source.assumingMemoryBound(to: Source.self).move()), in: slot)
  }

  override func reverseTransform(_ value: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void)
    throws
  {
    let source = try reverse(value.assumingMemoryBound(to: Value.self).pointee)
    withUnsafePointer(to: source) { body(UnsafeRawPointer($0)) }
  }
}
