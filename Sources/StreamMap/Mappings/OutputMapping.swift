/// How a record becomes an output record: JSON in, JSON of another shape out, without Swift values in between.
///
/// The counterpart of ``Mapping`` for mappings that are not known when the program is built, such as one read from a mapping
/// file. Both use the same words: what `.nullable(_:when:)`, `.at(_:_:)` or `.firstOf(_:reportsEarlier:)` mean there, they
/// mean here. Numbers keep their digits as written.
///
/// ```swift
/// let mapping: OutputMapping = .object([
///   OutputField("id", from: "id", .int64),
///   OutputField("author", from: "user.screen_name", .nullable(.any)),
///   OutputField("tags", from: "entities.hashtags", .array(of: .object([OutputField("text", from: "text", .string)]))),
/// ])
/// let mapper = try Mapper(output: mapping)
/// let record = mapper.decode(#"{"id":7,"user":{"screen_name":"ann"},"entities":{"hashtags":[{"text":"x"}]}}"#)
/// try record.get().description  // {"id":7,"author":"ann","tags":[{"text":"x"}]}
/// ```
public struct OutputMapping: Sendable {
  let definition: Definition

  private init(_ kind: Definition.Kind, policy: Policy = Policy(), expected: String) {
    definition = Definition(kind, policy: policy, expected: expected)
  }

  init(_ definition: Definition) {
    self.definition = definition
  }

  /// A scalar of the type; a URL has one of the schemes, if there are any.
  package init(scalar type: ScalarType, schemes: [String] = []) {
    self.init(Definition(type, ScalarOptions(schemes: schemes)))
  }

  // MARK: Scalars

  /// Any string, number or boolean, unchanged.
  public static let any = OutputMapping(scalar: .any)
  /// A string.
  public static let string = OutputMapping(scalar: .string)
  /// `true` or `false`.
  public static let bool = OutputMapping(scalar: .bool)
  /// Any number.
  public static let number = OutputMapping(scalar: .number)
  /// A whole number in the range of `Int8`.
  public static let int8 = OutputMapping(scalar: .int8)
  /// A whole number in the range of `Int16`.
  public static let int16 = OutputMapping(scalar: .int16)
  /// A whole number in the range of `Int32`.
  public static let int32 = OutputMapping(scalar: .int32)
  /// A whole number in the range of `Int64`.
  public static let int64 = OutputMapping(scalar: .int64)
  /// A whole number in the range of `UInt8`.
  public static let uint8 = OutputMapping(scalar: .uint8)
  /// A whole number in the range of `UInt16`.
  public static let uint16 = OutputMapping(scalar: .uint16)
  /// A whole number in the range of `UInt32`.
  public static let uint32 = OutputMapping(scalar: .uint32)
  /// A whole number in the range of `UInt64`.
  public static let uint64 = OutputMapping(scalar: .uint64)
  /// A number in the range of `Float`.
  public static let float = OutputMapping(scalar: .float)
  /// A number in the range of `Double`.
  public static let double = OutputMapping(scalar: .double)
  /// A number of at most 38 digits.
  public static let decimal = OutputMapping(scalar: .decimal)
  /// A string that is a URL (RFC 3986).
  public static let url: OutputMapping = .url(schemes: [])
  /// A string that is a URL with one of these schemes, compared without regard to case; with no schemes, any URL.
  public static func url(schemes: [String]) -> OutputMapping {
    OutputMapping(scalar: .url, schemes: schemes)
  }
  /// A string that is a UUID.
  public static let uuid = OutputMapping(scalar: .uuid)
  /// A string that is a date and time by RFC 3339.
  public static let date = OutputMapping(scalar: .date)
  /// Any JSON value, unchanged, `null` included; bounded by ``Limits/capturedValue``.
  public static let raw = OutputMapping(
    .json(.raw), policy: Policy(null: .take(isSaid: false)), expected: "a JSON value")

  // MARK: Containers

  /// An object with these fields, in this order.
  ///
  /// ``unknownKeys(_:)`` and ``duplicateKeys(_:)`` say what happens to other members and to repeated ones.
  ///
  /// - Parameters:
  ///   - fields: Their names have to differ.
  ///   - rest: Whether members that no field names are kept unchanged, after the fields.
  /// - Returns: The mapping.
  public static func object(_ fields: [OutputField], rest: OutputRest = .dropped) -> OutputMapping {
    var object = ObjectDefinition(name: "record", fields: fields.map(\.definition))
    object.rest = rest.except
    return OutputMapping(.object(object), policy: object.policy, expected: object.expected)
  }

  /// An array whose elements are all mapped the same way: see ``Mapping/array(of:omitsInvalid:)``.
  public static func array(of element: OutputMapping, omitsInvalid: Bool = false) -> OutputMapping {
    OutputMapping(
      .array(element.definition, onInvalid: omitsInvalid ? .omit : .fail), expected: "an array")
  }

  /// An object whose members are all mapped the same way, each under its key: see ``Mapping/dictionary(of:)``.
  public static func dictionary(of value: OutputMapping) -> OutputMapping {
    OutputMapping(.dictionary(value.definition, duplicateKeys: nil), expected: "an object")
  }

  /// The value at a path inside, instead of the whole value: `.array(of: .at("code", .string))` makes `["x"]` of
  /// `[{"code":"x"}]`.
  ///
  /// See ``Mapping/at(_:_:)``.
  public static func at(_ path: FieldSource, _ mapping: OutputMapping) -> OutputMapping {
    let field = ObjectDefinition.Field(
      source: path.source, target: ["value"], definition: mapping.definition,
      fallbacks: path.fallbacks, property: nil)
    let object = ObjectDefinition(name: "value", fields: [field], isTransparent: true)
    // If the value has no inside, the inner mapping's default applies.
    return OutputMapping(
      .object(object), policy: object.policy(around: mapping.definition.policy ?? Policy()),
      expected: object.expected)
  }

  // MARK: Policies

  /// `null` if the value is absent or null: see ``Mapping/nullable(_:when:)``.
  public static func nullable(
    _ mapping: OutputMapping, when condition: DefaultCondition = .missing
  ) -> OutputMapping {
    let policy = (mapping.definition.policy ?? Policy()).nullable(when: condition)
    return OutputMapping(mapping.definition.with(policy: policy.writingNull))
  }

  /// The mapping, without what it makes itself of what is absent or null.
  package var withoutStandIns: OutputMapping {
    var policy = definition.policy ?? Policy()
    policy.absent = .unsaid
    policy.null = .unsaid
    return OutputMapping(definition.with(policy: policy))
  }

  /// The mapping, with a value that replaces one that is absent or null: see ``Mapping/default(_:when:)``.
  public func `default`(_ value: JSONValue, when condition: DefaultCondition = .missing)
    -> OutputMapping
  {
    let policy = (definition.policy ?? Policy()).withDefault(
      Substitute(json: value), when: condition)
    return OutputMapping(definition.with(policy: policy))
  }

  fileprivate static func constant(_ value: JSONValue) -> OutputMapping {
    OutputMapping(
      .json(.raw), policy: Policy(absent: .substitute(Substitute(json: value), reported: false)),
      expected: "a constant")
  }
}

extension Policy {
  /// This policy in an output record, where nil is `null`.
  fileprivate var writingNull: Policy {
    func written(_ action: Action) -> Action {
      guard case .useNil(let isReported) = action else { return action }
      return .substitute(Substitute(json: .null), reported: isReported)
    }
    return Policy(absent: written(absent), null: written(null), invalid: written(invalid))
  }
}

/// One member of an output record.
public struct OutputField: Sendable {
  let definition: ObjectDefinition.Field

  /// A member, and where its value is, relative to the object; `$` is the object itself.
  public init(_ name: String, from source: FieldSource, _ mapping: OutputMapping) {
    definition = ObjectDefinition.Field(
      source: source.source, target: [name], definition: mapping.definition,
      fallbacks: source.fallbacks, property: nil)
  }

  /// A member with a constant value.
  public init(_ name: String, constant value: JSONValue) {
    definition = ObjectDefinition.Field(
      source: .constant, target: [name], definition: OutputMapping.constant(value).definition,
      property: nil)
  }
}

extension OutputField {
  /// A member that says something about the record itself.
  ///
  /// The record's key or index in its container is required: if it has none, the record is an error. With a mapping of its own
  /// (``init(_:_:_:)``), it is not required.
  public init(_ name: String, _ fact: RecordFact) {
    if fact.isStep { self.init(name, fact, .any) } else { self.init(name, Substitute(fact: fact)) }
  }

  /// A member that is made from a fact about the record.
  ///
  /// ```swift
  /// // {"users":{"17":{"name":"Ann"},"18":{"name":"Bob"}}}, records at $.users.*
  /// let user: OutputMapping = .object([OutputField("id", .key, .nullable(.string)), OutputField("name", from: "name", .string)])
  /// ```
  ///
  /// A key is a string, a file's name is a string or null, anything else is a number. What is absent (the key of an element of
  /// an array, the index of a member of an object, either where a document is the record) is what the mapping makes of an
  /// absent value.
  ///
  /// - Parameters:
  ///   - name: The member's name.
  ///   - fact: What the record tells.
  ///   - mapping: What becomes of it.
  public init(_ name: String, _ fact: RecordFact, _ mapping: OutputMapping) {
    definition = ObjectDefinition.Field(
      source: .fact(fact), target: [name], definition: mapping.definition, property: nil)
  }

  /// A member that holds a value from outside the record, by its number among those that the converter is given.
  package init(_ name: String, contextValue number: Int, named value: String) {
    self.init(name, Substitute(contextValue: number, name: "the context value '\(value)'"))
  }

  /// A member that is made from a value from outside the record.
  package init(
    _ name: String, contextValue number: Int, named value: String, _ mapping: OutputMapping
  ) {
    definition = ObjectDefinition.Field(
      source: .fact(.offset), target: [name],
      definition: OutputMapping.contextValue(number, named: value, into: mapping).definition,
      property: nil)
  }

  private init(_ name: String, _ substitute: Substitute) {
    definition = ObjectDefinition.Field(
      source: .constant, target: [name],
      definition: Definition(
        .json(.raw), policy: Policy(absent: .substitute(substitute, reported: false)),
        expected: "a fact"),
      property: nil)
  }

  /// A member that collects the members that are not the source of any other field, as one object.
  public init(collecting name: String) {
    definition = ObjectDefinition.Field(
      source: .unknown, target: [name], definition: OutputMapping.raw.definition, property: nil)
  }
}
