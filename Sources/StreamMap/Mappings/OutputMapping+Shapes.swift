// Values in another form than the one they come in, in the words of `Mapping`.

/// Where a value of a text with places comes from.
package enum TemplateSource: Sendable {
  case path(FieldSource)
  /// From outside the record, by its number and its name.
  case context(Int, String)
  case constant(JSONValue)
}

extension OutputMapping {
  /// The JSON in a string, mapped like any other: see ``Mapping/parsingJSON(_:limits:)``.
  ///
  /// ```swift
  /// let mapping: OutputMapping = .object([
  ///   OutputField("id", from: "body", .parsingJSON(.at("id", .int64)))
  /// ])
  /// // {"body":"{\"id\":7}"}  →  {"id":7}
  /// ```
  ///
  /// The limits of the mapper apply to the string.
  ///
  /// - Parameter mapping: Maps the JSON.
  /// - Returns: The mapping of the string.
  public static func parsingJSON(_ mapping: OutputMapping) -> OutputMapping {
    .shaped(.json, from: .string, into: mapping)
  }

  /// The parts of a text between occurrences of a separator, each mapped the same way.
  ///
  /// An empty text has no parts. An empty separator is a mistake of the mapping.
  public static func splitting(by separator: String, each element: OutputMapping = .string)
    -> OutputMapping
  {
    .splitting(.string, by: separator, into: .array(of: element))
  }

  /// An array of strings, numbers or booleans, as one text with a separator between them.
  ///
  /// ```swift
  /// OutputField("tags", from: "tags", OutputMapping.array(of: .string).joined(by: ","))
  /// // ["a","b"]  →  "a,b"
  /// ```
  public func joined(by separator: String) -> OutputMapping {
    .changed(self, by: ShapeTransform(.joined(separator)), expected: definition.expected)
  }

  /// One text with the values at several places: where one of them is absent or null that is not in an optional part, so is the
  /// text.
  package static func template(
    _ template: TextTemplate, of sources: [TemplateSource], duplicateKeys: DuplicateKeyPolicy,
    expected: String
  ) -> OutputMapping {
    let parts = sources.enumerated().map { number, source in
      let value: OutputMapping = template.isOptional(number) ? .nullable(.any) : .any
      return switch source {
      case .path(let path): OutputField("\(number)", from: path, value)
      case .context(let index, let name):
        OutputField("\(number)", contextValue: index, named: name, value)
      case .constant(let json): OutputField("\(number)", constant: json)
      }
    }
    return .changed(
      ofParts(parts, duplicateKeys), by: ShapeTransform(.template(template)), expected: expected)
  }

  /// The number of an array's elements, or of an object's members.
  ///
  /// The whole value is recorded for it, within ``Limits/capturedValue``.
  public static let count: OutputMapping = .count(duplicateKeys: .last)

  package static func count(duplicateKeys: DuplicateKeyPolicy) -> OutputMapping {
    .changed(
      .dispatch(byKind: [
        (.array, .raw), (.object, .dictionary(of: .raw).duplicateKeys(duplicateKeys)),
      ]), by: ShapeTransform(.count), expected: "an array or an object")
  }

  /// An object as a list of its members, mapped like any other array: see ``Mapping/entries(key:value:into:)``.
  ///
  /// The last member with a key counts.
  ///
  /// - Parameters:
  ///   - key: The name of the member's key in an entry.
  ///   - value: The name of the member's value in an entry.
  ///   - mapping: Maps the list.
  /// - Returns: The mapping of the object.
  public static func entries(key: String, value: String, into mapping: OutputMapping = .raw)
    -> OutputMapping
  {
    .entries(key: key, value: value, into: mapping, duplicateKeys: .last)
  }

  package static func entries(
    key: String, value: String, into mapping: OutputMapping, duplicateKeys: DuplicateKeyPolicy
  ) -> OutputMapping {
    if key == value { return .mistake("the key and the value of an entry need different names") }
    return .shaped(
      .entries(key: key, value: value),
      from: .dictionary(of: .raw).duplicateKeys(duplicateKeys), into: mapping)
  }

  /// A list of entries as an object, mapped like any other: see ``Mapping/fromEntries(key:value:into:)``.
  ///
  /// - Parameters:
  ///   - key: The name of the member's key in an entry.
  ///   - value: The name of the member's value in an entry; if it is absent, the value is null.
  ///   - mapping: Maps the object.
  /// - Returns: The mapping of the list.
  public static func fromEntries(
    key: String, value: String, into mapping: OutputMapping = .dictionary(of: .raw)
  ) -> OutputMapping {
    if key == value { return .mistake("the key and the value of an entry need different names") }
    return .shaped(
      .fromEntries(key: key, value: value), from: .array(of: .raw), into: mapping)
  }

  /// A value whose parts are wrapped in objects of one member, as what they hold, mapped like any other: see
  /// ``Mapping/unwrapping(_:into:)``.
  ///
  /// - Parameters:
  ///   - contents: What objects with these keys hold.
  ///   - mapping: Maps what is left.
  /// - Returns: The mapping of the value.
  public static func unwrapping(
    _ contents: KeyValuePairs<String, WrappedContent>, into mapping: OutputMapping = .raw
  ) -> OutputMapping {
    .unwrapping(Wrappers(contents.map { ($0.key, $0.value) }), into: mapping)
  }

  package static func unwrapping(
    _ contents: [(key: String, value: WrappedContent)], into mapping: OutputMapping
  ) -> OutputMapping {
    .unwrapping(Wrappers(contents), into: mapping)
  }

  private static func unwrapping(_ wrappers: Wrappers, into mapping: OutputMapping)
    -> OutputMapping
  {
    if let key = wrappers.repeated { return .mistake("'\(key)' wraps two kinds of values") }
    return .shaped(.unwrapped(wrappers), from: .raw, into: mapping)
  }

  private static func mistake(_ reason: String) -> OutputMapping {
    OutputMapping(Definition(.mistake(reason), expected: "nothing"))
  }

  // MARK: For mapping files

  /// Names one mapping that contains itself.
  package final class Knot: Sendable {
    package init() {}
  }

  /// The mapping with this name, where it contains itself.
  ///
  /// - Parameters:
  ///   - knot: Its name, for as long as `make` is kept.
  ///   - make: Makes it again, with the same name inside.
  /// - Returns: The mapping, which is found when it is compiled.
  package static func contained(
    _ knot: Knot, _ make: @escaping @Sendable () -> OutputMapping
  ) -> OutputMapping {
    let identity = Definition.Identity(object: ObjectIdentifier(knot), name: "record")
    return OutputMapping(
      Definition(.reference(identity, { _ in make().definition }), policy: nil, expected: "record"))
  }

  /// What steps make of an array, mapped by another mapping.
  ///
  /// The array is recorded as a whole, within ``Limits/capturedValue``.
  package static func list(_ steps: [ListStep], into mapping: OutputMapping) -> OutputMapping {
    if steps.isEmpty { return .mistake("a list has no steps") }
    if steps.dropLast().contains(where: { !$0.makesList }) {
      return .mistake("a step that makes one value of a list has to be the last one")
    }
    do throws(ListMistake) {
      var operations: [ListOperation] = []
      for step in steps { operations.append(try step.operation()) }
      let source = OutputMapping.array(of: .raw)
      return .piped(
        .changed(source, by: ListTransform(operations), expected: source.definition.expected),
        into: mapping)
    } catch {
      return .mistake(error.reason)
    }
  }

  /// An array of all that a path selects in an array or an object, mapped by another mapping.
  ///
  /// The array or object is recorded as a whole, within ``Limits/capturedValue``.
  package static func selecting(_ pattern: PathPattern, into mapping: OutputMapping)
    -> OutputMapping
  {
    let source = OutputMapping.dispatch(byKind: [(.array, .raw), (.object, .raw)])
    do throws(ListMistake) {
      return .piped(
        .changed(
          source, by: try SelectTransform(pattern), expected: "an array or an object"),
        into: mapping)
    } catch {
      return .mistake(error.reason)
    }
  }

  /// A value from outside the record, mapped by another mapping; it is read from any fact of the record.
  static func contextValue(_ number: Int, named name: String, into mapping: OutputMapping)
    -> OutputMapping
  {
    .piped(OutputMapping(.contextValue(number, named: name)), into: mapping)
  }

  /// The lists, or the objects, that are the members of an object, joined and mapped by another mapping.
  ///
  /// - Parameters:
  ///   - source: Makes the object.
  ///   - path: What elements that belong together have in common; without it they are joined by position, and members of objects by
  ///     their keys.
  ///   - mapping: Maps the list of objects, each with one value of each list, under its name.
  /// - Returns: The mapping of what the object is made of.
  package static func zip(
    _ source: OutputMapping, by path: FieldSource?, into mapping: OutputMapping
  ) -> OutputMapping {
    do throws(ListMistake) {
      let path: ElementPath? = if let path { try ListStep.path(path) } else { nil }
      return .piped(
        .changed(source, by: ZipTransform(by: path), expected: source.definition.expected),
        into: mapping)
    } catch {
      return .mistake(error.reason)
    }
  }

  /// A text that is changed and read.
  package static func text(
    _ source: OutputMapping, _ change: TextChange, _ reading: TextReading, expected: String
  ) -> OutputMapping {
    .changed(
      source, by: TextTransform(change, reading, expected: expected), expected: expected)
  }

  /// What ``text(_:_:_:expected:)`` makes of a string that is not part of a feed.
  package static func value(
    of string: String, _ change: TextChange, _ reading: TextReading, expected: String
  ) throws -> JSONValue {
    try TextTransform(change, reading, expected: expected).value(of: string)
  }

  /// A number that is changed, and has to be of a type then.
  package static func number(_ change: DecimalChange, as type: ScalarType) -> OutputMapping {
    .changed(.number, by: NumberTransform(change, as: type), expected: type.expected)
  }

  package static func splitting(
    _ text: OutputMapping, by separator: String, into mapping: OutputMapping
  ) -> OutputMapping {
    if separator.isEmpty { return .mistake("the text to split at is empty") }
    return .shaped(.split(separator), from: text, into: mapping)
  }

  package static func parsingJSON(_ text: OutputMapping, into mapping: OutputMapping)
    -> OutputMapping
  {
    .shaped(.json, from: text, into: mapping)
  }

  /// The query of a URL as an object of texts.
  package static func parsingQuery(_ text: OutputMapping, into mapping: OutputMapping)
    -> OutputMapping
  {
    .shaped(.query, from: text, into: mapping)
  }

  /// The groups of a pattern as the members of an object.
  package static func groups(
    _ groups: [String], of text: OutputMapping, name: String, expected: String,
    into mapping: OutputMapping,
    _ find: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> [Range<Int>?]?
  ) -> OutputMapping {
    let transform = GroupsTransform(groups, name: name, expected: expected, find)
    return .piped(.changed(text, by: transform, expected: expected), into: mapping)
  }

  private static func shaped(
    _ shape: Shape, from source: OutputMapping, into mapping: OutputMapping
  ) -> OutputMapping {
    let expected = source.definition.expected
    return .piped(
      .changed(source, by: ShapeTransform(shape), expected: expected), into: mapping)
  }

  private static func changed(
    _ source: OutputMapping, by transform: any OutputTransform, expected: String
  ) -> OutputMapping {
    OutputMapping(
      Definition(
        .transform(source.definition), policy: (source.definition.policy ?? Policy()).through,
        operations: OutputOperations(transform), expected: expected))
  }

  /// Two mappings, one after the other.
  private static func piped(_ first: OutputMapping, into second: OutputMapping) -> OutputMapping {
    let before = first.definition.policy ?? Policy()
    return OutputMapping(
      Definition(
        .rewritten(first.definition, then: second.definition), policy: before.through,
        expected: first.definition.expected))
  }
}
