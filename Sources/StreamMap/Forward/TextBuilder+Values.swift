/// What the machine asks of a builder and texts have no part in: a text needs no call to end, and plans of output records have no patches,
/// no tables of results, and no code that looks at issues.
extension TextBuilder {
  var followsRecords: Bool { true }
  func hasStringKeys(as node: UnsafePointer<PlanNode>) -> Bool { false }

  func destroy(as node: UnsafePointer<PlanNode>, in slot: UnsafeMutableRawPointer) {}

  // Each element is written where it stays.
  func stagedElements(of node: UnsafePointer<PlanNode>) -> Int { 1 }

  func makePatch(
    _ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer,
    states: UnsafeMutablePointer<UInt8>, as node: UnsafePointer<PlanNode>, at place: Patch.Origin,
    in destination: UnsafeMutableRawPointer
  ) {}

  func storeLiteral(
    _ index: Int32, as node: UnsafePointer<PlanNode>, in destination: UnsafeMutableRawPointer
  ) {}

  func transform(
    _ source: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>,
    into destination: UnsafeMutableRawPointer, issues: inout ValueIssues
  ) throws {}

  func elementRuns(
    _ arena: SlotArena, _ layouts: UnsafePointer<ValueLayout>, limits: Limits
  ) -> ElementRuns? { nil }
}
