/// How a record becomes an output record: JSON in, JSON of another shape out, without Swift values in between.
///
/// The twin of ``Mapping`` for feeds whose mapping is not known when the program is built, such as one read from a mapping
/// file. Numbers keep their digits as written.
///
/// ```swift
/// let mapping: OutputMapping = .object([
///   OutputField("id", from: "id", .integer(.int64)),
///   OutputField("author", from: "user.screen_name", .any.nullable()),
///   OutputField("tags", from: "entities.hashtags", .array(of: .object([OutputField("text", from: "text", .string)]))),
/// ])
/// let mapper = try Mapper(output: mapping)
/// let record = mapper.decode(#"{"id":7,"user":{"screen_name":"ann"},"entities":{"hashtags":[{"text":"x"}]}}"#.utf8)
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

  /// The whole-number types a value is checked against.
  public enum Integer: String, Sendable, CaseIterable {
    case int8, int16, int32, int64, uint8, uint16, uint32, uint64

    fileprivate var scalar: ScalarType {
      switch self {
      case .int8: .int8
      case .int16: .int16
      case .int32: .int32
      case .int64: .int64
      case .uint8: .uint8
      case .uint16: .uint16
      case .uint32: .uint32
      case .uint64: .uint64
      }
    }
  }

  // MARK: Scalars

  /// Any string, number or boolean, as it is.
  public static let any = OutputMapping(scalar: .any)
  /// A string.
  public static let string = OutputMapping(scalar: .string)
  /// `true` or `false`.
  public static let bool = OutputMapping(scalar: .bool)
  /// Any number.
  public static let number = OutputMapping(scalar: .number)
  /// A whole number that fits the type.
  public static func integer(_ type: Integer) -> OutputMapping {
    OutputMapping(scalar: type.scalar)
  }
  /// A number in the range of Float.
  public static let float = OutputMapping(scalar: .float)
  /// A number in the range of Double.
  public static let double = OutputMapping(scalar: .double)
  /// A number of at most 38 digits.
  public static let decimal = OutputMapping(scalar: .decimal)
  /// A string that is a URL, with one of the schemes if any are given.
  public static func url(schemes: [String] = []) -> OutputMapping {
    OutputMapping(scalar: .url, schemes: schemes)
  }
  /// A string that is a UUID.
  public static let uuid = OutputMapping(scalar: .uuid)
  /// A string that is a date by RFC 3339.
  public static let date = OutputMapping(scalar: .date)
  /// Any value, with all that is in it; bounded by ``Limits/capturedValue``.
  public static let json = OutputMapping(
    .json(.raw), policy: Policy(null: .take(isSaid: false)), expected: "a JSON value")

  // MARK: Containers

  /// An object with these fields, in their order.
  ///
  /// - Parameters:
  ///   - fields: Their names are different.
  ///   - unknownKeys: What becomes of members that no field has for its source.
  ///   - duplicateKeys: What becomes of members whose key occurred before.
  /// - Returns: The mapping.
  public static func object(
    _ fields: [OutputField], unknownKeys: UnknownKeyPolicy = .ignore,
    duplicateKeys: DuplicateKeyPolicy = .last
  ) -> OutputMapping {
    var object = ObjectDefinition(name: "record", fields: fields.map(\.definition))
    object.unknownKeys = unknownKeys
    object.duplicateKeys = duplicateKeys
    return OutputMapping(.object(object), policy: object.policy, expected: object.expected)
  }

  /// An array of what the element mapping takes; with `omitsInvalid` those elements that it does not take are left out
  /// and reported, instead of failing the array.
  public static func array(of element: OutputMapping, omitsInvalid: Bool = false) -> OutputMapping {
    OutputMapping(
      .array(element.definition, onInvalid: omitsInvalid ? .omit : .fail), expected: "an array")
  }

  /// An object whose members all map the same way, under their keys.
  ///
  /// - Parameters:
  ///   - value: Maps each member.
  ///   - duplicateKeys: What becomes of members whose key occurred before.
  /// - Returns: The mapping.
  public static func dictionary(
    of value: OutputMapping, duplicateKeys: DuplicateKeyPolicy = .last
  ) -> OutputMapping {
    OutputMapping(
      .dictionary(value.definition, duplicateKeys: duplicateKeys), expected: "an object")
  }

  /// The value at a path inside instead of the whole, as in `[{"code":"x"}]` → `["x"]`.
  ///
  /// - Parameters:
  ///   - source: The path.
  ///   - mapping: Maps what is there.
  ///   - duplicateKeys: What becomes of members on the way whose key occurred before.
  /// - Returns: The mapping.
  public static func value(
    at source: FieldSource, _ mapping: OutputMapping, duplicateKeys: DuplicateKeyPolicy = .last
  ) -> OutputMapping {
    let field = ObjectDefinition.Field(
      source: source.source, target: ["value"], definition: mapping.definition,
      fallbacks: source.fallbacks, property: nil)
    // Where nothing can be inside, nothing is: the same stands in for it.
    let inner = mapping.definition.policy ?? Policy()
    var object = ObjectDefinition(name: "value", fields: [field], isTransparent: true)
    object.duplicateKeys = duplicateKeys
    return OutputMapping(
      .object(object),
      policy: object.policy(around: inner), expected: object.expected)
  }

  // MARK: Policies

  /// `null` where the value is absent or null; what the mapping itself has for that stays.
  public func nullable() -> OutputMapping {
    let nothing = Policy.Action.substitute(Substitute(json: .null), reported: false)
    var policy = definition.policy ?? Policy()
    if policy.absent.fails { policy.absent = nothing }
    if policy.null.fails || !policy.null.isSaid { policy.null = nothing }
    return OutputMapping(definition.with(policy: policy))
  }

  /// Another value where the value is absent or null.
  public func `default`(_ value: JSONValue) -> OutputMapping {
    var policy = definition.policy ?? Policy()
    let action = Policy.Action.substitute(Substitute(json: value), reported: false)
    policy.absent = action
    policy.null = action
    return OutputMapping(definition.with(policy: policy))
  }

  /// Another value, and an issue, where the value is absent, null or wrong.
  public func optionally(default value: JSONValue = .null) -> OutputMapping {
    let action = Policy.Action.substitute(Substitute(json: value), reported: true)
    return OutputMapping(
      definition.with(policy: Policy(absent: action, null: action, invalid: action)))
  }

  fileprivate static func constant(_ value: JSONValue) -> OutputMapping {
    OutputMapping(
      .json(.raw), policy: Policy(absent: .substitute(Substitute(json: value), reported: false)),
      expected: "a constant")
  }
}

/// One member of an output record.
public struct OutputField: Sendable {
  let definition: ObjectDefinition.Field

  /// A member and where it comes from, relative to the object; `$` is the object itself.
  public init(_ name: String, from source: FieldSource, _ mapping: OutputMapping) {
    definition = ObjectDefinition.Field(
      source: source.source, target: [name], definition: mapping.definition,
      fallbacks: source.fallbacks, property: nil)
  }

  /// A member that is always the same.
  public init(_ name: String, constant value: JSONValue) {
    definition = ObjectDefinition.Field(
      source: .constant, target: [name], definition: OutputMapping.constant(value).definition,
      property: nil)
  }
}

extension OutputField {
  /// A member that says something about the record itself.
  public init(_ name: String, _ fact: RecordFact) {
    self.init(name, Substitute(fact: fact))
  }

  /// A member that holds a value from outside the record, by its number among those that the converter is given.
  package init(_ name: String, contextValue number: Int, named value: String) {
    self.init(name, Substitute(contextValue: number, name: "the context value '\(value)'"))
  }

  private init(_ name: String, _ substitute: Substitute) {
    definition = ObjectDefinition.Field(
      source: .constant, target: [name],
      definition: Definition(
        .json(.raw), policy: Policy(absent: .substitute(substitute, reported: false)),
        expected: "a fact"),
      property: nil)
  }

  /// A member that holds the members that no other field has for its source, as one object.
  public init(collecting name: String) {
    definition = ObjectDefinition.Field(
      source: .unknown, target: [name], definition: OutputMapping.json.definition, property: nil)
  }
}
