import CScan

// Positions: where a reader is between records, and how another one continues there.
extension FeedReader {
  /// Where another reader can continue, between two steps: in a record or a token, before that; nil after the end, and between
  /// the records of a value that is held.
  func position() -> FeedPosition? {
    var place = sm_position()
    guard isBeyondHead, held?.isWaiting != true, sm_walker_position(walker, &place) else {
      return nil
    }
    return position(at: place)
  }

  /// After a fault, until the next step: where another reader can continue before the record that is malformed.
  ///
  /// At the end of a feed: where one can continue if more comes.
  func lastPosition() -> FeedPosition? {
    if let skipped { return skipped.before }
    var place = sm_position()
    guard isBeyondHead, sm_walker_last_position(walker, &place) else { return nil }
    return position(at: place)
  }

  /// Whether the reader has come to the end of the feed, though its last record may still be taken.
  var isAtLastRecord: Bool { sm_walker_is_over(walker) && held?.isWaiting != true }

  private func position(at place: sm_position) -> FeedPosition {
    var levels: [FeedPosition.Level] = []
    for number in 0..<place.depth {
      let level = sm_walker_level(walker, number)
      let step: FeedPosition.Level.Step
      if level.is_object {
        // No member of the innermost object may be begun.
        let key = UnsafeBufferPointer(
          start: level.key, count: level.has_position ? level.key_length : 0)
        step = .member(String(decoding: key, as: UTF8.self))
      } else {
        step = .element(Int(clamping: level.index))
      }
      levels.append(FeedPosition.Level(step: step, start: Int(clamping: level.start)))
    }
    return FeedPosition(
      offset: Int(clamping: place.offset), form: FeedPosition.form, line: Int(clamping: place.line),
      lineStart: Int(clamping: place.line_start),
      text: FeedPosition.TextStart(
        start: Int(clamping: place.text.start), line: Int(clamping: place.text.line),
        lineStart: Int(clamping: place.text.line_start)),
      levels: levels, pathsSeen: place.paths_seen | (held?.pathsSeen ?? 0),
      framing: Self.format(place.framing),
      isFramingSettled: place.is_framing_settled, hasSeparator: place.has_separator,
      isFirstText: place.is_first_text, hasText: place.has_text,
      place: Self.place(place.place))
  }

  private static let places: [(FeedPosition.Place, sm_at)] = [
    (.text, SM_AT_TEXT), (.textEnd, SM_AT_TEXT_END), (.fault, SM_AT_FAULT), (.value, SM_AT_VALUE),
    (.next, SM_AT_NEXT), (.firstKey, SM_AT_FIRST_KEY), (.key, SM_AT_KEY), (.colon, SM_AT_COLON),
    (.firstElement, SM_AT_FIRST_ELEMENT), (.element, SM_AT_ELEMENT),
  ]

  private static func place(_ place: sm_at) -> FeedPosition.Place {
    places.first { $0.1 == place }?.0 ?? .text
  }

  private static func place(_ place: FeedPosition.Place) -> sm_at {
    places.first { $0.0 == place }?.1 ?? SM_AT_TEXT
  }

  /// Continues where another reader was; the next piece starts at the position's offset.
  ///
  /// - Throws: ``MappingError`` if no reader of this selection can have been there.
  func restore(_ position: FeedPosition) throws(MappingError) {
    guard position.isPlausible else { throw FeedPosition.mismatch }
    var place = sm_position()
    place.offset = UInt64(position.offset)
    place.line = UInt64(position.line)
    place.line_start = UInt64(position.lineStart)
    place.text.start = UInt64(position.text.start)
    place.text.end = place.text.start
    place.text.line = UInt64(position.text.line)
    place.text.line_start = UInt64(position.text.lineStart)
    place.paths_seen = position.pathsSeen
    place.framing = Self.framing(position.framing)
    place.is_framing_settled = position.isFramingSettled
    place.has_separator = position.hasSeparator
    place.is_first_text = position.isFirstText
    place.has_text = position.hasText
    place.place = Self.place(position.place)
    guard restore(&place, position.levels) else { throw FeedPosition.mismatch }
    held?.reset()
    given = position.offset
    passHead()
  }

  private func restore(_ place: inout sm_position, _ levels: [FeedPosition.Level]) -> Bool {
    var keys: [UInt8] = []
    var ranges: [Range<Int>] = []
    for level in levels {
      let start = keys.count
      if case .member(let key) = level.step { keys += key.utf8 }
      ranges.append(start..<keys.count)
    }
    return keys.withUnsafeBufferPointer { keys in
      let levels = zip(levels, ranges).map { level, range in
        let key = UnsafeBufferPointer(rebasing: keys[range])
        let start = UInt64(level.start)
        return switch level.step {
        case .member:
          sm_level(
            start: start, key: key.baseAddress, key_length: key.count, index: 0, is_object: true,
            has_position: true)
        case .element(let index):
          sm_level(
            start: start, key: nil, key_length: 0, index: UInt64(index), is_object: false,
            has_position: true)
        }
      }
      return sm_walker_restore(walker, &place, levels, levels.count)
    }
  }

  /// Says that the input is a part of the feed, which continues with this byte: see ``PartEnd``.
  func end(before next: UInt8) { sm_walker_end_before(walker, next) }

  /// How the records follow each other, as far as it is known by now.
  var format: FeedFormat { Self.format(sm_walker_framing(walker)) }

  private static func format(_ framing: sm_framing) -> FeedFormat {
    switch framing {
    case SM_FRAMING_JSON: .json
    case SM_FRAMING_NDJSON: .ndjson
    case SM_FRAMING_CONCAT: .concatenated
    case SM_FRAMING_SEQ: .sequence
    default: .auto
    }
  }
}
