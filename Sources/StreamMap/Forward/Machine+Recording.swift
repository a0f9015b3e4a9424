// Containers that are needed as a whole. For JSON, their events go directly to the sink that makes it. For several
// fields or alternatives, they are recorded on a tape and replayed to each.
extension Machine {
  /// What the recorded value is used for.
  enum Purpose {
    case json(node: Int32, slot: UnsafeMutableRawPointer)
    case place(Int32)
    case alternatives(node: Int32, slot: UnsafeMutableRawPointer)
    case dispatch(node: Int32, slot: UnsafeMutableRawPointer)
    /// A member that is not the source of a field.
    case member
  }

  /// A value that is being recorded.
  struct Recording {
    let purpose: Purpose
    /// Nil if the events go to the sink that makes JSON.
    let tape: Tape?
    let start: FeedToken
  }

  /// The limits that a recorded value may exceed.
  enum Overflow { case size, depth }

  /// Records the container that begins here as JSON for a node.
  func recordJSON(_ kind: JSONKind, as node: Int32, into slot: UnsafeMutableRawPointer) {
    recorder = Unmanaged.passUnretained(builder.beginJSON(as: plan.nodes[node]))
    beginRecording(kind, for: .json(node: node, slot: slot), on: nil)
  }

  /// Records the container that begins here, to be replayed to several fields.
  func recordOnTape(_ kind: JSONKind, for purpose: Purpose) {
    let tape = idleTapes.popLast() ?? Tape()
    recorder = Unmanaged.passUnretained(tape)
    beginRecording(kind, for: purpose, on: tape)
  }

  func beginRecording(_ kind: JSONKind, for purpose: Purpose, on tape: Tape?) {
    hasNotes = true
    recordings.append(Recording(purpose: purpose, tape: tape, start: address))
    recordingDepth = 1
    overflow = nil
    record { kind == .object ? $0.beginObject() : $0.beginArray() }
  }

  func giveBack(_ tape: Tape) {
    tape.clear()
    idleTapes.append(tape)
  }

  func record(_ event: (EventSink) -> Void) {
    if overflow != nil { return }
    let size = recorder?._withUnsafeGuaranteedRef { recorder in
      recorder.address = address
      event(recorder)
      return recorder.size
    }
    if size ?? 0 > captureLimit { dropRecording(.size) }
  }

  /// Whether the recorded value becomes a tree.
  var recordsTree: Bool {
    switch recordings.last?.purpose {
    case .json(let node, _)?: plan.nodes[node].pointee.becomesTree
    case .member?: object(of: frames.top).pointee.rest < 0
    case .place?, .alternatives?, .dispatch?, nil: false
    }
  }

  /// The recorded value exceeded a limit.
  func dropRecording(_ reason: Overflow) {
    if overflow != nil { return }
    overflow = reason
    search = nil
    switch recordings.last?.purpose {
    case .json?: builder.abandonJSON()
    case .member?:
      if object(of: frames.top).pointee.rest < 0 { memberBuilder = JSONValueBuilder() }
    case .place?, .alternatives?, .dispatch?, nil: recordings.last?.tape?.clear()
    }
  }

  func finishRecording() {
    guard let recording = recordings.popLast() else { return }
    cover(from: recording.start)
    let overflow = overflow
    self.overflow = nil
    search = nil
    switch recording.purpose {
    case .json(let index, let slot):
      let node = plan.nodes[index]
      if let overflow {
        settle(rejectCapture(overflow, by: node, in: slot))
      } else {
        builder.finishJSON(as: node, in: slot)
        settle(made(node, in: slot))
      }
    case .place(let place):
      distribute(recording.tape, overflow, to: place)
    case .alternatives(let index, let slot):
      let node = plan.nodes[index]
      if let overflow {
        settle(rejectCapture(overflow, by: node, in: slot))
      } else {
        settle(
          tryAlternatives(of: node, in: slot) {
            mayReplay(recording.tape)
              ? play(recording.tape, to: $0, in: slot) : rejectReplay(by: plan.nodes[$0], in: slot)
          })
      }
    case .dispatch(let index, let slot):
      let node = plan.nodes[index]
      settle(
        overflow.map { rejectCapture($0, by: node, in: slot) }
          ?? dispatchWithoutChoice(recording.tape, node, in: slot))
    case .member:
      finishMember(overflow)
    }
    if let tape = recording.tape { giveBack(tape) }
  }

  /// Replays a recorded container to a node; errors from then on cover all of it.
  func play(_ tape: Tape?, to node: Int32, in slot: UnsafeMutableRawPointer) -> Outcome {
    made(as: node, in: slot) { tape?.replay(into: $0) }
  }

  /// Counts a tape that is to be replayed this many times; false if too much was replayed for the record.
  ///
  /// If each level of a recursive mapping replays its tape to two fields, the work doubles with each level.
  func mayReplay(_ tape: Tape?, times: Int32 = 1) -> Bool {
    replayed += (tape?.size ?? 0) * Int(times)
    return replayed <= replayLimit
  }

  func rejectReplay(by node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer) -> Outcome {
    reject(
      .limitExceeded, by: node, beyondLimit(node),
      expected: Limits.message(.replayed, replayLimit), found: nil, in: slot)
  }

  /// Makes a node's value from events.
  func made(as node: Int32, in slot: UnsafeMutableRawPointer, of events: (EventSink) -> Void)
    -> Outcome
  {
    frames.push(
      Frame(
        kind: .target, node: node, destination: slot, slots: slot, element: slot,
        start: address))
    events(self)
    let outcome = frames.top.pointee.outcome
    frames.pop()
    return outcome
  }

  /// Replays a recorded container to each field of a place, and to the paths that go through it.
  private func distribute(_ tape: Tape?, _ overflow: Overflow?, to place: Int32) {
    let here = plan.places[place].pointee
    let isKept = here.role == .kept
    let times = here.fieldCount + (here.leadsOn ? 1 : 0) + (isKept ? 1 : 0)
    let isRefused = overflow != nil || !mayReplay(tape, times: times)
    // A value that is too large is of no use to the paths through it either.
    for offset in 0..<(isRefused ? here.subtreeFieldCount : here.fieldCount) {
      let field = plan.placeFields[here.fieldStart + offset].pointee
      let entry = plan.fields[field]
      frames.top.pointee.field = field
      let slot = frames.top.pointee.slots + Int(entry.pointee.offset)
      let node = plan.nodes[entry.pointee.node]
      let outcome =
        overflow.map { rejectCapture($0, by: node, in: slot) }
        ?? (isRefused
          ? rejectReplay(by: node, in: slot)
          : plan.needParts.contains(field)
            ? playParts(tape, to: entry.pointee.node, in: slot)
            : play(tape, to: entry.pointee.node, in: slot))
      setState(of: field, outcome, in: frames.top)
    }
    if isKept {
      keepMember(at: place, isRefused ? overflow ?? .size : nil) { tape?.replay(into: $0) }
    }
    if here.leadsOn && !isRefused {
      frames.top.pointee.field = -1
      let frame = frames.top.pointee
      frames.push(
        Frame(
          kind: .pathEntry, place: place, owner: frame.owner, destination: frame.slots,
          slots: frame.slots,
          element: frame.slots, start: address))
      tape?.replay(into: self)
      frames.pop()
    }
    if frames.top.pointee.kind == .wholeObject { closeContainer() }
  }
}
