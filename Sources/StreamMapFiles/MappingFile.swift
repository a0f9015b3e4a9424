import StreamMap

/// What a mapping file says: the one model behind YAML, JSON and the command's own flags.
struct MappingFile {
  var name: String?
  var format = FeedFormat.auto
  var records: [PathPattern] = []
  var limits = Limits()
  var context: [ContextSpec] = []
  var record = ObjectSpec()
  /// The records that are kept, if not all.
  var condition: ConditionSpec?
  var errors: ErrorMode?
  var rejects: String?
  var budget = ErrorBudget()
  var layout = OutputConverter.Layout.lines
  var omitsNulls = false
  /// Of all that says it: files, or arguments.
  var digest = Digest()

  func converter() throws(DefinitionError) -> OutputConverter {
    try OutputConverter(
      record.mapping, at: records, context: context.map(\.definition), where: condition?.filter,
      layout: layout, omitsNulls: omitsNulls, limits: limits)
  }

  /// What a converter is made of, as far as arguments change it.
  struct Compiled: Equatable {
    let records: [PathPattern]
    let limits: Limits
    let layout: OutputConverter.Layout
  }

  var compiled: Compiled { Compiled(records: records, limits: limits, layout: layout) }
}

extension ErrorBudget {
  /// Why the budget is spent; nil where it is not.
  func verdict(rejected: Int, of records: Int, isOver: Bool) -> String? {
    switch exceeded(rejected: rejected, of: records, isOver: isOver) {
    case .count(let count): "more than \(count) records were rejected (errors.max, --max-errors)"
    case .ratio(let ratio):
      "\(rejected) of \(records) records were rejected, more than \(ratio) of them "
        + "(errors.max_ratio, --max-error-ratio)"
    case nil: nil
    }
  }
}
