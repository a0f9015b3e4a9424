/// Numbers the records of a feed as reading finds them.
///
/// A record that is malformed, or refused by yajl, has its number like any other.
struct RecordCount {
  private(set) var count: Int
  private var isOpen = false

  /// So many came before.
  init(_ count: Int = 0) {
    self.count = count
  }

  /// A part of a record was handed over; the record's number.
  @inline(__always)
  mutating func take(isWhole: Bool) -> Int {
    if !isOpen { count += 1 }
    isOpen = !isWhole
    return count
  }

  /// The feed is malformed; the number of the record that this costs, if any.
  mutating func fault(isInRecord: Bool) -> Int? {
    let wasOpen = isOpen
    isOpen = false
    guard wasOpen || isInRecord else { return nil }
    if !wasOpen { count += 1 }
    return count
  }
}

/// Where a record stands in the feed: what its errors are told with.
protocol RecordPlace {
  /// Where the current record, or the one that is just over, stands.
  var recordAddress: SourceAddress { get }
  /// The path from the text's root to the record.
  var recordPath: JSONPath { get }
}
