// Elements of arrays that are made from their tokens, without an event for each.
extension Machine {
  /// Takes elements of the innermost array, as many as are plain; returns the first token that is not taken.
  func takeElements(_ part: ElementRuns.Part, by runs: ElementRuns)
    -> UnsafePointer<FeedToken>
  {
    let frame = frames.top
    let layout = layouts + Int(frame.pointee.node)
    let child = nodes[Int(frame.pointee.node)].child
    var part = part
    while true {
      let room = min(
        Int(layout.pointee.staged &- frame.pointee.staged), elementLimit - frame.pointee.index)
      let count = runs.make(
        &part, as: child, in: frame.pointee.element, stride: layout.pointee.element, atMost: room)
      if count == 0 { return part.next }
      frame.pointee.element += count &* layout.pointee.element
      frame.pointee.staged += Int32(truncatingIfNeeded: count)
      frame.pointee.index += count
      if frame.pointee.staged == layout.pointee.staged { appendElements(of: frame) }
    }
  }
}
