/// The facts about a record.
///
/// The raw values are the words of mapping files (`meta`).
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum RecordFact: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  /// Its number in the feed, from 1 up.
  case number = "record_number"
  /// The offset of its first byte in the feed.
  case offset = "byte_offset"
  /// The line that it starts on, from 1 up.
  case line
  /// The name of the feed's file; null if the feed has no known name, as for a ``Mapper``.
  case file
  /// Its key in the object that it is a member of; absent if it is not one.
  case key
  /// Its index in the array that it is an element of, from 0 up; absent if it is not one.
  case index

  /// Whether it tells where the record is in the container around it.
  var isStep: Bool { self == .key || self == .index }

  /// Whether it tells how much of the feed comes before the record, which a part of a feed may not know.
  var isCounted: Bool { self == .number || self == .line }
}
