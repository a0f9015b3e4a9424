/// Builds and walks `[Key: Value]`, whose keys code of the mapping's author makes of the members' texts.
final class KeyedDictionaryOperations<Key: Hashable, Value>: TypedOperations<[Key: Value]>,
  @unchecked Sendable
{
  private let forward: @Sendable (String) throws -> Key
  /// Nil if there is no reverse.
  private let reverse: (@Sendable (Key) throws -> String)?

  init(
    isOptional: Bool = false, forward: @escaping @Sendable (String) throws -> Key,
    reverse: (@Sendable (Key) throws -> String)?
  ) {
    self.forward = forward
    self.reverse = reverse
    super.init(isOptional: isOptional)
  }

  override func optional() -> ValueOperations {
    KeyedDictionaryOperations(isOptional: true, forward: forward, reverse: reverse)
  }

  /// A half-built dictionary.
  private final class Members {
    /// Each value with the text of its key: only a member with the same text may replace it.
    var values: [Key: (text: String, value: Value)]
    /// The key that was taken and has no value yet.
    var taken: Key?

    init(expecting count: Int) { values = Dictionary(minimumCapacity: count) }
  }

  // Invariant: the scratch memory holds a reference to `Members` from the beginning of a collection to its end.
  override var scratchSize: Int { MemoryLayout<Members>.stride }

  private func members(in scratch: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Members> {
    scratch.assumingMemoryBound(to: Members.self)
  }

  override func beginCollection(_ scratch: UnsafeMutableRawPointer, expecting count: Int) {
    scratch.initializeMemory(as: Members.self, to: Members(expecting: count))
  }

  override func take(key: UnsafeBufferPointer<UInt8>, into scratch: UnsafeMutableRawPointer) throws
  {
    let members = members(in: scratch).pointee
    members.taken = nil
    members.taken = try self.key(String(decoding: key, as: UTF8.self), among: members)
  }

  override func insert(
    _ element: UnsafeMutableRawPointer, key: UnsafeBufferPointer<UInt8>,
    into scratch: UnsafeMutableRawPointer
  ) -> Bool {
    let members = members(in: scratch).pointee
    let value = element.assumingMemoryBound(to: Value.self).move()
    let text = String(decoding: key, as: UTF8.self)
    guard let key = members.taken ?? (try? self.key(text, among: members)) else { return true }
    members.taken = nil
    members.values[key] = (text, value)
    return false
  }

  private func key(_ text: String, among members: Members) throws -> Key {
    let key = try forward(text)
    if let earlier = members.values[key], earlier.text != text {
      throw ConversionFailure(
        expected: "a key for another value than those of the keys before", code: .duplicateKey)
    }
    return key
  }

  override func finishCollection(
    _ scratch: UnsafeMutableRawPointer, appending elements: UnsafeMutableRawPointer, count: Int,
    into slot: UnsafeMutableRawPointer
  ) -> Int {
    let values = members(in: scratch).move().values
    store(values.mapValues { $0.value }, in: slot)
    return values.count
  }

  override func abandonCollection(
    _ scratch: UnsafeMutableRawPointer, with elements: UnsafeMutableRawPointer, count: Int
  ) {
    members(in: scratch).deinitialize(count: 1)
  }

  /// Visits the members in the order of their texts' Unicode scalars, so that the same value always gives the same text.
  override func forEachMember(_ value: UnsafeRawPointer, _ body: (String, UnsafeRawPointer) -> Void)
    throws
  {
    guard let reverse else { throw OneWayConversion() }
    let dictionary = value.assumingMemoryBound(to: [Key: Value].self).pointee
    let members = try dictionary.map { (text: try reverse($0.key), value: $0.value) }
      .sorted { $0.text < $1.text }
    for (earlier, later) in zip(members, members.dropFirst()) where earlier.text == later.text {
      throw ConversionFailure(
        expected: "keys with different texts; two have the text \(JSONPath.quoted(later.text))",
        code: .duplicateKey)
    }
    for member in members {
      withUnsafePointer(to: member.value) { body(member.text, UnsafeRawPointer($0)) }
    }
  }
}
