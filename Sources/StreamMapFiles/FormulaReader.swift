import StreamMap

/// Reads what is made of other values: `calc` and `cases`.
struct FormulaReader {
  private let mistakes: FileMistakes

  init(_ mistakes: FileMistakes) {
    self.mistakes = mistakes
  }

  /// The text of a formula.
  func formula(
    _ node: LocatedNode, _ names: OutsideNames, places: Int? = nil, isCondition: Bool
  ) -> FormulaText? {
    guard let text = Self.text(node) else {
      mistakes.add(
        node.mark, "calc has to be a formula, as in price * qty; found \(node.phrase)")
      return nil
    }
    let formula = names.formula(text, places: places)
    guard let mistake = formula.mistake(isCondition: isCondition) else { return formula }
    mistakes.add(
      node.mark, "\(mistake)",
      meant: Suggestion.meant(by: mistake.name, among: mistake.names)
        ?? Self.operators(in: mistake).map { .advice($0) })
    return nil
  }

  /// What is written for the operator of another language at the place of a mistake, or just before it; nil if there is none.
  private static func operators(in mistake: FormulaSyntaxError) -> String? {
    let scalars = Array(mistake.formula.unicodeScalars)
    if let advice = OtherOperators.advice(at: mistake.offset, in: scalars, .formula) {
      return advice
    }
    // `if a then b`: the word that stands where an operator is expected is a value.
    return mistake.formula.hasPrefix("if ") ? "cases chooses one of several values" : nil
  }

  /// A number or a word without quotes is a formula, too.
  private static func text(_ node: LocatedNode) -> String? {
    if case .scalar(let scalar) = node.content { scalar.text } else { nil }
  }

  // MARK: calc

  /// A field that is calculated.
  func calculated(_ map: MapReader<ValueKey>, _ name: String, _ fields: FieldReader) -> FieldSpec
    .Source?
  {
    for key in map.present(ValueKey.sources + [.cases, .otherwise] + ValueKey.kinds)
    where key != .type {
      mistakes.add(map.mark(of: key), "\(name) has 'calc' and '\(key)'; keep one of them")
    }
    let places = places(map)
    guard let node = map[.calc], let value = ValueReader(fields, map, name).unsourced() else {
      return nil
    }
    guard case .scalar(let scalar) = value.kind, scalar.type != .json else {
      mistakes.add(
        map.mark(of: .type), "calc makes a scalar: a number, a string, true or false")
      return nil
    }
    return formula(node, fields.setting.names, places: places, isCondition: false)
      .map { .calculated($0, value) }
  }

  private func places(_ map: MapReader<ValueKey>) -> Int? {
    let expected = "a whole number of decimal places, from -38 to 38"
    guard let places = map.number(.round, in: -38...38, expected), let node = map[.round] else {
      return nil
    }
    if let whole = Int(exactly: places) { return whole }
    mistakes.add(node.mark, "round has to be \(expected); found \(node.phrase)")
    return nil
  }

  // MARK: cases

  /// A field that is one of several.
  func cases(_ map: MapReader<ValueKey>, _ name: String, _ fields: FieldReader) -> FieldSpec.Source?
  {
    let known: [ValueKey] = [.cases, .otherwise, .nullable, .redact]
    for key in map.present(ValueKey.field.keys) where !known.contains(key) {
      mistakes.add(
        map.mark(of: key), "\(name) has 'cases' and '\(key)'; say '\(key)' in each case")
    }
    guard let nodes = map.list(.cases) else { return nil }
    if nodes.isEmpty { mistakes.add(map.mark(of: .cases), "cases has no cases") }
    let cases = nodes.compactMap { one($0, fields) }
    let otherwise = map[.otherwise].map { self.otherwise($0, fields) }
    guard !nodes.isEmpty, cases.count == nodes.count, otherwise.map({ $0 != nil }) ?? true else {
      return nil
    }
    if map.bool(.redact) == true {
      for source in cases.map(\.source) + [otherwise ?? nil].compactMap(\.self) {
        guard let place = source.place(fields.setting.names) else { continue }
        mistakes.add(map.mark(of: .redact), place.cannotBeHidden(in: name))
      }
    }
    return .cases(
      CasesSpec(
        cases: cases, otherwise: otherwise ?? nil, isNullable: map.bool(.nullable) == true,
        isRedacted: map.bool(.redact) == true))
  }

  private func one(_ node: LocatedNode, _ fields: FieldReader) -> CasesSpec.Case? {
    guard let map = MapReader(node, "a case", ValueKey.case, mistakes) else { return nil }
    guard let when = map[.when] else {
      mistakes.add(map.mark, "when is missing: the condition of the case")
      return nil
    }
    let condition = ConditionReader(fields.setting.names, mistakes).condition(when, "when")
    let source = value(map, "a case", fields)
    guard let condition, let source else { return nil }
    return CasesSpec.Case(condition: condition, source: source)
  }

  private func otherwise(_ node: LocatedNode, _ fields: FieldReader) -> FieldSpec.Source? {
    guard case .map = node.content else { return node.json(mistakes).map { .constant($0) } }
    return MapReader(node, "otherwise", ValueKey.field, mistakes).flatMap {
      value($0, "otherwise", fields)
    }
  }

  private func value(_ map: MapReader<ValueKey>, _ name: String, _ fields: FieldReader) -> FieldSpec
    .Source?
  {
    let source = fields.source(map, name, at: map.mark)
    if case .cases? = source {
      mistakes.add(map.mark(of: .cases), "a case cannot have cases of its own")
      return nil
    }
    return source
  }
}
