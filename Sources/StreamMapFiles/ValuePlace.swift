import StreamMap

/// Where a value is in a record: a path, which may count from the end of arrays, or select several values.
///
/// A record is mapped while it is read, so what such a path looks through is held, as with `list`.
struct ValuePlace: Sendable {
  /// What a path does after the first steps, which reading follows.
  private enum Rest {
    /// An element that is counted from the end, and the path inside it.
    case element(Int, path: String)
    /// All that the steps select.
    case several(PathPattern)
  }

  /// The path of the value or, with a rest, of what that looks through.
  let path: String
  private let rest: [Rest]

  /// - Parameters:
  ///   - text: The path as it is written.
  ///   - pattern: Its steps.
  init(_ text: String, _ pattern: PathPattern) {
    let start = pattern.steps.firstIndex { $0.refusalInField != nil } ?? pattern.steps.count
    path =
      start == pattern.steps.count
      ? text : PathPattern(Array(pattern.steps[..<start])).description
    rest = Self.rest(pattern.steps[start...])
  }

  private static func rest(_ steps: ArraySlice<PathPattern.Step>) -> [Rest] {
    var rest: [Rest] = []
    var steps = steps
    while case .index(let index)? = steps.first {
      let inside = steps.dropFirst().prefix { $0.refusalInField == nil }
      rest.append(.element(index, path: PathPattern(Array(inside)).description))
      steps = steps.dropFirst(inside.count + 1)
    }
    // What the steps after it select is selected by the same walk.
    if !steps.isEmpty { rest.append(.several(PathPattern(Array(steps)))) }
    return rest
  }

  /// Whether it may select several values: then they are a list.
  var meansSeveral: Bool { if case .several? = rest.last { true } else { false } }

  /// What becomes of the value at ``path``, so that the value at the whole path becomes `value`; where it means several values, so that
  /// the list of them does.
  func value(_ value: ValueSpec, _ duplicates: DuplicateKeyPolicy) -> ValueSpec {
    if rest.isEmpty { return value }
    var plain = value
    plain.isRedacted = false
    if meansSeveral, plain.kind == .scalar(ScalarSpec(.scalar(.any))) {
      // Nothing is said of the values.
      plain.kind = .scalar(ScalarSpec(.json))
    }
    var whole = inside(rest[...], plain, duplicates)
    whole.isRedacted = value.isRedacted
    return whole
  }

  /// What becomes of what the first of some rests looks through.
  // Not a loop over one variable: the optimizer of Swift 6.3 ends with an error there.
  private func inside(
    _ rest: ArraySlice<Rest>, _ value: ValueSpec, _ duplicates: DuplicateKeyPolicy
  )
    -> ValueSpec
  {
    guard let first = rest.first else { return value }
    let last = inside(rest.dropFirst(), value, duplicates)
    // What stands in for the value stands in wherever it may be missing on the way.
    switch first {
    case .element(let index, let path):
      let element = path == "$" ? last : ValueSpec(.inside(path, last, duplicates))
      return ValueSpec(.shaped(.list([.element(index)]), element), policy: value.policy)
    case .several(let pattern):
      return ValueSpec(.shaped(.selected(pattern), last), policy: value.policy)
    }
  }
}
