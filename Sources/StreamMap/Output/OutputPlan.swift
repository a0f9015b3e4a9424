/// What all converters of one mapping share: compiled once, for any number of feeds and threads.
package struct OutputPlan: Sendable {
  private(set) var plan: Plan
  let context: ContextPlan?
  private(set) var selection: FeedSelection
  /// Where the records are in each document; without any, each document or line is one.
  package private(set) var paths: [PathPattern]
  /// The mapping, and the same without those records for which the condition does not hold.
  private let mapping: OutputMapping
  private let filtered: OutputMapping
  private let contextValues: [ContextDefinition]
  /// Whether members that are null are left out.
  package var omitsNulls: Bool
  private var rows: RecordRows?
  /// What a feed may demand.
  package var limits: Limits
  /// Whether reading continues after a malformed record of a document: see ``FeedOptions/resynchronizes``.
  package var resyncs = false

  /// Compiles the mapping of the records at some paths of each document, to which others tell more; those for which
  /// a condition does not hold do not come out.
  ///
  /// Where records become no objects, the condition has a rule of its own for members that come twice.
  ///
  /// - Throws: ``DefinitionError`` with all mistakes.
  package init(
    _ mapping: OutputMapping, at paths: [PathPattern] = [], context: [ContextDefinition] = [],
    where condition: Condition? = nil, duplicateKeys: DuplicateKeyPolicy? = nil,
    omitsNulls: Bool = false, limits: Limits = Limits()
  ) throws(DefinitionError) {
    var mistakes: [DefinitionError.Mistake] = []
    func made<Part>(_ make: () throws(DefinitionError) -> Part) -> Part? {
      do throws(DefinitionError) {
        return try make()
      } catch {
        mistakes += error.mistakes
        return nil
      }
    }
    let isLookedAt = condition != nil
    let filtered =
      condition.map { mapping.filtered(by: $0, duplicateKeys: duplicateKeys) } ?? mapping
    let plan = made { () throws(DefinitionError) in
      try PlanCompiler.compile(filtered.definition)
    }
    let others = made { () throws(DefinitionError) in
      try ContextPlan(context, isLookedAt: isLookedAt)
    }
    guard let plan, let others else {
      _ = made { () throws(DefinitionError) in
        // A key or an index is no value at its path.
        try RecordPlaces(paths, context: context.filter { $0.step == nil }.map(\.path))
      }
      throw DefinitionError(mistakes: mistakes)
    }
    self.plan = plan
    self.mapping = mapping
    self.filtered = filtered
    contextValues = context
    self.context = context.isEmpty ? nil : others
    selection = try Self.selection(plan, others, paths)
    self.paths = paths
    self.omitsNulls = omitsNulls
    self.limits = limits
  }

  /// Makes rows of each record, as is said of its arrays.
  ///
  /// - Throws: ``DefinitionError`` if records have no such array.
  package mutating func makeRows(_ arrays: RowArrays) throws(DefinitionError) {
    rows = nil
    if !arrays.areKept { rows = try RecordRows(record, arrays) }
  }

  /// What makes the rows of records, for one thread; nil if each record is its own row.
  var splitter: RowSplitter? {
    rows.map { RowSplitter($0, omitsNulls: omitsNulls, limits: limits) }
  }

  /// Whether records become rows.
  var hasRows: Bool { rows != nil }

  // These are worked out when they are asked for: few runs do.

  /// What comes out: what each record becomes or, where it becomes rows, each row.
  package var record: OutputValue { rows?.row ?? mapped }

  /// What the mapping makes of each record.
  private var mapped: OutputValue { mapping.definition.output(contextValues.map(\.output)) }

  /// What each record has to be.
  package var source: SourceShape { filtered.definition.source }

  /// Takes the records at other paths; the mapping is not compiled again.
  ///
  /// - Throws: ``DefinitionError`` if records would lie inside each other, or inside a value of the context.
  package mutating func select(recordsAt paths: [PathPattern]) throws(DefinitionError) {
    if paths == self.paths { return }
    selection = try Self.selection(plan, context, paths)
    self.paths = paths
  }

  /// The plan for records that go to columns: a value that its column cannot hold is an error of its own, with its own address, and no
  /// error of the whole record.
  ///
  /// - Throws: ``DefinitionError``: none that the plan itself did not have.
  package func fitting(_ columns: ColumnPlan) throws(DefinitionError) -> OutputPlan {
    // The mapping makes records, and rows come of them: their values are the same.
    let columns = hasRows ? ColumnPlan(mapped) : columns
    guard columns.record.holdsLess else { return self }
    let layout = columns.isValue ? columns.record.children[0] : columns.record
    var plan = self
    plan.plan = try PlanCompiler.compile(filtered.definition.fitting(layout.kind))
    return plan
  }

  private static func selection(_ plan: Plan, _ context: ContextPlan?, _ paths: [PathPattern])
    throws(DefinitionError) -> FeedSelection
  {
    try context?.checkSteps(recordsAt: paths)
    guard let context else {
      return paths.isEmpty
        ? try plan.tables.wholeText() : try FeedSelection(plan.tables.selection, at: paths)
    }
    return try FeedSelection(plan.tables.selection, at: paths, context: context.selections)
  }

  /// What the mapping does, field by field, and what rows its records become.
  package var explanation: String {
    let rows = rows.flatMap { $0.description.isEmpty ? nil : "\nrows: " + $0.description }
    return plan.description + (rows ?? "")
  }

  /// What becomes of each value from outside the records, in their order.
  package var contextExplanations: [String] {
    (context?.values ?? []).map { value in
      let lines = value.plan.description.split(separator: "\n", omittingEmptySubsequences: false)
      // The first line is that of the value itself.
      let first = lines[0].drop { $0 != " " }.dropFirst()
      var late = ""
      if value.definition.mayComeLate, let standIn = value.definition.standIn {
        late = ", before it comes: \(Substitute(json: standIn).name)"
      }
      return ([first + late] + lines.dropFirst()).joined(separator: "\n")
    }
  }

  /// What comes from what.
  package var graph: PlanGraph { PlanGraph(plan.tables) }

  /// Whether some value must not be shown: neither must be the text of a record.
  package var hidesValues: Bool { selection.hidesValues }
}
