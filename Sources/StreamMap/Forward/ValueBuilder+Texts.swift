/// What the machine asks of a builder and typed values have no part in: plans of typed values have no members that are kept as they
/// stand, no formulas and no facts of the record, and a value in its slot needs neither its key nor the record around it.
extension ValueBuilder {
  var followsRecords: Bool { false }

  func keep(to limits: Limits) {}

  func beginRecord(_ record: RecordInformation) {}
  func value(of fact: RecordFact) -> JSONValue? { nil }
  func reset() {}

  func beginObject(_ object: UnsafePointer<PlanObject>, slots: UnsafeMutableRawPointer) {}
  func abandonObject() {}

  func holdPlace(of key: UnsafeBufferPointer<UInt8>, in scratch: UnsafeMutableRawPointer) {}
  func dropElement(as node: UnsafePointer<PlanNode>, in scratch: UnsafeMutableRawPointer) {}

  func beginRest(_ key: UnsafeBufferPointer<UInt8>) -> EventSink { EventSink() }
  var restSize: Int { 0 }
  func finishRest() {}

  func holds(_ condition: Int32, slots: UnsafeMutableRawPointer) throws(Formula.Fault) -> Bool {
    true
  }

  func value(of formula: Int32, slots: UnsafeMutableRawPointer) throws(Formula.Fault)
    -> FormulaValue
  { FormulaValue(false, at: FormulaColumn()) }
}
