import StreamMap

/// Two columns of a CSV file: what stands for a key.
///
/// The texts lie one after the other in one block of memory; keys are found by their hash, which is seeded, so that no file can
/// be made for which it is slow.
final class LookupTable: @unchecked Sendable {
  /// The most bytes that a table's file may have.
  static let mostBytes = 64 << 20
  /// The most rows.
  static let mostRows = 4_000_000
  /// The most columns that a message names.
  private static let mostShown = 20

  /// Why there is no table; of a mistake in a line, the line.
  struct Fault: Error {
    var line: Int?
    let reason: String
  }

  private struct Row: BitwiseCopyable {
    let key: UInt32
    let keyEnd: UInt32
    let valueEnd: UInt32
    let line: UInt32
  }

  // Invariant: written only in `init`. A slot is the number of a row, counted from 1, or 0.
  private let text: UnsafeMutableBufferPointer<UInt8>
  private let rows: UnsafeMutableBufferPointer<Row>
  private let slots: UnsafeMutableBufferPointer<UInt32>
  /// Whether no two keys have the same value.
  let isOneToOne: Bool

  var count: Int { rows.count }

  /// - Parameters:
  ///   - bytes: A CSV file (RFC 4180) with a header, in UTF-8.
  ///   - key: The name of the column with the keys.
  ///   - value: The name of the column with what they stand for.
  /// - Throws: ``Fault``.
  init(_ bytes: [UInt8], key: String, value: String) throws(Fault) {
    var lines = CSVReader(bytes)
    guard let header = try lines.next() else { throw Fault(reason: "the file is empty") }
    let names = header.map { String(decoding: $0, as: UTF8.self) }
    func column(_ name: String) throws(Fault) -> Int {
      let found = names.indices.filter { names[$0] == name }
      if found.count == 1 { return found[0] }
      let reason = found.isEmpty ? "there is no column '\(name)'" : "two columns are '\(name)'"
      // The file may be anything that a mapping file names; a text without columns is not shown.
      let shown = names.prefix(Self.mostShown).map { "'\(ShownText.excerpt($0))'" }
      let more = names.count > shown.count ? ", …" : ""
      throw Fault(
        line: 1,
        reason: names.count == 1
          ? "\(reason): the file has one column, or is not CSV"
          : "\(reason); there are \(shown.joined(separator: ", "))\(more)")
    }
    let (keys, values) = (try column(key), try column(value))
    var text: [UInt8] = []
    var rows: [Row] = []
    while let cells = try lines.next() {
      guard cells.count == header.count else {
        throw Fault(
          line: lines.line,
          reason: "there are \(cells.count) cells, and \(header.count) in the header")
      }
      if rows.count == Self.mostRows {
        throw Fault(reason: "there are more than \(Self.mostRows) rows")
      }
      let start = UInt32(text.count)
      text += cells[keys]
      let keyEnd = UInt32(text.count)
      text += cells[values]
      rows.append(
        Row(
          key: start, keyEnd: keyEnd, valueEnd: UInt32(text.count),
          line: UInt32(clamping: lines.line)))
    }
    self.text = .allocate(capacity: text.count)
    _ = self.text.initialize(from: text)
    self.rows = .allocate(capacity: rows.count)
    _ = self.rows.initialize(from: rows)
    slots = Self.slots(for: rows.count)
    isOneToOne = Self.areDifferent(rows, self.text)
    let found = Self.fill(slots, with: rows, self.text) { ($0.key, $0.keyEnd) }
    if let (first, second) = found {
      let key = Self.slice(self.text, second.key, second.keyEnd)
      throw Fault(
        line: Int(second.line),
        reason:
          "the key '\(ShownText.excerpt(String(decoding: key, as: UTF8.self)))' is in line \(first.line), too"
      )
    }
  }

  deinit {
    text.deallocate()
    rows.deallocate()
    slots.deallocate()
  }

  /// What stands for a key; valid as long as the table.
  func value(of key: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    let mask = slots.count &- 1
    var slot = Self.hash(key) & mask
    while slots[slot] > 0 {
      let row = rows[Int(slots[slot]) &- 1]
      if Self.slice(text, row.key, row.keyEnd).elementsEqual(key) {
        return Self.slice(text, row.keyEnd, row.valueEnd)
      }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  // MARK: Hashing

  private typealias Text = UnsafeMutableBufferPointer<UInt8>
  private typealias Slots = UnsafeMutableBufferPointer<UInt32>

  private static func slice(_ text: Text, _ start: UInt32, _ end: UInt32)
    -> UnsafeBufferPointer<UInt8>
  {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text)[Int(start)..<Int(end)])
  }

  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(text))
    return hasher.finalize()
  }

  /// Empty slots, at least two for each row.
  private static func slots(for count: Int) -> Slots {
    var size = 16
    while size < count * 2 { size *= 2 }
    let slots = Slots.allocate(capacity: size)
    slots.initialize(repeating: 0)
    return slots
  }

  /// Gives each row its slot; stops at the first two rows with the same text.
  private static func fill(
    _ slots: Slots, with rows: [Row], _ text: Text, by part: (Row) -> (UInt32, UInt32)
  ) -> (Row, Row)? {
    let mask = slots.count - 1
    for (number, row) in rows.enumerated() {
      let (start, end) = part(row)
      let own = slice(text, start, end)
      var slot = hash(own) & mask
      while slots[slot] > 0 {
        let other = rows[Int(slots[slot]) - 1]
        let (start, end) = part(other)
        if slice(text, start, end).elementsEqual(own) { return (other, row) }
        slot = (slot + 1) & mask
      }
      slots[slot] = UInt32(number + 1)
    }
    return nil
  }

  private static func areDifferent(_ rows: [Row], _ text: Text) -> Bool {
    let slots = slots(for: rows.count)
    defer { slots.deallocate() }
    return fill(slots, with: rows, text) { ($0.keyEnd, $0.valueEnd) } == nil
  }
}

/// The rows of a CSV file: RFC 4180, with line feeds alone accepted, too.
private struct CSVReader {
  private let bytes: [UInt8]
  private var index = 0
  /// The line that the last row began in.
  private(set) var line = 0
  private var nextLine = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// The cells of the next row; nil at the end.
  mutating func next() throws(LookupTable.Fault) -> [[UInt8]]? {
    if index >= bytes.count { return nil }
    line = nextLine
    var cells: [[UInt8]] = []
    while true {
      cells.append(try cell())
      guard index < bytes.count else { return cells }
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: ",") { continue }
      // What ends a cell is a comma or the end of its line.
      if byte == UInt8(ascii: "\r") { index += 1 }
      nextLine += 1
      return cells
    }
  }

  private mutating func cell() throws(LookupTable.Fault) -> [UInt8] {
    var cell: [UInt8] = []
    if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
      let start = nextLine
      index += 1
      while true {
        guard index < bytes.count else {
          throw LookupTable.Fault(line: start, reason: "a quote is not closed")
        }
        let byte = bytes[index]
        index += 1
        if byte == UInt8(ascii: "\"") {
          guard index < bytes.count, bytes[index] == byte else { break }
          index += 1
        } else if byte == UInt8(ascii: "\n") {
          nextLine += 1
        }
        cell.append(byte)
      }
      if !isAtEndOfCell {
        throw LookupTable.Fault(
          line: nextLine, reason: "something follows the quote that closes a cell")
      }
    } else {
      while !isAtEndOfCell {
        if bytes[index] == UInt8(ascii: "\"") {
          throw LookupTable.Fault(
            line: nextLine, reason: "a cell with a quote in it has to be in quotes")
        }
        cell.append(bytes[index])
        index += 1
      }
    }
    let isPlain = cell.allSatisfy { $0 < 0x80 }
    guard isPlain || String(validating: cell, as: UTF8.self) != nil else {
      throw LookupTable.Fault(line: nextLine, reason: "not UTF-8")
    }
    return cell
  }

  private var isAtEndOfCell: Bool {
    guard index < bytes.count else { return true }
    switch bytes[index] {
    case UInt8(ascii: ","), UInt8(ascii: "\n"): return true
    case UInt8(ascii: "\r"):
      return index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
    default: return false
    }
  }
}
