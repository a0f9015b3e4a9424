/// What `WholeMaker` asks for: it leaves to the machine whatever is reported.
extension ValueBuilder {
  /// Makes the value that stands in for null, or for an absent value; false if there is none, or if that is reported.
  func storeSubstitute(
    _ action: PlanAction, _ node: UnsafePointer<PlanNode>, _ slot: UnsafeMutableRawPointer
  ) -> Bool {
    if action.isReported { return false }
    switch action.kind {
    case .fail, .take, .leave, .contested: return false
    case .useNil: storeNil(as: node, in: slot)
    case .substitute: store(substitute: action.substitute, as: node, in: slot)
    }
    return true
  }

  /// Whether a value keeps the rules of its mapping; if not, it is destroyed.
  @inline(never)
  func keepsRules(_ node: UnsafePointer<PlanNode>, _ slot: UnsafeMutableRawPointer) -> Bool {
    if failures(as: node, in: slot) == nil { return true }
    destroy(as: node, in: slot)
    return false
  }
}
