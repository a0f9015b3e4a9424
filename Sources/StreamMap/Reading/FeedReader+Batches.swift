import CScan

// What a batch keeps of the reader's steps.
extension FeedReader: RecordLocation {
  /// Whether the current record, or the one that is just over, lies inside something.
  var hasRecordLevels: Bool { sm_walker_levels(walker, true) > 0 || held?.steps.isEmpty == false }

  /// Calls `body` with the steps of the path to the current record, or to the one that is just over.
  ///
  /// A step is a key as written, or an index. The keys are valid during the call.
  func forEachRecordLevel(_ body: (UnsafeBufferPointer<UInt8>?, Int) -> Void) {
    for number in 0..<sm_walker_levels(walker, true) {
      let level = sm_walker_level(walker, number)
      guard level.has_position else { continue }
      if level.is_object {
        body(UnsafeBufferPointer(start: level.key, count: level.key_length), 0)
      } else {
        body(nil, Int(clamping: level.index))
      }
    }
    guard let held else { return }
    for step in held.steps {
      if let key = held.key(step) { body(key, 0) } else { body(nil, step.index) }
    }
  }

  /// The record paths that occurred, as bits in their order.
  var pathsSeen: UInt64 { sm_walker_paths_seen(walker) | (held?.pathsSeen ?? 0) }
}
