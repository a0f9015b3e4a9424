import CScan

// What the feed as a whole may demand.
//
// A feed that demands more ends by a fault of its own, after all that its input so far has given. With several jobs the reading side
// ends it, and the splitter of lines leaves the line after the last record to the reader. So the place of the fault, and the position
// before it, are the same by every route.
extension FeedReader {
  /// A fault after which nothing of the feed is read, whatever its format.
  struct WholeFault {
    let error: MappingError
    let place: FeedToken
    /// What the feed demands too much of, if that is the fault: it does not belong to a record.
    var excess: FeedDemand?
  }

  /// Whether the feed was ended because it demands too much.
  var isStopped: Bool { wholeFault?.excess != nil }

  /// As much of the next piece as the feed may have.
  func bounded(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard boundsInput, !bytes.isEmpty else { return bytes }
    if excess != nil { return UnsafeBufferPointer(rebasing: bytes[..<0]) }
    if let deadline = demands.deadline, ContinuousClock.now >= deadline {
      excess = .deadline
      return UnsafeBufferPointer(rebasing: bytes[..<0])
    }
    let room = max(demands.maximumBytes - given, 0)
    if bytes.count <= room { return bytes }
    excess = .maximumBytes
    return UnsafeBufferPointer(rebasing: bytes[..<room])
  }

  /// What the reader has when its input is used up.
  func askForInput() -> Next {
    guard let excess else { return .input }
    let line = sm_walker_line(walker)
    stop(
      excess,
      at: FeedToken(
        start: UInt64(given), end: UInt64(given), line: line,
        lineStart: sm_walker_line_start(walker)))
    return .fault
  }

  /// Ends the feed at the record that begins here, or at the malformed text: it is one too many.
  ///
  /// `isFault`: what came is a fault.
  func stopAtRecord(isFault: Bool) {
    let record =
      !isFault || sm_walker_in_record(walker) ? recordAddress : address(sm_walker_text(walker))
    held?.putBack()
    stop(
      .maximumRecords,
      at: FeedToken(
        start: record.start, end: record.start, line: record.line, lineStart: record.lineStart))
  }

  /// Ends the feed, because it demands too much from a place on.
  ///
  /// The fault is at hand then; after it, the feed is over.
  private func stop(_ demand: FeedDemand, at place: FeedToken) {
    wholeFault = WholeFault(
      error: demands.error(demand, at: place), place: place, excess: demand)
    isOver = true
  }
}
