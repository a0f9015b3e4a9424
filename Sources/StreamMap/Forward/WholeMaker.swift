/// Makes typed values from their tokens in one go: the short way for parts of records that do not come as rows.
///
/// It goes down into a container whose tokens are all there, and makes each part as it comes. No event is sent, and no frame
/// is kept. Like `RowMaker`, it never makes an error. Where anything is wrong or unusual, it destroys what it made and gives
/// up. The machine then takes the value from its first token, and finds all errors, with their addresses.
///
/// No token is looked at more than a few times. After it gave up, it does not try again before the token at which it gave
/// up; only short arrays of scalars are tried again. Values with more than ``largest`` tokens are the machine's. So are some
/// of those whose kind was given up lately.
///
/// The index offers its tokens before the event of a bracket (`EventSink.takeAhead`). The plan says what can be made so
/// (`PlanDraft+Whole`).
final class WholeMaker {
  /// The tokens that are there, from the next one on.
  struct Part {
    var next: UnsafePointer<FeedToken>
    let end: UnsafePointer<FeedToken>
    let origin: UInt

    /// Whether a container begins here.
    @inline(__always)
    var opens: Bool {
      next.pointee.isPlain && text.first.map { $0 | 0x20 } == UInt8(ascii: "{")
    }

    /// The text of the next token, which is plain.
    @inline(__always)
    var text: UnsafeBufferPointer<UInt8> { next.pointee.text(from: origin) }
  }

  /// How often a node's value was given up.
  private struct Misses: BitwiseCopyable {
    /// Since one was made.
    var count: UInt8 = 0
    /// How many values are left to the machine.
    var pause: UInt16 = 0
  }

  /// The number of tokens of a value.
  private static let largest = 1024
  /// The number of containers inside each other, because each takes some of the stack.
  private static let deepest = 64

  let builder: ValueBuilder
  let arena: SlotArena
  let nodes: UnsafePointer<PlanNode>
  private let objects: UnsafePointer<PlanObject>
  private let fields: UnsafePointer<PlanField>
  private let places: UnsafePointer<PlanPlace>
  let layouts: UnsafePointer<ValueLayout>
  let elementLimit: Int
  private let memberLimit: Int
  private lazy var decoder = StringDecoder()
  // By node. Invariant: the plan has this many nodes.
  private let misses: UnsafeMutablePointer<Misses>
  /// No value is tried that starts before this offset in the feed.
  private var notBefore: UInt64 = 0

  /// Makes values for a machine, in its arena and with its layouts, which it keeps alive, as it does the plan.
  init(
    _ plan: PlanTables, builder: ValueBuilder, _ arena: SlotArena,
    _ layouts: UnsafePointer<ValueLayout>, _ limits: Limits
  ) {
    self.builder = builder
    self.arena = arena
    nodes = plan.nodes.start
    objects = plan.objects.start
    fields = plan.fields.start
    places = plan.places.start
    self.layouts = layouts
    elementLimit = limits.elements
    memberLimit = limits.members
    misses = .allocate(capacity: plan.nodes.count)
    misses.initialize(repeating: Misses(), count: plan.nodes.count)
  }

  deinit {
    misses.deallocate()
  }

  /// The next tokens may be those of another feed.
  @inline(__always)
  func beginRecord() { notBefore = 0 }

  // MARK: For the machine

  /// Makes the value that a bracket begins; returns the token after it, or nil if the machine has to make it.
  func make(_ part: Part, as node: Int32, in slot: UnsafeMutableRawPointer)
    -> UnsafePointer<FeedToken>?
  {
    guard nodes[Int(node)].isMadeWhole, part.next.pointee.start >= notBefore else { return nil }
    let misses = misses + Int(node)
    if misses.pointee.pause > 0 {
      misses.pointee.pause -= 1
      return nil
    }
    let most = part.end - part.next
    let end = part.next + min(most, Self.largest)
    let part = Part(next: part.next, end: end, origin: part.origin)
    if let after = value(nodes + Int(node), part, Self.deepest, slot) {
      misses.pointee.count = 0
      return after
    }
    // The first time may be the end of a chunk.
    misses.pointee.pause = (1 << UInt16(misses.pointee.count)) - 1
    if misses.pointee.count < 10 { misses.pointee.count += 1 }
    return nil
  }

  /// Makes elements of an array side by side, until it comes to one that the machine has to make, or to the array's end;
  /// returns how many.
  func makeElements(
    _ part: inout Part, as node: Int32, in slot: UnsafeMutableRawPointer, stride: Int,
    atMost room: Int
  ) -> Int {
    let child = nodes + Int(node)
    if child.pointee.isPlainScalar { return scalars(&part, child, slot, stride, room) }
    var count = 0
    // Also where the whole around them was given up: it may only have been too large, and these are short.
    if child.pointee.isPlainArray, child.pointee.checkCount == 0, child.pointee.isMadeWhole {
      count = plainArrays(&part, child, slot, stride, room)
    }
    while count < room, part.next < part.end, part.opens,
      let after = make(part, as: node, in: slot + count &* stride)
    {
      part.next = after
      count += 1
    }
    return count
  }

  // MARK: Values

  // In all that follows: a value that cannot be made leaves nothing behind, and its slot is uninitialised then. What is
  // returned is the token after the value.

  /// The token that comes next is odd, or there is none.
  private func giveUp(_ part: Part) -> UnsafePointer<FeedToken>? {
    giveUp(after: part.next < part.end ? part.next + 1 : part.end)
  }

  /// The value before this token is odd.
  private func giveUp(after token: UnsafePointer<FeedToken>) -> UnsafePointer<FeedToken>? {
    notBefore = token[-1].start + 1
    return nil
  }

  private func value(
    _ node: UnsafePointer<PlanNode>, _ part: Part, _ depth: Int, _ slot: UnsafeMutableRawPointer
  ) -> UnsafePointer<FeedToken>? {
    guard part.next < part.end, depth > 0 else { return giveUp(part) }
    if !part.next.pointee.isPlain {
      return node.pointee.opcode == .transform
        ? transform(node, part, depth, slot) : escaped(node, part, slot)
    }
    let text = part.text
    var part = part
    var after: UnsafePointer<FeedToken>? = part.next + 1
    if node.pointee.opcode == .transform, text.first != UInt8(ascii: "n") {
      return transform(node, part, depth, slot)
    }
    switch text.first {
    case UInt8(ascii: "{"):
      part.next += 1
      switch node.pointee.opcode {
      case .object: after = object(node, part, depth, slot)
      case .dictionary: after = dictionary(node, part, depth, slot)
      case .scalar, .jsonValue, .rawJSON, .array, .transform, .rewritten, .firstOf, .dispatch:
        return giveUp(part)
      }
    case UInt8(ascii: "["):
      guard node.pointee.opcode == .array else { return giveUp(part) }
      part.next += 1
      after = array(node, part, depth, slot)
    case UInt8(ascii: "n"):
      return builder.storeSubstitute(node.pointee.null, node, slot) ? after : giveUp(part)
    default:
      guard node.pointee.opcode == .scalar, let token = Token(written: text),
        builder.scalar(token, as: node, in: slot) == .made
      else { return giveUp(part) }
    }
    guard let after, node.pointee.checkCount > 0 else { return after }
    return builder.keepsRules(node, slot) ? after : giveUp(after: after)
  }

  /// A string with escapes.
  @inline(never)
  private func escaped(
    _ node: UnsafePointer<PlanNode>, _ part: Part, _ slot: UnsafeMutableRawPointer
  ) -> UnsafePointer<FeedToken>? {
    guard part.next.pointee.hasEscapes, node.pointee.opcode == .scalar,
      let text = decoder.decoded(Token.inside(part.text)),
      builder.scalar(Token(kind: .string, text: text), as: node, in: slot) == .made,
      node.pointee.checkCount == 0 || builder.keepsRules(node, slot)
    else { return giveUp(part) }
    return part.next + 1
  }

  /// A value that the mapping's code makes of another one.
  @inline(never)
  private func transform(
    _ node: UnsafePointer<PlanNode>, _ part: Part, _ depth: Int, _ slot: UnsafeMutableRawPointer
  ) -> UnsafePointer<FeedToken>? {
    var after = part.next + 1
    if !storesLiteral(node, part, slot) {
      let inner = arena.allocate(layouts[Int(node.pointee.child)].size)
      defer { arena.release(inner) }
      let child = nodes + Int(node.pointee.child)
      guard let end = value(child, part, depth - 1, inner) else { return nil }
      after = end
      do { try builder.transform(inner, as: node, into: slot) } catch {
        return giveUp(after: after)
      }
    }
    guard node.pointee.checkCount == 0 || builder.keepsRules(node, slot) else {
      return giveUp(after: after)
    }
    return after
  }

  /// Makes the value of a text whose result is known.
  private func storesLiteral(
    _ node: UnsafePointer<PlanNode>, _ part: Part, _ slot: UnsafeMutableRawPointer
  ) -> Bool {
    guard let texts = node.pointee.literalTable, part.next.pointee.isPlain,
      part.text.first == UInt8(ascii: "\"")
    else { return false }
    var noGuess = Int32.max
    let known = texts._withUnsafeGuaranteedRef { $0.find(Token.inside(part.text), guess: &noGuess) }
    if known < 0 { return false }
    builder.storeLiteral(known, as: node, in: slot)
    return true
  }

  // MARK: Objects

  private func object(
    _ node: UnsafePointer<PlanNode>, _ members: Part, _ depth: Int, _ slot: UnsafeMutableRawPointer
  ) -> UnsafePointer<FeedToken>? {
    let object = objects + Int(node.pointee.child)
    let slots = arena.allocate(Int(object.pointee.frameSize))
    defer { arena.release(slots) }
    let states = slots + Int(object.pointee.statesOffset)
    var state = Int(object.pointee.statesOffset)
    while state < Int(object.pointee.frameSize) {
      // PERF: in words: the compiler made them a whole number of words.
      slots.storeBytes(of: 0, toByteOffset: state, as: UInt64.self)
      state += 8
    }
    var part = members
    var filled: Int32 = 0
    while part.next < part.end, part.next.pointee.isKey {
      let place = part.next.pointee.tag - 1
      guard part.next.pointee.isPlain, place >= 0 else { break }
      let here = places + place
      let isFirst =
        slots.load(fromByteOffset: Int(here.pointee.onlyState), as: UInt8.self) == SlotState.unset
      guard here.pointee.parent == object.pointee.rootPlace, isFirst else { break }
      part.next += 1
      let field = nodes + Int(here.pointee.onlyNode)
      guard let after = value(field, part, depth - 1, slots + Int(here.pointee.onlySlot)) else {
        destroyFields(of: object, slots)
        return nil
      }
      slots.storeBytes(
        of: SlotState.filled, toByteOffset: Int(here.pointee.onlyState), as: UInt8.self)
      part.next = after
      filled += 1
    }
    guard part.next < part.end, !part.next.pointee.isKey,
      filled == object.pointee.fieldCount || fillAbsent(of: object, slots, states)
    else {
      destroyFields(of: object, slots)
      return giveUp(part)
    }
    builder.construct(object, slots: slots, as: node, in: slot)
    return part.next + 1
  }

  /// Makes the values of absent fields.
  @inline(never)
  private func fillAbsent(
    of object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer,
    _ states: UnsafeMutableRawPointer
  ) -> Bool {
    for number in 0..<Int(object.pointee.fieldCount)
    where states.load(fromByteOffset: number, as: UInt8.self) == SlotState.unset {
      let field = fields + (Int(object.pointee.firstField) + number)
      let node = nodes + Int(field.pointee.node)
      guard builder.storeSubstitute(node.pointee.absent, node, slots + Int(field.pointee.offset))
      else {
        return false
      }
      states.storeBytes(of: SlotState.filled, toByteOffset: number, as: UInt8.self)
    }
    return true
  }

  @inline(never)
  private func destroyFields(
    of object: UnsafePointer<PlanObject>, _ slots: UnsafeMutableRawPointer
  ) {
    for number in 0..<Int(object.pointee.fieldCount) {
      let field = fields + (Int(object.pointee.firstField) + number)
      let state = slots.load(fromByteOffset: Int(field.pointee.state), as: UInt8.self)
      if state == SlotState.filled {
        builder.destroy(as: nodes + Int(field.pointee.node), in: slots + Int(field.pointee.offset))
      }
    }
  }

  // MARK: Arrays and dictionaries

  private func array(
    _ node: UnsafePointer<PlanNode>, _ elements: Part, _ depth: Int,
    _ slot: UnsafeMutableRawPointer
  ) -> UnsafePointer<FeedToken>? {
    let layout = layouts + (node - nodes)
    let child = nodes + Int(node.pointee.child)
    let stride = layout.pointee.element
    let scratch = arena.allocate(layout.pointee.memory)
    defer { arena.release(scratch) }
    let start = scratch + layout.pointee.scratch
    if node.pointee.isPlainArray,
      let after = plainArray(node, elements, slot, by: start, Int(layout.pointee.staged))
    {
      return after
    }
    builder.beginCollection(as: node, in: scratch)
    var part = elements
    var staged = 0
    var left = elementLimit
    // Where one of the arrays is odd, each of the others is made alone.
    var triesArrays = child.pointee.isPlainArray && child.pointee.checkCount == 0
    while true {
      let room = min(Int(layout.pointee.staged) - staged, left)
      if child.pointee.isPlainScalar {
        let count = scalars(&part, child, start + staged &* stride, stride, room)
        staged += count
        left -= count
      } else if triesArrays {
        let count = plainArrays(&part, child, start + staged &* stride, stride, room)
        staged += count
        left -= count
        triesArrays = count == room
      }
      if part.next < part.end, part.next.pointee.isPlain, part.text.first == UInt8(ascii: "]") {
        builder.finishCollection(scratch, appending: start, count: staged, as: node, into: slot)
        return part.next + 1
      }
      if staged == Int(layout.pointee.staged) {
        builder.append(start, count: staged, as: node, to: scratch)
        staged = 0
        continue
      }
      guard left > 0, let after = value(child, part, depth - 1, start + staged &* stride) else {
        builder.abandonCollection(scratch, with: start, count: staged, as: node)
        return left > 0 ? nil : giveUp(part)
      }
      part.next = after
      staged += 1
      left -= 1
    }
  }

  private func dictionary(
    _ node: UnsafePointer<PlanNode>, _ members: Part, _ depth: Int,
    _ slot: UnsafeMutableRawPointer
  ) -> UnsafePointer<FeedToken>? {
    let layout = layouts + (node - nodes)
    let child = nodes + Int(node.pointee.child)
    let scratch = arena.allocate(layout.pointee.memory)
    defer { arena.release(scratch) }
    let element = scratch + layout.pointee.scratch
    builder.beginCollection(as: node, in: scratch)
    var part = members
    var left = memberLimit
    while part.next < part.end, part.next.pointee.isKey, part.next.pointee.isPlain, left > 0 {
      let key = Token.inside(part.text)
      part.next += 1
      guard let after = value(child, part, depth - 1, element) else {
        builder.abandonCollection(scratch, with: element, count: 0, as: node)
        return nil
      }
      // Keys that the dictionary cannot have, or cannot tell apart, are reported, by the machine.
      if builder.insert(element, key: key, as: node, into: scratch) {
        builder.abandonCollection(scratch, with: element, count: 0, as: node)
        return giveUp(part)
      }
      part.next = after
      left -= 1
    }
    guard part.next < part.end, !part.next.pointee.isKey else {
      builder.abandonCollection(scratch, with: element, count: 0, as: node)
      return giveUp(part)
    }
    builder.finishCollection(scratch, appending: element, count: 0, as: node, into: slot)
    return part.next + 1
  }
}
