/// What an engine makes of a record: how it is built and handed out.
struct RecordAssembly<Value> {
  let builder: any Builder
  /// The memory that the machine builds in.
  let size: Int
  let alignment: Int
  /// Makes the value from what was built; nil if what was built is the value.
  let take: ((UnsafeMutableRawPointer) -> Value)?
  /// What notes which fields find something.
  var finds: FieldFinds?
  /// Which records are made; nil for all.
  var choice: RecordChoice?
  /// Whether records tell their key or index in what is around them.
  var reportsKeys = false

  /// Typed values.
  static func values(_ plan: Plan) -> RecordAssembly {
    RecordAssembly(
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
  ///   - finds: What notes which fields find something.
  ///   - choice: Which records are made; nil for all.
  ///   - take: Makes the value.
  /// - Returns: The assembly.
  static func text(
    _ plan: Plan, omitsNulls: Bool, file: String? = nil, finds: FieldFinds? = nil,
    choice: RecordChoice? = nil, take: @escaping (UnsafeBufferPointer<UInt8>) -> Value
  ) -> RecordAssembly {
    let builder = TextBuilder(plan: plan, omitsNulls: omitsNulls, file: file)
    return RecordAssembly(
      builder: builder, size: MemoryLayout<TextRange>.size,
      alignment: MemoryLayout<TextRange>.alignment,
      take: { builder.withText($0.load(as: TextRange.self), take) }, finds: finds,
      choice: choice)
  }

  /// What makes the records.
  func maker(_ plan: Plan, _ limits: Limits) -> RecordMaker {
    builder.keep(to: limits)
    return RecordMaker(
      builder, size: size, alignment: alignment, plan: plan, limits: limits, finds: finds,
      choice: choice, reportsStep: reportsKeys)
  }

  /// What takes the values from a maker of this assembly.
  func taker(of maker: RecordMaker) -> ValueTaker<Value> {
    ValueTaker(destination: maker.destination, take: take)
  }
}
