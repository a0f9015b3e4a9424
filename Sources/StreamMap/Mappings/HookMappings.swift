import Foundation

// Code of the mapping's author before and after a mapping.

extension Mapping {
  /// The mapping of what a function makes of the value first.
  ///
  /// ```swift
  /// let people: Mapping<[Person]> = .preTransformed(.array(of: person)) { value in
  ///   if case .array = value { value } else { [value] }   // one person, or several
  /// }
  /// ```
  ///
  /// The whole value is made a ``JSONValue``, within ``Limits/capturedValue``: nothing else of the engine needs that. Errors
  /// behind the function have paths in what it made, and the address of the value it was given.
  ///
  /// - Parameters:
  ///   - mapping: Maps what the function makes.
  ///   - transform: Rewrites the value; what it throws becomes `conversionFailed`.
  ///   - reverse: The way back; without it the value is written as the mapping writes it.
  /// - Returns: The mapping.
  public static func preTransformed(
    _ mapping: Mapping, _ transform: @escaping @Sendable (JSONValue) throws -> JSONValue,
    reverse: @escaping @Sendable (JSONValue) throws -> JSONValue = { $0 }
  ) -> Mapping {
    .thread(.converted(from: .json, transform, reverse: reverse), mapping)
  }

  /// One mapping after the other: the first makes a JSON value, which the second maps.
  ///
  /// For conversions of values that are no JSON any more use ``converted(from:_:reverse:)``.
  ///
  /// - Parameters:
  ///   - first: Makes a JSON value: of a string that holds JSON, for example.
  ///   - second: Maps it.
  /// - Returns: The mapping.
  public static func thread(_ first: Mapping<JSONValue>, _ second: Mapping) -> Mapping {
    let (before, after) = (
      first.definition.policy ?? Policy(), second.definition.policy ?? Policy()
    )
    return Mapping(
      Definition(
        .rewritten(first.definition, then: second.definition),
        policy: Policy(
          absent: after.absent,
          null: before.null.fails ? before.null : .take(isSaid: after.null.isSaid)),
        operations: second.definition.operations?.sameValue ?? ScalarOperations<Value>(),
        expected: second.definition.expected))
  }

  /// Another function on the finished value, which also sees the JSON it was made from.
  ///
  /// ```swift
  /// let order = Mapping.object(Order.self) { … }.postProcessed { json, order in
  ///   guard json["total"] != nil else { throw Incomplete() }
  ///   return order
  /// }
  /// ```
  ///
  /// The value is recorded, within ``Limits/capturedValue``. Where the JSON is not needed, ``converted(from:_:reverse:)``
  /// does the same on the stream.
  ///
  /// Null, and what is not there, it sees as `null`, where this mapping makes something of them. In an update it sees the
  /// document and the changed value.
  ///
  /// - Parameter process: Changes the value, or throws: what it throws becomes `conversionFailed`.
  /// - Returns: The mapping.
  public func postProcessed(
    _ process: @escaping @Sendable (_ json: JSONValue, _ value: Value) throws -> Value
  ) -> Mapping {
    postProcessed { json, value, _ in try process(json, value) }
  }

  /// Another function on the finished value, which also sees the JSON it was made from and the issues of the value.
  ///
  /// ```swift
  /// let tags: Mapping<[String]> = .array(of: .optionally(.string)).postProcessed { json, tags, issues in
  ///   if tags.count > 1 { issues.clear() }   // some are enough
  ///   return tags
  /// }
  /// ```
  ///
  /// It is not asked about a value that has an error: for that there is ``recovering(reportsErrors:_:)``. In an update it sees
  /// the document and the changed value, and no issues. What it reports there is returned with the update's issues.
  ///
  /// - Parameter process: Changes the value, or throws: what it throws becomes `conversionFailed`. The issues are those of
  ///   the value and of all in it, as far as ``Limits/errorsPerRecord`` keeps them.
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
      operations: ObjectOperations<Processed<Value>>(
        make: { slots, offsets, slot, isOptional in
          var reader = SlotReader(slots: slots, offsets: offsets)
          let source = Processed<Value>(
            json: reader.take(JSONValue.self), value: reader.take(Value.self))
          Slot.store(source, in: slot, isOptional: isOptional)
        }, fields: [json.erased.access, value.erased.access]),
      expected: definition.expected)
    return .split(
      forward: Mapping(
        Definition(
          .transform(source), policy: policy,
          operations: HookOperations<Processed<Value>, Value>(
            process: Patch.process(process)
          ) { try process($0.json, $0.value, &$1) },
          expected: definition.expected)),
      reverse: self)
  }

  /// The mapping, and where it fails, what a function makes of the JSON; nil lets the error stand.
  ///
  /// - Parameters:
  ///   - reportsErrors: Whether the mapping's errors are issues where another value is made, or nothing is said of them.
  ///   - recover: Makes another value.
  /// - Returns: The mapping.
  public func recovering(
    reportsErrors: Bool = true, _ recover: @escaping @Sendable (_ json: JSONValue) throws -> Value?
  ) -> Mapping {
    .split(
      forward: .firstOf(
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
      reverse: self)
  }

  /// One mapping forward, another one back.
  ///
  /// - Parameters:
  ///   - forward: Decodes.
  ///   - reverse: Encodes.
  /// - Returns: The mapping.
  public static func split(forward: Mapping, reverse: Mapping) -> Mapping {
    Mapping(
      Definition(
        .split(forward.definition, reverse: reverse.definition), policy: forward.definition.policy,
        operations: forward.definition.operations?.sameValue ?? ScalarOperations<Value>(),
        expected: forward.definition.expected))
  }

  /// A value of a type that is `Codable`, for types that shall not be rewritten.
  ///
  /// The sub-tree's text is given to Foundation's decoder: bounded by ``Limits/capturedValue``, and as slow as that is.
  ///
  /// - Parameters:
  ///   - decoder: Made anew for each value.
  ///   - encoder: The same, for the way back.
  /// - Returns: The mapping.
  public static func codable(
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() },
    encoder: @escaping @Sendable () -> JSONEncoder = {
      let encoder = JSONEncoder()
      // By themselves its keys come in another order each time.
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return encoder
    }
  ) -> Mapping where Value: Codable & SendableMetatype {
    .converted(
      from: .raw, { try decoder().decode(Value.self, from: Data($0.bytes)) },
      reverse: { RawJSON(unchecked: Array(try encoder().encode($0))) })
  }

  /// A value of a type that is `Decodable`; one way.
  ///
  /// - Parameter decoder: Made anew for each value.
  /// - Returns: The mapping.
  public static func decodable(decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() })
    -> Mapping where Value: Decodable & SendableMetatype
  {
    .oneWay(from: .raw) { try decoder().decode(Value.self, from: Data($0.bytes)) }
  }

  /// The mapping, that is never taken back: `.text.oneWay()`.
  ///
  /// To encode a value with it is an error (`invalidDefinition`); nil in an Optional property is left out, as ever.
  public func oneWay() -> Mapping {
    .split(
      forward: self,
      reverse: .converted(from: .json, { _ in throw OneWayConversion() }, optionalReverse: nil))
  }

  /// A value made from another one, that is never taken back.
  ///
  /// To encode a value with it is an error (`invalidDefinition`).
  ///
  /// - Parameters:
  ///   - source: What the value is made from.
  ///   - forward: Makes it; an error thrown becomes `conversionFailed` at the value's address.
  /// - Returns: The mapping of the value.
  public static func oneWay<Source>(
    from source: Mapping<Source>, _ forward: @escaping @Sendable (Source) throws -> Value
  ) -> Mapping {
    converted(from: source, forward, optionalReverse: nil)
  }
}

/// What a hook is given: a value and the JSON that it was made from.
private struct Processed<Value> {
  let json: JSONValue
  let value: Value
}
