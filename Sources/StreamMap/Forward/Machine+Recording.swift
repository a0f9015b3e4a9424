// Containers that are wanted as a whole: as JSON, their events go straight to what makes it; by several takers, they are
// recorded on a tape and played to each.
extension Machine {
  /// What the recorded value is for.
  enum Purpose {
    case json(node: Int32, slot: UnsafeMutableRawPointer)
    case place(Int32)
  }

  /// Records the container that begins here as JSON for a node.
  func recordJSON(_ kind: TokenKind, as node: Int32, into slot: UnsafeMutableRawPointer) {
    recorder = Unmanaged.passUnretained(builder.beginJSON(as: plan.nodes[node]))
    beginRecording(kind, for: .json(node: node, slot: slot))
  }

  /// Records the container that begins here for all who want what is at a place.
  func recordForTakers(_ kind: TokenKind, of place: Int32) {
    tapeLevel += 1
    if tapes.count < tapeLevel { tapes.append(Tape()) }
    recorder = Unmanaged.passUnretained(tapes[tapeLevel - 1])
    beginRecording(kind, for: .place(place))
  }

  private func beginRecording(_ kind: TokenKind, for purpose: Purpose) {
    hasNotes = true
    purposes.append((purpose, address))
    recordingDepth = 1
    recordingOverflowed = false
    record { kind == .object ? $0.beginObject() : $0.beginArray() }
  }

  func record(_ event: (EventSink) -> Void) {
    if recordingOverflowed { return }
    let size = recorder?._withUnsafeGuaranteedRef { recorder in
      recorder.recordedAddress = address
      event(recorder)
      return recorder.size
    }
    if size ?? 0 > captureLimit { dropRecording() }
  }

  /// What was recorded grew beyond its limit.
  private func dropRecording() {
    recordingOverflowed = true
    if case .place? = purposes.last?.purpose {
      tapes[tapeLevel - 1].clear()
    } else {
      builder.abandonJSON()
    }
  }

  func finishRecording() {
    guard let (purpose, start) = purposes.popLast() else { return }
    cover(from: start)
    let overflowed = recordingOverflowed
    recordingOverflowed = false
    switch purpose {
    case .json(let index, let slot):
      let node = plan.nodes[index]
      if overflowed {
        settle(rejectCapture(by: node, in: slot))
      } else {
        builder.finishJSON(as: node, in: slot)
        settle(.filled)
      }
    case .place(let place):
      let tape = tapes[tapeLevel - 1]
      distribute(tape, overflowed: overflowed, to: place)
      tape.clear()
      tapeLevel -= 1
    }
  }

  /// Plays a recorded container to each taker of a place, and to the paths that go through it.
  private func distribute(_ tape: Tape, overflowed: Bool, to place: Int32) {
    let here = plan.places[place].pointee
    // What is too large is no use to the paths through it either.
    for offset in 0..<(overflowed ? here.subtreeTakerCount : here.takerCount) {
      let field = plan.takers[here.firstTaker + offset].pointee
      let entry = plan.fields[field]
      frames.top.pointee.field = field
      let slot = frames.top.pointee.slots + Int(entry.pointee.offset)
      var outcome = Outcome.failed
      if overflowed {
        outcome = rejectCapture(by: plan.nodes[entry.pointee.node], in: slot)
      } else {
        frames.push(
          Frame(
            kind: .target, node: entry.pointee.node, destination: slot, slots: slot, element: slot,
            mark: arena.mark, start: address))
        tape.replay(into: self)
        outcome = frames.top.pointee.outcome
        frames.pop()
      }
      setState(of: field, outcome, in: frames.top)
    }
    if here.leadsOn && !overflowed {
      frames.top.pointee.field = -1
      let frame = frames.top.pointee
      frames.push(
        Frame(
          kind: .pathEntry, place: place, owner: frame.owner, destination: frame.slots,
          slots: frame.slots,
          element: frame.slots, mark: arena.mark, start: address))
      tape.replay(into: self)
      frames.pop()
    }
    if frames.top.pointee.kind == .wholeObject { closeContainer() }
  }
}
