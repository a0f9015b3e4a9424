/// Runs a plan over the events of a record and builds its value directly, without a tree.
///
/// Worked example. The plan maps `{"id": Int, "user": {"name": String}}` onto `Post(id, author)`, the second field by
/// the path `user.name`. For `{"id":7,"lang":"en","user":{"name":"Ann"}}`:
///
///     event         frames (kind: place)             what happens
///     beginObject   target, object: $                memory for two slots and their states
///     key id        target, object: $ → id           its tag names the place (else the key table); its field is 0
///     number 7      target, object: $ → id           slot 0 is filled
///     key lang      target, object: $ → –            no one wants it
///     string en     target, object: $ → –            passed over
///     key user      target, object: $ → user         no field, but a path continues
///     beginObject   target, object: $, path: user    the path frame shares the object's slots
///     key name      …, path: user → name             its field is 1
///     string Ann    …, path: user → name             slot 1 is filled
///     endObject     target, object: $                the path frame is dropped
///     endObject     target                           all slots are filled: the initialiser takes them
///
/// If you add an opcode or a kind of frame, the compiler points at each switch over them: none has a `default:`.
///
/// Every value ends in `settle`, exactly once. When a record is discarded, `abandon` releases its half-built values.
final class Machine: EventSink {
  let plan: PlanTables
  let builder: any Builder
  // PERF: the builder's, asked once.
  let followsRecords: Bool
  let frames: FrameStack
  let arena = SlotArena()
  let errors: ErrorLog
  /// The number of bytes that one captured value (`JSONValue`, raw text, a value with several fields) may take.
  let captureLimit: Int
  /// The number of bytes of tapes that may be replayed for a record.
  let replayLimit: Int
  /// The number of bytes replayed so far.
  var replayed = 0
  let memberLimit: Int
  let elementLimit: Int

  /// The number of open containers in a part that no field wants.
  var skipDepth = 0
  /// What notes which fields find something; nil if that is not wanted.
  let watch: FieldWatch?
  // PERF: the tables that every event reads, without the access through the plan; the plan keeps them alive.
  let places: UnsafePointer<PlanPlace>
  let nodes: UnsafePointer<PlanNode>
  let objects: UnsafePointer<PlanObject>
  let fields: UnsafePointer<PlanField>
  /// By node: the memory that its value takes; the table keeps it alive.
  let layouts: UnsafePointer<ValueLayout>
  private let layoutTable: FlatTable<ValueLayout>
  /// The maker of elements that come one after the other; nil if the builder has none.
  let runs: ElementRuns?
  /// The errors of the container that is being skipped.
  private var rejectedErrors = 0..<0
  /// The record, for hooks that ask for it.
  var record = RecordName()
  /// Whether a part of the record was recorded, or the record has failed members.
  var hasNotes = false
  /// Tapes that are not in use.
  var idleTapes: [Tape] = []
  /// What is recorded, the last one while `recordingDepth > 0`, and for what purpose.
  var recordings: [Recording] = []
  var recordingDepth = 0
  /// What the value being recorded is searched for, if it belongs to a dispatch.
  var search: DiscriminatorSearch?
  /// The members that are not the source of a field, with the depth of their frame.
  var collectedMembers: [(depth: Int, member: JSONValue.Member)] = []
  var memberBuilder = JSONValueBuilder()
  /// Leaves out the dropped parts of members that are kept beside the fields.
  lazy var dropper = DroppingSink()
  var collectedSize = 0
  /// For a patch: whether a part was found of a field that takes its whole object.
  var foundPart = false
  /// Where the events of the recorded value go: a tape, or the builder's sink for JSON.
  ///
  /// The owner of either keeps it alive while it is recorded to.
  var recorder: Unmanaged<EventSink>?
  /// The limit that the value being recorded exceeds; nil if it is within its limits.
  var overflow: Overflow?
  /// The keys of members of open dictionaries that have no value, by the depth of their frame.
  private var failedMembers: [Int: Set<[UInt8]>] = [:]
  /// The keys that occurred in open dictionaries, and the keys of collected members, where a duplicate does not simply
  /// replace; by the depth of their frame.
  var seenKeys: [Int: Set<[UInt8]>] = [:]
  /// The keys of the program's dictionaries, as Swift compares them, by depth.
  var seenStrings: [Int: Set<String>] = [:]
  /// The keys of open dictionary members, one after the other.
  private let keys = OutputBuffer()

  /// A machine that builds the values of records at `destination`.
  init(
    plan: Plan, builder: any Builder, limits: Limits, destination: UnsafeMutableRawPointer,
    watch: FieldWatch? = nil
  ) {
    self.plan = plan.tables
    self.watch = watch
    frames = FrameStack(
      Frame(
        kind: .target, node: plan.tables.root, destination: destination, slots: destination,
        element: destination, start: .none))
    places = plan.tables.places.start
    nodes = plan.tables.nodes.start
    objects = plan.tables.objects.start
    fields = plan.tables.fields.start
    layoutTable = ValueLayout.table(plan.tables, builder)
    layouts = layoutTable.start
    self.builder = builder
    followsRecords = builder.followsRecords
    errors = ErrorLog(limit: limits.errorsPerRecord)
    captureLimit = limits.capturedValue
    replayLimit = limits.replayed
    memberLimit = limits.members
    elementLimit = limits.elements
    runs = builder.elementRuns(arena, layouts, limits: limits)
  }

  // MARK: Records

  /// Starts a record.
  @inline(__always)
  func begin() {
    errors.clear()
  }

  /// Whether a condition leaves out the record that ended without a value.
  private(set) var isOmitted = false

  /// Ends a record whose events have all been sent; tells whether its destination holds a value now.
  @inline(__always)
  func end() -> Bool {
    let target = frames.top
    let isFilled = frames.isOutermost && target.pointee.outcome == .filled
    if !isFilled { isOmitted = frames.isOutermost && target.pointee.outcome == .omitted }
    // The caller owns the value now.
    target.pointee.outcome = .failed
    // PERF: a record without notes has given back everything that it used.
    if !isFilled || hasNotes || followsRecords { abandon() }
    return isFilled
  }

  /// Discards a record at any point.
  @inline(never)
  func abandon() {
    while !frames.isOutermost {
      abandonTop()
      frames.pop()
    }
    abandonTop()
    frames.top.pointee.outcome = .failed
    arena.releaseAll()
    skipDepth = 0
    rejectedErrors = 0..<0
    if hasNotes { clearNotes() }
    keys.truncate(to: 0)
    if followsRecords { builder.reset() }
  }

  @inline(never)
  private func clearNotes() {
    hasNotes = false
    recordingDepth = 0
    overflow = nil
    replayed = 0
    for recording in recordings { if let tape = recording.tape { giveBack(tape) } }
    recordings.removeAll(keepingCapacity: true)
    search = nil
    collectedMembers.removeAll()
    memberBuilder = JSONValueBuilder()
    collectedSize = 0
    failedMembers.removeAll()
    seenKeys.removeAll()
    seenStrings.removeAll()
  }

  // MARK: Events

  override func takeAhead(
    _ first: UnsafePointer<FeedToken>, to end: UnsafePointer<FeedToken>, from origin: UInt
  ) -> UnsafePointer<FeedToken> {
    guard let runs, skipDepth | recordingDepth == 0, first < end,
      frames.top.pointee.next == .element
    else { return first }
    return takeElements(ElementRuns.Part(next: first, end: end, origin: origin), by: runs)
  }

  override func null() { take(.null) }
  override func bool(_ value: Bool) { take(Token(kind: .boolean, isTrue: value)) }
  override func number(_ text: UnsafeBufferPointer<UInt8>) {
    take(Token(kind: .number, text: text))
  }
  override func string(_ text: UnsafeBufferPointer<UInt8>) {
    take(Token(kind: .string, text: text))
  }

  override func beginObject() { open(.object) }
  override func beginArray() { open(.array) }
  override func endObject() { close(isObject: true) }
  override func endArray() { close(isObject: false) }

  override func key(_ text: UnsafeBufferPointer<UInt8>) {
    let place = address.tag - 1
    let frame = frames.top
    if skipDepth | recordingDepth == 0, place >= 0, places[place].parent == frame.pointee.place {
      // The reader has already looked it up.
      frame.pointee.pending = Int32(truncatingIfNeeded: place)
      visit(place, from: frame)
    } else {
      unknownKey(text)
    }
  }

  // PERF: outlined from the plain case, which then has hardly any registers to save.
  @inline(never)
  private func unknownKey(_ text: UnsafeBufferPointer<UInt8>) {
    if skipDepth > 0 { return }
    if recordingDepth > 0 {
      if search != nil { searchKey(text) }
      return record { $0.key(text) }
    }
    let frame = frames.top
    switch frame.pointee.kind {
    case .object, .path:
      if !findMember(text, in: frame) { noteUnknown(text, in: frame) }
    case .dictionary:
      if frame.pointee.index >= memberLimit { return refuseMember(text, of: frame) }
      frame.pointee.pending = -1
      if nodes[Int(frame.pointee.node)].duplicateKeys != .last, passesOver(text, in: frame) {
        return
      }
      if !errors.isEmpty { forgetMember(text, of: frame) }
      beginMember(text, of: frame)
    case .target, .pathEntry, .wholeObject, .array, .transform, .chosen: break
    }
  }

  @inline(__always)
  private func take(_ token: Token) {
    let frame = frames.top
    if skipDepth | recordingDepth != 0 {
      passOver(token)
    } else if frame.pointee.next == .member {
      let place = frame.pointee.pending
      if place >= 0 {
        hand(token, to: place)
      } else if place == Self.collected {
        collect(token)
      }
    } else if frame.pointee.next == .element {
      takeElement(token, of: frame)
    } else {
      takeElsewhere(token)
    }
  }

  /// Handles a scalar in a part that is recorded or skipped.
  @inline(never)
  private func passOver(_ token: Token) {
    if skipDepth > 0 { return }
    record { token.emit(to: $0) }
    if search != nil { searchScalar(token) }
  }

  /// Handles a scalar that is neither a member's value nor an element.
  @inline(never)
  private func takeElsewhere(_ token: Token) {
    let frame = frames.top
    switch frame.pointee.kind {
    case .object, .path:
      let place = nextPlace(in: frame)
      if place >= 0 { hand(token, to: place) }
    case .array, .dictionary:
      takeOther(token)
    case .target:
      settle(make(token, as: frame.pointee.node, in: frame.pointee.destination))
    case .transform:
      settle(make(token, as: nodes[Int(frame.pointee.node)].child, in: frame.pointee.slots))
    case .chosen:
      settle(make(token, as: frame.pointee.node, in: frame.pointee.destination))
    case .pathEntry:
      givePaths(token.kind, at: frame.pointee.place)
    case .wholeObject:
      break
    }
  }

  @inline(__always)
  private func open(_ kind: JSONKind) {
    if skipDepth | recordingDepth == 0 || !passOver(kind) { begin(kind) }
  }

  /// Whether the container that begins is recorded or skipped.
  @inline(never)
  private func passOver(_ kind: JSONKind) -> Bool {
    if skipDepth == 0 {
      if search != nil { searchContainer(kind) }
      // The scalar that was found may have ended the recording.
      if recordingDepth > 0 {
        recordingDepth += 1
        record { kind == .object ? $0.beginObject() : $0.beginArray() }
        if recordingDepth > JSONValue.maximumDepth, recordsTree { dropRecording(.depth) }
        return true
      }
      if skipDepth == 0 { return false }
    }
    skipDepth += 1
    return true
  }

  @inline(__always)
  private func begin(_ kind: JSONKind) {
    let frame = frames.top
    if frame.pointee.next == .member, frame.pointee.pending >= 0 {
      enter(frame.pointee.pending, kind)
    } else if frame.pointee.next == .element, frame.pointee.index < elementLimit {
      enter(nodes[Int(frame.pointee.node)].child, kind, into: frame.pointee.element)
    } else if frame.pointee.kind == .target {
      enter(frame.pointee.node, kind, into: frame.pointee.destination)
    } else {
      beginElsewhere(kind)
    }
  }

  // PERF: outlined from the plain cases, which then have no registers to save.
  @inline(never)
  private func beginElsewhere(_ kind: JSONKind) {
    let frame = frames.top
    switch frame.pointee.kind {
    case .object, .path:
      let place = nextPlace(in: frame)
      if place >= 0 {
        enter(place, kind)
      } else if place == Self.collected {
        collectContainer(kind)
      } else {
        skipDepth = 1
      }
    case .array, .dictionary:
      if refusesNext(frame) {
        let errorsBefore = errors.mark
        refuseElement(of: frame)
        return skipRejected(errorsBefore: errorsBefore)
      }
      enter(nodes[Int(frame.pointee.node)].child, kind, into: frame.pointee.element)
    case .target, .chosen:
      enter(frame.pointee.node, kind, into: frame.pointee.destination)
    case .transform:
      enter(nodes[Int(frame.pointee.node)].child, kind, into: frame.pointee.slots)
    case .pathEntry:
      enterPath(frame.pointee.place, kind)
    case .wholeObject:
      skipDepth = 1
    }
  }

  @inline(__always)
  private func close(isObject: Bool) {
    if skipDepth | recordingDepth == 0 { closeContainer() } else { leave(isObject: isObject) }
  }

  /// A container ends that is recorded or skipped.
  @inline(never)
  private func leave(isObject: Bool) {
    if skipDepth > 0 {
      skipDepth -= 1
      if skipDepth == 0 { endRejected() }
      return
    }
    record { isObject ? $0.endObject() : $0.endArray() }
    recordingDepth -= 1
    if search != nil { searchEnd() }
    if recordingDepth == 0 { finishRecording() }
  }

  // MARK: Places

  /// The place of the next value in an object or path frame; -1 if no field wants it.
  @inline(__always)
  private func nextPlace(in frame: UnsafeMutablePointer<Frame>) -> Int32 {
    if frame.pointee.isArray { findElement(in: frame) }
    return frame.pointee.pending
  }

  /// Whether a member has a place; the place may have occurred before, and is then not taken again.
  private func findMember(_ key: UnsafeBufferPointer<UInt8>, in frame: UnsafeMutablePointer<Frame>)
    -> Bool
  {
    var found = KeyTable.absent
    if let table = plan.places[frame.pointee.place].pointee.keys {
      found = table._withUnsafeGuaranteedRef { $0.find(key, guess: &frame.pointee.guess) }
    }
    frame.pointee.pending = found
    if found >= 0 { visit(Int(found), from: frame) }
    return found >= 0
  }

  private func findElement(in frame: UnsafeMutablePointer<Frame>) {
    frame.pointee.index += 1
    frame.pointee.pending = -1
    let place = plan.places[frame.pointee.place]
    for offset in 0..<place.pointee.elementCount {
      let element = plan.elements[place.pointee.firstElement + offset]
      if element.pointee.index == frame.pointee.index {
        frame.pointee.pending = element.pointee.place
        visit(Int(element.pointee.place), from: frame)
        return
      }
    }
  }

  /// Notes that a place occurs; if it occurred before, the earlier result is forgotten: the last duplicate wins.
  @inline(__always)
  private func visit(_ place: Int, from frame: UnsafeMutablePointer<Frame>) {
    let seen = frame.pointee.slots + Int(places[place].seen)
    if seen.load(as: UInt8.self) == PlanPlace.Seen.no {
      seen.storeBytes(of: PlanPlace.Seen.yes, as: UInt8.self)
    } else {
      revisit(Int32(truncatingIfNeeded: place), from: frame)
    }
  }

  func forget(_ place: Int32, slots: UnsafeMutableRawPointer) {
    let here = plan.places[place].pointee
    for offset in 0..<here.subtreeFieldCount {
      let field = plan.placeFields[here.fieldStart + offset].pointee
      destroyField(field, slots)
    }
    let seen = (slots + Int(here.seen)).assumingMemoryBound(to: UInt8.self)
    seen.update(repeating: PlanPlace.Seen.no, count: Int(here.subtreePlaceCount))
    seen.pointee = PlanPlace.Seen.yes
    if !errors.isEmpty { forgetErrors(of: here) }
  }

  // MARK: Keys of dictionaries

  /// The current key of a dictionary frame.
  func key(of frame: UnsafeMutablePointer<Frame>) -> UnsafeBufferPointer<UInt8> {
    keys.slice(frame.pointee.keyStart, frame.pointee.keyEnd)
  }

  /// Stores the key of the member that begins.
  func keep(key: UnsafeBufferPointer<UInt8>, of frame: UnsafeMutablePointer<Frame>) {
    keys.truncate(to: frame.pointee.keyStart)
    keys.append(key)
    frame.pointee.keyEnd = keys.count
  }

  var keyMark: Int { keys.count }

  func releaseKeys(to mark: Int) { keys.truncate(to: mark) }

  /// Notes that the current member of the innermost dictionary has no value.
  func noteFailedMember() {
    hasNotes = true
    failedMembers[frames.count, default: []].insert(Array(key(of: frames.top)))
  }

  /// The innermost dictionary ends: tells whether some of its members have no value.
  func takeFailedMembers() -> Bool {
    guard hasNotes else { return false }
    forgetKeys()
    return failedMembers.removeValue(forKey: frames.count)?.isEmpty == false
  }

  /// Forgets the errors of an earlier member with the same key: the last duplicate wins.
  func forgetMember(
    _ key: UnsafeBufferPointer<UInt8>, of frame: UnsafeMutablePointer<Frame>
  ) {
    if hasNotes { failedMembers[frames.count]?.remove(Array(key)) }
    if errors.count <= frame.pointee.errorsBefore.count { return }
    let path = path(to: frames.count - 1).appending(.key(String(decoding: key, as: UTF8.self)))
    errors.removeAll(from: frame.pointee.errorsBefore, under: path) { entry in
      // The error that the key occurred before is about the dictionary, not about the value.
      entry.code != .duplicateKey || entry.path.components.count > path.components.count
    }
  }

  // MARK: Rejected containers

  /// A container was rejected at its start, and the outcome is settled: everything up to its end is skipped.
  ///
  /// - Parameters:
  ///   - start: The errors from this one on cover all of the container.
  ///   - depth: How many of the containers that are open now are skipped.
  func skipRejected(errorsBefore start: ErrorLog.Mark, depth: Int = 1) {
    skipDepth = depth
    rejectedErrors = start.count..<errors.count
  }

  /// A rejected container ends: now its errors get their end position.
  private func endRejected() {
    if rejectedErrors.isEmpty { return }
    errors.extend(rejectedErrors, to: address.end)
    rejectedErrors = 0..<0
  }
}
