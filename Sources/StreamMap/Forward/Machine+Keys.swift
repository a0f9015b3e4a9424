// Keys that are not the source of a field, and keys that occur twice.
extension Machine {
  /// The place of a member that is collected with the other members that are not the source of a field.
  static let collected: Int32 = -2
  /// The place, in an object that is over, of an absent source for which a value is made all the same.
  static let absent: Int32 = -3
  /// The place of a dictionary's member that is skipped because of its key: it occurred before, or the dictionary cannot have it.
  static let passed: Int32 = -4

  /// Handles a key that the plan does not name, in an object or on the way of paths.
  func noteUnknown(_ key: UnsafeBufferPointer<UInt8>, in frame: UnsafeMutablePointer<Frame>) {
    // Where fields take an object as a whole, its members are met on the way of paths.
    let place = places + Int(frame.pointee.place)
    guard place.pointee.asksKeys, !frame.pointee.isArray else { return }
    let object = object(of: frame)
    let isInside = place.pointee.parent >= 0
    keep(key: key, of: frame)
    frame.pointee.pending = Self.collected
    frame.pointee.field = -1
    switch object.pointee.unknownKeys {
    case .ignore: break
    case .report: note(.unknownKey, .issue, expected: nil, found: "a key that is not mapped")
    case .fail:
      if isInside {
        // It does not count if the place comes again, and replaces this one.
        frame.pointee.slots.storeBytes(
          of: PlanPlace.Seen.withUnknownKey, toByteOffset: Int(place.pointee.seen), as: UInt8.self)
      } else {
        owner(of: frame).pointee.hasFailed = true
      }
      note(.unknownKey, .fatal, expected: nil, found: "a key that is not mapped")
    }
    if isInside || !object.pointee.keepsUnknown || isName(key, of: object, in: frame)
      || !takes(key, by: object.pointee.duplicateKeys, in: frame)
    {
      frame.pointee.pending = -1
    }
  }

  /// Whether a member is not allowed in what paths of an object go through.
  func hasUnknownKeysInside(
    _ object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer
  ) -> Bool {
    let seen = (slots + Int(object.pointee.seenOffset)).assumingMemoryBound(to: UInt8.self)
    return (0..<Int(object.pointee.placeCount)).contains {
      seen[$0] == PlanPlace.Seen.withUnknownKey
    }
  }

  /// Whether a member cannot be kept beside the fields because one of them is written by its key.
  private func isName(
    _ key: UnsafeBufferPointer<UInt8>, of object: UnsafePointer<PlanObject>,
    in frame: UnsafeMutablePointer<Frame>
  ) -> Bool {
    guard object.pointee.rest >= 0 else { return false }
    var guess = Int32.max
    let found = plan.rests[Int(object.pointee.rest)].keys.find(key, guess: &guess)
    guard found == PlanRest.taken else { return false }
    note(.duplicateKey, .issue, expected: nil, found: "a key that is the name of a field")
    return true
  }

  /// Whether a member is collected.
  private func takes(
    _ key: UnsafeBufferPointer<UInt8>, by rule: DuplicateKeyPolicy,
    in frame: UnsafeMutablePointer<Frame>
  ) -> Bool {
    let owner = owner(of: frame)
    if rule != .last, !isFirst(key, atDepth: Int(max(frame.pointee.owner, 0)) + 1) {
      noteDuplicate(rule, in: owner)
      if !rule.replaces { return false }
    }
    return takesAnother(owner, frame)
  }

  /// Counts a member that is to be collected; false if there are too many; only the first one is reported.
  private func takesAnother(
    _ owner: UnsafeMutablePointer<Frame>, _ frame: UnsafeMutablePointer<Frame>
  ) -> Bool {
    let collected = owner.pointee.index + 1
    if collected > memberLimit { return false }
    owner.pointee.index = collected
    if collected < memberLimit { return true }
    owner.pointee.hasFailed = true
    frame.pointee.field = object(of: frame).pointee.collector
    note(.limitExceeded, .fatal, expected: Limits.message(.members, memberLimit), found: "more")
    frame.pointee.field = -1
    return false
  }

  /// The frame of the object to which an object's or a path's frame belongs.
  private func owner(of frame: UnsafeMutablePointer<Frame>) -> UnsafeMutablePointer<Frame> {
    frames[Int(max(frame.pointee.owner, 0))]
  }

  func object(of frame: UnsafeMutablePointer<Frame>) -> UnsafePointer<PlanObject> {
    plan.objects[plan.nodes[owner(of: frame).pointee.node].pointee.child]
  }

  // MARK: Duplicates

  /// Remembers a key of an object whose frame has this depth; false if the key came before.
  func isFirst(_ key: UnsafeBufferPointer<UInt8>, atDepth depth: Int) -> Bool {
    hasNotes = true
    return seenKeys[depth, default: []].insert(Array(key)).inserted
  }

  /// Remembers a dictionary's key as a String; false if one that Swift takes for equal came before.
  func isFirstString(_ key: UnsafeBufferPointer<UInt8>, atDepth depth: Int) -> Bool {
    seenStrings[depth, default: []].insert(String(decoding: key, as: UTF8.self)).inserted
  }

  /// The object of the innermost frame ends.
  func forgetKeys() {
    seenKeys.removeValue(forKey: frames.count)
    seenStrings.removeValue(forKey: frames.count)
  }

  /// A place occurs again.
  func revisit(_ place: Int32, from frame: UnsafeMutablePointer<Frame>) {
    let object = plan.objects[plan.places[place].pointee.object]
    // A dropped member belongs to no field, however often it comes.
    if places[Int(place)].role == .dropped { return }
    let rule = object.pointee.duplicateKeys
    frame.pointee.field = -1
    if rule.replaces { forget(place, slots: frame.pointee.slots) }
    noteDuplicate(rule, in: owner(of: frame))
    if !rule.replaces { frame.pointee.pending = -1 }
  }

  /// Tells whether a dictionary's member is skipped; asked where duplicates do not simply replace.
  @inline(never)
  func passesOver(
    _ key: UnsafeBufferPointer<UInt8>, in frame: UnsafeMutablePointer<Frame>
  ) -> Bool {
    let rule = nodes[Int(frame.pointee.node)].duplicateKeys
    let isNew = isFirst(key, atDepth: frames.count)
    let isMerged =
      isNew && builder.hasStringKeys(as: nodes + Int(frame.pointee.node))
      && !isFirstString(key, atDepth: frames.count)
    if isNew, !isMerged { return false }
    if rule.replaces, !errors.isEmpty { forgetMember(key, of: frame) }
    keep(key: key, of: frame)
    if isMerged { noteMerged(rule, in: frame) } else { noteDuplicate(rule, in: frame) }
    if !rule.replaces { frame.pointee.pending = Self.passed }
    return !rule.replaces
  }

  /// Reports that the current member's key occurred before, where the rule asks for it.
  private func noteDuplicate(_ rule: DuplicateKeyPolicy, in owner: UnsafeMutablePointer<Frame>) {
    switch rule {
    case .last, .first: break
    case .report:
      note(.duplicateKey, .issue, expected: nil, found: "a key that occurred before")
    case .fail:
      owner.pointee.hasFailed = true
      note(.duplicateKey, .fatal, expected: nil, found: "a key that occurred before")
    }
  }

  /// Reports that the dictionary of the program takes the current member's key for an earlier one of other code points.
  ///
  /// The rule decides which of the two stays; the loss of the other is always reported.
  func noteMerged(_ rule: DuplicateKeyPolicy, in frame: UnsafeMutablePointer<Frame>) {
    if rule == .fail { frame.pointee.hasFailed = true }
    note(
      .duplicateKey, rule == .fail ? .fatal : .issue, expected: nil,
      found: "a key that Swift's String takes for an earlier one")
  }

  // MARK: Collecting

  // PERF: outlined, so that the caller has no registers to save.
  @inline(never)
  func collect(_ token: Token) {
    token.emit(to: beginMember())
    finishMember(nil)
  }

  func collectContainer(_ kind: JSONKind) {
    recorder = Unmanaged.passUnretained(beginMember())
    beginRecording(kind, for: .member, on: nil)
  }

  /// Collects a member, or keeps it beside the fields, although something looks at it, too.
  func keepMember(at place: Int32, _ overflow: Overflow?, _ events: (EventSink) -> Void) {
    guard case .key(var key)? = plan.steps[Int(place)] else { return }
    hasNotes = true
    let frame = frames.top
    frame.pointee.field = -1
    key.withUTF8 { keep(key: $0, of: frame) }
    guard takesAnother(owner(of: frame), frame) else { return }
    let sink = beginMember()
    if overflow == nil { events(sink) }
    finishMember(overflow)
  }

  /// The sink of a member that is collected, or kept beside the fields.
  private func beginMember() -> EventSink {
    let frame = frames.top
    let object = object(of: frame)
    guard object.pointee.rest >= 0 else { return memberBuilder }
    let key = key(of: frame)
    let writer = builder.beginRest(key)
    var guess = Int32.max
    let rest = plan.rests[Int(object.pointee.rest)]
    let number = rest.dropped.isEmpty ? -1 : rest.keys.find(key, guess: &guess)
    return number < 0 ? writer : dropper.begin(rest.dropped[Int(number)], to: writer)
  }

  /// A member that is kept beside the fields is over.
  private func finishRest(
    _ overflow: Overflow?, _ frame: UnsafeMutablePointer<Frame>
  ) {
    let size = builder.restSize
    collectedSize += size
    if overflow == nil, collectedSize <= captureLimit { return builder.finishRest() }
    builder.abandonJSON()
    owner(of: frame).pointee.hasFailed = true
    frame.pointee.field = -1
    note(.limitExceeded, .fatal, expected: message(for: overflow ?? .size))
  }

  func finishMember(_ overflow: Overflow?) {
    hasNotes = true
    let frame = frames.top
    let object = object(of: frame)
    if object.pointee.rest >= 0 { return finishRest(overflow, frame) }
    let size = memberBuilder.size
    let value = memberBuilder.value
    memberBuilder = JSONValueBuilder()
    collectedSize += size + key(of: frame).count
    guard overflow == nil, collectedSize <= captureLimit, let value else {
      owner(of: frame).pointee.hasFailed = true
      frame.pointee.field = object.pointee.collector
      note(.limitExceeded, .fatal, expected: message(for: overflow ?? .size))
      return
    }
    let key = String(decoding: key(of: frame), as: UTF8.self)
    collectedMembers.append((Int(frame.pointee.owner) + 1, JSONValue.Member(key, value)))
  }

  /// The object ends: its collected members become the value of their field.
  func finishCollected(_ object: UnsafePointer<PlanObject>) {
    let depth = frames.count
    forgetKeys()
    var members: [JSONValue.Member] = []
    var indices: [ExactText: Int] = [:]
    while let last = collectedMembers.last, last.depth == depth {
      collectedMembers.removeLast()
      members.append(last.member)
    }
    // The members come off in reverse; of equal keys, the last one stays, in the first one's place.
    var kept: [JSONValue.Member] = []
    for member in members.reversed() {
      if let index = indices[ExactText(member.key)] {
        kept[index] = member
      } else {
        indices[ExactText(member.key)] = kept.count
        kept.append(member)
      }
    }
    if collectedMembers.isEmpty { collectedSize = 0 }
    let field = object.pointee.collector
    let entry = plan.fields[field]
    frames.top.pointee.field = field
    let slot = frames.top.pointee.slots + Int(entry.pointee.offset)
    let outcome = withoutAddresses {
      made(as: entry.pointee.node, in: slot) { JSONValue.object(kept).emit(to: $0) }
    }
    setState(of: field, outcome, in: frames.top)
  }
}
