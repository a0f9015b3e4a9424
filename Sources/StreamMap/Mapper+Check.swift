extension Mapper {
  /// Checks that what is encoded of a value is decoded into the same properties.
  ///
  /// The compiler cannot tell fields of one type apart: if `make` is given two of them in another order than the initialiser takes
  /// them, their values are swapped, and nothing fails. So check each mapping once, in a test, with a value whose properties
  /// all differ:
  ///
  /// ```swift
  /// try mapper.check(Person(first: "Ann", last: "Lee"))
  /// ```
  ///
  /// The value is encoded, that text decoded, and what comes of it encoded again. It need not be `Equatable`. The elements of a
  /// set must not be more than one, because they have no order.
  ///
  /// - Parameter value: A value whose properties all differ from the others of their type.
  /// - Throws: ``MappingError``: that of encoding or decoding; or ``ErrorCode/invalidDefinition`` at the first path if the two
  ///   texts differ.
  /// - Complexity: Linear in the value's text.
  public func check(_ value: Value) throws(MappingError) {
    var options = EncodingOptions()
    options.sortsKeys = true
    let first = try encode(value, options: options)
    let second = try encode(try decode(first).get(), options: options)
    if first == second { return }
    guard let path = Self.difference(try Self.tree(first), try Self.tree(second)) else { return }
    throw MappingError(
      .invalidDefinition, path: path,
      expected: "the value that was encoded; is the order of the fields that of the initialiser?",
      found: "another one after decoding")
  }

  private static func tree(_ text: [UInt8]) throws(MappingError) -> JSONValue {
    let mapper: Mapper<JSONValue>
    do throws(DefinitionError) {
      mapper = try Mapper<JSONValue>(.json)
    } catch {
      throw MappingError(.invalidDefinition, underlying: [error])
    }
    return try mapper.decode(text).get()
  }

  /// The first path, in the order of the first value, at which two values differ.
  private static func difference(_ first: JSONValue, _ second: JSONValue) -> JSONPath? {
    var left = [(path: JSONPath(), first: first, second: second)]
    while let (path, first, second) = left.popLast() {
      if first == second { continue }
      switch (first, second) {
      case (.object(let members), .object(let others))
      where members.map { ExactText($0.key) } == others.map { ExactText($0.key) }:
        left += zip(members, others).reversed().map {
          (path.appending(.key($0.key)), $0.value, $1.value)
        }
      case (.array(let elements), .array(let others)) where others.count == elements.count:
        left += zip(elements, others).enumerated().reversed().map {
          (path.appending(.index($0)), $1.0, $1.1)
        }
      default: return path
      }
    }
    return nil
  }
}
