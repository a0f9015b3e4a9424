/// How a record becomes rows, which are JSON texts as it is one itself: compiled from what ``RowArrays`` says.
struct RecordRows: Sendable {
  /// What each row is.
  let row: OutputValue
  /// What finds the arrays to explode, from the outermost on: each in a record, or in an element of the one before.
  fileprivate let exploded: [CellTable]
  /// By array: the bytes of the key before it, with its quotes and the colon; 0 if there is none.
  fileprivate let keyLengths: [Int]
  /// What finds the arrays of a row that become texts; nil if none do.
  fileprivate let joined: CellTable?
  /// What stands between two elements in the text, as a part of a JSON string.
  fileprivate let joint: [UInt8]
  /// What becomes of the arrays, in words.
  let description: String

  /// - Throws: ``DefinitionError`` if records have no such array.
  init(_ record: OutputValue, _ arrays: RowArrays) throws(DefinitionError) {
    let array = try Self.exploded(in: record, arrays)
    let path = array?.path ?? []
    exploded = path.map { CellTable([$0], key: JSONText.key) }
    keyLengths = path.map { keys in keys.last.map { Self.quoted($0).count + 1 } ?? 0 }
    var row = record.exploding(path[...])
    let rows = array.map { ["one for each element of \($0.name.isEmpty ? "$" : $0.name)"] } ?? []
    guard let text = arrays.joint else {
      (joined, joint) = (nil, [])
      self.row = row
      description = rows.joined()
      return
    }
    joint = Array(Self.quoted(text).dropFirst().dropLast())
    let outermost = RowArray.all(in: row, isDeep: arrays.isDeep).filter { $0.path.count == 1 }
    joined = outermost.isEmpty ? nil : CellTable(outermost.map { $0.path[0] }, key: JSONText.key)
    for array in outermost {
      row = row.replacing(array.path[0][...]) {
        OutputValue(.scalar(.string), isNullable: $0.isNullable)
      }
    }
    self.row = row
    let texts = outermost.map {
      "\($0.name.isEmpty ? "$" : $0.name) joined with \(ValueList.text(text))"
    }
    description = (rows + texts).joined(separator: "; ")
  }

  /// The array to explode; nil if none is.
  private static func exploded(in record: OutputValue, _ arrays: RowArrays) throws(DefinitionError)
    -> RowArray?
  {
    let all = RowArray.all(in: record, isDeep: arrays.isDeep)
    switch arrays.exploded {
    case .none: return nil
    case .only:
      let outermost = all.filter { $0.path.count == 1 }
      if outermost.count == 1 { return outermost[0] }
      if outermost.isEmpty {
        throw DefinitionError(
          reason: "arrays: explode makes a row of each element of an array, and the record has none"
        )
      }
      let names = outermost.map { "'\($0.name)'" }.joined(separator: ", ")
      throw DefinitionError(
        reason: "arrays: explode makes rows of one array, and the record has \(outermost.count): "
          + "\(names); name one, as in 'arrays: { explode: \(outermost[0].name) }'")
    case .named(let name):
      let named = all.filter { $0.name.utf8.elementsEqual(name.utf8) }
      if named.count == 1 { return named[0] }
      if named.count > 1 {
        throw DefinitionError(reason: "the record has two arrays that are called '\(name)'")
      }
      let names = all.map { "'\($0.name)'" }.joined(separator: ", ")
      throw DefinitionError(
        reason: all.isEmpty
          ? "there is no array '\(name)' to explode, and the record has none"
          : "there is no array '\(name)' to explode; the record has \(names)")
    }
  }

  private static func quoted(_ text: String) -> [UInt8] {
    let buffer = OutputBuffer()
    JSONText.append(quoted: text, to: buffer)
    return Array(buffer.bytes)
  }
}

/// Makes the rows of records.
///
/// Not thread-safe: each thread that maps has its own.
final class RowSplitter {
  private let rows: RecordRows
  /// Whether a member without an element is left out.
  private let omitsNulls: Bool
  /// The most bytes of rows that a record may have.
  private let most: Int
  private var size = 0
  /// A row that is not a part of the record's text.
  private let row = OutputBuffer()
  private let joinedRow = OutputBuffer()
  private let quoted = OutputBuffer()
  private let found: UnsafeMutablePointer<JSONCell>
  /// What is before and after the element in each array that is open, from the outermost on.
  private var around: [(before: UnsafeBufferPointer<UInt8>, after: UnsafeBufferPointer<UInt8>)] = []

  init(_ rows: RecordRows, omitsNulls: Bool, limits: Limits) {
    self.rows = rows
    self.omitsNulls = omitsNulls
    most = limits.record
    let room = max(rows.joined?.columnCount ?? 0, 1)
    found = .allocate(capacity: room)
    found.initialize(repeating: .none, count: room)
  }

  deinit {
    found.deallocate()
  }

  /// Calls `body` with each row of a record, valid during the call, until it returns false.
  ///
  /// A record has at least one. Linear in the text of the rows.
  ///
  /// - Returns: Whether they are few enough: not more bytes than a record may have.
  func forEach(
    of record: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    around.removeAll(keepingCapacity: true)
    size = 0
    _ = explode(record, 0, body)
    return size <= most
  }

  /// Takes a record, or an element of the array of the level before.
  private func explode(
    _ text: UnsafeBufferPointer<UInt8>, _ level: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    if level > 0, text.first == UInt8(ascii: "n") {
      return finishNull(nothing, nothing, level - 1, body)
    }
    guard level < rows.exploded.count, let cells = JSONCells(text) else {
      return finish(text, body)
    }
    rows.exploded[level].find(in: cells, found)
    let array = found[0]
    // What is not there stays away, and null stays null.
    guard array.kind == UInt8(ascii: "[") else { return finish(text, body) }
    let before = UnsafeBufferPointer(rebasing: text[..<array.start])
    let after = UnsafeBufferPointer(rebasing: text[array.end...])
    if cells.has("]", at: array.start + 1) { return finishNull(before, after, level, body) }
    around.append((before, after))
    defer { around.removeLast() }
    var continues = true
    cells.forEachElement(at: array.start) { start in
      guard continues else { return array.end }
      let element = cells.cell(at: start)
      continues = explode(
        UnsafeBufferPointer(rebasing: text[element.start..<element.end]), level + 1, body)
      return element.end
    }
    return continues
  }

  private let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  /// Makes the row of the innermost element, or of what is in its place.
  private func finish(
    _ text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    if around.isEmpty { return give(text, body) }
    row.clear()
    for (before, _) in around { row.append(before) }
    row.append(text)
    for (_, after) in around.reversed() { row.append(after) }
    return give(row.bytes, body)
  }

  /// Makes the row without an element: with null in the place of the array of a level, or without that member.
  private func finishNull(
    _ before: UnsafeBufferPointer<UInt8>, _ after: UnsafeBufferPointer<UInt8>, _ level: Int,
    _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    row.clear()
    for (before, _) in around { row.append(before) }
    row.append(before)
    // An array in an array has no key of its own.
    let key = omitsNulls ? rows.keyLengths[...level].last { $0 > 0 } ?? 0 : 0
    if key > 0 { row.truncate(to: max(row.count - key, 0)) } else { row.append("null") }
    let start = row.count
    row.append(after)
    for (_, after) in around.reversed() { row.append(after) }
    if key > 0, start > 0, start < row.count {
      // One comma less.
      let bytes = row.bytes
      if bytes[start - 1] == UInt8(ascii: ",") {
        row.remove(start - 1, start)
      } else if bytes[start] == UInt8(ascii: ",") {
        row.remove(start, start + 1)
      }
    }
    return give(row.bytes, body)
  }

  private func give(
    _ row: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    let row = joined(row)
    size += row.count
    return size <= most && body(row)
  }

  /// The row with texts in the place of its arrays.
  private func joined(_ row: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard let finder = rows.joined, let cells = JSONCells(row) else { return row }
    finder.find(in: cells, found)
    var arrays = UnsafeMutableBufferPointer(start: found, count: finder.columnCount)
    // The fields of a mapping are written in their order, but those of cases need not be.
    arrays.sort { $0.start < $1.start }
    joinedRow.clear()
    var copied = 0
    for array in arrays where array.kind == UInt8(ascii: "[") {
      joinedRow.append(UnsafeBufferPointer(rebasing: row[copied..<array.start]))
      append(array, cells)
      copied = array.end
    }
    joinedRow.append(UnsafeBufferPointer(rebasing: row[copied...]))
    return joinedRow.bytes
  }

  /// Appends the texts of an array's elements as one JSON string.
  private func append(_ array: JSONCell, _ cells: JSONCells) {
    joinedRow.append(UInt8(ascii: "\""))
    var isFirst = true
    cells.forEachElement(at: array.start) { start in
      let element = cells.cell(at: start)
      if !isFirst { joinedRow.append(rows.joint) }
      isFirst = false
      switch element.kind {
      case 0: break
      case UInt8(ascii: "\""): joinedRow.append(cells.inside(element))
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        quoted.clear()
        JSONText.append(quoted: cells.bytes(of: element), to: quoted)
        joinedRow.append(quoted.slice(1, quoted.count - 1))
      default: joinedRow.append(cells.bytes(of: element))
      }
      return element.end
    }
    joinedRow.append(UInt8(ascii: "\""))
  }
}
