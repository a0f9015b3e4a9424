// What objects keep of the members that no field names.
extension PlanCompiler {
  /// Makes places for the members at which a part of the mapping looks, so that they are not unknown, and those that come twice
  /// are noticed; and says which of them are kept all the same.
  mutating func visitMembers(
    of object: ObjectDefinition,
    _ rules: (unknown: UnknownKeyPolicy, duplicate: DuplicateKeyPolicy),
    isKept: Bool, _ tree: inout PlaceTree
  ) {
    let reports = rules.duplicate == .fail || rules.duplicate == .report
    guard isKept || reports || object.asksForUnknownKeys else { return }
    let uses = object.memberUses(registrations)
    if object.asksForUnknownKeys {
      // Where no member is refused, it is enough to know those of the object itself.
      let depth = rules.unknown == .ignore ? 1 : Int.max
      for use in uses where use.key != nil || depth > 1 {
        let isWhole = use.path.components.count <= depth
        tree.visit(use.path.components.prefix(depth), isTaken: use.isTaken && isWhole)
      }
      for keys in object.knownKeys {
        tree.visit(keys.prefix(depth).map { .key($0) }[...], isTaken: keys.count <= depth)
      }
    }
    if reports {
      for use in uses where !use.looksForDuplicates { tree.visit(use.path.components[...]) }
      // By these the mapping was chosen: a second member of the name might have chosen another one.
      for keys in object.knownKeys { tree.visit(keys.map { .key($0) }[...]) }
    }
    guard isKept else { return }
    var taken = Set(
      (uses.filter(\.isTaken).compactMap(\.key) + object.knownKeys.compactMap(\.first))
        .map { ExactText($0) })
    // A field that is calculated from the member of its own name replaces it.
    if object.rest != nil { taken.formUnion(object.fields.flatMap(\.target).map { ExactText($0) }) }
    let dropped = object.rest.map { wholeMembers($0) } ?? []
    let used = Set(uses.compactMap(\.key).map { ExactText($0) })
    for key in used where !taken.contains(key) && !dropped.contains(key) {
      tree.set(.kept, of: key.text)
    }
    for key in dropped where !used.contains(key) { tree.set(.dropped, of: key.text) }
  }

  /// The members that are dropped as a whole.
  private func wholeMembers(_ paths: [String]) -> Set<ExactText> {
    Set(
      paths.compactMap { text in
        guard let steps = try? PathPattern(parsing: text).steps, steps.count == 1,
          case .key(let key)? = steps.first
        else { return nil }
        return ExactText(key)
      })
  }

  /// The index of what an object keeps, except what is at some paths; members that are dropped as a whole become known keys.
  mutating func restIndex(
    _ except: [String], of object: ObjectDefinition, _ tree: inout PlaceTree
  ) -> Int32 {
    let taken = Set(object.fields.flatMap(\.firstKeys).map { ExactText($0) })
    var paths: [(key: String, rest: ArraySlice<PathPattern.Step>)] = []
    for text in except {
      let steps: [PathPattern.Step]
      do throws(PathSyntaxError) {
        steps = try PathPattern(parsing: text).steps
      } catch {
        report("dropped \(error)")
        continue
      }
      guard case .key(let key)? = steps.first else {
        report("dropped path '\(text)': it has to begin with the key of a member")
        continue
      }
      if let step = steps.first(where: { !$0.isFixed }) {
        let reason =
          if case .descendants = step {
            "looks at any depth, but what is dropped has one place"
          } else {
            "needs more than a key or an index, but a member is dropped while it is read"
          }
        report("dropped path '\(text)': \(step) \(reason)")
      } else if taken.contains(ExactText(key)) {
        report(
          "dropped path '\(text)': a field names '\(key)', so it is not among the members that are kept"
        )
      } else {
        paths.append((key, steps.dropFirst()))
      }
    }
    var inner: [(key: String, parts: DroppedParts)] = []
    for key in Set(paths.map { ExactText($0.key) }) {
      guard
        let parts = DroppedParts(paths.filter { ExactText($0.key) == key }.map(\.rest))
      else { continue }
      if parts.isWhole { tree.visit(key.text) } else { inner.append((key.text, parts)) }
    }
    draft.rests.append(
      PlanRest(except: except, names: object.fields.flatMap(\.target), dropped: inner))
    return Int32(draft.rests.count - 1)
  }
}

extension ObjectDefinition.Field {
  /// The keys with which its paths begin.
  fileprivate var firstKeys: [String] {
    ([source.path].compactMap(\.self) + fallbacks).compactMap { path in
      if case .key(let key)? = path.components.first { key } else { nil }
    }
  }
}
