// Fields that are made from others when their object ends, and conditions without which the object is left out.
extension PlanCompiler {
  /// What an object has of formulas.
  struct ObjectFormulas {
    /// By field: its index in `makings`.
    var makings: [Int32: Int32] = [:]
    var firstMaking: Int32 = 0
    var makingCount: Int32 = 0
    var early: Int32 = -1
    var late: Int32 = -1
    /// The number of the first field that only the condition reads; there may be none.
    var firstAsked = Int.max

    var isAny: Bool { makingCount > 0 || early >= 0 || late >= 0 }
  }

  /// The fields of an object while formulas are added.
  private struct Adding {
    let object: ObjectDefinition
    let first: Int32
    var fields: [ObjectDefinition.Field]
    var nodes: [Int32]
    /// The fields that formulas read, by what they read.
    var operands: [FormulaSource: Int32] = [:]

    var next: Int32 { first + Int32(fields.count) }

    func isRedacted(_ field: Int32) -> Bool { fields[Int(field - first)].definition.isRedacted }

    /// Keeps what a formula reads out of errors; fields of the object say that themselves.
    mutating func redact(_ field: Int32) {
      let number = Int(field - first)
      if number < object.fields.count { return }
      fields[number].definition = fields[number].definition.redacted()
    }
  }

  /// The nodes of a field's cases.
  mutating func caseNodes(of field: ObjectDefinition.Field) -> [Int32] {
    guard case .cases(let cases)? = field.making else { return [] }
    return cases.map { node($0.field.definition) }
  }

  /// Adds the fields that are not written, and compiles the formulas.
  mutating func addFormulas(
    of object: ObjectDefinition, _ caseNodes: [[Int32]], to fields: inout [ObjectDefinition.Field],
    _ nodes: inout [Int32], first: Int32
  ) -> ObjectFormulas {
    var formulas = ObjectFormulas()
    formulas.firstMaking = Int32(draft.makings.count)
    guard object.condition != nil || object.fields.contains(where: { $0.making != nil }) else {
      return formulas
    }
    var adding = Adding(object: object, first: first, fields: fields, nodes: nodes)
    // The makings of an object follow each other; those of its cases come after them, for they are made only if chosen.
    var ofCases: [(field: Int32, making: ObjectDefinition.Making, number: Int)] = []
    for (number, field) in object.fields.enumerated() {
      guard let making = field.making else { continue }
      let index = first + Int32(number)
      formulas.makings[index] = Int32(draft.makings.count)
      within(.field(number + 1, field.name)) {
        $0.draft.makings.append(
          $0.making(of: index, making, caseNodes[number], &adding) {
            ofCases.append(($0, $1, number))
          })
      }
      formulas.makingCount += 1
    }
    for (index, making, number) in ofCases {
      formulas.makings[index] = Int32(draft.makings.count)
      within(.field(number + 1, object.fields[number].name)) {
        $0.draft.makings.append(
          $0.making(of: index, making, [], &adding) { _, _ in })
      }
    }
    formulas.firstAsked = adding.fields.count
    if object.condition != nil {
      let parts = object.conditionParts
      formulas.early = parts.early.map { self.condition($0, &adding) } ?? -1
      formulas.late = parts.late.map { self.condition($0, &adding) } ?? -1
    }
    (fields, nodes) = (adding.fields, adding.nodes)
    return formulas
  }

  private mutating func making(
    of field: Int32, _ making: ObjectDefinition.Making, _ caseNodes: [Int32],
    _ adding: inout Adding, ofCase: (Int32, ObjectDefinition.Making) -> Void
  ) -> PlanMaking {
    switch making {
    case .calculated(let formula):
      var code = FormulaCode()
      do throws(FormulaSyntaxError) {
        try formula.add(to: &code)
      } catch {
        report("\(error)")
        code = FormulaCode()
        code.add(literal: .null, at: 0)
      }
      let isRedacted = adding.isRedacted(field)
      return PlanMaking(
        field: field,
        formula: add(
          Formula(code, description: "calc '\(formula.text)'"), &adding, isRedacted: isRedacted),
        firstCase: 0, caseCount: 0)
    case .cases(let cases):
      if caseNodes.isEmpty { report("there are no cases; give at least one") }
      var made: [PlanCase] = []
      let isRedacted = adding.isRedacted(field)
      for (number, (one, node)) in zip(cases, caseNodes).enumerated() {
        if one.when?.looksAtFields == true {
          report("the condition of a case looks at sources, for the fields are not made yet")
        }
        if case .cases? = one.field.making { report("a case cannot have cases of its own") }
        if case .unknown = one.field.source { report("a case cannot collect members") }
        let condition =
          one.when.map {
            self.condition($0, &adding, isRedacted: isRedacted)
          } ?? -1
        made.append(PlanCase(condition: condition, field: adding.next))
        if let making = one.field.making { ofCase(adding.next, making) }
        // Errors of a case belong to the field; while it is not known which case it is, they have a name of their own.
        let target = adding.object.targets[Int(field - adding.first)] + [Self.name(ofCase: number)]
        add(one.field, node, named: target, &adding)
      }
      draft.cases += made
      return PlanMaking(
        field: field, formula: -1, firstCase: Int32(draft.cases.count - made.count),
        caseCount: Int32(made.count))
    }
  }

  private static func name(ofCase number: Int) -> String { "case \(number + 1)" }

  private mutating func condition(
    _ condition: ConditionDefinition, _ adding: inout Adding, isRedacted: Bool = false
  ) -> Int32 {
    for mistake in condition.mistakes { report(mistake) }
    do throws(FormulaSyntaxError) {
      return add(try condition.formula(), &adding, isRedacted: isRedacted)
    } catch {
      report("\(error)")
      return -1
    }
  }

  private mutating func add(
    _ formula: Formula, _ adding: inout Adding, isRedacted: Bool
  ) -> Int32 {
    let fields = formula.sources.map { field(of: $0, &adding) }
    if isRedacted { for field in fields { adding.redact(field) } }
    for (field, mayMiss) in zip(fields, formula.mayMiss) where !mayMiss {
      draft.needed.insert(field)
    }
    draft.formulas.append(
      PlanFormula(
        formula: Unmanaged.passUnretained(formula), firstField: Int32(draft.formulaFields.count)))
    draft.formulaFields += fields
    draft.formulaObjects.append(formula)
    return Int32(draft.formulas.count - 1)
  }

  /// The field that has the value of a source.
  private mutating func field(of source: FormulaSource, _ adding: inout Adding) -> Int32 {
    switch source {
    case .field(let name):
      let number = adding.object.fields.firstIndex { field in
        field.target.map { ExactText($0) } == [ExactText(name)]
      }
      guard let number, !adding.object.isTransparent else {
        report("the object has no field '\(name)', at which its condition looks")
        return adding.first
      }
      draft.decides.insert(adding.first + Int32(number))
      return adding.first + Int32(number)
    case .path(let path): return operand(source, .path(path), Self.operand, &adding)
    case .outside(let outside):
      switch outside {
      case .fact(let fact): return operand(source, .fact(fact), Self.operand, &adding)
      case .context(let number, let name):
        return operand(
          source, .fact(.offset), .contextValue(number, named: name), &adding)
      }
    }
  }

  /// The hidden field that has the value of a source.
  private mutating func operand(
    _ source: FormulaSource, _ origin: ObjectDefinition.Source, _ definition: Definition,
    _ adding: inout Adding
  ) -> Int32 {
    if let known = adding.operands[source] { return known }
    let index = adding.next
    adding.operands[source] = index
    let node = node(definition)
    draft.nodes[Int(node)].isOperand = true
    draft.nodes[Int(node)].becomesTree = true
    let field = ObjectDefinition.Field(
      source: origin, target: [], definition: definition, property: nil)
    add(field, node, named: [], &adding)
    return index
  }

  /// Any value, null if a path leads through a scalar.
  private static var operand: Definition {
    Definition(
      .json(.raw),
      policy: Policy(
        null: .take(isSaid: false), invalid: .substitute(Substitute(json: .null), reported: false)),
      expected: "a value for a formula")
  }

  private mutating func add(
    _ field: ObjectDefinition.Field, _ node: Int32, named target: [String], _ adding: inout Adding
  ) {
    adding.fields.append(field)
    adding.nodes.append(node)
    draft.targets.append(target)
    draft.names.append(target)
  }
}
