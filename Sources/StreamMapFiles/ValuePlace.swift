import StreamMap

/// Where a value is in a record: a path, which may count from the end of arrays.
///
/// A record is mapped while it is read, so such an array is held, as with `list: last`.
struct ValuePlace: Sendable {
  /// The path of the value or, where an index counts from the end, of its array.
  let path: String
  /// The indices that count from the end, each with the path inside its element.
  private let rest: [(index: Int, path: String)]

  /// - Parameters:
  ///   - text: The path as it is written.
  ///   - pattern: Its steps, none of which means several values.
  init(_ text: String, _ pattern: PathPattern) {
    var parts: [(index: Int, steps: [PathPattern.Step])] = [(0, [])]
    for step in pattern.steps {
      if case .index(let index) = step, index < 0 {
        parts.append((index, []))
      } else {
        parts[parts.count - 1].steps.append(step)
      }
    }
    path = parts.count == 1 ? text : PathPattern(parts[0].steps).description
    rest = parts.dropFirst().map { ($0.index, PathPattern($0.steps).description) }
  }

  /// What becomes of the value at ``path``, so that the value at the whole path becomes `value`.
  func value(_ value: ValueSpec, _ duplicates: DuplicateKeyPolicy) -> ValueSpec {
    if rest.isEmpty { return value }
    var plain = value
    plain.isRedacted = false
    var whole = element(rest[...], plain, duplicates)
    whole.isRedacted = value.isRedacted
    return whole
  }

  /// What becomes of the array that the first of some indices counts in.
  // Not a loop over one variable: the optimizer of Swift 6.3 ends with an error there.
  private func element(
    _ indices: ArraySlice<(index: Int, path: String)>, _ value: ValueSpec,
    _ duplicates: DuplicateKeyPolicy
  ) -> ValueSpec {
    guard let (index, path) = indices.first else { return value }
    let inside = element(indices.dropFirst(), value, duplicates)
    let element = path == "$" ? inside : ValueSpec(.inside(path, inside, duplicates))
    // What stands in for the value stands in wherever it may be missing on the way.
    return ValueSpec(.shaped(.list([.element(index)]), element), policy: value.policy)
  }
}
