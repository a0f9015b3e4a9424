// Containers: how they are entered and left, and what happens to the value that ends.
extension Machine {
  /// A container begins at a place that a field wants.
  func enter(_ place: Int32, _ kind: JSONKind) {
    let here = plan.places[place]
    if here.pointee.onlyField >= 0 {
      let frame = frames.top
      frame.pointee.field = here.pointee.onlyField
      enter(here.pointee.onlyNode, kind, into: frame.pointee.slots + Int(here.pointee.onlySlot))
    } else if here.pointee.fieldCount == 0, here.pointee.role != .kept {
      enterPath(place, kind)
    } else {
      recordOnTape(kind, for: .place(place))
    }
  }

  /// A container begins that paths go through.
  func enterPath(_ place: Int32, _ kind: JSONKind) {
    let here = plan.places[place]
    guard kind == .object ? here.pointee.keys != nil : here.pointee.elementCount > 0 else {
      let errorsBefore = errors.mark
      givePaths(kind, at: place)
      skipRejected(errorsBefore: errorsBefore)
      return
    }
    let frame = frames.top.pointee
    frames.top.pointee.field = -1
    frames.push(
      Frame(
        kind: .path, next: kind == .array ? .elsewhere : .member, isArray: kind == .array,
        place: place, owner: frame.owner, index: -1, keyStart: keyMark, keyEnd: keyMark,
        destination: frame.slots, slots: frame.slots, element: frame.slots, start: address))
  }

  /// A container begins that becomes a node's value.
  func enter(_ index: Int32, _ kind: JSONKind, into destination: UnsafeMutableRawPointer) {
    let node = nodes + Int(index)
    if node.pointee.opcode == .object {
      enterObject(index, node, kind, into: destination)
    } else if node.pointee.opcode == (kind == .array ? .array : .dictionary) {
      enterCollection(index, node, kind, into: destination)
    } else {
      enterOther(index, node, kind, into: destination)
    }
  }

  // PERF: each outlined, so that the caller has no registers to save.
  @inline(never)
  private func enterOther(
    _ index: Int32, _ node: UnsafePointer<PlanNode>, _ kind: JSONKind,
    into destination: UnsafeMutableRawPointer
  ) {
    switch node.pointee.opcode.family {
    case .change, .remap:
      enterTransform(index, node, kind, into: destination)
    case .json:
      recordJSON(kind, as: index, into: destination)
    case .choice(let choice):
      enter(choice, kind, by: index, into: destination)
    case .scalar, .collection, .object:
      refuse(kind, node, destination)
    }
  }

  @inline(never)
  private func enterTransform(
    _ index: Int32, _ node: UnsafePointer<PlanNode>, _ kind: JSONKind,
    into destination: UnsafeMutableRawPointer
  ) {
    let inner = arena.allocate(layouts[Int(node.pointee.child)].size)
    frames.push(
      Frame(
        kind: .transform, node: index, errorsBefore: errors.mark,
        destination: destination, slots: inner, element: inner, start: address))
    enter(node.pointee.child, kind, into: inner)
  }

  /// A container begins where the node takes none, or a different one.
  @inline(never)
  private func refuse(
    _ kind: JSONKind, _ node: UnsafePointer<PlanNode>, _ destination: UnsafeMutableRawPointer
  ) {
    let errorsBefore = errors.mark
    settle(reject(.wrongType, kind, by: node, in: destination))
    skipRejected(errorsBefore: errorsBefore)
  }

  @inline(never)
  private func enterObject(
    _ index: Int32, _ node: UnsafePointer<PlanNode>, _ kind: JSONKind,
    into destination: UnsafeMutableRawPointer
  ) {
    let object = objects + Int(node.pointee.child)
    if kind == .object, object.pointee.isPlain {
      pushObject(index, object, isArray: false, isWhole: false, into: destination)
    } else {
      enterUnusual(index, node, kind, into: destination)
    }
  }

  /// An object begins that is not plain, or where the node takes no object.
  @inline(never)
  private func enterUnusual(
    _ index: Int32, _ node: UnsafePointer<PlanNode>, _ kind: JSONKind,
    into destination: UnsafeMutableRawPointer
  ) {
    let object = objects + Int(node.pointee.child)
    let fits = object.pointee.takes.contains(kind)
    guard fits || object.pointee.earlyCondition >= 0 else {
      refuse(kind, node, destination)
      return
    }
    let isWhole = places[Int(object.pointee.rootPlace)].fieldCount > 0
    pushObject(index, object, isArray: kind == .array, isWhole: isWhole, into: destination)
    if !fits { frames.top.pointee.misfit = kind }
    if isWhole {
      recordOnTape(kind, for: .place(object.pointee.rootPlace))
    } else if fits, kind == .object ? !object.pointee.takes.objects : !object.pointee.takes.arrays {
      // Conditions also choose where paths cannot go through the value.
      givePaths(kind, at: object.pointee.rootPlace)
    }
  }

  @inline(__always)
  private func pushObject(
    _ index: Int32, _ object: UnsafePointer<PlanObject>, isArray: Bool, isWhole: Bool,
    into destination: UnsafeMutableRawPointer
  ) {
    let slots = arena.allocate(Int(object.pointee.frameSize))
    // Only the states need a value: a slot is not read before its state says that it is filled.
    var state = Int(object.pointee.statesOffset)
    while state < Int(object.pointee.frameSize) {
      // PERF: in words: the compiler made them a whole number of words.
      slots.storeBytes(of: 0, toByteOffset: state, as: UInt64.self)
      state += 8
    }
    if followsRecords { builder.beginObject(object, slots: slots) }
    frames.push(
      Frame(
        kind: isWhole ? .wholeObject : .object, next: isWhole || isArray ? .elsewhere : .member,
        isArray: isArray, node: index, place: object.pointee.rootPlace,
        owner: Int32(truncatingIfNeeded: frames.count),
        errorsBefore: errors.mark, index: -1, keyStart: keyMark,
        keyEnd: keyMark, destination: destination, slots: slots, element: slots, start: address))
  }

  /// Makes an object from a scalar, or from an absent value; fields that take it as a whole see an absent value as null.
  ///
  /// If the value is a misfit, only its condition is asked.
  func makeObject(
    from token: Token?, isMisfit: Bool = false, _ node: UnsafePointer<PlanNode>,
    in destination: UnsafeMutableRawPointer
  ) -> Outcome {
    let index = Int32(node - plan.nodes.start)
    frames.push(
      Frame(
        kind: .target, node: index, destination: destination, slots: destination,
        element: destination, start: address))
    let object = objects + Int(node.pointee.child)
    pushObject(index, object, isArray: false, isWhole: true, into: destination)
    let root = object.pointee.rootPlace
    if let token, !isMisfit {
      giveOther(token, to: root)
    } else {
      if isMisfit { frames.top.pointee.misfit = token?.kind }
      let here = plan.places[root].pointee
      for offset in 0..<here.fieldCount {
        fill(plan.placeFields[here.fieldStart + offset].pointee, with: token ?? .null)
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
    case .path: finishPath(frame)
    case .object, .wholeObject: finishObject(frame)
    case .array, .dictionary: finishCollection(frame)
    case .target, .pathEntry, .transform, .chosen: break
    }
  }

  // PERF: outlined, so that the caller has no registers to save.
  @inline(never)
  private func finishPath(_ frame: UnsafeMutablePointer<Frame>) {
    rejectOtherSteps(in: frame)
    releaseKeys(to: frame.pointee.keyStart)
    frames.pop()
  }

  /// A container that started at `start` is over: from now on, errors about it cover all of it.
  func cover(from start: FeedToken) {
    let end = address.end
    address = start
    address.end = end
  }

  private func finishObject(_ frame: UnsafeMutablePointer<Frame>) {
    let node = nodes + Int(frame.pointee.node)
    let object = objects + Int(node.pointee.child)
    let slots = frame.pointee.slots
    // Paths through values that fields take as a whole have frames of their own.
    if !object.pointee.isPlain, frame.pointee.kind == .object { rejectOtherSteps(in: frame) }
    cover(from: frame.pointee.start)
    // Paths of missing fields start at the object, not at its last member.
    frame.pointee.pending = -1
    if let kind = frame.pointee.misfit { return finishMisfit(kind, object, node, slots) }
    if let watch, !watch.isOver { noteFinds(in: object, slots, watch) }
    if object.pointee.isPlain, !frame.pointee.hasFailed, areFilled(object, slots) {
      let destination = frame.pointee.destination
      builder.construct(object, slots: slots, as: node, in: destination)
      arena.release(slots)
      frames.pop()
      settle(made(node, in: destination))
    } else {
      finishUnusual(object, node, slots)
    }
  }

  /// An object ends, and its fields are not settled yet: those without a state have found nothing.
  @inline(never)
  private func noteFinds(
    in object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer, _ watch: FieldWatch
  ) {
    let states = (slots + Int(object.pointee.statesOffset)).assumingMemoryBound(to: UInt8.self)
    let first = object.pointee.firstField
    watch.note(object - objects) { states[Int($0 - first)] != SlotState.unset }
  }

  /// Whether each field of an object has a value.
  @inline(__always)
  private func areFilled(_ object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer)
    -> Bool
  {
    // PERF: eight at a time: the compiler made the states, and what follows them, whole words.
    var states = UnsafeRawPointer(slots) + Int(object.pointee.statesOffset)
    var left = Int(object.pointee.fieldCount)
    let filled = UInt64(SlotState.filled) &* 0x0101_0101_0101_0101
    while left >= 8 {
      if states.load(as: UInt64.self) != filled { return false }
      states += 8
      left &-= 8
    }
    if left == 0 { return true }
    let word = UInt64(littleEndian: states.load(as: UInt64.self))
    return (word ^ filled) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* left) == 0
  }

  /// An object ends that is a patch, that wants members besides its fields' sources, or that has fields without a value.
  @inline(never)
  private func finishUnusual(
    _ object: UnsafePointer<PlanObject>, _ node: UnsafePointer<PlanNode>,
    _ slots: UnsafeMutableRawPointer
  ) {
    let states = (slots + Int(object.pointee.statesOffset)).assumingMemoryBound(to: UInt8.self)
    if object.pointee.notesParts { noteParts(of: object, states) }
    if object.pointee.collector >= 0 { finishCollected(object) }
    if object.pointee.rest >= 0 { forgetKeys() }
    if object.pointee.unknownKeys == .fail, hasUnknownKeysInside(object, slots) {
      frames.top.pointee.hasFailed = true
    }
    if object.pointee.factCount > 0 { takeFacts(of: object) }
    if object.pointee.contestCount > 0 { chooseSources(of: object, slots, states) }
    let outcome =
      object.pointee.hasFormulas
      ? settleWithFormulas(of: object, slots, states) : settleFields(of: object, slots, states)
    let isWhole = outcome == .filled
    // Making values for missing fields may move the frames.
    let here = frames.top
    here.pointee.field = -1
    let destination = here.pointee.destination
    let errorsBefore = here.pointee.errorsBefore
    if isWhole, object.pointee.patch == nil {
      builder.construct(object, slots: slots, as: node, in: destination)
    } else {
      if isWhole {
        builder.makePatch(
          object, slots: slots, states: states, as: node, at: placeOfPatch, in: destination)
      }
      destroyFields(object, slots)
      if !isWhole { builder.abandonObject() }
    }
    arena.release(slots)
    releaseKeys(to: here.pointee.keyStart)
    frames.pop()
    settle(
      isWhole
        ? made(node, in: destination)
        : outcome == .omitted
          ? outcome : fallBack(node, after: outcome, errorsBefore: errorsBefore, in: destination))
  }

  private func rejectFields(
    below place: Int32, expected: String, in frame: UnsafeMutablePointer<Frame>
  ) {
    let here = plan.places[place].pointee
    let found = frame.pointee.isArray ? JSONKind.array : JSONKind.object
    for offset in 0..<here.subtreeFieldCount {
      let field = plan.placeFields[here.fieldStart + offset].pointee
      frame.pointee.field = field
      let entry = plan.fields[field]
      let node = plan.nodes[entry.pointee.node]
      let outcome = reject(
        .wrongType, by: node, node.pointee.invalid, expected: expected, found: found.phrase,
        in: frame.pointee.slots + Int(entry.pointee.offset))
      setState(of: field, outcome, in: frame)
    }
  }

  /// Where paths go by key and by index through the same place, the value there suits only one kind of them.
  @inline(__always)
  private func rejectOtherSteps(in frame: UnsafeMutablePointer<Frame>) {
    let here = places + Int(frame.pointee.place)
    if here.pointee.keys != nil, here.pointee.elementCount > 0 {
      rejectSteps(of: here.pointee, in: frame)
    }
  }

  @inline(never)
  private func rejectSteps(of here: PlanPlace, in frame: UnsafeMutablePointer<Frame>) {
    let place = frame.pointee.place
    let last = address
    cover(from: frame.pointee.start)
    frame.pointee.pending = -1
    var child = place + 1
    while child < place + here.subtreePlaceCount {
      var isElement = false
      if case .index? = plan.steps[Int(child)] { isElement = true }
      if isElement != frame.pointee.isArray {
        rejectFields(below: child, expected: isElement ? "an array" : "an object", in: frame)
      }
      child += plan.places[child].pointee.subtreePlaceCount
    }
    address = last
  }

  /// A value is over: its container records how it ended.
  // PERF: not inlined, so that the callers that end with it have no registers to save for it.
  @inline(never)
  func settle(_ outcome: Outcome) {
    let frame = frames.top
    if frame.pointee.next == .member {
      setState(of: frame.pointee.field, outcome, in: frame)
    } else if frame.pointee.next == .element {
      settleElement(outcome)
    } else {
      settleElsewhere(outcome)
    }
  }

  // PERF: each outlined, so that the caller has no registers to save.
  @inline(never)
  private func settleElement(_ outcome: Outcome) { settleElement(outcome, in: frames.top) }

  @inline(never)
  private func settleElsewhere(_ outcome: Outcome) {
    let frame = frames.top
    switch frame.pointee.kind {
    case .target: frame.pointee.outcome = outcome
    case .object, .path: setState(of: frame.pointee.field, outcome, in: frame)
    case .array, .dictionary: settleElement(outcome, in: frame)
    case .transform, .chosen: settleInside(outcome)
    case .pathEntry, .wholeObject: break
    }
  }

  /// The inner value of another one is over; this ends the other one, too.
  @inline(never)
  private func settleInside(_ first: Outcome) {
    var outcome = first
    while true {
      let frame = frames.top
      switch frame.pointee.kind {
      case .transform:
        let here = frame.pointee
        outcome = transform(
          here.slots, outcome, plan.nodes[here.node], errorsBefore: here.errorsBefore,
          into: here.destination)
        arena.release(here.slots)
        frames.pop()
      case .chosen:
        let chooser = plan.nodes[frame.pointee.field]
        let here = frame.pointee
        frames.pop()
        outcome =
          outcome == .filled
          ? made(chooser, in: here.destination)
          : fallBack(
            chooser, after: outcome, errorsBefore: here.errorsBefore, in: here.destination)
      case .target, .pathEntry, .object, .wholeObject, .path, .array, .dictionary:
        return settle(outcome)
      }
    }
  }

  /// Makes a transform's value from its inner value, taking ownership of that.
  func transform(
    _ inner: UnsafeMutableRawPointer, _ outcome: Outcome, _ node: UnsafePointer<PlanNode>,
    errorsBefore: ErrorLog.Mark,
    into destination: UnsafeMutableRawPointer
  ) -> Outcome {
    guard outcome == .filled else {
      return fallBack(node, after: outcome, errorsBefore: errorsBefore, in: destination)
    }
    if node.pointee.opcode == .rewritten {
      return rewrite(inner, node, errorsBefore: errorsBefore, into: destination)
    }
    if node.pointee.seesIssues {
      return process(inner, node, errorsBefore: errorsBefore, into: destination)
    }
    do {
      try builder.transform(inner, as: node, into: destination)
      return made(node, in: destination)
    } catch {
      return reject([error], by: node, in: destination)
    }
  }

  // MARK: Fields

  /// Sets the state byte of a field, which is stored after its object's slots.
  @inline(__always)
  func setState(of field: Int32, _ outcome: Outcome, in frame: UnsafeMutablePointer<Frame>) {
    frame.pointee.slots.storeBytes(
      of: outcome.rawValue, toByteOffset: Int(fields[Int(field)].state), as: UInt8.self)
  }

  /// Destroys a field's value, if it has one.
  func destroyField(_ field: Int32, _ slots: UnsafeMutableRawPointer) {
    let entry = plan.fields[field]
    let state = Int(entry.pointee.state)
    let found = slots.load(fromByteOffset: state, as: UInt8.self)
    if found == SlotState.filled || found == SlotState.standsIn
      || found == SlotState.filled | SlotState.ofNull
    {
      builder.destroy(as: plan.nodes[entry.pointee.node], in: slots + Int(entry.pointee.offset))
    }
    slots.storeBytes(of: SlotState.unset, toByteOffset: state, as: UInt8.self)
  }

  func destroyFields(_ object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer) {
    let hidden = object.pointee.otherSourceCount + object.pointee.hiddenCount
    for number in 0..<object.pointee.fieldCount + hidden {
      destroyField(object.pointee.firstField + number, slots)
    }
  }

  /// Releases the half-built values of the innermost frame.
  func abandonTop() {
    let frame = frames.top
    switch frame.pointee.kind {
    case .object, .wholeObject:
      destroyFields(plan.objects[plan.nodes[frame.pointee.node].pointee.child], frame.pointee.slots)
      builder.abandonObject()
    case .array, .dictionary:
      let staged = stagedElements(of: frame)
      builder.abandonCollection(
        frame.pointee.slots, with: staged.start, count: staged.count,
        as: plan.nodes[frame.pointee.node])
    case .target:
      // A record may be complete although what follows it is malformed.
      if frame.pointee.outcome == .filled {
        builder.destroy(as: plan.nodes[frame.pointee.node], in: frame.pointee.destination)
      }
    case .pathEntry, .path, .transform, .chosen:
      break
    }
  }
}
