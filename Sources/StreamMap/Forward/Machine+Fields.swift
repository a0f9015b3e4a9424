// The fields of an object that ends: which source each has its value from, and what happens to fields without a value.
extension Machine {
  /// Settles the fields of an object that have no value; tells whether the object may still be made, and if not, why.
  @inline(never)
  func settleFields(
    of object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer,
    _ states: UnsafeMutablePointer<UInt8>
  ) -> Outcome {
    var failed = frames.top.pointee.hasFailed
    var lacks = false
    for number in 0..<object.pointee.fieldCount {
      let state = states[Int(number)]
      if state == SlotState.filled || state == SlotState.standsIn { continue }
      if state == SlotState.failed {
        failed = true
        continue
      }
      if state == SlotState.absent {
        lacks = true
        continue
      }
      let field = object.pointee.firstField + number
      let entry = plan.fields[field]
      let slot = slots + Int(entry.pointee.offset)
      frames.top.pointee.field = field
      let outcome: Outcome
      if let rule = object.pointee.patch {
        outcome = standIn(for: entry.pointee.node, rule, in: slot)
      } else if state == SlotState.omitted {
        outcome = leftOut(as: entry.pointee.node, in: slot)
      } else {
        outcome = makeAbsent(as: entry.pointee.node, in: slot)
      }
      setState(of: field, outcome, in: frames.top)
      if outcome == .failed { failed = true }
      if outcome == .absent { lacks = true }
    }
    if failed { return .failed }
    if lacks { return object.pointee.isTransparent ? .absent : .failed }
    return .filled
  }

  /// Makes the fields that tell something of the record; those whose fact there is not stay absent.
  func takeFacts(of object: UnsafePointer<PlanObject>) {
    for number in 0..<object.pointee.factCount {
      let entry = plan.facts[object.pointee.firstFact + number].pointee
      guard let value = builder.value(of: entry.fact) else { continue }
      let field = plan.fields[entry.field]
      frames.top.pointee.field = entry.field
      let slot = frames.top.pointee.slots + Int(field.pointee.offset)
      let outcome = withoutAddresses {
        made(as: field.pointee.node, in: slot) { value.emit(to: $0) }
      }
      setState(of: entry.field, outcome, in: frames.top)
    }
  }

  // MARK: Patches

  /// In a patch: the value that an absent field would have otherwise, in case there is nothing to update.
  private func standIn(for index: Int32, _ rule: AbsentUpdate, in slot: UnsafeMutableRawPointer)
    -> Outcome
  {
    // PERF: the error that most fields would have here is not made.
    if rule == .untouched, plan.nodes[index].pointee.absent.kind == .fail { return .left }
    let errorsBefore = errors.mark
    return standingIn(
      makeAbsent(as: index, in: slot), rule, errorsBefore: errorsBefore)
  }

  /// A value that was made from nothing is not written: its errors do not matter, unless the value is required.
  private func standingIn(_ outcome: Outcome, _ rule: AbsentUpdate, errorsBefore: ErrorLog.Mark)
    -> Outcome
  {
    if rule == .required, outcome.isFailure { return .failed }
    errors.remove(from: errorsBefore)
    return outcome == .filled ? .standsIn : .left
  }

  /// Replays an update to a field of its patch that takes it as a whole; if none of the field's parts is there, it is absent.
  func playParts(_ tape: Tape?, to node: Int32, in slot: UnsafeMutableRawPointer) -> Outcome {
    let foundOutside = foundPart
    defer { foundPart = foundOutside || foundPart }
    foundPart = false
    let errorsBefore = errors.mark
    let outcome = play(tape, to: node, in: slot)
    if foundPart { return outcome }
    return standingIn(
      outcome, object(of: frames.top).pointee.patch ?? .untouched, errorsBefore: errorsBefore)
  }

  /// Notes whether a part of an object was there: a field that does not take the object as a whole.
  func noteParts(
    of object: UnsafePointer<PlanObject>, _ states: UnsafeMutablePointer<UInt8>
  ) {
    if object.pointee.collector >= 0, frames.top.pointee.index >= 0 { foundPart = true }
    for number in 0..<object.pointee.fieldCount + object.pointee.otherSourceCount
    where states[Int(number)] != SlotState.unset {
      let source = plan.sources[Int(object.pointee.firstField + number)]
      if !source.components.isEmpty { foundPart = true }
    }
  }

  // MARK: Several sources

  /// Gives each field with several sources the value of the first source that has one; a null counts only if none has.
  func chooseSources(
    of object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer,
    _ states: UnsafeMutablePointer<UInt8>
  ) {
    for number in 0..<object.pointee.contestCount {
      let contest = plan.contests[object.pointee.firstContest + number].pointee
      let first = object.pointee.firstField
      var chosen: Int32?
      for number in 0...contest.otherCount {
        let state = states[Int(contest[number] - first)]
        if state == SlotState.unset { continue }
        if state & SlotState.ofNull == 0 {
          chosen = contest[number]
          break
        }
        chosen = chosen ?? contest[number]
      }
      guard let chosen else { continue }
      for number in 0...contest.otherCount where contest[number] != chosen {
        if states[Int(contest[number] - first)] == SlotState.unset { continue }
        destroyField(contest[number], slots)
        forgetErrors(of: contest[number], for: chosen)
      }
      let state = states[Int(chosen - first)] & ~SlotState.ofNull
      if chosen != contest.field, state == SlotState.filled {
        let node = plan.fields[chosen].pointee.node
        (slots + Int(plan.fields[contest.field].pointee.offset)).copyMemory(
          from: slots + Int(plan.fields[chosen].pointee.offset),
          byteCount: layouts[Int(node)].size)
      }
      states[Int(chosen - first)] = SlotState.unset
      states[Int(contest.field - first)] = state
    }
  }
}
