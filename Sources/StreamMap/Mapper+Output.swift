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
    try self.init(
      OutputPlan(mapping, omitsNulls: omitsNulls, limits: limits), format: .auto)
  }

  /// A mapper whose feeds have the records, context and condition of a plan.
  package init(_ plan: OutputPlan, format: FeedFormat) throws(DefinitionError) {
    let omitsNulls = plan.omitsNulls
    try self.init(plan, format: format) { plan, file in
      .text(plan, omitsNulls: omitsNulls, file: file) {
        RawJSON(unchecked: Array($0))
      }
    }
  }
}
