// What happens to members that no field asks for, and to members whose key occurs twice.

/// What happens to a member that is not the source of any field.
///
/// The raw values are the words of mapping files.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum UnknownKeyPolicy: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  /// It is skipped.
  case ignore
  /// It is skipped and reported as an issue.
  case report
  /// It is an error.
  case fail
}

/// What happens to a member whose key occurred before in the same object.
///
/// The raw values are the words of mapping files.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum DuplicateKeyPolicy: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  /// It replaces the earlier one.
  case last
  /// It is skipped.
  case first
  /// It is an error.
  case fail
  /// It replaces the earlier one and is reported as an issue.
  case report

  /// Whether the later member replaces the earlier one.
  package var replaces: Bool { self == .last || self == .report }
}
