// What becomes of members that a mapping does not ask for once each.

/// What becomes of a member that no field has for its source.
///
/// The raw values are the words of mapping files.
public enum UnknownKeyPolicy: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  /// It is passed over.
  case ignore
  /// It is passed over, and an issue.
  case report
  /// It is an error.
  case fail
}

/// What becomes of a member whose key occurred before in the same object.
///
/// The raw values are the words of mapping files.
public enum DuplicateKeyPolicy: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  /// It replaces the earlier one.
  case last
  /// It is passed over.
  case first
  /// It is an error.
  case fail
  /// It replaces the earlier one, and is an issue.
  case report

  /// Whether the later member replaces the earlier one.
  var replaces: Bool { self == .last || self == .report }
}
