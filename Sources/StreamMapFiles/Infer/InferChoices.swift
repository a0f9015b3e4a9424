import StreamMap

/// What an inferred mapping tells of the values that it was inferred from.
package struct InferChoices: Sendable {
  /// Whether texts with few different values are enums; if not, comments list these.
  package var hasEnums = false
  /// Whether comments show values of the feed.
  package var showsSamples = true

  package init() {}
}

extension InferredValue {
  /// The same with what is asked for.
  func chosen(_ choices: InferChoices) -> InferredValue {
    let type: InferredType =
      switch type {
      case .cases where !choices.hasEnums: .scalar(.string)
      case .cases, .scalar, .date, .unsureDate, .url, .json: type
      case .array(let element): .array(element.chosen(choices))
      case .dictionary(let element): .dictionary(element.chosen(choices))
      case .object(let fields): .object(fields.map { $0.chosen(choices) })
      }
    return InferredValue(type, isNullable: isNullable)
  }
}

extension InferredField {
  fileprivate func chosen(_ choices: InferChoices) -> InferredField {
    var field = with(value.chosen(choices))
    if !choices.showsSamples {
      field.examples = []
    } else if !choices.hasEnums, case .cases(let texts) = value.type {
      field.cases = texts
    }
    return field
  }
}
