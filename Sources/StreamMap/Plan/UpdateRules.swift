/// What `null` does to a property in an update.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum NullUpdate: Sendable, Hashable, CaseIterable {
  /// The property gets the mapping's value for null: nil in an Optional property, a default if there is one, else an error.
  case clear
  /// The property keeps its value.
  case keep
  /// `null` is an error.
  case fail
}

/// What an update does to a property that the document does not have.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum AbsentUpdate: Sendable, Hashable, CaseIterable, BitwiseCopyable {
  /// The property keeps its value.
  case untouched
  /// The property keeps its value if decoding would have a value for its absence (nil, a default); else its absence is
  /// an error, as in decoding.
  case required
}

/// The options of an update.
struct UpdateRules: Sendable, Equatable {
  let null: NullUpdate
  let absent: AbsentUpdate
}
