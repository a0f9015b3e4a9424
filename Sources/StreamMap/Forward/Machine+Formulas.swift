// What formulas make when an object ends: conditions that leave it out, calculated fields, cases.
//
// The values that formulas read are *hidden fields* of the object: any value, raw, which is not written; a path through a scalar is
// null there. A fact of the record, or a value from outside it, is a hidden field, too, made before formulas are asked
// (`takeFacts`). The condition on the source comes first, then cases and calculated fields, then the condition on fields. The errors of
// a case that is not chosen are forgotten; until then they have a target of their own.
extension Machine {
  /// Makes the fields of an object that are made from others, and settles those that have no value; tells whether the object may
  /// be made, and if not, why.
  @inline(never)
  func settleWithFormulas(
    of object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer,
    _ states: UnsafeMutablePointer<UInt8>
  ) -> Outcome {
    let errorsBefore = frames.top.pointee.errorsBefore
    frames.top.pointee.field = -1
    var failed = !areOperandsMade(of: object, slots)
    if object.pointee.earlyCondition >= 0, !failed {
      switch decide(object.pointee.earlyCondition, slots) {
      case true?: break
      case nil: failed = true
      case false?:
        // What is left out need not fit the mapping.
        errors.remove(from: errorsBefore)
        return .omitted
      }
    }
    let first = object.pointee.firstField
    for number in 0..<object.pointee.makingCount {
      let making = plan.makings[object.pointee.firstMaking + number].pointee
      let outcome = failed ? giveUp(making, slots) : make(making, slots)
      // The field's own policy decides on those that are unset.
      states[Int(making.field - first)] = outcome.rawValue
    }
    frames.top.pointee.field = -1
    let outcome = settleFields(of: object, slots, states)
    if failed { return .failed }
    frames.top.pointee.field = -1
    if outcome == .filled, object.pointee.lateCondition >= 0 {
      switch decide(object.pointee.lateCondition, slots) {
      case true?: break
      case nil: return .failed
      case false?:
        errors.remove(from: errorsBefore)
        return .omitted
      }
    }
    return outcome
  }

  /// A value ends that an object mapping does not take: its condition leaves it out, or it is an error.
  ///
  /// Such a *misfit* is of a kind that the fields do not take (`PlanKinds`). Only the condition on the source is asked about it.
  @inline(never)
  func finishMisfit(
    _ kind: JSONKind, _ object: UnsafePointer<PlanObject>, _ node: UnsafePointer<PlanNode>,
    _ slots: UnsafeMutableRawPointer
  ) {
    let here = frames.top
    here.pointee.field = -1
    let destination = here.pointee.destination
    let errorsBefore = here.pointee.errorsBefore
    let holds = isKept(object, slots, errorsBefore: errorsBefore)
    destroyFields(object, slots)
    builder.abandonObject()
    arena.release(slots)
    releaseKeys(to: here.pointee.keyStart)
    frames.pop()
    switch holds {
    case true?:
      settle(
        kind == .null
          ? rejectNull(node, in: destination)
          : reject(.wrongType, kind, by: node, in: destination))
    case false?: settle(.omitted)
    case nil: settle(fallBack(node, after: .failed, errorsBefore: errorsBefore, in: destination))
    }
  }

  /// Whether the condition holds for a value that the object does not take; nil after an error, which then is the only one.
  private func isKept(
    _ object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer,
    errorsBefore: ErrorLog.Mark
  ) -> Bool? {
    guard areOperandsMade(of: object, slots) else { return nil }
    errors.remove(from: errorsBefore)
    return decide(object.pointee.earlyCondition, slots)
  }

  /// Whether no operand exceeded a limit.
  private func areOperandsMade(
    of object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer
  ) -> Bool {
    object.pointee.hiddenFields.allSatisfy { field in
      !nodes[Int(fields[Int(field)].node)].isOperand || state(of: field, slots) != SlotState.failed
    }
  }

  private func state(of field: Int32, _ slots: UnsafeMutableRawPointer) -> UInt8 {
    slots.load(fromByteOffset: Int(fields[Int(field)].state), as: UInt8.self)
  }

  /// A value that its mapping leaves out where one is needed: the same as an absent one.
  func leftOut(as index: Int32, in slot: UnsafeMutableRawPointer) -> Outcome {
    let node = plan.nodes[index]
    let outcome = reject(
      .missing, by: node, node.pointee.absent,
      expected: plan.details[Int(node.pointee.detail)].expected,
      found: "one that its condition leaves out", in: slot)
    return outcome == .failed ? .absent : outcome
  }

  // MARK: Conditions

  /// Whether a condition holds; nil after an error.
  private func decide(_ condition: Int32, _ slots: UnsafeMutableRawPointer) -> Bool? {
    do throws(Formula.Fault) {
      return try builder.holds(condition, slots: slots)
    } catch {
      let formula = plan.formulas[condition].pointee
      note(
        error.code, .fatal, expected: expectation(of: error, formula), found: error.found,
        below: steps(to: error, formula))
      return nil
    }
  }

  private func expectation(of fault: Formula.Fault, _ formula: PlanFormula) -> String {
    formula.formula._withUnsafeGuaranteedRef { $0.expectation(of: fault) }
  }

  /// The way from the object to the operand at fault; none if it is not an operand.
  private func steps(to fault: Formula.Fault, _ formula: PlanFormula) -> [JSONPath.Component] {
    guard let source = fault.source else { return [] }
    let field = plan.formulaFields[formula.firstField + Int32(source)].pointee
    return plan.sources[Int(field)].components
  }

  // MARK: Fields

  /// Makes a field's value from others.
  private func make(_ making: PlanMaking, _ slots: UnsafeMutableRawPointer) -> Outcome {
    frames.top.pointee.field = making.field
    return making.formula >= 0
      ? calculate(making.formula, into: making.field, slots) : choose(making, slots)
  }

  private func calculate(_ index: Int32, into field: Int32, _ slots: UnsafeMutableRawPointer)
    -> Outcome
  {
    let entry = plan.fields[field].pointee
    let node = plan.nodes[entry.node]
    let slot = slots + Int(entry.offset)
    do throws(Formula.Fault) {
      let value = try builder.value(of: index, slots: slots)
      switch value.kind {
      case .null: return makeNull(as: entry.node, in: slot)
      case .absent: return leave(node, nil, plan.formulas[index].pointee, in: slot)
      case .array, .object:
        return reject(
          .wrongType, value.kind == .array ? .array : .object, by: node, in: slot)
      default: break
      }
      return value.withToken { make($0, as: entry.node, in: slot) } ?? .failed
    } catch {
      let formula = plan.formulas[index].pointee
      if case .missing = error.reason { return leave(node, error, formula, in: slot) }
      return reject(
        error.code, by: node, node.pointee.invalid, expected: expectation(of: error, formula),
        found: error.found, below: steps(to: error, formula), in: slot)
    }
  }

  /// A calculated value is absent, because an operand is.
  private func leave(
    _ node: UnsafePointer<PlanNode>, _ fault: Formula.Fault?, _ formula: PlanFormula,
    in slot: UnsafeMutableRawPointer
  ) -> Outcome {
    let outcome = reject(
      .missing, by: node, node.pointee.absent,
      expected: fault.map { expectation(of: $0, formula) }
        ?? plan.details[Int(node.pointee.detail)].expected,
      found: fault?.found, below: fault.map { steps(to: $0, formula) } ?? [], in: slot)
    return outcome == .failed ? .absent : outcome
  }

  /// Gives a field the value of the first case that holds; the errors of all others are forgotten.
  private func choose(_ making: PlanMaking, _ slots: UnsafeMutableRawPointer) -> Outcome {
    var (chosen, isDecided) = (Int32(-1), true)
    for number in making.firstCase..<making.firstCase + making.caseCount {
      let one = plan.cases[number].pointee
      guard let holds = one.condition < 0 ? true : decide(one.condition, slots) else {
        isDecided = false
        break
      }
      if holds {
        chosen = one.field
        break
      }
    }
    forgetCases(of: making, but: chosen, slots)
    guard isDecided else { return .failed }
    return chosen < 0 ? .left : take(chosen, for: making.field, slots)
  }

  /// The object is not made: nothing is asked of what is made from others.
  private func giveUp(_ making: PlanMaking, _ slots: UnsafeMutableRawPointer) -> Outcome {
    forgetCases(of: making, but: -1, slots)
    return .failed
  }

  private func forgetCases(
    of making: PlanMaking, but chosen: Int32, _ slots: UnsafeMutableRawPointer
  ) {
    let start = frames.top.pointee.errorsBefore
    for number in making.firstCase..<making.firstCase + making.caseCount {
      let field = plan.cases[number].pointee.field
      if field == chosen { continue }
      destroyField(field, slots)
      errors.removeAll(from: start, about: target(of: field))
    }
  }

  private func target(of field: Int32) -> JSONPath {
    JSONPath(
      targetPath(to: frames.count - 1).components + plan.targets[Int(field)].map { .key($0) })
  }

  /// Moves the value of a case into its field.
  private func take(_ chosen: Int32, for field: Int32, _ slots: UnsafeMutableRawPointer) -> Outcome
  {
    let entry = plan.fields[chosen].pointee
    let slot = slots + Int(entry.offset)
    var outcome = Outcome(rawValue: state(of: chosen, slots)) ?? .failed
    frames.top.pointee.field = chosen
    if entry.making >= 0 {
      outcome = calculate(plan.makings[entry.making].pointee.formula, into: chosen, slots)
    } else if outcome == .left {
      outcome = makeAbsent(as: entry.node, in: slot)
    } else if outcome == .omitted {
      outcome = leftOut(as: entry.node, in: slot)
    }
    errors.shorten(target(of: chosen), from: frames.top.pointee.errorsBefore)
    if outcome == .filled {
      (slots + Int(plan.fields[field].pointee.offset)).copyMemory(
        from: slot, byteCount: layouts[Int(entry.node)].size)
    }
    slots.storeBytes(of: SlotState.unset, toByteOffset: Int(entry.state), as: UInt8.self)
    return outcome
  }
}

extension Formula.Fault {
  /// The kind of error that it is.
  var code: ErrorCode {
    switch reason {
    case .missing: .missing
    case .wrongType: .wrongType
    case .tooLarge: .numberOutOfRange
    case .divisionByZero: .invalidValue
    }
  }
}

extension PlanAction {
  /// What an error is that leads to it.
  var severity: MappingError.Severity { kind == .fail ? .fatal : .issue }
}
