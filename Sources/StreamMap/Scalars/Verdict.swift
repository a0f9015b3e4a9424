/// Whether a token makes a value.
enum Verdict {
  case made
  case wrongType
  /// The token has the right kind, but is not a value of the type.
  case invalid
  case outOfRange
}
