// Values inside a record that come as rows.
extension Machine {
  /// Makes the value that comes next from a row; false, with nothing changed, if its events have to come.
  func take(_ value: FeedReader.InnerRow, readBy reader: Int32, by maker: RowMaker) -> Bool {
    guard skipDepth | recordingDepth == 0 else { return false }
    // What takes the value may have something to report about it.
    address = value.place
    let frame = frames.top
    switch frame.pointee.kind {
    case .array, .dictionary:
      let isNext = frame.pointee.kind == .dictionary || frame.pointee.next == .element
      guard isNext, !refusesNext(frame) else { return false }
      let child = nodes[Int(frame.pointee.node)].child
      switch maker.make(value, readBy: reader, as: child, in: frame.pointee.element) {
      case .made: settleElement(.filled, in: frame)
      case .omitted: settleElement(.omitted, in: frame)
      case .rejected, .failed, .absent, .refused: return false
      }
    case .object, .path:
      guard frame.pointee.next == .member, frame.pointee.pending >= 0 else { return false }
      let here = places + Int(frame.pointee.pending)
      guard here.pointee.onlyField >= 0 else { return false }
      let slot = frame.pointee.slots + Int(here.pointee.onlySlot)
      switch maker.make(value, readBy: reader, as: here.pointee.onlyNode, in: slot) {
      case .made: setState(of: here.pointee.onlyField, .filled, in: frame)
      // What takes the object decides on one that its condition leaves out.
      case .omitted, .rejected, .failed, .absent, .refused: return false
      }
    case .target, .wholeObject, .pathEntry, .transform, .chosen: return false
    }
    return true
  }
}
