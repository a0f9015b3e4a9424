import CScan

/// Reads a feed: finds its records, checks every byte, and hands over what is wanted of each record.
///
/// This is the Swift interface to the walker in `CScan`; see there. Pieces of the feed of any size go in with
/// ``input(_:isFinal:)``; ``next()`` gives the results.
///
/// Not thread-safe; one reader belongs to one engine.
final class FeedReader {
  /// What the reader has, or needs.
  enum Next {
    /// Another piece of the feed.
    case input
    /// ``chunk`` is a part of a record that continues.
    case chunk
    /// ``chunk`` is the last part of a record.
    case record
    /// ``row`` is a whole record; only where rows are asked for.
    case row
    /// ``chunk`` is a part of a record that continues, and ``innerRows`` are the values that come next in it.
    case innerRows
    /// The feed is malformed: ``fault``.
    case fault
    /// The feed is over.
    case end
  }

  let walker: OpaquePointer
  // The walker points into it.
  let selection: FeedSelection
  private let limits: Limits
  /// Whether chunks are text; if not, they are the index.
  private let handsText: Bool

  // The first bytes are held back until they show the encoding.
  // PERF: one user at a time, so there is nothing for the runtime to check.
  @exclusivity(unchecked) private var head: [UInt8] = []
  private var isPastHead = false
  /// What follows after the head, while the walker reads the head.
  private var rest: (bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool)?
  private var headPointer: UnsafeMutableBufferPointer<UInt8>
  let demands: FeedDemands
  /// Whether input has to be looked at before it is read.
  // PERF: its own constant. A message costs so little that looking at a deadline that is not there is 3 % of it.
  let boundsInput: Bool
  /// The offset of the next piece in the feed.
  var given = 0
  /// What the feed demands too much of; it is reported once the input before that is used up.
  var excess: FeedDemand?
  /// What is wrong with the feed as a whole: its encoding, or that it demands too much.
  var wholeFault: WholeFault?
  var isOver = false
  /// A step that was taken already: the next one to report.
  var pending: sm_step?
  /// What wrote rows in a form last.
  var formWriter: RecordFormWriter?
  /// What is held to find the records in it; nil if the paths need nothing of that.
  let held: HeldRecords?
  /// Whether ``Next/fault`` is that a value is too large to be held.
  private var isHeldTooLarge = false
  /// Whether reading continues after a record that is malformed, where more come in the same document: see `FeedReader+Resync`.
  var resyncs = false
  /// The malformed record whose end is looked for.
  var skip: RecordSkip?
  /// The malformed record whose end was looked for: ``Next/fault`` is about it.
  var skipped: RecordSkip?
  /// The piece that was given last, which may be read until the next one comes.
  private(set) var piece: (bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool)?

  private init?(
    _ selection: FeedSelection, format: FeedFormat, limits: Limits, demands: FeedDemands,
    form: ChunkForm
  ) {
    let bounds = sm_limits(
      depth: UInt64(clamping: limits.depth), string: UInt64(clamping: limits.string),
      number: UInt64(clamping: limits.number), key: UInt64(clamping: limits.key))
    guard
      let walker = sm_walker_create(
        selection.pointer, Self.framing(format), bounds,
        form == .text ? SM_FORM_TEXT : SM_FORM_TOKENS)
    else { return nil }
    self.walker = walker
    self.selection = selection
    self.limits = limits
    self.demands = demands
    boundsInput = demands.areOfInput
    handsText = form == .text
    held =
      selection.paths.holds
      ? HeldRecords(selection.paths, limit: limits.capturedValue, takesText: form == .text) : nil
    headPointer = .allocate(capacity: 4)
  }

  /// Makes a reader whose chunks have a form.
  ///
  /// - Throws: ``MappingError`` if memory runs out.
  static func make(
    _ selection: FeedSelection, format: FeedFormat, limits: Limits,
    demands: FeedDemands = FeedDemands(), form: ChunkForm
  ) throws(MappingError) -> FeedReader {
    guard
      let reader = FeedReader(
        selection, format: format, limits: limits, demands: demands, form: form)
    else {
      throw .outOfMemory
    }
    return reader
  }

  /// Makes the reader ready for another feed.
  func reset(format: FeedFormat) {
    sm_walker_reset(walker, Self.framing(format))
    if !head.isEmpty { head.removeAll() }
    isPastHead = false
    rest = nil
    given = 0
    isOver = false
    pending = nil
    held?.reset()
    isHeldTooLarge = false
    // PERF: what only a fault or a bound sets is large. To clear all of it is 3 % of the instructions of a message of 315 bytes.
    if excess != nil { excess = nil }
    if wholeFault != nil { wholeFault = nil }
    if resyncs { (skip, skipped, piece) = (nil, nil, nil) }
  }

  /// Makes the reader ready for another document after one that ``input(document:)`` took whole.
  func resetAfterRow() {
    sm_walker_reset(walker, SM_FRAMING_JSON)
    isPastHead = false
    given = 0
  }

  deinit {
    sm_walker_destroy(walker)
    headPointer.deallocate()
  }

  static func framing(_ format: FeedFormat) -> sm_framing {
    switch format {
    case .auto: SM_FRAMING_AUTO
    case .json: SM_FRAMING_JSON
    case .ndjson: SM_FRAMING_NDJSON
    case .concatenated: SM_FRAMING_CONCAT
    case .sequence: SM_FRAMING_SEQ
    }
  }

  // MARK: Input

  /// Gives the next piece of the feed, at the start and after ``Next/input``.
  ///
  /// - Parameters:
  ///   - bytes: The bytes. They are read in place: they must not change until the reader asks for input again.
  ///   - isFinal: Whether the feed ends with them.
  func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    let taken = bounded(bytes)
    give(taken, isFinal: isFinal && taken.count == bytes.count)
  }

  /// Gives the only piece of a feed that is one document; returns whether it is a row: see ``Next/row``.
  ///
  /// If not, ``next()`` continues with it.
  func input(document bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // What starts like this is UTF-8: see `Preamble`.
    guard bytes.count > 1, bytes[0] | 0x20 == UInt8(ascii: "{"), bytes[1] != 0, !boundsInput else {
      input(bytes, isFinal: true)
      return false
    }
    given = bytes.count
    isPastHead = true
    return sm_walker_take_document(walker, bytes.baseAddress, bytes.count)
  }

  /// Gives the next piece, which the feed may have.
  func give(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    given += bytes.count
    if resyncs {
      piece = (bytes, isFinal)
      if skip != nil { return }
    }
    if isPastHead {
      sm_walker_input(walker, bytes.baseAddress, bytes.count, isFinal)
    } else {
      inputHead(bytes, isFinal: isFinal)
    }
  }

  private func inputHead(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    // PERF: a first piece that shows the encoding by itself, as nearly all do, is not copied.
    if head.isEmpty, case .utf8(let skip) = Preamble.verdict(on: bytes, isFinal: isFinal) {
      isPastHead = true
      sm_walker_start(walker, UInt64(skip))
      let text = UnsafeBufferPointer(rebasing: bytes.dropFirst(skip))
      return sm_walker_input(walker, text.baseAddress, text.count, isFinal)
    }
    let known = head.count
    head += bytes.prefix(4 - known)
    switch Preamble.verdict(on: head, isFinal: isFinal) {
    case .undecided: break
    case .other(let name):
      isPastHead = true
      let place = FeedToken(start: 0, end: UInt64(head.count), line: 1, lineStart: 0)
      wholeFault = WholeFault(
        error: MappingError(
          .invalidUTF8, position: place.position, expected: "UTF-8", found: name),
        place: place)
    case .utf8(let skip):
      isPastHead = true
      sm_walker_start(walker, UInt64(skip))
      let fromHere = UnsafeBufferPointer(rebasing: bytes.dropFirst(head.count - known))
      _ = headPointer.update(fromContentsOf: head)
      let text = UnsafeBufferPointer(
        rebasing: UnsafeBufferPointer(headPointer)[min(skip, head.count)..<head.count])
      rest = (fromHere, isFinal)
      sm_walker_input(walker, text.baseAddress, text.count, isFinal && fromHere.isEmpty)
    }
  }

  /// Whether the first bytes have shown the encoding, and it is UTF-8.
  var isBeyondHead: Bool { isPastHead && (wholeFault == nil || isStopped) }

  /// Says that another reader has read the first bytes.
  func passHead() { isPastHead = true }

  // MARK: Steps

  func next() -> Next {
    if wholeFault != nil {
      if isOver { return .end }
      isOver = true
      return .fault
    }
    guard isPastHead else { return askForInput() }
    if resyncs {
      skipped = nil
      if skip != nil { return goOnSkipping() ?? askForInput() }
    }
    if let held, goOn(with: held) { return .record }
    while true {
      switch takeStep() {
      case SM_STEP_CHUNK:
        guard let held else { return .chunk }
        if let next = hold(held, isWhole: false) { return next }
      case SM_STEP_RECORD:
        guard let held else { return .record }
        if let next = hold(held, isWhole: true) { return next }
      case SM_STEP_INNER_ROWS: return .innerRows
      case SM_STEP_ROW:
        switch choice {
        case .taken: return .row
        case .passed: continue
        case .undecided: sm_walker_redo(walker)
        }
      case SM_STEP_FAULT:
        held?.clear()
        if resyncs, beginSkipping() { return goOnSkipping() ?? askForInput() }
        return .fault
      case SM_STEP_END: return .end
      default:
        guard let rest else { return askForInput() }
        self.rest = nil
        if rest.bytes.isEmpty && !rest.isFinal { return askForInput() }
        sm_walker_input(walker, rest.bytes.baseAddress, rest.bytes.count, rest.isFinal)
      }
    }
  }

  /// Whether the next step is one of the walker's.
  var isAtSteps: Bool {
    wholeFault == nil && isPastHead && rest == nil && skip == nil && held?.isWaiting != true
  }

  /// Advances to the next record of what is held; false if there is none.
  private func goOn(with held: HeldRecords) -> Bool {
    isHeldTooLarge = false
    return held.takeNext()
  }

  /// What the row that is handed over is; undecided if its value has to be held.
  @inline(__always)
  var choice: HeldRecords.Choice { held.map { choice(by: $0) } ?? .taken }

  @inline(never)
  private func choice(by held: HeldRecords) -> HeldRecords.Choice {
    guard let place = selection.place(at: sm_walker_record_node(walker)) else { return .taken }
    guard let row else { return .undecided }
    return held.choice(of: row, at: place, index: walkerIndex)
  }

  /// The index of the value that is handed over in the array around it.
  private var walkerIndex: Int? {
    if case .index(let number)? = walkerStep { number } else { nil }
  }

  /// Takes a part of a record, or of a value that is held; nil if nothing is handed over yet.
  private func hold(_ held: HeldRecords, isWhole: Bool) -> Next? {
    guard let place = selection.place(at: sm_walker_record_node(walker)) else {
      return isWhole ? .record : .chunk
    }
    held.add(walkerChunk)
    guard isWhole else { return nil }
    if held.find(place.positions, index: walkerIndex) {
      if held.takeNext() { return .record }
      held.clear()
      return nil
    }
    held.clear()
    isHeldTooLarge = true
    return .fault
  }

  @inline(__always)
  private func takeStep() -> sm_step {
    guard let step = pending else { return sm_walker_next(walker) }
    pending = nil
    return step
  }

  /// After ``Next/chunk`` and ``Next/record``: what is handed over.
  ///
  /// Valid until the next step.
  var chunk: RecordChunk {
    if let held, let record = held.current { return held.chunk(of: record) }
    return walkerChunk
  }

  private var walkerChunk: RecordChunk {
    let chunk = sm_walker_chunk(walker).pointee
    // FeedToken has the layout of sm_token.
    let start = UnsafeRawPointer(chunk.tokens)?.assumingMemoryBound(to: FeedToken.self)
    let tokens = UnsafeBufferPointer(start: start, count: chunk.token_count)
    let text = UnsafeBufferPointer(start: chunk.text, count: chunk.text_length)
    if handsText { return .text(RecordChunk.Text(json: text, tokens: tokens)) }
    return .index(RecordChunk.Index(tokens: tokens, origin: UInt(chunk.origin), joined: text))
  }

  /// Asks for rows, of the records that can be rows.
  func takeRows() { sm_walker_take_rows(walker, true) }

  /// After ``Step/row``: the record, until the next step.
  var row: RecordRow? { RecordRow(sm_walker_row(walker)) }

  /// After ``Step/row``: the next step hands over the same record as a chunk.
  func redo() { sm_walker_redo(walker) }

  /// Where the current record, or the one that is just over, is.
  var recordAddress: FeedToken {
    if let held, let record = held.current { return held.address(of: record) }
    return address(sm_walker_record(walker))
  }

  /// The number of the context value that is handed over; nil for a record.
  var contextIndex: Int? {
    let paths = sm_walker_record_paths(walker) >> UInt64(selection.paths.patterns.count)
    return paths == 0 ? nil : paths.trailingZeroBitCount
  }

  /// Where the text that contains the current record, or the one that is just over, starts.
  var textStart: UInt64 { sm_walker_text(walker).start }

  /// The path from the text's root to the record.
  var recordPath: JSONPath {
    var path = path(ofRecord: true)
    if let held { path.components += held.steps.map { held.component($0) } }
    return path
  }

  /// The last step of that path; nil if the text itself is the record.
  var recordStep: JSONPath.Component? {
    if let held, let step = held.steps.last { return held.component(step) }
    return walkerStep
  }

  private var walkerStep: JSONPath.Component? {
    let count = sm_walker_levels(walker, true)
    return count > 0 ? step(sm_walker_level(walker, count - 1)) : nil
  }

  /// Where the container at a level around the current record starts; 0 if there is none.
  func start(ofLevel level: Int) -> Int {
    guard level < sm_walker_levels(walker, true) else { return 0 }
    return Int(clamping: sm_walker_level(walker, level).start)
  }

  /// The number of bytes that the reader is done with.
  var offset: Int { Int(clamping: sm_walker_offset(walker)) }

  /// The memory in bytes of what grows with the feed's tokens and their depth.
  var memory: Int { sm_walker_memory(walker) }

  /// The record paths that did not occur.
  var unseenPaths: [PathPattern] { selection.unseenPaths(pathsSeen) }

  func address(_ token: sm_token) -> FeedToken {
    FeedToken(start: token.start, end: token.end, line: token.line, lineStart: token.line_start)
  }

  private func path(ofRecord: Bool) -> JSONPath {
    let count = sm_walker_levels(walker, ofRecord)
    var components: [JSONPath.Component] = []
    for index in 0..<count {
      if let step = step(sm_walker_level(walker, index)) { components.append(step) }
    }
    return JSONPath(components)
  }

  private func step(_ level: sm_level) -> JSONPath.Component? {
    guard level.has_position else { return nil }
    if !level.is_object { return .index(Int(clamping: level.index)) }
    let key = UnsafeBufferPointer(start: level.key, count: level.key_length)
    return .key(EscapedText.decoded(key))
  }

  // MARK: Faults

  /// How many bytes of a malformed line or entry are searched for its end before the fault is reported.
  static let largestText = Int(SM_LARGEST_TEXT)

  /// How many characters are shown of a key that no colon follows.
  private static let longestUnfinishedKey = 32

  /// Whether the fault lies in a record; if not, it lies in what is around the records.
  var isFaultInRecord: Bool {
    if let wholeFault { return wholeFault.excess == nil }
    if isHeldTooLarge || skipped != nil { return true }
    return selection.paths.isWholeText || (sm_walker_in_record(walker) && contextIndex == nil)
  }

  /// What is malformed, after ``Next/fault``.
  struct Fault {
    let error: MappingError
    /// The line or entry, up to ``FeedReader/largestText``; of a document, the part that was read.
    let text: FeedToken
    /// Whether no record can be read after it.
    let isFinal: Bool
    /// Whether the fault is that the feed ends too early.
    let isCutOff: Bool
    /// Whether the feed ends inside something that it should have finished.
    var isTruncation = false
    /// What the feed as a whole demands too much of.
    var excess: FeedDemand?

    static let outOfMemory = Fault(
      error: .outOfMemory, text: .none, isFinal: true, isCutOff: false)
  }

  /// The fault, with the number of the record it belongs to.
  func fault(record: Int?) -> Fault {
    if let wholeFault {
      return Fault(
        error: wholeFault.error, text: wholeFault.place, isFinal: true, isCutOff: false,
        excess: wholeFault.excess)
    }
    if let held, isHeldTooLarge {
      return held.tooLarge(path(ofRecord: true), at: recordAddress, record: record)
    }
    if let skipped { return skipped.fault(record: record) }
    return walkerFault(record: record)
  }

  /// The walker's fault.
  func walkerFault(record: Int?) -> Fault {
    let fault = sm_walker_fault(walker)
    var description = FaultDescription(fault, limits: limits)
    // The place of the fault in the record, and its byte, may be part of a value, or of a value's key.
    if selection.hidesValues, description.code == .syntax || description.code == .invalidUTF8 {
      description.found = nil
    }
    let isHidden = selection.hidesValues && (isFaultInRecord || contextIndex != nil)
    var path = path(ofRecord: isHidden)
    // A string without a colon after it may not be a key, but the text after a key whose closing quote is missing.
    if fault.expected == SM_EXPECTED_COLON { path.shortenLastKey(to: Self.longestUnfinishedKey) }
    let error = MappingError(
      description.code, path: path, position: address(fault.at).position,
      record: record,
      expected: description.expected, found: description.found)
    return Fault(
      error: error, text: address(sm_walker_text(walker)), isFinal: fault.final,
      isCutOff: fault.cut_off,
      // A text that a line feed or a separator cuts off is one of several.
      isTruncation: description.code == .truncated && fault.cut_off && fault.found == 0)
  }
}
