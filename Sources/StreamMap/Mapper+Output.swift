extension Mapper where Value == RawJSON {
  /// Compiles a mapping to output records.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of one record.
  ///   - omitsNulls: Whether members that are null are left out.
  ///   - limits: The limits on what a feed may demand.
  /// - Throws: ``DefinitionError`` with all mistakes of the mapping.
  public init(output mapping: OutputMapping, omitsNulls: Bool = false, limits: Limits = Limits())
    throws(DefinitionError)
  {
    let plan = try PlanCompiler.compile(mapping.definition)
    try self.init(plan, limits: limits) { plan in
      RecordAssembly.text(plan, omitsNulls: omitsNulls) { RawJSON(unchecked: Array($0)) }
    }
  }
}
