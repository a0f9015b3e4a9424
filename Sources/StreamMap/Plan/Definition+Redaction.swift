// Which values are kept out of errors.
//
// If a plan hides values, each error records how much of its path may be shown, and what the author's code threw is dropped. The full
// path is kept inside, because a later duplicate key removes the errors below it. The reader hides the text of malformed input.

extension Definition {
  /// Whether the value itself, or a part of it that is not a field of an object, is redacted.
  ///
  /// - Parameters:
  ///   - registrations: Where references are looked up.
  ///   - known: The answers for references, so that each one is asked once; new answers are added.
  /// - Returns: Whether errors here must not show the value; the fields inside have their own setting.
  func hidesValue(_ registrations: Registrations, _ known: inout [Identity: Bool]) -> Bool {
    var visited: Set<Identity> = []
    guard !isRedacted, case .reference(let identity, _) = kind else {
      return hidesValue(registrations, &visited)
    }
    if let answer = known[identity] { return answer }
    let answer = hidesValue(registrations, &visited)
    known[identity] = answer
    return answer
  }

  private func hidesValue(_ registrations: Registrations, _ visited: inout Set<Identity>) -> Bool {
    if isRedacted { return true }
    if case .reference(let identity, let resolve) = kind {
      guard visited.insert(identity).inserted else { return false }
      return resolve(registrations).hidesValue(registrations, &visited)
    }
    return children.contains { role, child in
      switch role {
      case .field, .reverse: false
      case .element, .member, .original, .source, .then, .forward, .alternative:
        child.hidesValue(registrations, &visited)
      }
    }
  }
}
