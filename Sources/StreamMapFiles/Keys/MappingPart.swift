import StreamMap

/// What has a name of its own in the schema of mapping files.
enum MappingPart: String, CaseIterable {
  case path, input, limits, context, argument, fields, field, `case`, element, part, coercion, step
  case change, secret, listStep, listChange
  case lookup, dispatch, rules, condition, combination, comparison, errors, output, arrays
  case oneMapping

  /// What a part is.
  enum Content {
    case form(KeyForm)
    /// A map of keys, with what else a schema can say of it.
    case keys([Entry], and: [JSONValue.Member] = [])

    var entries: [Entry] {
      if case .keys(let entries, _) = self { entries } else { [] }
    }
  }

  /// A key and what stands under it.
  struct Entry {
    let name: String
    let spec: KeySpec
  }

  private static func keys<Key: MapKey>(
    _ table: KeyTable<Key>, and more: [JSONValue.Member] = []
  ) -> Content {
    .keys(table.keys.map { Entry(name: $0.name, spec: $0.spec) }, and: more)
  }

  private static func keys(in place: ValueKey.Place) -> Content {
    // Only if there are cases, what stands for the others may be anything.
    let otherwise: [JSONValue.Member] =
      switch place {
      case .field, .element, .case:
        [
          .init(
            "anyOf",
            [
              ["required": ["cases"]],
              ["properties": ["otherwise": KeyForm.scalar.schema]],
            ])
        ]
      case .context, .argument: []
      }
    return .keys(
      ValueKey.table(place).keys.map { Entry(name: $0.name, spec: $0.spec(in: place)) },
      and: otherwise)
  }

  /// Its keys; none if it is not a map of keys.
  var entries: [Entry] { content.entries }

  /// What the list of keys calls it; nil if it has no keys, or those at the top.
  var title: String? {
    switch self {
    case .path, .fields, .part, .coercion, .step, .listStep, .condition: nil
    case .input: "input"
    case .limits: "limits of input"
    case .context: "a value of context"
    case .argument: "an argument, of args"
    case .field: "a field"
    case .case: "a case, of cases"
    case .element: "an element, of each, map, first_of, value and the cases of dispatch"
    case .change: "a step of text"
    case .secret: "key of hmac"
    case .listChange: "a step of list"
    case .lookup: "lookup"
    case .dispatch: "dispatch"
    case .rules: "validate"
    case .combination: "a condition of others, of where and when"
    case .comparison: "a condition, of where and when"
    case .errors: "errors"
    case .output: "output"
    case .arrays: "arrays of output"
    case .oneMapping: nil
    }
  }

  /// Another part that has most of its keys.
  var basis: MappingPart? {
    switch self {
    case .case, .element: .field
    case .comparison: .rules
    case .path, .input, .limits, .context, .argument, .fields, .field, .part, .coercion, .step,
      .change, .secret, .listStep, .listChange, .lookup, .dispatch, .rules, .condition,
      .combination,
      .errors, .output, .arrays, .oneMapping:
      nil
    }
  }

  /// A condition that looks at one thing: a formula stands alone, or has a comparison as the others.
  private static func subject(_ key: ConditionKey) -> JSONValue {
    var members: [JSONValue.Member] = [.init("required", [.string(key.name)])]
    if key != .calc { members.append(.init("minProperties", 2)) }
    return .object(members)
  }

  /// The whole file.
  static var file: Content {
    keys(
      FileKey.keys,
      and: [
        .init(
          "anyOf",
          [["required": ["record"]], ["required": ["value"]], ["required": ["mappings"]]])
      ])
  }

  var content: Content {
    switch self {
    case .path: .form(.text(atLeast: 1))
    case .input: Self.keys(InputKey.keys)
    case .limits: Self.keys(LimitKey.keys)
    case .context: Self.keys(in: .context)
    case .argument: Self.keys(in: .argument)
    case .fields: .form(.map(of: .either([.part(.path), .part(.field)])))
    case .field: Self.keys(in: .field)
    case .case: Self.keys(in: .case)
    case .element: Self.keys(in: .element)
    // An enum needs its values.
    case .part:
      .form(
        .either([
          .values { TypeName.schemaNames { $0 != .enum } },
          TypeName.nullablePattern { $0 != .enum },
          .part(.element),
        ]))
    case .coercion: .form(.choice(ScalarSpec.Coercion.self))
    case .step:
      .form(
        .either([.values { TextReader.words.map { .string($0.name) } }, .part(.change)]))
    case .change: Self.keys(StepKey.keys, and: [.init("minProperties", 1)])
    case .secret:
      Self.keys(SecretKey.keys, and: [.init("minProperties", 1), .init("maxProperties", 1)])
    case .listStep:
      .form(.either([.values { ListReader.words.map { .string($0.name) } }, .part(.listChange)]))
    case .listChange:
      Self.keys(
        ListKey.keys, and: [.init("minProperties", 1), .init("maxProperties", 1)])
    case .lookup: Self.keys(LookupKey.keys)
    case .dispatch: Self.keys(DispatchKey.keys)
    case .rules: Self.keys(RuleName.keys, and: [.init("minProperties", 1)])
    case .condition: .form(.either([.part(.combination), .part(.comparison)]))
    case .combination:
      Self.keys(
        ConditionKey.combination, and: [.init("minProperties", 1), .init("maxProperties", 1)])
    case .comparison:
      Self.keys(
        ConditionKey.comparison,
        and: [.init("anyOf", .array(ConditionKey.subjects.map(Self.subject)))])
    case .errors: Self.keys(ErrorsKey.keys)
    case .output: Self.keys(OutputKey.keys)
    case .arrays: Self.keys(ArraysKey.keys, and: [.init("minProperties", 1)])
    case .oneMapping: Self.keys(FileKey.ofMember)
    }
  }
}
