import CScan

// After a malformed record of a document: the next one, where that is wanted.

/// A malformed record inside a document, and the search for its end.
///
/// Nothing is known for sure after a fault. What is read as if there were none: strings with their escapes, and brackets. A line feed ends a
/// string, since none may have one; so a quote that is missing costs a line, not the rest of the document. A bracket that is missing or one too
/// many may cost more records than one. All that is passed over is reported as the text of one malformed record.
///
/// What the fault says is taken when it is found: the walker's path lies in pieces of the feed that are gone later. Once the end of
/// the record is known, `FeedReader` puts the walker at the position after it.
struct RecordSkip {
  /// Where the walker was before the record: the containers around it are those after it, too.
  let before: FeedPosition
  /// What is wrong, as if the feed ended there.
  private let fault: FeedReader.Fault
  /// Where the record begins.
  private let start: FeedToken
  /// Whether the record's end was found; if not, the feed ended first, or ends here.
  private(set) var isFound = false
  /// Whether the fault is the bracket around the records itself: then nothing leads past it.
  private(set) var isStuck = false
  /// Where the search began, if a record was over there.
  private let origin: Int?
  /// How many containers of the record are open.
  private var depth: Int
  private var isInString: Bool
  private var isEscaped = false
  /// Where the search continues.
  private(set) var offset: Int
  private var line: Int
  private var lineStart: Int

  init(
    _ fault: FeedReader.Fault, at token: FeedToken, in record: FeedToken, before: FeedPosition,
    depth: Int, isInString: Bool, isAfterRecord: Bool, from offset: Int
  ) {
    self.fault = fault
    self.before = before
    start = record
    self.depth = depth
    self.isInString = isInString
    self.offset = offset
    origin = isAfterRecord ? offset : nil
    line = Int(clamping: token.line)
    lineStart = Int(clamping: token.lineStart)
  }

  /// Searches the next bytes; true if the record ends in them: then ``offset`` is where.
  mutating func findEnd(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\n") {
        line += 1
        lineStart = offset + index + 1
        (isInString, isEscaped) = (false, false)
      } else if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          // The bracket around the record, if the record has none of its own.
          if depth == 0 {
            isStuck = offset + index == origin
            return isStuck ? false : end(at: index)
          }
          depth -= 1
          if depth == 0 { return end(at: index + 1) }
        case UInt8(ascii: ","): if depth == 0 { return end(at: index) }
        default: break
        }
      }
    }
    offset += bytes.count
    return false
  }

  private mutating func end(at index: Int) -> Bool {
    offset += index
    isFound = true
    return true
  }

  /// Forgets that the record's end was found.
  mutating func giveUp() { isFound = false }

  /// The place after the record.
  var after: FeedPosition { before.afterValue(at: offset, line: line, lineStart: lineStart) }

  /// What is reported of the record.
  func fault(record: Int?) -> FeedReader.Fault {
    let error = fault.error
    let text = FeedToken(
      start: start.start, end: UInt64(offset), line: start.line, lineStart: start.lineStart)
    return FeedReader.Fault(
      error: MappingError(
        error.code, path: error.path, position: error.position, record: record,
        expected: error.expected, found: error.found),
      text: isFound ? text : fault.text, isFinal: !isFound, isCutOff: !isFound && fault.isCutOff,
      isTruncation: !isFound && fault.isTruncation)
  }
}

extension FeedReader {
  /// Whether the record that the walker's fault is in can be passed over.
  func beginSkipping() -> Bool {
    let fault = sm_walker_fault(walker)
    guard fault.final, fault.in_record, fault.kind != SM_FAULT_MEMORY, fault.kind != SM_FAULT_PART,
      contextIndex == nil, let before = lastPosition(), before.isInList, let piece
    else { return false }
    let isOpen = sm_walker_in_record(walker)
    let token = address(fault.at)
    var length = 0
    let copied = sm_walker_copied(walker, fault.rest, &length)
    // A token that began in an earlier piece, and is not copied, is no string: what is left of it has no brackets.
    let from =
      copied == nil
      ? max(Int(clamping: fault.rest), given - piece.bytes.count) : Int(clamping: fault.rest)
    var search = RecordSkip(
      walkerFault(record: nil), at: token, in: isOpen ? recordAddress : token, before: before,
      depth: max(sm_walker_levels(walker, false) - before.depth, 0), isInString: fault.in_string,
      isAfterRecord: !isOpen && fault.expected == SM_EXPECTED_COMMA_OR_BRACKET, from: from)
    // What is copied ends in the record: where all brackets are closed, nothing waits for more.
    if search.findEnd(in: UnsafeBufferPointer(start: copied, count: length)) { return false }
    skip = search
    return true
  }

  /// Looks for the end of the malformed record; nil if it needs more input.
  func goOnSkipping() -> Next? {
    guard let piece, var search = skip else { return nil }
    let start = given - piece.bytes.count
    let rest = UnsafeBufferPointer(rebasing: piece.bytes.dropFirst(max(search.offset - start, 0)))
    let isFound = search.findEnd(in: rest)
    skip = search
    guard isFound else {
      guard piece.isFinal || search.isStuck else { return nil }
      // The walker's own fault, as it was: what the walker knows of its path may lie in pieces that are gone.
      (skip, skipped) = (nil, search)
      return .fault
    }
    skip = nil
    let end = given
    do {
      try restore(search.after)
    } catch {
      // Without memory, the feed ends with the fault that was found.
      search.giveUp()
      skipped = search
      return .fault
    }
    skipped = search
    given = end
    let left = UnsafeBufferPointer(rebasing: piece.bytes.dropFirst(search.offset - start))
    sm_walker_input(walker, left.baseAddress, left.count, piece.isFinal)
    return .fault
  }
}
