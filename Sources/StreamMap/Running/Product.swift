/// What an engine makes of a record: how it is built and handed out.
struct Product<Value> {
  let builder: Builder
  /// The memory that the machine builds in.
  let size: Int
  let alignment: Int
  /// Makes the value from what was built; nil where what was built is the value.
  let take: ((UnsafeMutableRawPointer) -> Value)?

  /// Typed values.
  static func values(_ plan: Plan) -> Product {
    Product(
      builder: ValueBuilder(plan: plan), size: MemoryLayout<Value>.size,
      alignment: MemoryLayout<Value>.alignment,
      take: nil)
  }

  /// Output records: `take` is given the text of each.
  ///
  /// - Parameters:
  ///   - plan: The mapping.
  ///   - omitsNulls: Whether members that are null are left out.
  ///   - file: The feed's name, for fields that show it.
  ///   - filter: Which records are kept.
  ///   - take: Makes the value.
  /// - Returns: The product.
  static func text(
    _ plan: Plan, omitsNulls: Bool, file: String? = nil, filter: RecordFilter? = nil,
    take: @escaping (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Product {
    let builder = TextBuilder(plan: plan, omitsNulls: omitsNulls, file: file, filter: filter)
    return Product(
      builder: builder, size: MemoryLayout<TextRange>.size,
      alignment: MemoryLayout<TextRange>.alignment,
      take: { builder.withText($0.load(as: TextRange.self), take) })
  }

  /// What makes the records.
  func maker(_ plan: Plan, _ limits: Limits) -> RecordMaker {
    RecordMaker(builder, size: size, alignment: alignment, plan: plan, limits: limits)
  }

  /// What takes the values from a maker of this product.
  func outlet(of maker: RecordMaker) -> RecordOutlet<Value> {
    RecordOutlet(destination: maker.destination, take: take)
  }
}
