/// Finds the cells of a table's row in the text of an output record.
///
/// The text is what ``OutputConverter`` wrote, so that members have their quotes and escapes as this engine writes them, and no
/// white space between them. Linear in the text. Not thread-safe.
package struct RecordCells {
  /// The members of an object that lead to cells.
  private final class Members {
    struct Member {
      /// As it is written, with its quotes.
      let key: [UInt8]
      /// The number of the cell; nil where the members inside are the cells.
      var cell: Int?
      var inside: Members?
    }

    var members: [Member] = []
    var places: [[UInt8]: Int] = [:]

    func member(_ name: String) -> Int {
      let key = WrittenKey(name).quoted
      if let place = places[key] { return place }
      places[key] = members.count
      members.append(Member(key: key))
      return members.count - 1
    }
  }

  private let root = Members()
  private let isWhole: Bool
  /// The text of each column's value, as JSON; empty where the record has none.
  ///
  /// Valid as long as the record's text.
  package private(set) var cells: [UnsafeBufferPointer<UInt8>]

  package init(_ columns: OutputColumns) {
    isWhole = !columns.areObjects
    cells = Array(repeating: Self.nothing, count: columns.columns.count)
    for (number, column) in columns.columns.enumerated() {
      var members = root
      for key in column.keys.dropLast() {
        let place = members.member(key)
        let inside = members.members[place].inside ?? Members()
        members.members[place].inside = inside
        members = inside
      }
      guard let last = column.keys.last else { continue }
      let place = members.member(last)
      members.members[place].cell = number
    }
  }

  private static var nothing: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: nil, count: 0)
  }

  /// Finds the cells of a record.
  package mutating func find(in record: UnsafeBufferPointer<UInt8>) {
    for number in cells.indices { cells[number] = Self.nothing }
    if isWhole {
      cells[0] = record
    } else if record.first == UInt8(ascii: "{") {
      _ = find(in: WrittenText(record), from: 1, root)
    }
  }

  /// Goes over the members of an object, and returns the index after it.
  private mutating func find(in text: WrittenText, from start: Int, _ members: Members) -> Int {
    var index = start
    var expected = 0
    while let byte = text.byte(at: index) {
      if byte == UInt8(ascii: "}") { return index + 1 }
      if byte == UInt8(ascii: ",") {
        index += 1
        continue
      }
      let end = text.endOfString(from: index)
      let place = place(of: text.slice(index, end), in: members, expected)
      // After the colon.
      index = end + 1
      guard let place else {
        index = text.endOfValue(from: index)
        continue
      }
      expected = place + 1
      let member = members.members[place]
      if let inside = member.inside, text.byte(at: index) == UInt8(ascii: "{") {
        index = find(in: text, from: index + 1, inside)
      } else {
        let end = text.endOfValue(from: index)
        if let cell = member.cell { cells[cell] = text.slice(index, end) }
        index = end
      }
    }
    return index
  }

  /// Members come in the order of the mapping, so the next one is nearly always the expected one.
  private func place(
    of key: UnsafeBufferPointer<UInt8>, in members: Members, _ expected: Int
  ) -> Int? {
    if expected < members.members.count, key.elementsEqual(members.members[expected].key) {
      return expected
    }
    return members.places[Array(key)]
  }

  /// The content of a string in a cell, without its quotes and escapes.
  package static func unescaped(_ quoted: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    WrittenText.withUnescaped(quoted) { Array($0) }
  }
}
