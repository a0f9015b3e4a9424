/// A condition before it is compiled.
indirect enum ConditionDefinition: Sendable {
  case all([ConditionDefinition])
  case any([ConditionDefinition])
  case not(ConditionDefinition)
  case value(ValueTest)
  case calculated(FormulaText)
  /// One that cannot be compiled, for this reason.
  case mistake(String)

  /// What is asked of one value.
  struct ValueTest: Sendable {
    let source: Source
    /// The way into the value of a field.
    var steps: [Step] = []
    /// Whether there has to be a value, which keeps to the rules.
    let exists: Bool
    let rules: [Rule<WrittenValue>]
  }

  enum Source: Sendable {
    case value(FormulaSource)
    case calculated(FormulaText)
  }

  /// From a value to one inside it.
  enum Step: Sendable {
    case key(WrittenKey)
    case index(Int)
  }

  /// Whether it asks for what the fields of the output object are.
  var looksAtFields: Bool {
    switch self {
    case .all(let conditions), .any(let conditions): conditions.contains(where: \.looksAtFields)
    case .not(let condition): condition.looksAtFields
    case .value(let test): if case .value(.field) = test.source { true } else { false }
    case .calculated, .mistake: false
    }
  }

  /// Whether it asks for what is not in the value.
  var looksOutside: Bool {
    switch self {
    case .all(let conditions), .any(let conditions): conditions.contains(where: \.looksOutside)
    case .not(let condition): condition.looksOutside
    case .value(let test):
      switch test.source {
      case .value(let source): source.isOutside
      case .calculated(let formula): formula.looksOutside
      }
    case .calculated(let formula): formula.looksOutside
    case .mistake: false
    }
  }

  /// What is wrong with the rules in it.
  var mistakes: [String] {
    switch self {
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.mistakes)
    case .not(let condition): condition.mistakes
    case .value(let test):
      test.rules.compactMap { rule in
        rule.mistake.map { "the rule '\(rule.name)' cannot be used: \($0)" }
      }
    case .calculated: []
    case .mistake(let reason): [reason]
    }
  }

  /// The two parts of a condition that both have to hold: the one that can be decided before there is an output object, and
  /// the one that cannot.
  ///
  /// - Parameter asksOutside: Whether the object takes any value, so that it can be asked about what is not in the value.
  /// - Returns: The parts; nil if there is none.
  func parts(asksOutside: Bool) -> (early: ConditionDefinition?, late: ConditionDefinition?) {
    guard looksAtFields || looksOutside && !asksOutside else { return (self, nil) }
    guard case .all(let conditions) = self else { return (nil, self) }
    let parts = conditions.map { $0.parts(asksOutside: asksOutside) }
    let (early, late) = (parts.compactMap(\.early), parts.compactMap(\.late))
    return (early.isEmpty ? nil : .all(early), late.isEmpty ? nil : .all(late))
  }

  /// The condition, ready to be evaluated.
  ///
  /// - Throws: ``FormulaSyntaxError`` for a calculation that cannot be read.
  func formula() throws(FormulaSyntaxError) -> Formula {
    var code = FormulaCode()
    try add(to: &code)
    return Formula(code, description: description)
  }

  /// As in `status: at least 500 and not (calc 'a > b')`.
  private var description: String {
    switch self {
    case .all(let conditions): conditions.map(\.inner).joined(separator: " and ")
    case .any(let conditions): conditions.map(\.inner).joined(separator: " or ")
    case .not(let condition): "not (\(condition.description))"
    case .value(let test): test.description
    case .calculated(let formula): "calc '\(formula.text)'"
    case .mistake(let reason): reason
    }
  }

  private var inner: String {
    switch self {
    case .all(let conditions), .any(let conditions):
      conditions.count > 1 ? "(\(description))" : description
    case .not, .value, .calculated, .mistake: description
    }
  }

  private func add(to code: inout FormulaCode) throws(FormulaSyntaxError) {
    switch self {
    case .all(let conditions):
      try Self.add(conditions, .skipIfFalse, whenNone: true, to: &code)
    case .any(let conditions):
      try Self.add(conditions, .skipIfTrue, whenNone: false, to: &code)
    case .not(let condition):
      try condition.add(to: &code)
      code.add(.not, takes: 1, at: 0)
    case .value(let test):
      switch test.source {
      case .value(let source): code.add(source, at: 0)
      case .calculated(let formula): try formula.add(to: &code)
      }
      // PERF: nearly all conditions compare one number, which takes no call.
      if test.exists, test.steps.isEmpty, test.rules.count == 1,
        let interval = test.rules[0].interval
      {
        code.add(interval, at: 0)
      } else {
        code.add(test.holds, at: 0)
      }
    case .calculated(let formula): try formula.add(to: &code, isCondition: true)
    case .mistake: code.add(literal: .bool(false), at: 0)
    }
  }

  private static func add(
    _ conditions: [ConditionDefinition], _ skip: FormulaStep.Operation, whenNone: Bool,
    to code: inout FormulaCode
  ) throws(FormulaSyntaxError) {
    guard let first = conditions.first else {
      code.add(literal: .bool(whenNone), at: 0)
      return
    }
    try first.add(to: &code)
    var skips: [Int] = []
    for condition in conditions.dropFirst() {
      skips.append(code.addSkip(skip, at: 0))
      try condition.add(to: &code)
    }
    for skip in skips { code.land(skip) }
  }
}

extension ConditionDefinition.ValueTest {
  fileprivate var description: String {
    let name =
      switch source {
      case .value(.path(let path)):
        path.components.isEmpty ? "$" : path.relativeDescription
      case .value(.field(let name)): "field \(name)" + (steps.isEmpty ? "" : " …")
      case .value(.outside(let source)): source.name
      case .calculated(let formula): "calc '\(formula.text)'"
      }
    if !exists { return "no \(name)" }
    return rules.isEmpty
      ? name : "\(name): \(rules.map(\.expected).joined(separator: " and "))"
  }

  /// The test of the source's value; one that is absent is null.
  fileprivate var holds: FormulaCode.Test {
    let (exists, keeps, steps) = (exists, Self.test(of: rules), steps)
    if steps.isEmpty { return { $0.isNull ? !exists : exists && keeps($0) } }
    return { value in
      let value = steps.reduce(value) { value, step in
        switch step {
        case .key(let key): value[key]
        case .index(let index): value[index]
        }
      }
      return value.isNull ? !exists : exists && keeps(value)
    }
  }

  /// Whether a value keeps to all rules.
  // PERF: their checks alone, for the texts of a rule would be retained with it; and nearly always there is one.
  private static func test(of rules: [Rule<WrittenValue>]) -> FormulaCode.Test {
    guard let check = rules.first?.check else { return { _ in true } }
    if rules.count == 1 { return { (try? check($0)) ?? false } }
    let others = test(of: Array(rules.dropFirst()))
    return { ((try? check($0)) ?? false) && others($0) }
  }
}
