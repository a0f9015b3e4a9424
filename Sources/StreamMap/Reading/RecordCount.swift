/// Numbers the records of a feed as reading finds them.
///
/// A malformed record, or one that yajl refuses, has a number like any other.
struct RecordCount {
  private(set) var count: Int
  /// Whether the last one continues.
  private(set) var isOpen = false

  /// How many are over.
  var whole: Int { isOpen ? count - 1 : count }

  /// Starts after this many records.
  init(_ count: Int = 0) {
    self.count = count
  }

  /// Takes a part of a record that was handed over; returns the record's number.
  @inline(__always)
  mutating func take(isWhole: Bool) -> Int {
    if !isOpen { count += 1 }
    isOpen = !isWhole
    return count
  }

  /// Takes records that were handed over as a whole.
  mutating func take(whole records: Int) { count += records }

  /// Takes a fault of the feed; returns the number of the record that is lost by it, if there is one.
  mutating func fault(isInRecord: Bool) -> Int? {
    let wasOpen = isOpen
    isOpen = false
    guard wasOpen || isInRecord else { return nil }
    if !wasOpen { count += 1 }
    return count
  }
}
