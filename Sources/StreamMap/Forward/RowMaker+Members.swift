// The members that no field names: those that a field collects, and those that are kept beside the fields.
extension RowMaker {
  /// The first key of the members that an object keeps, in the order of the feed; 0 if there is none, nil if that is not known
  /// here.
  final func others(
    of object: UnsafePointer<PlanObject>, in block: Block
  ) -> UInt32? {
    let row = block.row
    // What is inside a null, or inside another value without members, has no text.
    let kept = rows.kept[object - objects].filter {
      let cell = block.cells[Int($0)]
      return cell.kind.isContainer || cell.end > 0
    }
    let first = kept.isEmpty ? block.others : merged(kept, in: block)
    guard let first, areFew(from: first, in: row), row.work <= captureLimit else {
      return nil
    }
    return areDifferent(from: first, in: row) ? first : nil
  }

  /// Whether an object has members that nothing names, in itself or on the way of its paths.
  final func hasUnknownKeys(
    _ block: borrowing Block, of group: UnsafePointer<RowTables.Group>
  ) -> Bool {
    if block.others > 0 { return true }
    let first = steps + Int(group.pointee.firstStep)
    for number in 0..<Int(group.pointee.stepCount)
    where block.cells[Int(first[number].cell)].firstOther > 0 { return true }
    return false
  }

  /// Notes the members that an object should not have; false if not all of that is known here.
  final func noteUnknownKeys(
    of object: UnsafePointer<PlanObject>, _ group: UnsafePointer<RowTables.Group>, in block: Block
  ) -> Bool {
    let isFatal = object.pointee.unknownKeys == .fail
    // A failed object is not asked whether it is left out; fields that take all of it get their part of it first.
    if isFatal && object.pointee.lateCondition >= 0
      || plan.places[object.pointee.rootPlace].pointee.fieldCount > 0
    {
      return false
    }
    guard trail.push(.object, block.own) else { return false }
    defer { trail.pop() }
    guard note(unknownKeys: block.others, below: [], isFatal, block.row) else { return false }
    let first = steps + Int(group.pointee.firstStep)
    for number in 0..<Int(group.pointee.stepCount) {
      let step = first[number]
      let next = block.cells[Int(step.cell)].firstOther
      if next == 0 { continue }
      guard let way = way(to: step, of: object),
        note(unknownKeys: next, below: way, isFatal, block.row)
      else { return false }
    }
    return true
  }

  /// The path from an object to what its paths go through.
  private final func way(
    to step: RowTables.Step, of object: UnsafePointer<PlanObject>
  ) -> ArraySlice<JSONPath.Component>? {
    let all = object.pointee.firstField..<object.pointee.hiddenFields.upperBound
    let inside = step.cell + 1...step.cell + step.inside
    let field = all.first { inside.contains(cells[Int($0)]) }
    return field.map { plan.sources[Int($0)].components.prefix(Int(step.depth)) }
  }

  /// Notes keys from one on, of the innermost object or of what its paths go through.
  private final func note(
    unknownKeys first: UInt32, below way: ArraySlice<JSONPath.Component>, _ isFatal: Bool,
    _ row: RecordRow
  ) -> Bool {
    var next = first
    while next > 0 {
      let cell = row.cells + Int(next)
      next = cell.pointee.next
      if quiet > 0 {
        noted += 1
        continue
      }
      let place = RecordRow.Place(cell.pointee)
      guard canNote, row.walker == walker, let owner = paths(trail.all.dropLast(), row),
        let name = key(cell, of: row), let held = held(to: trail.all.count - 1, row)
      else { return false }
      let key = JSONPath.Component.key(String(decoding: name, as: UTF8.self))
      add(
        ErrorLog.Entry(
          severity: isFatal ? .fatal : .issue, code: .unknownKey,
          path: JSONPath(owner.path.components + way + [key]), target: owner.target,
          address: FeedToken(start: UInt64(place.start), end: UInt64(place.end)),
          expected: nil, found: "a key that is not mapped",
          moment: ErrorLog.Moment(
            held: held, end: UInt64(place.end), rank: Self.rank(0, atDepth: trail.all.count))))
    }
    return true
  }

  /// Whether there are no more than the limit.
  private final func areFew(from first: UInt32, in row: RecordRow) -> Bool {
    var (left, next) = (memberLimit, first)
    while next > 0 {
      if left == 0 { return false }
      left -= 1
      next = row.cells[Int(next)].next
    }
    return true
  }

  /// Those that are not named, and those that something looks at although they are kept.
  private final func merged(_ kept: [Int32], in block: Block) -> UInt32? {
    let row = block.row
    // The cells of a key and its value.
    var members: [(key: RowCell, value: RowCell)] = []
    var next = block.others
    while next > 0 {
      members.append((row.cells[Int(next)], row.cells[Int(next) + 1]))
      next = row.cells[Int(next)].next
    }
    for number in kept {
      let value = block.cells[Int(number)]
      // A container that paths go through is closed, too.
      guard value.kind.isContainer ? value.isClosed : true else { return nil }
      var key = row.key(before: value.start)
      if key.kind == .absent { return nil }
      key.hasEscapes = withUnsafeMutablePointer(to: &key) {
        row.characters(of: $0).contains(UInt8(ascii: "\\"))
      }
      members.append((key, value))
    }
    members.sort { $0.key.start < $1.key.start }
    guard let cells = row.block(of: Int32(members.count * 2)) else { return nil }
    let first = UInt32(cells - row.cells)
    for (number, member) in members.enumerated() {
      cells[number * 2] = member.key
      cells[number * 2].next =
        number + 1 < members.count ? first + UInt32(number + 1) * 2 : 0
      cells[number * 2 + 1] = member.value
    }
    return first
  }

  /// Whether all keys from one on surely differ.
  final func areDifferent(from first: UInt32, in row: RecordRow) -> Bool {
    var next = first
    var count = 0
    var hasEscapes = false
    while next > 0 {
      count += 1
      hasEscapes = hasEscapes || row.cells[Int(next)].hasEscapes
      next = row.cells[Int(next)].next
    }
    if count < 2 { return true }
    // PERF: few keys are compared with each other, without hashes.
    if count <= 8, !hasEscapes { return areFewDifferent(from: first, in: row) }
    keys.begin(count)
    next = first
    while next > 0 {
      let cell = row.cells + Int(next)
      guard let key = key(cell, of: row), keys.insert(key) else { return false }
      next = cell.pointee.next
    }
    return true
  }

  private final func areFewDifferent(from first: UInt32, in row: RecordRow) -> Bool {
    var one = row.cells + Int(first)
    while one.pointee.next > 0 {
      let text = row.characters(of: one)
      one = row.cells + Int(one.pointee.next)
      var other = one
      while true {
        let otherText = row.characters(of: other)
        if text.count == otherText.count, text.elementsEqual(otherText) { return false }
        if other.pointee.next == 0 { break }
        other = row.cells + Int(other.pointee.next)
      }
    }
    return true
  }

  /// Writes the JSON of a value, as a text leaves; false if that is not known here.
  final func append(
    _ cell: UnsafeMutablePointer<RowCell>, of row: RecordRow, to output: OutputBuffer
  ) -> Bool {
    switch cell.pointee.kind {
    case .absent, .blocked: return false
    // One that stands for what is inside a null has no text.
    case .null:
      output.append(WrittenValue.null.text)
      return true
    case .object, .array:
      guard let place = row.place(ofContainer: cell) else { return false }
      return append(place, of: row, to: output)
    case .members:
      // They are collected as a value: of equal keys in it, one stays.
      return json(cell, of: row) != nil
        && appendMembers(from: cell.pointee.end, of: row, to: output)
    default:
      if cell.pointee.hasEscapes, !JSONText.isWritten(row.text(of: cell)) {
        guard let text = decoder.decoded(row.characters(of: cell)) else { return false }
        JSONText.append(quoted: text, to: output)
      } else {
        output.append(row.text(of: cell))
      }
      return true
    }
  }

  private final func appendMembers(
    from first: UInt32, of row: RecordRow, to output: OutputBuffer
  ) -> Bool {
    output.append(UInt8(ascii: "{"))
    var next = first
    while next > 0 {
      guard append(row.cells + Int(next), of: row, to: output) else { return false }
      output.append(UInt8(ascii: ":"))
      guard append(row.cells + Int(next) + 1, of: row, to: output) else { return false }
      next = row.cells[Int(next)].next
      if next > 0 { output.append(UInt8(ascii: ",")) }
    }
    output.append(UInt8(ascii: "}"))
    return true
  }

  private final func append(
    _ place: RecordRow.Place, of row: RecordRow, to output: OutputBuffer
  ) -> Bool {
    var isCopied = false
    output.append(upTo: Int(place.end - place.start)) {
      let count = row.copy(place, into: $0)
      isCopied = count > 0
      return count
    }
    return isCopied
  }
}

/// Tells whether keys surely differ.
///
/// A table of their hashes, which is used again: two keys with the same hash count as the same key.
struct KeySet {
  private struct Slot {
    var hash = 0
    var round = 0
  }

  private var slots: [Slot] = []
  private var mask = 0
  private var round = 0

  /// Begins with no key; so many come.
  mutating func begin(_ count: Int) {
    round += 1
    if slots.count >= count * 2 { return }
    var size = 16
    while size < count * 2 { size *= 2 }
    slots = Array(repeating: Slot(), count: size)
    mask = size - 1
    round = 1
  }

  // PERF: eight bytes a step. Keys that are made to have the same hash only cost the way over the machine.
  private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> Int {
    let bytes = UnsafeRawBufferPointer(key)
    var hash = UInt64(truncatingIfNeeded: key.count) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset < bytes.count {
      var word: UInt64 = 0
      if bytes.count - offset >= 8 {
        word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      } else {
        for index in offset..<bytes.count { word = word << 8 | UInt64(bytes[index]) }
      }
      hash = (hash ^ word) &* 0xD6E8_FEB8_6659_FD93
      hash ^= hash >> 32
      offset += 8
    }
    return Int(truncatingIfNeeded: hash)
  }

  /// Adds a key; false if it may have come before.
  mutating func insert(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let hash = Self.hash(key)
    var slot = hash & mask
    while slots[slot].round == round {
      if slots[slot].hash == hash { return false }
      slot = (slot + 1) & mask
    }
    slots[slot] = Slot(hash: hash, round: round)
    return true
  }
}

extension RowCell {
  /// The first key that is not named, if this is an object that only paths go through; 0 if there is none.
  fileprivate var firstOther: UInt32 { kind == .object && !isClosed ? end : 0 }
}
