// Containers: entering, leaving, and what becomes of the value that ends.
extension Machine {
  /// A container begins at a place that someone wants.
  func enter(_ place: Int32, _ kind: TokenKind) {
    let here = plan.places[place]
    if here.pointee.takerCount == 0 {
      enterPath(place, kind)
    } else if here.pointee.onlyField >= 0 {
      let frame = frames.top
      frame.pointee.field = here.pointee.onlyField
      enter(here.pointee.onlyNode, kind, into: frame.pointee.slots + Int(here.pointee.onlySlot))
    } else {
      recordOnTape(kind, for: .place(place))
    }
  }

  /// A container begins that paths go through.
  func enterPath(_ place: Int32, _ kind: TokenKind) {
    let here = plan.places[place]
    guard kind == .object ? here.pointee.keys != nil : here.pointee.elementCount > 0 else {
      let errorsBefore = errors.count
      givePaths(kind, at: place)
      skipRejected(errorsBefore: errorsBefore)
      return
    }
    let frame = frames.top.pointee
    frames.top.pointee.field = -1
    frames.push(
      Frame(
        kind: .path, isArray: kind == .array, place: place, owner: frame.owner, index: -1,
        destination: frame.slots, slots: frame.slots, element: frame.slots, mark: frame.mark,
        start: address))
  }

  /// A container begins that is to become a node's value.
  func enter(_ index: Int32, _ kind: TokenKind, into destination: UnsafeMutableRawPointer) {
    let node = plan.nodes[index]
    switch node.pointee.opcode {
    case .object: enterObject(index, node, kind, into: destination)
    case .array where kind == .array, .dictionary where kind == .object:
      let mark = arena.mark
      let scratch = arena.allocate(builder.collectionSize(of: node))
      let element = arena.allocate(builder.elementSize(of: plan.nodes[node.pointee.child]))
      builder.beginCollection(as: node, in: scratch)
      frames.push(
        Frame(
          kind: kind == .array ? .array : .dictionary, node: index,
          errorsBefore: Int32(errors.count),
          elementErrorsBefore: Int32(errors.count), keyStart: keyMark, keyEnd: keyMark,
          destination: destination, slots: scratch, element: element, mark: mark, start: address))
    case .transform, .rewritten:
      let mark = arena.mark
      let inner = arena.allocate(builder.elementSize(of: plan.nodes[node.pointee.child]))
      frames.push(
        Frame(
          kind: .transform, node: index, errorsBefore: Int32(errors.count),
          destination: destination,
          slots: inner, element: inner, mark: mark, start: address))
      enter(node.pointee.child, kind, into: inner)
    case .jsonValue, .rawJSON:
      recordJSON(kind, as: index, into: destination)
    case .firstOf:
      recordOnTape(kind, for: .alternatives(node: index, slot: destination))
    case .dispatch:
      dispatch(kind, by: index, into: destination)
    default:
      refuse(kind, node, destination)
    }
  }

  /// A container begins where the node takes none, or another.
  private func refuse(
    _ kind: TokenKind, _ node: UnsafePointer<PlanNode>, _ destination: UnsafeMutableRawPointer
  ) {
    let errorsBefore = errors.count
    settle(reject(.wrongType, Token(kind: kind), by: node, in: destination))
    skipRejected(errorsBefore: errorsBefore)
  }

  private func enterObject(
    _ index: Int32, _ node: UnsafePointer<PlanNode>, _ kind: TokenKind,
    into destination: UnsafeMutableRawPointer
  ) {
    let object = plan.objects[node.pointee.child]
    let root = plan.places[object.pointee.rootPlace]
    let wantsWhole = root.pointee.takerCount > 0
    let fits =
      kind == .object
      ? root.pointee.keys != nil || root.pointee.elementCount == 0 : root.pointee.elementCount > 0
    guard fits || wantsWhole else {
      refuse(kind, node, destination)
      return
    }
    pushObject(index, node, isArray: kind == .array, isWhole: wantsWhole, into: destination)
    if wantsWhole { recordOnTape(kind, for: .place(object.pointee.rootPlace)) }
  }

  private func pushObject(
    _ index: Int32, _ node: UnsafePointer<PlanNode>, isArray: Bool, isWhole: Bool,
    into destination: UnsafeMutableRawPointer
  ) {
    let object = plan.objects[node.pointee.child]
    let mark = arena.mark
    let slots = arena.allocate(Int(object.pointee.frameSize))
    // Only the states need a value: a slot is not read before its state says so.
    (slots + Int(object.pointee.statesOffset)).initializeMemory(
      as: UInt8.self, repeating: 0,
      count: Int(object.pointee.frameSize - object.pointee.statesOffset))
    builder.beginObject(object, slots: slots)
    frames.push(
      Frame(
        kind: isWhole ? .wholeObject : .object, isArray: isArray, node: index,
        place: object.pointee.rootPlace,
        owner: Int32(frames.count), errorsBefore: Int32(errors.count), index: -1, keyStart: keyMark,
        keyEnd: keyMark, destination: destination,
        slots: slots, element: slots, mark: mark, start: address))
  }

  /// An object mapping over a scalar, or over what is not there: that is null for fields that take it as a whole.
  func makeObject(
    from token: Token?, _ node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) -> Outcome {
    let index = Int32(node - plan.nodes.start)
    frames.push(
      Frame(
        kind: .target, node: index, destination: destination, slots: destination,
        element: destination,
        mark: arena.mark, start: address))
    pushObject(index, node, isArray: false, isWhole: true, into: destination)
    let root = plan.objects[node.pointee.child].pointee.rootPlace
    if let token {
      give(token, to: root)
    } else {
      let here = plan.places[root].pointee
      for offset in 0..<here.takerCount {
        fill(plan.takers[here.firstTaker + offset].pointee, with: .null)
      }
    }
    closeContainer()
    let outcome = frames.top.pointee.outcome
    frames.pop()
    return outcome
  }

  /// The innermost container ends.
  func closeContainer() {
    let frame = frames.top
    switch frame.pointee.kind {
    case .path:
      rejectOtherSteps(in: frame)
      frames.pop()
    case .object, .wholeObject: finishObject(frame)
    case .array, .dictionary: finishCollection(frame)
    case .target, .pathEntry, .transform, .chosen: break
    }
  }

  /// A container that started here is over: what is said of it from now on is about all of it.
  func cover(from start: SourceAddress) {
    address = SourceAddress(
      start: start.start, end: address.end, line: start.line, lineStart: start.lineStart)
  }

  private func finishObject(_ frame: UnsafeMutablePointer<Frame>) {
    let node = plan.nodes[frame.pointee.node]
    let object = plan.objects[node.pointee.child]
    let slots = frame.pointee.slots
    // The paths through what fields take as a whole have frames of their own.
    if frame.pointee.kind == .object { rejectOtherSteps(in: frame) }
    cover(from: frame.pointee.start)
    // Paths of missing fields start at the object, not at its last member.
    frame.pointee.pending = -1
    if object.pointee.collector >= 0 { finishCollected(object) }
    var failed = frames.top.pointee.hasFailed
    let states = (slots + Int(object.pointee.statesOffset)).assumingMemoryBound(to: UInt8.self)
    for number in 0..<object.pointee.fieldCount {
      let state = states[Int(number)]
      if state == SlotState.filled { continue }
      if state == SlotState.failed {
        failed = true
        continue
      }
      let field = object.pointee.firstField + number
      let entry = plan.fields[field]
      if object.pointee.isPatch {
        states[Int(number)] = standIn(for: entry, in: slots)
        continue
      }
      frames.top.pointee.field = field
      let outcome = makeAbsent(as: entry.pointee.node, in: slots + Int(entry.pointee.offset))
      setState(of: field, outcome, in: frames.top)
      if outcome == .failed { failed = true }
    }
    frames.top.pointee.field = -1
    let here = frames.top.pointee
    if failed {
      destroyFields(object, slots)
      builder.abandonObject()
    } else {
      if object.pointee.isPatch {
        builder.makePatch(
          object, slots: slots, states: states, as: node, at: placeOfPatch, in: here.destination)
        destroyFields(object, slots)
      } else {
        builder.construct(object, slots: slots, as: node, in: here.destination)
      }
    }
    arena.release(to: here.mark)
    releaseKeys(to: here.keyStart)
    frames.pop()
    settle(
      failed
        ? fallBack(node, errorsBefore: Int(here.errorsBefore), in: here.destination)
        : made(node, in: here.destination))
  }

  /// Where paths go by key and by index through the same place, what is there suits only one kind of them.
  private func rejectOtherSteps(in frame: UnsafeMutablePointer<Frame>) {
    let place = frame.pointee.place
    let here = plan.places[place].pointee
    guard here.keys != nil, here.elementCount > 0 else { return }
    let last = address
    cover(from: frame.pointee.start)
    frame.pointee.pending = -1
    var child = place + 1
    while child < place + here.subtreePlaceCount {
      var isElement = false
      if case .index? = plan.steps[Int(child)] { isElement = true }
      if isElement != frame.pointee.isArray {
        rejectTakers(below: child, expected: isElement ? "an array" : "an object", in: frame)
      }
      child += plan.places[child].pointee.subtreePlaceCount
    }
    address = last
  }

  private func rejectTakers(
    below place: Int32, expected: String, in frame: UnsafeMutablePointer<Frame>
  ) {
    let here = plan.places[place].pointee
    let found = frame.pointee.isArray ? TokenKind.array : TokenKind.object
    for offset in 0..<here.subtreeTakerCount {
      let field = plan.takers[here.firstTaker + offset].pointee
      frame.pointee.field = field
      let entry = plan.fields[field]
      let node = plan.nodes[entry.pointee.node]
      let outcome = reject(
        .wrongType, by: node, node.pointee.invalid, expected: expected, found: found.phrase,
        in: frame.pointee.slots + Int(entry.pointee.offset))
      setState(of: field, outcome, in: frame)
    }
  }

  private func finishCollection(_ frame: UnsafeMutablePointer<Frame>) {
    let node = plan.nodes[frame.pointee.node]
    let scratch = frame.pointee.slots
    let destination = frame.pointee.destination
    let hasFailedMembers = frame.pointee.kind == .dictionary && takeFailedMembers()
    let failed = frame.pointee.hasFailed || hasFailedMembers
    let errorsBefore = Int(frame.pointee.errorsBefore)
    cover(from: frame.pointee.start)
    if failed {
      builder.abandonCollection(scratch, as: node)
    } else {
      builder.finishCollection(scratch, as: node, into: destination)
    }
    releaseKeys(to: frame.pointee.keyStart)
    arena.release(to: frame.pointee.mark)
    frames.pop()
    settle(
      failed
        ? fallBack(node, errorsBefore: errorsBefore, in: destination)
        : made(node, in: destination))
  }

  /// A value is over: its container takes note of how it ended.
  func settle(_ first: Outcome) {
    var outcome = first
    while true {
      let frame = frames.top
      switch frame.pointee.kind {
      case .target:
        frame.pointee.outcome = outcome
        return
      case .object, .path:
        setState(of: frame.pointee.field, outcome, in: frame)
        return
      case .array, .dictionary:
        settleElement(outcome, in: frame)
        return
      case .transform:
        let here = frame.pointee
        outcome = transform(
          here.slots, outcome, plan.nodes[here.node], errorsBefore: Int(here.errorsBefore),
          into: here.destination)
        arena.release(to: here.mark)
        frames.pop()
      case .chosen:
        let chooser = plan.nodes[frame.pointee.field]
        let here = frame.pointee
        frames.pop()
        outcome =
          outcome == .filled
          ? made(chooser, in: here.destination)
          : fallBack(chooser, errorsBefore: Int(here.errorsBefore), in: here.destination)
      case .pathEntry, .wholeObject:
        return
      }
    }
  }

  @inline(__always)
  func settleElement(_ outcome: Outcome, in frame: UnsafeMutablePointer<Frame>) {
    let node = plan.nodes[frame.pointee.node]
    if outcome == .filled {
      if frame.pointee.kind == .array {
        builder.append(frame.pointee.element, as: node, to: frame.pointee.slots)
      } else {
        builder.insert(
          frame.pointee.element, key: key(of: frame), as: node, into: frame.pointee.slots)
      }
    } else {
      builder.dropElement(as: node, in: frame.pointee.slots)
      if node.pointee.omitsElements {
        errors.downgrade(from: Int(frame.pointee.elementErrorsBefore))
      } else if frame.pointee.kind == .array {
        frame.pointee.hasFailed = true
      } else {
        noteFailedMember()
      }
    }
    frame.pointee.elementErrorsBefore = Int32(errors.count)
    frame.pointee.index += 1
  }

  /// Makes a transform's value from its inner one, which it takes.
  func transform(
    _ inner: UnsafeMutableRawPointer, _ outcome: Outcome, _ node: UnsafePointer<PlanNode>,
    errorsBefore: Int,
    into destination: UnsafeMutableRawPointer
  ) -> Outcome {
    guard outcome == .filled else {
      return fallBack(node, errorsBefore: errorsBefore, in: destination)
    }
    if node.pointee.opcode == .rewritten {
      return rewrite(inner, node, errorsBefore: errorsBefore, into: destination)
    }
    do {
      try builder.transform(inner, as: node, into: destination)
      return made(node, in: destination)
    } catch {
      return rejectConversion(error, by: node, in: destination)
    }
  }

  // MARK: Fields

  /// In a patch, what a field that is not there would have instead, should there be nothing to update: the state of its slot.
  private func standIn(for field: UnsafePointer<PlanField>, in slots: UnsafeMutableRawPointer)
    -> UInt8
  {
    let node = plan.nodes[field.pointee.node]
    let slot = slots + Int(field.pointee.offset)
    switch node.pointee.absent.kind {
    case .useNil: builder.storeNil(as: node, in: slot)
    case .supply: builder.store(supply: node.pointee.absent.supply, as: node, in: slot)
    case .fail, .take, .leave: return SlotState.unset
    }
    return SlotState.standsIn
  }

  /// The state byte of a field lies behind its object's slots.
  @inline(__always)
  func setState(of field: Int32, _ outcome: Outcome, in frame: UnsafeMutablePointer<Frame>) {
    let object = plan.objects[plan.places[frame.pointee.place].pointee.object]
    frame.pointee.slots.storeBytes(
      of: outcome.rawValue,
      toByteOffset: Int(object.pointee.statesOffset + field - object.pointee.firstField),
      as: UInt8.self)
  }

  /// Ends the life of a field's value, where it has one.
  func destroyField(
    _ field: Int32, _ object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer
  ) {
    let state = Int(object.pointee.statesOffset + field - object.pointee.firstField)
    let found = slots.load(fromByteOffset: state, as: UInt8.self)
    if found == SlotState.filled || found == SlotState.standsIn {
      let entry = plan.fields[field]
      builder.destroy(as: plan.nodes[entry.pointee.node], in: slots + Int(entry.pointee.offset))
    }
    slots.storeBytes(of: SlotState.unset, toByteOffset: state, as: UInt8.self)
  }

  private func destroyFields(_ object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer)
  {
    for number in 0..<object.pointee.fieldCount {
      destroyField(object.pointee.firstField + number, object, slots)
    }
  }

  /// Releases what the innermost frame holds half-built.
  func abandonTop() {
    let frame = frames.top
    switch frame.pointee.kind {
    case .object, .wholeObject:
      destroyFields(plan.objects[plan.nodes[frame.pointee.node].pointee.child], frame.pointee.slots)
      builder.abandonObject()
    case .array, .dictionary:
      builder.abandonCollection(frame.pointee.slots, as: plan.nodes[frame.pointee.node])
    case .target:
      // A record may be whole, and what stands behind it malformed.
      if frame.pointee.outcome == .filled {
        builder.destroy(as: plan.nodes[frame.pointee.node], in: frame.pointee.destination)
      }
    case .pathEntry, .path, .transform, .chosen:
      break
    }
  }
}
