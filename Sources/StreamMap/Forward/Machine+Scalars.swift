// Scalars, and what happens to null and to absent values.
extension Machine {
  /// Gives a scalar to all fields of a place.
  @inline(__always)
  func hand(_ token: Token, to place: Int32) {
    if token.kind == .null { giveOther(token, to: place) } else { give(token, to: place) }
  }

  /// Gives a scalar that is not null.
  @inline(never)
  private func give(_ token: Token, to place: Int32) {
    let here = places + Int(place)
    let scalar = here.pointee.onlyScalar
    if scalar < 0 { return giveOther(token, to: place) }
    let frame = frames.top
    frame.pointee.field = here.pointee.onlyField
    let slots = frame.pointee.slots
    // PERF: before the value is made, so that little has to be kept across the call; a value that is not made is
    // reported at once.
    slots.storeBytes(
      of: SlotState.filled, toByteOffset: Int(here.pointee.onlyState), as: UInt8.self)
    let verdict = builder.scalar(
      token, as: nodes + Int(scalar), in: slots + Int(here.pointee.onlySlot))
    if verdict != .made { refuseScalar(verdict, token.kind) }
  }

  /// The builder made no value for the current field.
  @inline(never)
  private func refuseScalar(_ verdict: Verdict, _ kind: JSONKind) {
    let frame = frames.top
    let field = frame.pointee.field
    setState(of: field, .failed, in: frame)
    let entry = plan.fields[field]
    let outcome = reject(
      verdict, kind, by: plan.nodes[entry.pointee.node],
      in: frame.pointee.slots + Int(entry.pointee.offset))
    setState(of: field, outcome, in: frame)
  }

  /// Gives a null, a scalar that the builder does not make alone, or one that has several fields.
  // PERF: outlined, as are the functions that it calls, so that the caller has no registers to save.
  @inline(never)
  func giveOther(_ token: Token, to place: Int32) {
    let here = places + Int(place)
    if here.pointee.onlyField >= 0 { return fill(here.pointee.onlyField, with: token) }
    for offset in 0..<here.pointee.fieldCount {
      fill(plan.placeFields[here.pointee.fieldStart + offset].pointee, with: token)
    }
    if here.pointee.leadsOn { givePaths(token.kind, at: place) }
    if here.pointee.role == .kept { keepMember(at: place, nil) { token.emit(to: $0) } }
  }

  /// Gives a scalar to a field.
  @inline(never)
  func fill(_ field: Int32, with token: Token) {
    let frame = frames.top
    frame.pointee.field = field
    let entry = plan.fields[field]
    let slot = frame.pointee.slots + Int(entry.pointee.offset)
    setState(of: field, make(token, as: entry.pointee.node, in: slot), in: frame)
  }

  /// Gives a value that paths cannot go through: null is null for all fields below, any other value is an error for them.
  func givePaths(_ kind: JSONKind, at place: Int32) {
    let here = plan.places[place].pointee
    for offset in here.fieldCount..<here.subtreeFieldCount {
      let field = plan.placeFields[here.fieldStart + offset].pointee
      let frame = frames.top
      frame.pointee.field = field
      let entry = plan.fields[field]
      let node = plan.nodes[entry.pointee.node]
      let slot = frame.pointee.slots + Int(entry.pointee.offset)
      let outcome =
        if kind == .null { makeNull(as: entry.pointee.node, in: slot) } else {
          reject(
            .wrongType, by: node, node.pointee.invalid,
            expected: here.keys == nil ? "an array" : "an object",
            found: kind.phrase, in: slot)
        }
      setState(of: field, outcome, in: frame)
    }
  }

  @inline(__always)
  func make(_ token: Token, as index: Int32, in slot: UnsafeMutableRawPointer) -> Outcome {
    if token.kind == .null { return makeNull(as: index, in: slot) }
    let node = nodes + Int(index)
    if node.pointee.opcode.isBeyondScalars {
      return makeOther(token, node, in: slot)
    }
    let verdict = builder.scalar(token, as: node, in: slot)
    if verdict == .made { return made(node, in: slot) }
    return reject(verdict, token.kind, by: node, in: slot)
  }

  /// Makes a value from a scalar that is wanted as JSON or through a transform, or that stands in place of a container.
  func makeOther(
    _ token: Token, _ node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer
  ) -> Outcome {
    switch node.pointee.opcode.family {
    case .json:
      token.emit(to: builder.beginJSON(as: node))
      builder.finishJSON(as: node, in: slot)
      return made(node, in: slot)
    case .change, .remap:
      if makeLiteral(token, node, in: slot) { return made(node, in: slot) }
      return throughTransform(node, in: slot) { make(token, as: node.pointee.child, in: $0) }
    case .choice(let choice):
      return make(choice, from: token, node, in: slot)
    case .object:
      let object = plan.objects[node.pointee.child]
      if object.pointee.takes.all { return makeObject(from: token, node, in: slot) }
      if object.pointee.earlyCondition >= 0 {
        return makeObject(from: token, isMisfit: true, node, in: slot)
      }
    case .scalar, .collection: break
    }
    return reject(.wrongType, token.kind, by: node, in: slot)
  }

  /// Makes a transform's result for a text whose result is known; false if the transform has to be called.
  private func makeLiteral(
    _ token: Token, _ node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer
  ) -> Bool {
    guard token.kind == .string, let texts = node.pointee.literalTable else { return false }
    var noGuess = Int32.max
    let known = texts._withUnsafeGuaranteedRef { $0.find(token.text, guess: &noGuess) }
    if known < 0 { return false }
    builder.storeLiteral(known, as: node, in: slot)
    return true
  }

  func makeNull(as index: Int32, in slot: UnsafeMutableRawPointer) -> Outcome {
    let node = plan.nodes[index]
    switch node.pointee.null.kind {
    case .take:
      switch node.pointee.opcode.family {
      case .change, .remap:
        return throughTransform(node, in: slot) { makeNull(as: node.pointee.child, in: $0) }
      case .choice(let choice):
        return make(choice, from: .null, node, in: slot)
      case .object:
        return makeObject(from: .null, node, in: slot)
      case .scalar, .json, .collection:
        builder.beginJSON(as: node).null()
        builder.finishJSON(as: node, in: slot)
        return made(node, in: slot)
      }
    case .leave:
      return .left
    case .contested:
      return makeNull(as: node.pointee.null.substitute, in: slot).ofNull
    case .fail, .useNil, .substitute:
      if node.pointee.null.isAsked {
        return makeObject(from: .null, isMisfit: true, node, in: slot)
      }
      return rejectNull(node, in: slot)
    }
  }

  /// What a node makes of a null that it does not take.
  func rejectNull(_ node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer) -> Outcome {
    let outcome = reject(
      .null, by: node, node.pointee.null,
      expected: plan.details[Int(node.pointee.detail)].expected,
      found: JSONKind.null.phrase, in: slot)
    return outcome == .failed ? .absent : outcome
  }

  /// Makes an object mapping's value whose source is absent.
  func makeAbsent(as index: Int32, in slot: UnsafeMutableRawPointer) -> Outcome {
    let node = plan.nodes[index]
    if node.pointee.absent.kind == .take {
      let owner = frames.count - 1
      // These calls nest, because an absent value may pass through a dispatch or a transform: only the outermost clears
      // the marker.
      let isInside = frames[owner].pointee.pending == Self.absent
      frames[owner].pointee.pending = Self.absent
      defer { if !isInside { frames[owner].pointee.pending = -1 } }
      switch node.pointee.opcode.family {
      case .change, .remap:
        return throughTransform(node, in: slot) { makeAbsent(as: node.pointee.child, in: $0) }
      case .choice(let choice):
        if let outcome = makeAbsent(choice, node, in: slot) { return outcome }
      case .object:
        let outcome = makeObject(from: nil, node, in: slot)
        return outcome == .omitted ? leftOut(as: index, in: slot) : outcome
      case .scalar, .json, .collection: break
      }
    }
    let outcome = reject(
      .missing, by: node, node.pointee.absent,
      expected: plan.details[Int(node.pointee.detail)].expected,
      found: nil, in: slot)
    return outcome == .failed ? .absent : outcome
  }

  func throughTransform(
    _ node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer,
    _ makeInner: (UnsafeMutableRawPointer) -> Outcome
  ) -> Outcome {
    let errorsBefore = errors.mark
    let inner = arena.allocate(layouts[Int(node.pointee.child)].size)
    let result = transform(inner, makeInner(inner), node, errorsBefore: errorsBefore, into: slot)
    arena.release(inner)
    return result
  }
}
