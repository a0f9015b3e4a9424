/// A column of a table of output records.
package struct OutputColumn: Sendable, Hashable {
  /// Its name: the keys that lead to it, with a separator between them.
  package let name: String
  /// The keys that lead to it from the record on; none for a record that is not an object.
  package let keys: [String]
  /// What is in it; an object only where only the feed knows its members.
  package var type: OutputType
  /// Whether a record can be without it, or have null there.
  package let isNullable: Bool
}

/// The columns of output records, as their mapping tells them.
///
/// ```swift
/// let columns = OutputColumns(try file.plan().record)
/// // { id: { from: id, type: int64 }, user: { from: user, object: { name: name } } }
/// // id: int64, not null; user.name: any scalar, nullable
/// ```
package struct OutputColumns: Sendable, Hashable {
  /// What the one column is called of records that are not objects.
  package static let valueName = "value"

  /// In the order in which they are written.
  ///
  /// The members of objects inside are columns of their own. A value without a fixed number of parts is one column: an array, a
  /// dictionary, an object with members that only the feed knows, and an object without any.
  package let columns: [OutputColumn]
  /// Whether records have other members besides these, which only the feed knows.
  package let isOpen: Bool
  /// Whether records are objects; else there is one column, ``valueName``.
  package let areObjects: Bool

  /// - Parameters:
  ///   - record: What records are.
  ///   - separator: What stands between the keys that lead to a member of an object inside; nil if that object is one
  ///     column.
  package init(_ record: OutputValue, separator: String? = ".") {
    guard case .object(let object) = record.type, !record.isNullable else {
      columns = [
        OutputColumn(
          name: Self.valueName, keys: [], type: record.type, isNullable: record.isNullable)
      ]
      (isOpen, areObjects) = (false, false)
      return
    }
    var columns: [OutputColumn] = []
    Self.add(object, after: [], isNullable: false, separator, to: &columns)
    self.columns = columns
    (isOpen, areObjects) = (object.isOpen, true)
  }

  private static func add(
    _ object: OutputObject, after keys: [String], isNullable: Bool, _ separator: String?,
    to columns: inout [OutputColumn]
  ) {
    for member in object.members {
      let keys = keys + [member.name]
      let isNullable = isNullable || member.isOptional || member.value.isNullable
      if let separator, case .object(let inner) = member.value.type, !inner.isOpen,
        !inner.members.isEmpty
      {
        add(inner, after: keys, isNullable: isNullable, separator, to: &columns)
      } else {
        columns.append(
          OutputColumn(
            name: keys.joined(separator: separator ?? ""), keys: keys, type: member.value.type,
            isNullable: isNullable))
      }
    }
  }
}
