/// Makes values of a known type from events that do not come from text.
///
/// Not thread-safe.
final class EventEngine<Value> {
  private let maker: RecordMaker
  private let outlet: RecordOutlet<Value>

  init(_ product: Product<Value>, _ plan: Plan, _ limits: Limits) {
    maker = product.maker(plan, limits)
    outlet = product.outlet(of: maker)
  }

  /// Makes a value of the events that `send` sends; an error that it throws is the record's error.
  func record(_ send: (EventSink) throws(MappingError) -> Void) -> Record<Value> {
    outlet.record(maker.take(send))
  }
}
