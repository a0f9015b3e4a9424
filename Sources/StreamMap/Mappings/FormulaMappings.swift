// Objects that a condition keeps, fields that a formula calculates, and fields with cases.

extension OutputMapping {
  /// The mapping, for values for which a condition holds; others are left out.
  ///
  /// ```swift
  /// let line: OutputMapping = .object([OutputField("sku", from: "sku", .string)])
  /// let order: OutputMapping = .object([
  ///   OutputField("id", from: "id", .int64),
  ///   OutputField("open", from: "lines", .array(of: line.filtered(by: .value(at: "state", .equalTo("open"))))),
  /// ])
  /// ```
  ///
  /// Leaving out is not an error: a record does not come out, an element or a member of a dictionary is not there, and an
  /// alternative of ``firstOf(_:reportsEarlier:)-([OutputMapping],_)`` is not taken. In a field, it is absent.
  ///
  /// A condition on the source is decided first, so a value that it leaves out does not have to fit the mapping, whatever it
  /// is: an object, an array, a scalar or null. (A path of the condition is absent if the value is not an object.) One on
  /// ``Condition/field(_:_:)`` is decided when all else is done.
  ///
  /// The condition of an object is evaluated while the object is mapped. Any other value is first recorded as a whole, within
  /// ``Limits/capturedValue``.
  ///
  /// - Parameter condition: Paths in it are relative to the value, as those of an object's fields.
  /// - Returns: The mapping.
  public func filtered(by condition: Condition) -> OutputMapping {
    filtered(by: condition, duplicateKeys: nil)
  }

  /// The mapping, for values for which a condition holds; a value that is not an object has this rule for the members that the condition
  /// looks at.
  package func filtered(by condition: Condition, duplicateKeys: DuplicateKeyPolicy?)
    -> OutputMapping
  {
    if case .object(var object) = definition.kind {
      let asked = condition.definition
      if asked.looksOutside, !asked.looksAtFields {
        object.askedBefore = asked
        // The object itself reports what comes twice.
        let again: DuplicateKeyPolicy? = object.duplicateKeys.map { $0.replaces ? .last : .first }
        return OutputMapping(definition.with(kind: .object(object)))
          .asked(asked, duplicateKeys ?? again)
      }
      object.condition = object.condition.map { .all([$0, asked]) } ?? asked
      return OutputMapping(definition.with(kind: .object(object)))
    }
    return asked(condition.definition, duplicateKeys)
  }

  /// The mapping inside another one that takes any value as a whole, and asks first.
  ///
  /// An object that does not take a value can only be asked about what is in it.
  private func asked(_ condition: ConditionDefinition, _ duplicateKeys: DuplicateKeyPolicy?)
    -> OutputMapping
  {
    guard case .object(var object) = OutputMapping.at("$", self).definition.kind else {
      return self
    }
    object.condition = condition
    object.asksForInner = true
    object.duplicateKeys = duplicateKeys
    // The condition also decides about null, before the mapping says what becomes of it.
    let inner = definition.policy ?? Policy()
    let policy = Policy(
      absent: inner.absent, null: .take(isSaid: inner.null.isSaid), invalid: inner.invalid)
    return OutputMapping(
      Definition(.object(object), policy: policy, expected: definition.expected))
  }

  /// An array of those elements for which a condition holds: see ``filtered(by:)``.
  ///
  /// - Parameters:
  ///   - element: Maps the elements.
  ///   - omitsInvalid: Whether elements that cannot be mapped are left out, too, each with an issue.
  ///   - condition: Paths in it are relative to the element.
  /// - Returns: The mapping.
  public static func array(
    of element: OutputMapping, omitsInvalid: Bool = false, where condition: Condition
  ) -> OutputMapping {
    .array(of: element.filtered(by: condition), omitsInvalid: omitsInvalid)
  }

  /// The value of a field that stands alone, such as an array's element that is calculated or has cases.
  package static func value(of field: OutputField, duplicateKeys: DuplicateKeyPolicy)
    -> OutputMapping
  {
    var object = ObjectDefinition(name: "value", fields: [field.definition], isTransparent: true)
    object.duplicateKeys = duplicateKeys
    return OutputMapping(
      Definition(.object(object), policy: object.policy, expected: object.expected))
  }
}

extension OutputField {
  /// The member with its value, and all its cases, kept out of errors: see ``Mapping/redacted()``.
  package func redacted() -> OutputField { OutputField(definition.redacted()) }

  private init(_ definition: ObjectDefinition.Field) {
    self.definition = definition
  }

  /// A member that a formula calculates from the object that is mapped.
  ///
  /// ```swift
  /// OutputField("total", calculated: "round(price * qty - (discount ?? 0), 2)", .decimal)
  /// ```
  ///
  /// A formula is an expression of paths (relative to the object, as those of fields; a key that is not a name is quoted:
  /// `['unit-price']`), numbers, strings (`'a'` or `"a"`), `true`, `false` and `null`, with
  /// `+ - * / %`, `== != < <= > >=`, `and or not`, `??` (the right side where the left is absent or null),
  /// `round(x, n)`, `floor(x)`, `abs(x)`, `min(…)`, `max(…)`, `length(x)` (characters, elements or members) and
  /// `number(x)` (the number that a text says).
  /// `??` binds closest, then the sign, `* / %`, `+ -`, comparisons, `not`, `and`, `or`.
  ///
  /// Numbers are decimal and exact, with at most 38 digits. Only a quotient that does not end is rounded: to 38
  /// significant digits, halves to the even one. `%` has the sign of its left side. `round` rounds halves away from 0.
  ///
  /// It is total: it always ends, and has a value or an error. An operand of the wrong kind, a result of more than 38 digits
  /// and a division by 0 are errors of the record, with the column in the formula. If there is no such error, an operand that is
  /// absent or null makes the value absent, unless `??` stands after it or it is compared with `null`; so the mapping's default
  /// stands in, and without one, it is an error, too. Operands are evaluated from left to right, all of them; only `and`, `or`
  /// and `??` evaluate their right side if the left one asks for it.
  ///
  /// A field that is calculated is one-way: nothing is written back.
  ///
  /// A formula has at most 4096 bytes, and 64 levels; evaluating it takes time linear in it and in the text of its operands.
  /// Mistakes in it are found when the mapping is compiled.
  ///
  /// - Parameters:
  ///   - name: The member's name.
  ///   - formula: The formula.
  ///   - mapping: What the value has to be. A scalar is checked where it lies.
  public init(_ name: String, calculated formula: String, _ mapping: OutputMapping = .any) {
    self.init(name, calculated: FormulaText(formula), mapping)
  }

  /// A member that a formula calculates.
  package init(_ name: String, calculated formula: FormulaText, _ mapping: OutputMapping) {
    definition = ObjectDefinition.Field(
      source: .constant, target: [name], definition: mapping.definition, property: nil,
      making: .calculated(formula))
  }

  /// A member that is made by the first of several fields whose condition holds.
  ///
  /// ```swift
  /// OutputField("class", cases: [
  ///   (.value(at: "status", .min(500)), OutputField("class", constant: "error")),
  ///   (.value(at: "ms", .min(1000)), OutputField("class", from: "slow_class", .string)),
  /// ], otherwise: OutputField("class", constant: "ok"))
  /// ```
  ///
  /// Cases that are not chosen make no errors. If a condition cannot be decided, that is an error. If none holds and there is
  /// no other field, the value is absent, which is an error unless the member is `isNullable`.
  ///
  /// A field with cases is one-way: nothing is written back.
  ///
  /// - Parameters:
  ///   - name: The member's name; those of the cases do not matter.
  ///   - cases: Conditions look at the source, not at other fields. A case cannot have cases itself, nor collect members.
  ///   - otherwise: What makes the member where no condition holds.
  ///   - isNullable: Whether the member is null if nothing makes it.
  public init(
    _ name: String, cases: [(condition: Condition, field: OutputField)],
    otherwise: OutputField? = nil, isNullable: Bool = false
  ) {
    var all = cases.map {
      ObjectDefinition.Case(when: $0.condition.definition, field: $0.field.definition)
    }
    if let otherwise { all.append(ObjectDefinition.Case(when: nil, field: otherwise.definition)) }
    definition = ObjectDefinition.Field(
      source: .constant, target: [name],
      definition: Definition(
        .json(.raw),
        policy: isNullable
          ? Policy(absent: .substitute(Substitute(json: .null), reported: false)) : Policy(),
        expected: "a case whose condition holds"),
      property: nil, making: .cases(all))
  }
}

extension ObjectDefinition.Field {
  fileprivate func redacted() -> ObjectDefinition.Field {
    var field = self
    field.definition = definition.redacted()
    if case .cases(let cases)? = making {
      field.making = .cases(
        cases.map { ObjectDefinition.Case(when: $0.when, field: $0.field.redacted()) })
    }
    return field
  }
}
