// Values that are made from their tokens in one go, without an event for each.
extension Machine {
  /// Takes the values at the beginning of a part; returns the first token that is not taken.
  ///
  /// Nothing has changed for it, as far as it takes none: then its events do all that there is to do.
  func takeWhole(_ part: WholeMaker.Part, by wholes: WholeMaker)
    -> UnsafePointer<FeedToken>
  {
    let frame = frames.top
    if frame.pointee.next == .element { return takeElements(part, of: frame, by: wholes) }
    guard part.opens else { return part.next }
    switch frame.pointee.kind {
    case .object, .path:
      guard frame.pointee.next == .member, frame.pointee.pending >= 0 else { return part.next }
      let here = places + Int(frame.pointee.pending)
      guard here.pointee.onlyField >= 0 else { return part.next }
      let slot = frame.pointee.slots + Int(here.pointee.onlySlot)
      guard let after = wholes.make(part, as: here.pointee.onlyNode, in: slot) else { break }
      setState(of: here.pointee.onlyField, .filled, in: frame)
      return after
    case .dictionary:
      if refusesNext(frame) { break }
      let child = nodes[Int(frame.pointee.node)].child
      guard let after = wholes.make(part, as: child, in: frame.pointee.element) else { break }
      settleElement(.filled, in: frame)
      return after
    case .target:
      let slot = frame.pointee.destination
      guard let after = wholes.make(part, as: frame.pointee.node, in: slot) else { break }
      frame.pointee.outcome = .filled
      return after
    case .array, .wholeObject, .pathEntry, .transform, .chosen: break
    }
    return part.next
  }

  /// Takes elements of an array, as many as come whole.
  private func takeElements(
    _ part: WholeMaker.Part, of frame: UnsafeMutablePointer<Frame>, by wholes: WholeMaker
  ) -> UnsafePointer<FeedToken> {
    let layout = layouts + Int(frame.pointee.node)
    let child = nodes[Int(frame.pointee.node)].child
    var part = part
    while true {
      let room = min(
        Int(layout.pointee.staged &- frame.pointee.staged), elementLimit - frame.pointee.index)
      let count = wholes.makeElements(
        &part, as: child, in: frame.pointee.element, stride: layout.pointee.element, atMost: room)
      if count == 0 { return part.next }
      frame.pointee.element += count &* layout.pointee.element
      frame.pointee.staged += Int32(truncatingIfNeeded: count)
      frame.pointee.index += count
      if frame.pointee.staged == layout.pointee.staged { appendElements(of: frame) }
    }
  }
}
