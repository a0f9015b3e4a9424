/// What a record knows about itself.
struct RecordInformation {
  /// From 1 up.
  let number: Int
  /// Where it starts.
  let start: FeedToken
  /// The last step of the path to it; nil unless the plan asks for it.
  let step: JSONPath.Component?
  /// The values from outside it that its fields may ask for.
  var context: ContextValues?
}
