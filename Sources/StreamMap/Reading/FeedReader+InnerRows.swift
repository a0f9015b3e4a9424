import CScan

extension FeedReader {
  /// Values inside a record, as rows.
  struct InnerRows {
    let count: Int
    /// The node of the selection that read them.
    let reader: Int32
  }

  /// One of them.
  struct InnerRow {
    let cell: UnsafeMutablePointer<RowCell>
    let row: RecordRow
    /// Where its text is in the feed.
    let place: FeedToken
  }

  /// Asks for rows of values inside the records that are not rows, after ``takeRows()``.
  func takeInnerRows() { sm_walker_take_inner_rows(walker, true) }

  /// After ``Next/innerRows``: the values that come next in the record.
  var innerRows: InnerRows {
    var reader = sm_node()
    let count = sm_walker_inner_rows(walker, &reader)
    return InnerRows(count: count, reader: Int32(bitPattern: reader))
  }

  /// One of the values that come next; nil if there are no rows.
  ///
  /// It is valid until the next one, and until the next step.
  func innerRow(_ number: Int) -> InnerRow? {
    var place = sm_token()
    let cell = sm_walker_inner_row(walker, number, &place)
    return row.map { InnerRow(cell: $0.cells + Int(cell), row: $0, place: address(place)) }
  }

  /// The next step continues with one of these values, as a chunk; those before it are taken.
  func redo(innerRow number: Int) { sm_walker_redo_inner_row(walker, number) }
}
