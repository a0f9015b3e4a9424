// Errors of formulas, which are known when their object ends: their place is that of the object.
extension TextRowMaker {
  /// Notes why a condition cannot be decided.
  ///
  /// - Parameters:
  ///   - fault: What is wrong.
  ///   - condition: Its formula.
  ///   - field: The field whose case it is; nil for a condition of the object.
  ///   - rank: When it is asked, among all that is known when the object ends.
  ///   - row: The record.
  /// - Returns: False if that is not known here.
  func note(
    _ fault: Formula.Fault, of condition: Int32, field: Int? = nil, rank: Int, _ row: RecordRow
  ) -> Bool {
    note(
      fault.code, .fatal, expected: expectation(of: fault, condition), found: fault.found,
      below: way(to: fault, condition), field: field, rank: rank, row)
  }

  /// What becomes of a calculated field because of a fault.
  func standIn(
    for fault: Formula.Fault, of formula: Int32, field: Int, _ row: RecordRow
  ) -> Made {
    let node = nodes + Int(fields[field].node)
    let (code, isLack) = (fault.code, fault.code == .missing)
    let action = isLack ? node.pointee.absent : node.pointee.invalid
    if isReported(action) {
      let isNoted = note(
        code, action.severity, expected: expectation(of: fault, formula), found: fault.found,
        below: way(to: fault, formula), field: field, rank: 0, row)
      if !isNoted { return .refused }
    }
    return standIn(by: action, node, slot, orElse: isLack ? .absent : .failed)
  }

  /// What becomes of a field that is made of others, and has no value.
  func lack(
    _ code: ErrorCode, _ action: PlanAction, field: Int, rank: Int,
    _ node: UnsafePointer<PlanNode>, _ row: RecordRow
  ) -> Made {
    if isReported(action) {
      let isNoted = note(
        code, action.severity, expected: plan.details[Int(node.pointee.detail)].expected,
        found: code == .null ? JSONKind.null.phrase : nil, field: field, rank: rank, row)
      if !isNoted { return .refused }
    }
    return standIn(by: action, node, slot, orElse: .absent)
  }

  /// What becomes of a field whose type does not take what was calculated.
  func reject(
    _ verdict: Verdict, _ kind: JSONKind, field: Int, _ node: UnsafePointer<PlanNode>,
    _ row: RecordRow
  ) -> Made {
    let action = node.pointee.invalid
    if isReported(action) {
      let (code, found) = verdict.error(of: kind)
      let isNoted = note(
        code, action.severity, expected: plan.details[Int(node.pointee.detail)].expected,
        found: found, field: field, rank: 0, row)
      if !isNoted { return .refused }
    }
    return standIn(by: action, node, slot, orElse: .failed)
  }

  /// What becomes of a field because of rules that what was calculated breaks.
  func reject(
    _ failures: [any Error], field: Int, _ node: UnsafePointer<PlanNode>, _ row: RecordRow
  ) -> Made {
    let action = node.pointee.invalid
    if isReported(action) {
      for failure in failures {
        let thrown = ThrownError(
          failure, expected: plan.details[Int(node.pointee.detail)].expected,
          from: plan.source(of: node), hidesValues: false)
        let isNoted = note(
          thrown.code, action.severity, expected: thrown.expected, found: thrown.found,
          rule: thrown.rule, underlying: thrown.underlying, field: field, rank: 0, row)
        if !isNoted { return .refused }
      }
    }
    return standIn(by: action, node, slot, orElse: .failed)
  }

  /// Notes an error of the innermost object, which is known when that ends; false if that is not known here.
  ///
  /// Its path is that of the object, and the steps below it. Its target is that of the field, or of the object.
  private func note(
    _ code: ErrorCode, _ severity: MappingError.Severity, expected: String?, found: String?,
    rule: String? = nil, underlying: [any Error] = [], below steps: [JSONPath.Component] = [],
    field: Int?, rank: Int, _ row: RecordRow
  ) -> Bool {
    if quiet > 0 { return noteUnknown() }
    guard canNote, let place = ownerPlace(row),
      var (path, target) = paths(trail.all.dropLast(), row),
      let moment = momentOfObject(endingAt: place.end, rank: rank, row)
    else { return false }
    path.components += steps
    if let field { target.components += fieldPlaces.targets[field].components }
    add(
      ErrorLog.Entry(
        severity: severity, code: code, path: path, target: target,
        address: FeedToken(start: UInt64(place.start), end: UInt64(place.end)),
        expected: expected, found: found, underlying: underlying, rule: rule, moment: moment))
    return true
  }

  private func expectation(of fault: Formula.Fault, _ formula: Int32) -> String {
    plan.formulas[formula].pointee.formula._withUnsafeGuaranteedRef { $0.expectation(of: fault) }
  }

  /// The way from the object to the operand at fault; none if it is not an operand.
  private func way(to fault: Formula.Fault, _ formula: Int32) -> [JSONPath.Component] {
    guard let source = fault.source else { return [] }
    let operand = plan.formulas[formula].pointee.firstField + Int32(source)
    return plan.sources[Int(plan.formulaFields[operand].pointee)].components
  }
}
