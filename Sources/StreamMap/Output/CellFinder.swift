#if canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Finds the cells of a row in the JSON text of an output record.
///
/// It knows the columns and the keys that lead to them, mostly in the order in which records are written: one pass over the text,
/// without a tree. A member that is not there leaves its columns empty.
struct CellFinder: Sendable {
  /// A value of a record: a cell, or an object with cells in it.
  private struct Part: BitwiseCopyable {
    /// -1 for an object.
    var column: Int32 = -1
    var firstMember: Int32 = 0
    var memberCount: Int32 = 0
  }

  /// A member of such an object: its key, as text with quotes and colon, and its part.
  private struct Member: BitwiseCopyable {
    var key: Int32
    var length: Int32
    var part: Int32
  }

  private let parts: FlatTable<Part>
  private let members: FlatTable<Member>
  private let keys: FlatTable<UInt8>
  let columnCount: Int

  /// Finds the values at paths of keys; one without keys is the record.
  ///
  /// - Parameter paths: Those of one object follow each other.
  init(_ paths: [[String]]) {
    var draft = Draft()
    draft.add(paths.enumerated().map { (Int32($0), $1[...]) })
    parts = FlatTable(draft.parts)
    members = FlatTable(draft.members)
    keys = FlatTable(draft.keys)
    columnCount = paths.count
  }

  private struct Draft {
    typealias Columns = [(column: Int32, keys: ArraySlice<String>)]
    var parts: [Part] = []
    var members: [Member] = []
    var keys: [UInt8] = []

    /// Adds a value in which these columns are; returns its number.
    @discardableResult
    mutating func add(_ columns: Columns) -> Int32 {
      let index = parts.count
      parts.append(Part())
      if let cell = columns.first(where: \.keys.isEmpty) {
        parts[index].column = cell.column
        return Int32(index)
      }
      var groups: [(key: String, columns: Columns)] = []
      for (column, keys) in columns {
        guard let key = keys.first else { continue }
        if groups.last?.key.utf8.elementsEqual(key.utf8) != true { groups.append((key, [])) }
        groups[groups.count - 1].columns.append((column, keys.dropFirst()))
      }
      let made = groups.map { group in
        let text = OutputBuffer()
        JSONText.append(quoted: group.key, to: text)
        text.append(UInt8(ascii: ":"))
        let start = keys.count
        keys += text.bytes
        return Member(
          key: Int32(start), length: Int32(text.count), part: add(group.columns))
      }
      parts[index].firstMember = Int32(members.count)
      parts[index].memberCount = Int32(made.count)
      members += made
      return Int32(index)
    }
  }

  /// Finds the cells of a record; there is room for one a column.
  func find(in cells: JSONCells, _ found: UnsafeMutablePointer<JSONCell>) {
    for column in 0..<columnCount { found[column] = .none }
    if cells.count > 0 { _ = visit(parts.start, at: 0, cells, found) }
  }

  /// Goes over a value that starts at an index inside the text; returns where it ends.
  @inline(__always)
  private func visit(
    _ part: UnsafePointer<Part>, at start: Int, _ cells: JSONCells,
    _ found: UnsafeMutablePointer<JSONCell>
  ) -> Int {
    let column = part.pointee.column
    guard column >= 0 else { return visitObject(part, at: start, cells, found) }
    let cell = cells.cell(at: start)
    found[Int(column)] = cell
    return cell.end
  }

  private func visitObject(
    _ part: UnsafePointer<Part>, at start: Int, _ cells: JSONCells,
    _ found: UnsafeMutablePointer<JSONCell>
  ) -> Int {
    // An object may be null.
    guard cells.text[start] == UInt8(ascii: "{") else { return cells.cell(at: start).end }
    var index = start &+ 1
    let first = members.start + Int(part.pointee.firstMember)
    let end = first + Int(part.pointee.memberCount)
    var next = first
    while index < cells.count, cells.text[index] != UInt8(ascii: "}") {
      if let member = member(from: next, first, end, at: index, cells) {
        next = member + 1
        index &+= Int(member.pointee.length)
        guard index < cells.count else { return cells.count }
        index = visit(parts.start + Int(member.pointee.part), at: index, cells, found)
      } else {
        // No column has it.
        var hasEscapes = false
        index = cells.endOfString(at: index, &hasEscapes) &+ 1
        guard index < cells.count else { return cells.count }
        index = max(cells.cell(at: index).end, index &+ 1)
      }
      if cells.has(",", at: index) { index &+= 1 }
    }
    return index &+ 1
  }

  /// The member whose key is at an index: one from `next` on, or else one before it.
  @inline(__always)
  private func member(
    from next: UnsafePointer<Member>, _ first: UnsafePointer<Member>, _ end: UnsafePointer<Member>,
    at index: Int, _ cells: JSONCells
  ) -> UnsafePointer<Member>? {
    var member = next
    while member < end {
      if isKey(member, at: index, cells) { return member }
      member += 1
    }
    member = first
    while member < next {
      if isKey(member, at: index, cells) { return member }
      member += 1
    }
    return nil
  }

  @inline(__always)
  private func isKey(_ member: UnsafePointer<Member>, at index: Int, _ cells: JSONCells) -> Bool {
    let length = Int(member.pointee.length)
    return length <= cells.count &- index
      && memcmp(cells.text + index, keys.start + Int(member.pointee.key), length) == 0
  }
}
