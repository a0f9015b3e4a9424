@testable import StreamMap

/// Random conditions, calculated fields and cases.
extension RandomCases {
  /// An object of fields of every kind, with a condition or without, as the record, in an array or as an alternative.
  mutating func formulaMapping() -> OutputMapping {
    let object = formulaObject(0)
    switch below(6) {
    case 0:
      return .firstOf([object, formulaObject(0), .nullable(.any)], reportsEarlier: below(2) == 0)
    case 1:
      return .object([
        OutputField("list", from: source(), .array(of: object, omitsInvalid: below(2) == 0)),
        OutputField("one", from: source(), .nullable(object)),
      ])
    case 2:
      return .array(of: below(2) == 0 ? object : OutputMapping.any.filtered(by: condition([])))
    default: return object
    }
  }

  private mutating func formulaObject(_ depth: Int) -> OutputMapping {
    let names = ["v", "w", "x", "y"].prefix(one(of: [1, 2, 3, 4]))
    let fields = names.map { formulaField($0, depth) }
    let object = OutputMapping.object(fields).duplicateKeys(below(4) == 0 ? .first : .last)
    return below(2) == 0 ? object : object.filtered(by: condition(Array(names)))
  }

  private mutating func formulaField(_ name: String, _ depth: Int) -> OutputField {
    switch below(7) {
    case 0, 1: return calculated(name)
    case 2:
      let cases = (0..<one(of: [1, 2, 3])).map { _ in
        (condition: condition([]), field: simpleField(name, depth))
      }
      return OutputField(
        name, cases: cases, otherwise: below(2) == 0 ? simpleField(name, depth) : nil,
        isNullable: below(3) == 0)
    default: return simpleField(name, depth)
    }
  }

  private mutating func simpleField(_ name: String, _ depth: Int) -> OutputField {
    switch below(8) {
    case 0: return OutputField(name, constant: one(of: [.null, .string("é"), .number("1.50")]))
    case 1: return calculated(name)
    case 2 where depth < 2: return OutputField(name, from: source(), formulaObject(depth + 1))
    case 3 where depth < 2:
      return OutputField(
        name, from: source(), .nullable(.array(of: formulaObject(depth + 1))))
    default:
      let mapping: OutputMapping = one(of: [.any, .string, .number, .int64, .nullable(.any)])
      return OutputField(name, from: source(), mapping)
    }
  }

  private mutating func calculated(_ name: String) -> OutputField {
    let mapping: OutputMapping = one(of: [
      .any, .number, .nullable(.any), .nullable(.number, when: .missingOrInvalid), .string,
      OutputMapping.any.default(.string("stand-in")),
    ])
    return OutputField(name, calculated: formula(0), mapping)
  }

  private mutating func source() -> FieldSource {
    .keys((0..<one(of: [1, 1, 2])).map { _ in one(of: Self.keys) })
  }

  private mutating func condition(_ fields: [String], depth: Int = 0) -> Condition {
    let isNumber = Rule<JSONValue>("number", expecting: "a number") {
      if case .number = $0 { true } else { false }
    }
    let isText = Rule<JSONValue>("text", expecting: "a text") {
      if case .string(let text) = $0 { text.contains("a") } else { false }
    }
    switch below(depth > 2 ? 4 : 8) {
    case 0: return .nothing(at: source())
    case 1: return .calculated(truth(0))
    case 2 where !fields.isEmpty:
      let rules = one(of: [isNumber, isText, .not(isNumber)])
      return .field(one(of: fields), rules)
    case 2, 3: return .value(at: source(), one(of: [isNumber, isText, .not(isText)]))
    case 4: return .value(at: below(4) == 0 ? .path("$") : source())
    case 5: return .not(condition(fields, depth: depth + 1))
    default:
      let parts = (0..<one(of: [1, 2, 3])).map { _ in condition(fields, depth: depth + 1) }
      return below(2) == 0 ? .all(parts) : .any(parts)
    }
  }

  // MARK: Formulas

  private mutating func path() -> String {
    (0..<one(of: [1, 1, 1, 2])).map { _ in
      let key = one(of: Self.keys)
      return "['\(key)']"
    }.joined()
  }

  /// A formula whose parts are of the kinds that are known to fit.
  private mutating func formula(_ depth: Int) -> String {
    switch below(4) {
    case 0: truth(depth)
    case 1: one(of: [path(), "'a' ", "\(path()) ?? \(path())", "\(path()) ?? 'x'", "null ?? 1"])
    default: number(depth)
    }
  }

  private mutating func number(_ depth: Int) -> String {
    if depth > 3 { return one(of: [path(), "2", "0.5", "\(path()) ?? 1"]) }
    func part() -> String { number(depth + 1) }
    switch below(11) {
    case 0, 1: return path()
    case 2: return one(of: ["0", "3", "1.25", "10"])
    case 3: return "(\(path()) ?? \(part()))"
    case 4: return "-\(path())"
    case 5: return "\(part()) \(one(of: ["+", "-"])) \(part())"
    case 6: return "(\(part())) \(one(of: ["/", "%"])) \(one(of: ["2", "4", "0.5", "10"]))"
    case 7: return "(\(part())) * \(one(of: ["2", "1.5", "-3"]))"
    case 8: return "round(\(part()), \(below(4)))"
    case 9: return "\(one(of: ["floor", "abs"]))(\(part()))"
    default:
      return below(2) == 0
        ? "\(one(of: ["min", "max"]))(\(part()), \(part()))" : "length(\(path()))"
    }
  }

  private mutating func truth(_ depth: Int) -> String {
    if depth > 3 { return one(of: ["true", "false", "\(path()) == null"]) }
    func part() -> String { truth(depth + 1) }
    switch below(8) {
    case 0: return "\(path()) \(one(of: ["==", "!="])) null"
    case 1: return "\(path()) \(one(of: ["==", "!=", "<", ">="])) \(one(of: ["'a'", "7", path()]))"
    case 2, 3:
      let sign = one(of: ["==", "!=", "<", "<=", ">", ">="])
      return "\(number(depth + 1)) \(sign) \(number(depth + 1))"
    case 4: return "not (\(part()))"
    case 5: return "(\(part())) or (\(part()))"
    default: return "(\(part())) and (\(part()))"
    }
  }
}
