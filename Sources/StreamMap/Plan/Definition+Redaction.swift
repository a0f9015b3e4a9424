// Which values are kept out of errors.

extension Definition {
  /// Whether the value itself, or a part of it that is not a field of an object, is redacted.
  ///
  /// - Parameter registrations: Where references are looked up.
  /// - Returns: Whether errors here must not show the value; the fields inside have their own setting.
  func hidesValue(_ registrations: Registrations) -> Bool {
    var visited: Set<Identity> = []
    return hidesValue(registrations, &visited)
  }

  private func hidesValue(_ registrations: Registrations, _ visited: inout Set<Identity>) -> Bool {
    if isRedacted { return true }
    switch kind {
    case .scalar, .json, .object, .mistake: return false
    case .array(let inner, _), .dictionary(let inner, _), .transform(let inner):
      return inner.hidesValue(registrations, &visited)
    case .split(let forward, _): return forward.hidesValue(registrations, &visited)
    case .rewritten(let source, let then):
      return source.hidesValue(registrations, &visited) || then.hidesValue(registrations, &visited)
    case .firstOf(let alternatives, _):
      return alternatives.contains { $0.hidesValue(registrations, &visited) }
    case .dispatch(let dispatch):
      let all = dispatch.cases.map(\.definition) + (dispatch.fallback.map { [$0] } ?? [])
      return all.contains { $0.hidesValue(registrations, &visited) }
    case .reference(let identity, let resolve):
      guard visited.insert(identity).inserted else { return false }
      return resolve(registrations).hidesValue(registrations, &visited)
    }
  }
}
