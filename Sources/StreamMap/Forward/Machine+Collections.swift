// Arrays and dictionaries. The elements of an array are made side by side, and moved into it several at a time: most
// arrays are made in one step.
extension Machine {
  /// An array or a dictionary begins.
  @inline(never)
  func enterCollection(
    _ index: Int32, _ node: UnsafePointer<PlanNode>, _ kind: JSONKind,
    into destination: UnsafeMutableRawPointer
  ) {
    let layout = layouts + Int(index)
    let scratch = arena.allocate(layout.pointee.memory)
    builder.beginCollection(as: node, in: scratch)
    let errorsBefore = errors.mark
    frames.push(
      Frame(
        kind: kind == .array ? .array : .dictionary, next: kind == .array ? .element : .elsewhere,
        node: index, errorsBefore: errorsBefore, elementErrorsBefore: errorsBefore,
        keyStart: keyMark,
        keyEnd: keyMark, destination: destination, slots: scratch,
        element: scratch + layout.pointee.scratch, start: address))
  }

  /// The innermost array or dictionary ends.
  func finishCollection(_ frame: UnsafeMutablePointer<Frame>) {
    let node = nodes + Int(frame.pointee.node)
    let scratch = frame.pointee.slots
    let destination = frame.pointee.destination
    var failed = frame.pointee.hasFailed
    if frame.pointee.kind == .dictionary {
      if takeFailedMembers() { failed = true }
      releaseKeys(to: frame.pointee.keyStart)
    }
    let errorsBefore = frame.pointee.errorsBefore
    cover(from: frame.pointee.start)
    let staged = stagedElements(of: frame)
    if failed {
      builder.abandonCollection(scratch, with: staged.start, count: staged.count, as: node)
    } else {
      builder.finishCollection(
        scratch, appending: staged.start, count: staged.count, as: node, into: destination)
    }
    arena.release(scratch)
    frames.pop()
    settle(
      failed
        ? fallBack(node, after: .failed, errorsBefore: errorsBefore, in: destination)
        : made(node, in: destination))
  }

  /// The current element or member is over.
  @inline(__always)
  func settleElement(_ outcome: Outcome, in frame: UnsafeMutablePointer<Frame>) {
    if outcome == .omitted {
      omitElement(of: frame)
    } else if outcome != .filled {
      dropElement(of: frame)
    } else if frame.pointee.kind == .array {
      stageElement(of: frame)
    } else {
      insertMember(of: frame)
    }
    passElement(of: frame)
  }

  /// An array's element is made.
  @inline(__always)
  private func stageElement(of frame: UnsafeMutablePointer<Frame>) {
    let layout = layouts + Int(frame.pointee.node)
    frame.pointee.element += layout.pointee.element
    frame.pointee.staged &+= 1
    if frame.pointee.staged == layout.pointee.staged { appendElements(of: frame) }
  }

  /// Advances to the next element or member.
  @inline(__always)
  private func passElement(of frame: UnsafeMutablePointer<Frame>) {
    frame.pointee.elementErrorsBefore = errors.mark
    frame.pointee.index += 1
  }

  /// The elements of an array that are made but not yet appended.
  func stagedElements(of frame: UnsafeMutablePointer<Frame>)
    -> (start: UnsafeMutableRawPointer, count: Int)
  {
    let layout = layouts + Int(frame.pointee.node)
    return (frame.pointee.slots + layout.pointee.scratch, Int(frame.pointee.staged))
  }

  @inline(never)
  func appendElements(of frame: UnsafeMutablePointer<Frame>) {
    let staged = stagedElements(of: frame)
    builder.append(
      staged.start, count: staged.count, as: nodes + Int(frame.pointee.node),
      to: frame.pointee.slots)
    frame.pointee.element = staged.start
    frame.pointee.staged = 0
  }

  @inline(never)
  private func insertMember(of frame: UnsafeMutablePointer<Frame>) {
    let node = nodes + Int(frame.pointee.node)
    let isMerged = builder.insert(
      frame.pointee.element, key: key(of: frame), as: node, into: frame.pointee.slots)
    // Any other policy reports that at the key.
    if isMerged, node.pointee.duplicateKeys == .last { noteMerged(.last, in: frame) }
  }

  /// A condition leaves the current element or member out.
  @inline(never)
  private func omitElement(of frame: UnsafeMutablePointer<Frame>) {
    builder.dropElement(as: nodes + Int(frame.pointee.node), in: frame.pointee.slots)
  }

  /// The current element or member has no value.
  @inline(never)
  private func dropElement(of frame: UnsafeMutablePointer<Frame>) {
    if frame.pointee.kind == .dictionary {
      builder.holdPlace(of: key(of: frame), in: frame.pointee.slots)
      return noteFailedMember()
    }
    let node = nodes + Int(frame.pointee.node)
    builder.dropElement(as: node, in: frame.pointee.slots)
    if node.pointee.omitsElements {
      errors.downgrade(from: frame.pointee.elementErrorsBefore)
    } else {
      frame.pointee.hasFailed = true
    }
  }

  /// The key of the innermost dictionary's next member.
  func beginMember(
    _ key: UnsafeBufferPointer<UInt8>, of frame: UnsafeMutablePointer<Frame>
  ) {
    keep(key: key, of: frame)
    let node = nodes + Int(frame.pointee.node)
    do {
      try builder.beginMember(key, as: node, in: frame.pointee.slots)
    } catch {
      refuseKey(error, of: frame)
    }
  }

  /// The innermost dictionary cannot have a member under the current key; what its value is does not matter.
  @inline(never)
  private func refuseKey(_ error: any Error, of frame: UnsafeMutablePointer<Frame>) {
    frame.pointee.hasFailed = true
    frame.pointee.pending = Self.passed
    let thrown = ThrownError(
      error, expected: "a key that the mapping can convert", hidesValues: plan.hidesValues)
    note(
      thrown.code, .fatal, expected: thrown.expected,
      found: thrown.found == nil ? nil : "another key", underlying: thrown.underlying)
  }

  // MARK: Scalars in them

  /// Takes an element of an array.
  // PERF: outlined, as is the code for members, so that the caller has no registers to save.
  @inline(never)
  func takeElement(_ token: Token, of frame: UnsafeMutablePointer<Frame>) {
    let node = nodes + Int(nodes[Int(frame.pointee.node)].child)
    if token.kind == .null || !node.pointee.isPlainScalar || frame.pointee.index >= elementLimit {
      return takeOther(token)
    }
    let verdict = builder.scalar(token, as: node, in: frame.pointee.element)
    if verdict == .made {
      stageElement(of: frame)
      passElement(of: frame)
    } else {
      refuseScalarElement(verdict, token.kind)
    }
  }

  /// Takes a dictionary's value; also an array's null, an element that the builder does not make alone, or one too many.
  @inline(never)
  func takeOther(_ token: Token) {
    let frame = frames.top
    if refusesNext(frame) { return refuseElement(of: frame) }
    let outcome = make(
      token, as: nodes[Int(frame.pointee.node)].child, in: frame.pointee.element)
    settleElement(outcome, in: frames.top)
  }

  /// The builder made no value for the current element.
  @inline(never)
  private func refuseScalarElement(_ verdict: Verdict, _ kind: JSONKind) {
    let frame = frames.top
    let node = nodes + Int(nodes[Int(frame.pointee.node)].child)
    settleElement(reject(verdict, kind, by: node, in: frame.pointee.element), in: frame)
  }

  // MARK: Collections with too many members

  /// Whether the innermost array or dictionary skips the next value: there are too many, or it is not taken under its key.
  @inline(__always)
  func refusesNext(_ frame: UnsafeMutablePointer<Frame>) -> Bool {
    frame.pointee.kind == .array
      ? frame.pointee.index >= elementLimit
      : frame.pointee.index >= memberLimit || frame.pointee.pending == Self.passed
  }

  /// A key comes that exceeds the limit of its dictionary; only the first one is reported.
  func refuseMember(
    _ key: UnsafeBufferPointer<UInt8>, of frame: UnsafeMutablePointer<Frame>
  ) {
    guard frame.pointee.index == memberLimit else { return }
    keep(key: key, of: frame)
    note(.limitExceeded, .fatal, expected: Limits.message(.members, memberLimit), found: "more")
    frame.pointee.hasFailed = true
    frame.pointee.index += 1
  }

  /// A value comes that its array or dictionary does not take; only the array's first one is reported.
  func refuseElement(of frame: UnsafeMutablePointer<Frame>) {
    guard frame.pointee.kind == .array, frame.pointee.index == elementLimit else { return }
    note(.limitExceeded, .fatal, expected: Limits.message(.elements, elementLimit), found: "more")
    frame.pointee.hasFailed = true
    frame.pointee.index += 1
  }
}
