/// A feed on its way to output: what all converters say when they begin one.
struct OutputFeed {
  let plan: OutputPlan
  /// How its records follow each other.
  let format: FeedFormat
  /// Its name, for fields that show it; nil if it has none.
  let file: String?
  /// Where it continues, if another converter began it.
  let start: FeedPosition?
  /// Where it ends, if it is a part of a feed that is not the last.
  let end: PartEnd?
  /// How many threads map.
  let jobs: Int
  /// Those threads but the caller's; nil for threads of its own.
  var pool: WorkerPool?
  let parser: RecordParser
  let finds: FieldFinds
  /// Which records are mapped; nil for all.
  var choice: RecordChoice?

  /// Makes the route of its records.
  ///
  /// - Parameters:
  ///   - form: How other threads write records at once.
  ///   - one: Takes the text of a record where one thread maps.
  ///   - many: Makes, for a thread, what takes the text of a record into the output of its batch.
  /// - Returns: The route.
  /// - Throws: ``MappingError`` where memory runs out, or no converter of this mapping can have been at the start.
  func route<Value>(
    form: BatchWorker<Value>.Form, one: @escaping (UnsafeBufferPointer<UInt8>) -> Value,
    many: @escaping @Sendable (BatchWorker<Value>.Output) -> (UnsafeBufferPointer<UInt8>) -> Value
  ) throws(MappingError) -> Route<Value> {
    // Where a malformed record ends is only known when everything before it is read.
    let route = jobs > 1 && !plan.resyncs ? try parallel(form, many) : try self.one(one)
    if let end { route.end(at: end) }
    return route
  }

  private func one<Value>(
    _ take: @escaping (UnsafeBufferPointer<UInt8>) -> Value
  ) throws(MappingError) -> Route<Value> {
    let assembly = assembly(take)
    let maker = assembly.maker(plan.plan, plan.limits)
    let engine = try FeedEngine(
      maker, selection: plan.selection, format: format, limits: plan.limits,
      resyncs: plan.resyncs, parser: parser, context: makeContext(finds), from: start)
    return .one(engine, assembly.taker(of: maker))
  }

  private func parallel<Value>(
    _ form: BatchWorker<Value>.Form,
    _ taking:
      @escaping @Sendable (BatchWorker<Value>.Output) -> (UnsafeBufferPointer<UInt8>) -> Value
  ) throws(MappingError) -> Route<Value> {
    .parallel(
      try ParallelEngine(
        jobs: jobs, pool: pool, selection: plan.selection, format: format, limits: plan.limits,
        parser: parser, context: makeContext(finds), from: start
      ) {
        BatchWorker(
          plan: plan.plan, selection: plan.selection, limits: plan.limits, parser: parser,
          context: makeContext(nil), form: form
        ) { assembly(taking($0)) }
      })
  }

  private func assembly<Value>(
    _ take: @escaping (UnsafeBufferPointer<UInt8>) -> Value
  ) -> RecordAssembly<Value> {
    .text(
      plan.plan, omitsNulls: plan.omitsNulls, file: file, finds: finds, choice: choice, take: take)
  }

  /// The values from outside the records, for one reader of the feed.
  private func makeContext(_ finds: FieldFinds?) -> FeedContext? {
    plan.context.map {
      FeedContext($0, omitsNulls: plan.omitsNulls, file: file, limits: plan.limits, finds: finds)
    }
  }
}
