/// Definitions of context, compiled.
struct ContextPlan: Sendable {
  struct Value: Sendable {
    let definition: ContextDefinition
    let plan: Plan

    /// The level of the container that the value belongs to; 0 for the whole document.
    var level: Int { definition.path.levelOfOwner }
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
  /// Where the values are, and what is wanted of them.
  var selections: [(path: PathPattern, selection: Selection)] {
    values.map { ($0.definition.path, $0.plan.tables.selection) }
  }
}
