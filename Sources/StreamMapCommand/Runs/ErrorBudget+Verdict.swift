import StreamMap

extension ErrorBudget {
  /// Why the budget is spent; nil if it is not.
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
