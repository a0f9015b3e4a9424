// What objects keep of the members that no field names.
extension PlanCompiler {
  /// The index of what an object keeps, except what is at some paths; members of which nothing is kept become known keys.
  mutating func restIndex(
    _ except: [String], of object: ObjectDefinition, _ tree: inout PlaceTree
  ) -> Int32 {
    let taken = Set(object.fields.flatMap(\.firstKeys).map { ExactKey($0) })
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
      if let step = steps.first(where: { if case .descendants = $0 { true } else { false } }) {
        report(
          "dropped path '\(text)': \(step) looks at any depth, but what is dropped has one place")
      } else if taken.contains(ExactKey(key)) {
        report(
          "dropped path '\(text)': a field names '\(key)', so it is not among the members that are kept"
        )
      } else {
        paths.append((key, steps.dropFirst()))
      }
    }
    var inner: [(key: String, parts: DroppedParts)] = []
    for key in Set(paths.map { ExactKey($0.key) }) {
      guard
        let parts = DroppedParts(paths.filter { ExactKey($0.key) == key }.map(\.rest))
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
