@testable import StreamMap

// Conditions, calculated fields and cases.
extension ReferenceInterpreter {
  /// The value at a path; nil if there is none, or if the path leads through a scalar or null.
  static func operand(at path: JSONPath, in json: NaiveJSON, takesFirst: Bool) -> NaiveJSON? {
    var here = json
    for step in path.components {
      guard let next = part(step, of: here, takesFirst) else { return nil }
      here = next
    }
    return here.isNull ? nil : here
  }

  // MARK: Conditions

  /// Whether a condition holds for an object and, where it looks at them, its fields.
  static func holds(
    _ condition: ConditionDefinition, _ json: NaiveJSON, takesFirst: Bool,
    fields: [ExactText: String] = [:]
  ) throws -> Bool {
    switch condition {
    case .all(let conditions):
      return try conditions.allSatisfy {
        try holds($0, json, takesFirst: takesFirst, fields: fields)
      }
    case .any(let conditions):
      return try conditions.contains {
        try holds($0, json, takesFirst: takesFirst, fields: fields)
      }
    case .not(let condition):
      return try !holds(condition, json, takesFirst: takesFirst, fields: fields)
    case .calculated(let formula):
      return try NaiveFormula(formula.text)?.holds(in: json, takesFirst: takesFirst) ?? false
    case .value(let test):
      var value = JSONValue.null
      switch test.source {
      case .value(.path(let path)):
        value = operand(at: path, in: json, takesFirst: takesFirst)?.json ?? .null
      case .value(.field(let name)):
        value = fields[ExactText(name)].flatMap { NaiveJSON(Array($0.utf8))?.json } ?? .null
      case .value(.outside(.fact(let fact))):
        value = Self.value(of: fact, at: json.position)?.json ?? .null
      // Nothing is around the values that are mapped here.
      case .value(.outside(.context)): break
      case .calculated(let formula):
        value =
          try NaiveFormula(formula.text)?.value(in: json, takesFirst: takesFirst).value.json
          ?? .null
      }
      if value == .null { return !test.exists }
      var written = value.written
      return test.exists
        && written.withUTF8 { text in
          test.rules.allSatisfy { $0.isKept(by: WrittenValue(text)) }
        }
    case .mistake: return false
    }
  }

  /// Notes why a condition cannot be decided.
  mutating func note(_ error: any Error, _ json: NaiveJSON) {
    guard let fault = error as? NaiveFormula.Fault else { return }
    let before = path
    path.components += fault.path.components
    _ = stand(in: .fail, fault.code, json.position, for: OutputMapping.any.definition)
    path = before
  }

  // MARK: Fields

  /// What is made when the object ends.
  mutating func made(
    _ field: ObjectDefinition.Field, _ making: ObjectDefinition.Making, _ json: NaiveJSON,
    takesFirst: Bool, _ make: (inout ReferenceInterpreter, ObjectDefinition.Field) -> Made?
  ) -> Made? {
    switch making {
    case .calculated(let formula):
      return calculated(formula, field.definition, json, takesFirst: takesFirst)
    case .cases(let cases):
      do {
        for one in cases {
          if let when = one.when, try !Self.holds(when, json, takesFirst: takesFirst) { continue }
          let before = path
          let made =
            if let inner = one.field.making {
              made(one.field, inner, json, takesFirst: takesFirst, make)
            } else {
              make(&self, one.field)
            }
          return standing(made, for: one.field, from: before, json.position)
        }
      } catch {
        note(error, json)
        isAbsent = false
        return nil
      }
      return map(nil, by: field.definition, container: json.position)
    }
  }

  private mutating func calculated(
    _ formula: FormulaText, _ definition: Definition, _ json: NaiveJSON, takesFirst: Bool
  ) -> Made? {
    do {
      guard let naive = NaiveFormula(formula.text) else { return nil }
      let found = try naive.value(in: json, takesFirst: takesFirst)
      if let value = found.value.json {
        return map(NaiveJSON(value, at: json.position), by: definition, container: json.position)
      }
      guard found.value.isMissing else {
        return stand(in: definition.rules.invalid, .wrongType, json.position, for: definition)
      }
      // A null is a null only where it is one.
      let isNull =
        found.path.map { Self.isNull(at: $0, in: json, takesFirst: takesFirst) } ?? true
      return map(
        isNull ? NaiveJSON(.null, json.position) : nil, by: definition, container: json.position)
    } catch {
      guard let fault = error as? NaiveFormula.Fault else { return nil }
      let before = path
      defer { path = before }
      path.components += fault.path.components
      let isMissing = fault.code == .missing
      let action = isMissing ? definition.rules.absent : definition.rules.invalid
      let made = stand(in: action, fault.code, json.position, for: definition)
      isAbsent = isMissing && made == nil
      return made
    }
  }

  private static func isNull(at path: JSONPath, in json: NaiveJSON, takesFirst: Bool) -> Bool {
    var here = json
    for step in path.components {
      switch (step, here.value) {
      case (.key, .object), (.index, .array): break
      // What is inside null is null, and so is what would be inside a scalar.
      default: return true
      }
      guard let next = part(step, of: here, takesFirst) else { return false }
      here = next
    }
    return here.isNull
  }
}
