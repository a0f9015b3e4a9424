#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The caller's code before and after a mapping.

extension Mapping {
  /// A mapping after a function that first rewrites the JSON.
  ///
  /// ```swift
  /// let people: Mapping<[Person]> = .preTransformed(.array(of: person)) { value in
  ///   if case .array = value { value } else { [value] }   // one person, or several
  /// }
  /// ```
  ///
  /// The whole value becomes a ``JSONValue``, within ``Limits/capturedValue``; no other part of the engine needs that. Errors
  /// of the mapping have paths in the rewritten JSON, and the address of the value in the feed.
  ///
  /// - Parameters:
  ///   - mapping: Maps the rewritten JSON.
  ///   - transform: Rewrites the JSON; an error that it throws becomes `conversionFailed`.
  ///   - reverse: Rewrites the JSON that encoding writes; by default nothing is changed.
  /// - Returns: The mapping.
  public static func preTransformed(
    _ mapping: Mapping, _ transform: @escaping @Sendable (JSONValue) throws -> JSONValue,
    reverse: @escaping @Sendable (JSONValue) throws -> JSONValue = { $0 }
  ) -> Mapping {
    .piped(.converted(from: .json, transform, reverse: reverse), into: mapping)
  }

  /// Two mappings, one after the other: the first makes a JSON value, which the second maps.
  ///
  /// ```swift
  /// // "[1,2]", a string that contains JSON
  /// let sizes: Mapping<[Int]> = .piped(parsed, into: .array(of: .int))
  /// ```
  ///
  /// To convert a value that is no longer JSON, use ``converted(from:_:reverse:)``.
  ///
  /// - Parameters:
  ///   - first: Makes the JSON value, for example from a string that contains JSON.
  ///   - second: Maps it.
  /// - Returns: The mapping.
  public static func piped(_ first: Mapping<JSONValue>, into second: Mapping) -> Mapping {
    var source = first.definition
    let (before, after) = (source.policy ?? Policy(), second.definition.policy ?? Policy())
    if case .unsaid = before.absent, case .take = after.absent {
      // What the second mapping makes of nothing, it makes of null, since it maps what the first one made.
      var absent = before
      absent.absent = .substitute(Substitute({ JSONValue.null }, name: "null"), reported: false)
      source = source.with(policy: absent)
    }
    return Mapping(
      Definition(
        .rewritten(source, then: second.definition), policy: before.followed(by: after),
        operations: second.definition.operations?.sameValue ?? ScalarOperations<Value>(),
        expected: second.definition.expected))
  }

  /// The mapping, followed by a function that receives the value and the JSON that it was made from.
  ///
  /// ```swift
  /// let order = Mapping.object(Order.self) { … }.postProcessed { json, order in
  ///   guard json["total"] != nil else { throw Incomplete() }
  ///   return order
  /// }
  /// ```
  ///
  /// The JSON is recorded, within ``Limits/capturedValue``. If the function does not need it, use
  /// ``converted(from:_:reverse:)``, which records nothing.
  ///
  /// If this mapping makes a value of `null` or of an absent value, the function receives `null` as its JSON. In an
  /// update, it receives the document and the updated value.
  ///
  /// - Parameter process: Changes the value, or throws; an error that it throws becomes `conversionFailed`.
  /// - Returns: The mapping.
  public func postProcessed(
    _ process: @escaping @Sendable (_ json: JSONValue, _ value: Value) throws -> Value
  ) -> Mapping {
    postProcessed { json, value, _ in try process(json, value) }
  }

  /// The mapping, followed by a function that also receives the issues of the value.
  ///
  /// ```swift
  /// let tags: Mapping<[String]> = .array(of: .string, omitsInvalid: true).postProcessed { json, tags, issues in
  ///   if tags.count > 1 { issues.clear() }   // some are enough
  ///   return tags
  /// }
  /// ```
  ///
  /// The function is not called for a value that has an error: see ``recovering(reportsErrors:_:)``. In an update, it
  /// receives the document, the updated value and no issues. Issues that it reports there are returned with those of the update.
  ///
  /// - Parameter process: Changes the value, or throws; an error that it throws becomes `conversionFailed`. The issues are
  ///   those of the value and of everything in it, as far as ``Limits/errorsPerRecord`` keeps them.
  /// - Returns: The mapping.
  public func postProcessed(
    _ process:
      @escaping @Sendable (_ json: JSONValue, _ value: Value, _ issues: inout ValueIssues) throws
      -> Value
  ) -> Mapping {
    let json = Field("$", .path(\Processed<Value>.json), .json)
    let value = Field("$", .path(\Processed<Value>.value), self)
    let policy = (definition.policy ?? Policy()).through
    var object = ObjectDefinition(
      name: typeName(Value.self), fields: [json.definition, value.definition])
    object.isTransparent = true
    let source = Definition(
      .object(object), policy: policy,
      operations: HookSource<JSONValue, Value>(fields: [json.erased.access, value.erased.access]),
      expected: definition.expected)
    return .decoding(
      Mapping(
        Definition(
          .transform(source), policy: policy,
          operations: HookOperations<JSONValue, Value>(process: Patch.process(process), process),
          expected: definition.expected)),
      encoding: self)
  }

  /// The mapping, with a function that can make another value from the JSON if the mapping fails.
  ///
  /// - Parameters:
  ///   - reportsErrors: Whether the mapping's errors become issues if the function makes a value; otherwise they are
  ///     dropped.
  ///   - recover: Makes another value, or nil to keep the error.
  /// - Returns: The mapping.
  public func recovering(
    reportsErrors: Bool = true, _ recover: @escaping @Sendable (_ json: JSONValue) throws -> Value?
  ) -> Mapping {
    .decoding(
      .firstOf(
        self,
        .converted(
          from: .json,
          { json in
            guard let value = try recover(json) else {
              throw ConversionFailure(expected: "a value that can be recovered")
            }
            return value
          },
          reverse: { _ in throw OneWayConversion() }), reportsEarlier: reportsErrors),
      encoding: self)
  }

  /// One mapping to decode, another to encode.
  ///
  /// ```swift
  /// // reads 7 and "7", writes 7
  /// let lenient: Mapping<Int> = .decoding(.firstOf(.int, .int(from: .string)), encoding: .int)
  /// ```
  ///
  /// - Parameters:
  ///   - decoded: Decodes.
  ///   - encoded: Encodes.
  /// - Returns: The mapping.
  public static func decoding(_ decoded: Mapping, encoding encoded: Mapping) -> Mapping {
    Mapping(
      Definition(
        .split(decoded.definition, reverse: encoded.definition), policy: decoded.definition.policy,
        operations: decoded.definition.operations?.sameValue ?? ScalarOperations<Value>(),
        expected: decoded.definition.expected))
  }

  /// A value of a `Codable` type, for types that are not worth a mapping of their own.
  ///
  /// Foundation's decoder decodes the JSON text of the value, within ``Limits/capturedValue`` and at Foundation's speed.
  ///
  /// - Parameters:
  ///   - decoder: Makes a new decoder for each value.
  ///   - encoder: Makes a new encoder for each value.
  /// - Returns: The mapping.
  public static func codable(
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() },
    encoder: @escaping @Sendable () -> JSONEncoder = {
      let encoder = JSONEncoder()
      // Without sorting, the order of the keys changes from run to run.
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return encoder
    }
  ) -> Mapping where Value: Codable & SendableMetatype {
    .converted(
      from: .raw, { try decoder().decode(Value.self, from: Data($0.bytes)) },
      reverse: { RawJSON(unchecked: Array(try encoder().encode($0))) })
  }

  /// A value of a `Decodable` type, which cannot be encoded: see ``codable(decoder:encoder:)``.
  ///
  /// - Parameter decoder: Makes a new decoder for each value.
  /// - Returns: The mapping.
  public static func decodable(decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() })
    -> Mapping where Value: Decodable & SendableMetatype
  {
    .oneWay(from: .raw) { try decoder().decode(Value.self, from: Data($0.bytes)) }
  }

  /// The mapping for decoding only: `.text.oneWay()`.
  ///
  /// Encoding a value with it is an error (`invalidDefinition`). Nil in an Optional property is left out as usual.
  public func oneWay() -> Mapping {
    .decoding(
      self,
      encoding: .converted(from: .json, { _ in throw OneWayConversion() }, optionalReverse: nil))
  }

  /// A value made from another value by a function, for decoding only.
  ///
  /// Encoding a value with it is an error (`invalidDefinition`).
  ///
  /// - Parameters:
  ///   - source: Maps the value that the function receives.
  ///   - forward: Makes the value; an error that it throws becomes `conversionFailed` at the value's place in the feed.
  /// - Returns: The mapping of the value.
  public static func oneWay<Source>(
    from source: Mapping<Source>, _ forward: @escaping @Sendable (Source) throws -> Value
  ) -> Mapping {
    converted(from: source, forward, optionalReverse: nil)
  }
}

/// What a hook receives, for the names of its fields: a value and the JSON that it was made from.
private struct Processed<Value> {
  let json: JSONValue
  let value: Value
}
