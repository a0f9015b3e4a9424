/// Several mappings; a value chooses one of them.
struct DispatchDefinition: Sendable {
  enum Choice: Sendable {
    /// By the kind of the value's token.
    case kind
    /// By the text of a scalar inside the value; the keys lead to it.
    case member([String])
  }

  let choice: Choice
  /// In explanations: what is read from several kinds of values; nil for a choice that the author made.
  var name: String?
  /// The name of a kind, or the text of the scalar, and the mapping that it stands for.
  var cases: [(label: String, definition: Definition)]
  var fallback: Definition?

  /// If the kind chooses, null has its own case, or else the mapping for all others takes it.
  var policy: Policy {
    guard case .kind = choice else { return Policy() }
    if let own = cases.first(where: { $0.label == JSONKind.null.rawValue })?.definition {
      return Policy(null: .take(isSaid: own.policy?.null.fails == false))
    }
    guard let null = fallback.map({ ($0.policy ?? Policy()).null }) else { return Policy() }
    return Policy(null: .take(isSaid: null.isSaid && !null.fails))
  }

  func map(_ change: (Definition) -> Definition) -> DispatchDefinition {
    var changed = self
    changed.cases = cases.map { ($0.label, change($0.definition)) }
    changed.fallback = fallback.map(change)
    return changed
  }
}
