// Arrays and dictionaries. The elements of an array are made side by side, and moved into it some at a time: most arrays are
// made in one step.
extension Machine {
  /// An array or a dictionary begins.
  @inline(never)
  func enterCollection(
    _ index: Int32, _ node: UnsafePointer<PlanNode>, _ kind: TokenKind,
    into destination: UnsafeMutableRawPointer
  ) {
    let mark = arena.mark
    let layout = layouts[Int(index)]
    let scratch = arena.allocate(layout.scratch &+ layout.element &* Int(layout.staged))
    builder.beginCollection(as: node, in: scratch)
    let count = Int32(truncatingIfNeeded: errors.count)
    frames.push(
      Frame(
        kind: kind == .array ? .array : .dictionary, node: index, errorsBefore: count,
        elementErrorsBefore: count, keyStart: keyMark, keyEnd: keyMark,
        destination: destination, slots: scratch, element: scratch + layout.scratch, mark: mark,
        start: address))
  }

  /// The innermost array or dictionary ends.
  func finishCollection(_ frame: UnsafeMutablePointer<Frame>) {
    let node = nodes + Int(frame.pointee.node)
    let scratch = frame.pointee.slots
    let destination = frame.pointee.destination
    let hasFailedMembers = frame.pointee.kind == .dictionary && takeFailedMembers()
    let failed = frame.pointee.hasFailed || hasFailedMembers
    let errorsBefore = Int(frame.pointee.errorsBefore)
    cover(from: frame.pointee.start)
    let staged = stagedElements(of: frame)
    if failed {
      builder.abandonCollection(scratch, with: staged.start, count: staged.count, as: node)
    } else {
      builder.finishCollection(
        scratch, appending: staged.start, count: staged.count, as: node, into: destination)
    }
    releaseKeys(to: frame.pointee.keyStart)
    arena.release(to: frame.pointee.mark)
    frames.pop()
    settle(
      failed
        ? fallBack(node, errorsBefore: errorsBefore, in: destination)
        : made(node, in: destination))
  }

  /// The current element or member is over.
  @inline(__always)
  func settleElement(_ outcome: Outcome, in frame: UnsafeMutablePointer<Frame>) {
    if outcome != .filled {
      dropElement(of: frame)
    } else if frame.pointee.kind == .array {
      let layout = layouts + Int(frame.pointee.node)
      frame.pointee.element += layout.pointee.element
      frame.pointee.staged &+= 1
      if frame.pointee.staged == layout.pointee.staged { appendElements(of: frame) }
    } else {
      insertMember(of: frame)
    }
    frame.pointee.elementErrorsBefore = Int32(truncatingIfNeeded: errors.count)
    frame.pointee.index += 1
  }

  /// The elements of an array that are made and not yet appended.
  func stagedElements(of frame: UnsafeMutablePointer<Frame>)
    -> (start: UnsafeMutableRawPointer, count: Int)
  {
    let layout = layouts + Int(frame.pointee.node)
    return (frame.pointee.slots + layout.pointee.scratch, Int(frame.pointee.staged))
  }

  @inline(never)
  private func appendElements(of frame: UnsafeMutablePointer<Frame>) {
    let staged = stagedElements(of: frame)
    builder.append(
      staged.start, count: staged.count, as: nodes + Int(frame.pointee.node),
      to: frame.pointee.slots)
    frame.pointee.element = staged.start
    frame.pointee.staged = 0
  }

  @inline(never)
  private func insertMember(of frame: UnsafeMutablePointer<Frame>) {
    builder.insert(
      frame.pointee.element, key: key(of: frame), as: nodes + Int(frame.pointee.node),
      into: frame.pointee.slots)
  }

  /// The current element or member has no value.
  @inline(never)
  private func dropElement(of frame: UnsafeMutablePointer<Frame>) {
    let node = nodes + Int(frame.pointee.node)
    builder.dropElement(as: node, in: frame.pointee.slots)
    if node.pointee.omitsElements {
      errors.downgrade(from: Int(frame.pointee.elementErrorsBefore))
    } else if frame.pointee.kind == .array {
      frame.pointee.hasFailed = true
    } else {
      noteFailedMember()
    }
  }
}
