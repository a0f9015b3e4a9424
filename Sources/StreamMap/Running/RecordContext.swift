/// The context of the records of a mapper's feeds.
struct RecordContext: Sendable {
  let plan: ContextPlan
  let omitsNulls: Bool

  /// Makes the values for a feed, which may have a name.
  func make(named file: String?, _ limits: Limits) -> FeedContext {
    FeedContext(plan, omitsNulls: omitsNulls, file: file, limits: limits)
  }
}
