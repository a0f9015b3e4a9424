/// Decides by some members of an output record whether the record is kept.
package struct RecordFilter: Sendable {
  /// The names of the members that decide.
  let members: [String]
  /// Receives their values, in that order.
  let keeps: @Sendable (RecordMembers) -> Bool

  /// A filter by these members.
  package init(_ members: [String], keeps: @escaping @Sendable (RecordMembers) -> Bool) {
    self.members = members
    self.keeps = keeps
  }
}

/// The members of a record by which a filter decides, each in the place where it was written.
///
/// Invariant: the memory behind the pointers stays valid during the call that receives this.
package struct RecordMembers {
  private let text: UnsafeBufferPointer<UInt8>
  private let slots: UnsafeRawPointer?
  private let offsets: UnsafePointer<Int>?

  /// For a record that is not an object.
  init() {
    (text, slots, offsets) = (UnsafeBufferPointer(start: nil, count: 0), nil, nil)
  }

  /// - Parameters:
  ///   - text: The bytes that the slots are ranges of.
  ///   - slots: The members' slots.
  ///   - offsets: By the number of a member: where its slot is; -1 if the record has no such member.
  init(
    text: UnsafeBufferPointer<UInt8>, slots: UnsafeRawPointer, offsets: UnsafePointer<Int>
  ) {
    self.text = text
    self.slots = slots
    self.offsets = offsets
  }

  /// A member by its number among the filter's members; null if there is none.
  package subscript(number: Int) -> WrittenValue {
    guard let slots, let offset = offsets?[number], offset >= 0 else { return .null }
    let range = (slots + offset).load(as: TextRange.self)
    return WrittenValue(UnsafeBufferPointer(rebasing: text[range.start..<range.end]))
  }
}
