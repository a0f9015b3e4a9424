import StreamMap

/// Columns of a table: what stands for a key.
///
/// The texts lie one after the other in one block of memory; keys are found by their hash, which is seeded, so that no file can
/// be made for which it is slow.
final class LookupTable: @unchecked Sendable {
  /// The most bytes that a table's file may have.
  static let mostBytes = 64 << 20
  /// The most rows.
  static let mostRows = 4_000_000
  /// The most bytes of its keys and values: those of several columns are written with the names of these.
  private static let mostText = 256 << 20

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
  ///   - bytes: A CSV file (RFC 4180) with a header, in UTF-8; or one object a line.
  ///   - columns: What is taken of each row.
  ///   - isJSON: Whether the file has objects.
  /// - Throws: ``Fault``.
  convenience init(_ bytes: [UInt8], _ columns: TableColumns, isJSON: Bool) throws(Fault) {
    if isJSON {
      var rows = JSONRows(bytes, columns)
      try self.init(&rows)
    } else {
      var rows = try CSVRows(bytes, columns)
      try self.init(&rows)
    }
  }

  /// A table of texts and what stands for each.
  ///
  /// - Throws: ``Fault`` if a text comes twice.
  convenience init(_ entries: [(key: [UInt8], value: [UInt8])]) throws(Fault) {
    var rows = EntryRows(entries: entries[...])
    try self.init(&rows)
  }

  private init(_ source: inout some TableRows) throws(Fault) {
    var text: [UInt8] = []
    var rows: [Row] = []
    while let row = try source.next() {
      if rows.count == Self.mostRows {
        throw Fault(reason: "there are more than \(Self.mostRows) rows")
      }
      let start = UInt32(text.count)
      text += row.key
      let keyEnd = UInt32(text.count)
      text += row.value
      if text.count > Self.mostText {
        throw Fault(reason: "its keys and values have more than \(Self.mostText >> 20) MiB")
      }
      rows.append(
        Row(
          key: start, keyEnd: keyEnd, valueEnd: UInt32(text.count),
          line: UInt32(clamping: source.line)))
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
