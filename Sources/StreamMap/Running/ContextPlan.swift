/// Definitions of context, compiled.
struct ContextPlan: Sendable {
  struct Value: Sendable {
    let definition: ContextDefinition
    let plan: Plan

    /// The level of the container that the value belongs to; 0 for the whole document.
    var level: Int { definition.step != nil ? 0 : definition.path.levelOfOwner }
  }

  let values: [Value]

  /// Compiles the definitions; `isLookedAt` says whether conditions may look at the values as at parts of records.
  ///
  /// - Throws: ``DefinitionError`` with the mistakes of all values.
  init(_ definitions: [ContextDefinition], isLookedAt: Bool) throws(DefinitionError) {
    var values: [Value] = []
    var mistakes: [DefinitionError.Mistake] = []
    for (number, definition) in definitions.enumerated() {
      do throws(DefinitionError) {
        values.append(
          Value(
            definition: definition,
            plan: try PlanCompiler.compile(
              definition.mapping.definition, isLookedAt: isLookedAt)))
      } catch {
        mistakes += error.mistakes.map { mistake in
          DefinitionError.Mistake(
            path: [.contextValue(number + 1)] + mistake.path, reason: mistake.reason)
        }
      }
    }
    guard mistakes.isEmpty else { throw DefinitionError(mistakes: mistakes) }
    self.values = values
  }

  /// Sees to it that keys and indices can be those of records at some paths.
  ///
  /// - Throws: ``DefinitionError`` if no record is in what a key or an index is asked of.
  func checkSteps(recordsAt paths: [PathPattern]) throws(DefinitionError) {
    for (number, value) in values.enumerated() where value.definition.step != nil {
      let path = value.definition.path
      let container = PathPattern(Array(path.steps.dropLast()))
      if !path.steps.isEmpty, paths.contains(where: { $0.mayLead(into: container) }) { continue }
      let found = paths.isEmpty ? "$" : paths.map { "\($0)" }.joined(separator: " or ")
      throw DefinitionError(mistakes: [
        DefinitionError.Mistake(
          path: [.contextValue(number + 1)],
          reason: "the records, at \(found), are not in \(path), whose key or index is asked for")
      ])
    }
  }

  /// Where the values are, and what is wanted of them.
  var selections: [(path: PathPattern, selection: Selection)] {
    values.filter { $0.definition.step == nil }.map {
      ($0.definition.path, $0.plan.tables.selection)
    }
  }
}
