import CScan

/// Finds the cells of a row in the JSON text of an output record; `CScan/text_cells.c` does it.
///
/// It knows the columns and the keys that lead to them, mostly in the order in which records are written: one pass over the text,
/// without a tree. A member that is not there leaves its columns empty.
final class CellTable: @unchecked Sendable {
  // Invariant: written only in `init`; all that C reads is in the tables.
  private let parts: FlatTable<sm_text_part>
  private let members: FlatTable<sm_text_member>
  private let keys: FlatTable<UInt8>
  let columnCount: Int

  /// Finds the values at paths of keys; one without keys is the record.
  ///
  /// - Parameters:
  ///   - paths: Those of one object follow each other.
  ///   - key: Gives the text of a member's key in a record, with quotes and colon.
  init(_ paths: [[String]], key: (String) -> [UInt8]) {
    var draft = Draft()
    draft.add(paths.enumerated().map { (Int32($0), $1[...]) }, key)
    parts = FlatTable(draft.parts)
    members = FlatTable(draft.members)
    keys = FlatTable(draft.keys)
    columnCount = paths.count
  }

  private struct Draft {
    typealias Columns = [(column: Int32, keys: ArraySlice<String>)]
    var parts: [sm_text_part] = []
    var members: [sm_text_member] = []
    var keys: [UInt8] = []

    /// Adds a value in which these columns are; returns its number.
    @discardableResult
    mutating func add(_ columns: Columns, _ key: (String) -> [UInt8]) -> UInt32 {
      let index = parts.count
      parts.append(sm_text_part(column: -1, first_member: 0, member_count: 0))
      if let cell = columns.first(where: \.keys.isEmpty) {
        parts[index].column = cell.column
        return UInt32(index)
      }
      var groups: [(key: String, columns: Columns)] = []
      for (column, keys) in columns {
        guard let key = keys.first else { continue }
        if groups.last?.key.utf8.elementsEqual(key.utf8) != true { groups.append((key, [])) }
        groups[groups.count - 1].columns.append((column, keys.dropFirst()))
      }
      let made = groups.map { group in
        let text = key(group.key)
        let start = keys.count
        keys += text
        return sm_text_member(
          key: UInt32(start), length: UInt32(text.count), part: add(group.columns, key))
      }
      parts[index].first_member = UInt32(members.count)
      parts[index].member_count = UInt32(made.count)
      members += made
      return UInt32(index)
    }
  }

  /// The tables, as long as this object is there.
  var cells: sm_text_cells {
    sm_text_cells(
      parts: parts.start, members: members.start, keys: keys.start, columns: columnCount)
  }

  /// Finds the cells of a record; there is room for one a column.
  func find(in text: JSONCells, _ found: UnsafeMutablePointer<JSONCell>) {
    var cells = cells
    sm_find_cells(&cells, text.text, text.count, Self.memory(of: found))
  }

  static func memory(of found: UnsafeMutablePointer<JSONCell>)
    -> UnsafeMutablePointer<sm_text_cell>
  {
    UnsafeMutableRawPointer(found).assumingMemoryBound(to: sm_text_cell.self)
  }
}
