// Values that one of several mappings makes.
//
// First of: the first mapping that accepts the value makes it. A container is recorded and replayed to one mapping
// after the other. Dispatch: the value chooses the mapping. By the kind of the value, the choice is immediate. By a
// scalar inside it (a discriminator), everything before that scalar is recorded, and when the scalar comes, replayed to
// the mapping that it names; that mapping gets the rest directly.
extension Machine {
  /// Makes a value from a scalar, or from null, by one of several nodes.
  func make(
    _ choice: PlanNode.Opcode.Choice, from token: Token, _ node: UnsafePointer<PlanNode>,
    in slot: UnsafeMutableRawPointer
  ) -> Outcome {
    switch choice {
    case .first: tryAlternatives(of: node, in: slot) { make(token, as: $0, in: slot) }
    case .dispatch: dispatch(token, by: node, in: slot)
    }
  }

  /// Makes a value that is absent by one of several nodes; nil if nothing chooses one.
  func makeAbsent(
    _ choice: PlanNode.Opcode.Choice, _ node: UnsafePointer<PlanNode>,
    in slot: UnsafeMutableRawPointer
  ) -> Outcome? {
    switch choice {
    case .first: tryAlternatives(of: node, in: slot) { makeAbsent(as: $0, in: slot) }
    case .dispatch: nil
    }
  }

  /// A container begins that one of several nodes makes a value of.
  func enter(
    _ choice: PlanNode.Opcode.Choice, _ kind: JSONKind, by index: Int32,
    into slot: UnsafeMutableRawPointer
  ) {
    switch choice {
    case .first: recordOnTape(kind, for: .alternatives(node: index, slot: slot))
    case .dispatch: dispatch(kind, by: index, into: slot)
    }
  }

  // MARK: First of

  /// Makes a value by the first alternative that accepts it.
  func tryAlternatives(
    of node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer,
    _ attempt: (Int32) -> Outcome
  ) -> Outcome {
    let errorsBefore = errors.mark
    let replayedBefore = replayed
    var areAbsent = node.pointee.second > 0
    for offset in 0..<node.pointee.second {
      let start = errors.mark
      let outcome = attempt(plan.alternatives[node.pointee.child + offset].pointee)
      if outcome.isFailure {
        if !outcome.isLacking { areAbsent = false }
        continue
      }
      if node.pointee.reportsEarlier {
        errors.downgrade(from: errorsBefore)
      } else {
        errors.remove(from: errorsBefore, to: start)
      }
      return made(node, in: slot)
    }
    // A scalar is not replayed: it fails for reasons of its own.
    if replayed > replayLimit, replayed > replayedBefore {
      _ = errors.take(from: errorsBefore)
      return rejectReplay(by: node, in: slot)
    }
    if areAbsent, node.pointee.absent.kind == .useNil || node.pointee.absent.kind == .substitute {
      return fallBack(node, after: .absent, errorsBefore: errorsBefore, in: slot)
    }
    let action = node.pointee.invalid
    let inner = errors.take(from: errorsBefore).sortedByReach()
    if action.kind == .fail || action.isReported {
      note(
        .noAlternative, action.severity,
        expected: plan.details[Int(node.pointee.detail)].expected, inner: inner)
    }
    let outcome = substitute(action, node, in: slot)
    return areAbsent && outcome == .failed ? .absent : outcome
  }

  // MARK: Dispatch by kind

  /// Handles a scalar at a dispatch.
  private func dispatch(
    _ token: Token, by node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer
  ) -> Outcome {
    let choices = plan.dispatches[Int(node.pointee.child)]
    let label = choices.path.isEmpty ? choices.labels[ExactText(token.kind.rawValue)] : nil
    guard let child = label ?? choices.fallback else {
      return reject(
        .wrongType, by: node, node.pointee.invalid,
        expected: choices.path.isEmpty ? choices.expected : "an object", found: token.kind.phrase,
        in: slot)
    }
    let errorsBefore = errors.mark
    return settled(make(token, as: child, in: slot), node, errorsBefore: errorsBefore, in: slot)
  }

  /// The outcome of a node whose value another node makes in the same slot.
  private func settled(
    _ outcome: Outcome, _ node: UnsafePointer<PlanNode>, errorsBefore: ErrorLog.Mark,
    in slot: UnsafeMutableRawPointer
  ) -> Outcome {
    outcome == .filled
      ? made(node, in: slot)
      : fallBack(node, after: outcome, errorsBefore: errorsBefore, in: slot)
  }

  /// A container begins at a dispatch.
  private func dispatch(_ kind: JSONKind, by index: Int32, into slot: UnsafeMutableRawPointer) {
    let node = plan.nodes[index]
    let choices = plan.dispatches[Int(node.pointee.child)]
    if !choices.path.isEmpty, kind == .object {
      recordOnTape(kind, for: .dispatch(node: index, slot: slot))
      search = DiscriminatorSearch(path: choices.path)
      return
    }
    let label = choices.path.isEmpty ? choices.labels[ExactText(kind.rawValue)] : nil
    guard let child = label ?? choices.fallback else {
      let errorsBefore = errors.mark
      settle(
        reject(
          .wrongType, by: node, node.pointee.invalid,
          expected: choices.path.isEmpty ? choices.expected : "an object", found: kind.phrase,
          in: slot))
      skipRejected(errorsBefore: errorsBefore)
      return
    }
    choose(child, by: index, into: slot)
    enter(child, kind, into: slot)
  }

  private func choose(_ child: Int32, by chooser: Int32, into slot: UnsafeMutableRawPointer) {
    frames.push(
      Frame(
        kind: .chosen, node: child, field: chooser, errorsBefore: errors.mark,
        destination: slot, slots: slot, element: slot, start: address))
  }

  // MARK: Dispatch by a member

  /// The search for the scalar that chooses, while everything before it is recorded.
  struct DiscriminatorSearch {
    let path: [[UInt8]]
    /// How many steps of the path the open containers match.
    var matched = 0
    /// Whether the next value belongs to the next step.
    var isNext = false
  }

  func searchKey(_ key: UnsafeBufferPointer<UInt8>) {
    guard var found = search, recordingDepth == found.matched + 1 else { return }
    found.isNext = found.path[found.matched].elementsEqual(key)
    search = found
  }

  func searchContainer(_ kind: JSONKind) {
    guard var found = search, found.isNext, recordingDepth == found.matched + 1 else { return }
    found.isNext = false
    guard found.matched + 1 < found.path.count else { return choose(nil, found: kind.phrase) }
    if kind == .object { found.matched += 1 }
    search = found
  }

  /// A recorded container ended.
  func searchEnd() {
    if let matched = search?.matched, recordingDepth <= matched, recordingDepth > 0 {
      search?.matched = recordingDepth - 1
    }
  }

  /// Checks a scalar that is on the tape already: it may be the one that chooses.
  func searchScalar(_ token: Token) {
    guard let sought = search, sought.isNext, recordingDepth == sought.matched + 1 else { return }
    search?.isNext = false
    guard sought.matched + 1 == sought.path.count else { return }
    guard case .dispatch(let index, _)? = recordings.last?.purpose else { return }
    let choices = plan.dispatches[Int(plan.nodes[index].pointee.child)]
    let label: String
    switch token.kind {
    case .string, .number: label = String(decoding: token.text, as: UTF8.self)
    case .boolean: label = token.isTrue ? "true" : "false"
    case .null, .object, .array: label = "null"
    }
    let found = token.kind == .null ? "null" : "another \(token.kind.noun)"
    choose(choices.labels[ExactText(label)], found: found)
  }

  /// The scalar that chooses was found: the case that it names gets the recorded events, and then the rest.
  private func choose(_ named: Int32?, found: String) {
    let depth = recordingDepth
    search = nil
    recorder = nil
    foundPart = true
    guard let recording = recordings.popLast(),
      case .dispatch(let index, let slot) = recording.purpose
    else { return }
    recordingDepth = 0
    defer { if let tape = recording.tape { giveBack(tape) } }
    let node = plan.nodes[index]
    let choices = plan.dispatches[Int(node.pointee.child)]
    let mayReplay = mayReplay(recording.tape)
    if mayReplay, let child = named ?? choices.fallback {
      choose(child, by: index, into: slot)
      recording.tape?.replay(into: self)
      return
    }
    let outcome =
      mayReplay
      ? reject(
        .invalidValue, by: node, node.pointee.invalid, expected: choices.expected, found: found,
        below: Self.steps(to: choices.path), in: slot)
      : rejectReplay(by: node, in: slot)
    // This outcome is about the object, whose rest is skipped from the current position on.
    let errorsBefore = errors.mark
    cover(from: recording.start)
    settle(outcome)
    skipRejected(errorsBefore: errorsBefore, depth: depth)
  }

  /// The object is over, and no scalar in it chose a case.
  func dispatchWithoutChoice(
    _ tape: Tape?, _ node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer
  ) -> Outcome {
    let choices = plan.dispatches[Int(node.pointee.child)]
    guard let fallback = choices.fallback else {
      return reject(
        .missing, by: node, node.pointee.invalid, expected: choices.expected, found: nil,
        below: Self.steps(to: choices.path), in: slot)
    }
    let errorsBefore = errors.mark
    return settled(play(tape, to: fallback, in: slot), node, errorsBefore: errorsBefore, in: slot)
  }

  private static func steps(to path: [[UInt8]]) -> [JSONPath.Component] {
    path.map { .key(String(decoding: $0, as: UTF8.self)) }
  }

  // MARK: Rewritten values

  /// Maps a value that another mapping made as JSON.
  func rewrite(
    _ inner: UnsafeMutableRawPointer, _ node: UnsafePointer<PlanNode>, errorsBefore: ErrorLog.Mark,
    into slot: UnsafeMutableRawPointer
  ) -> Outcome {
    let outcome = withoutAddresses {
      made(as: node.pointee.second, in: slot) {
        builder.replay(as: plan.nodes[node.pointee.child], from: inner, to: $0)
      }
    }
    return settled(outcome, node, errorsBefore: errorsBefore, in: slot)
  }

  /// Takes events whose source has no addresses: all of them get the current value's address.
  func withoutAddresses<Result>(_ body: () -> Result) -> Result {
    let here = address
    defer { address = here }
    return body()
  }
}
