import StreamMap

/// What a mapping file has names for that stands in no record: its arguments, and values from around the records.
struct OutsideNames: Sendable {
  /// The values of the file's arguments, by their names.
  var arguments: [ExactText: JSONValue] = [:]
  /// The arguments whose values are not known after a mistake in them: they may be anything.
  var unread: Set<ExactText> = []
  /// The values from outside the records, by their numbers.
  var context: [ContextSpec] = []

  /// A formula in which these names can stand after `$`.
  func formula(_ text: String, places: Int?) -> FormulaText {
    // The formula is not used after a mistake, so that any number does.
    let numbers =
      context.enumerated().map { (ExactText($1.name), $0) } + unread.map { ($0, 0) }
    return FormulaText(
      text, arguments: arguments, context: Dictionary(numbers) { first, _ in first },
      places: places)
  }

  /// The number of the value of `context` that a node names; nil after a mistake.
  func contextValue(_ node: LocatedNode, _ name: String, _ mistakes: FileMistakes) -> Int? {
    if let number = context.firstIndex(where: { $0.name == name }) { return number }
    mistakes.add(
      node.mark, "context: there is no value named '\(name)' under the file's 'context'",
      suggestion: Suggestion.nearest(to: name, among: context.map(\.name)))
    return nil
  }
}
