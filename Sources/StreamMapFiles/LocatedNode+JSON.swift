import StreamMap

extension LocatedNode {
  /// Any part of the file as the JSON value that it is; nil after a mistake.
  func json(_ mistakes: FileMistakes) -> JSONValue? {
    switch content {
    case .scalar(let scalar):
      if let value = scalar.value { return value }
      mistakes.add(
        mark,
        "JSON cannot write the number \(scalar.text); if it is meant to be a string, quote it")
      return nil
    case .list(let elements):
      let values = elements.map { $0.json(mistakes) }
      return values.contains { $0 == nil } ? nil : .array(values.compactMap(\.self))
    case .map(let entries):
      let members = entries.unique(mistakes).map { entry in
        entry.value.json(mistakes).map { JSONValue.Member(entry.key, $0) }
      }
      return members.contains { $0 == nil } ? nil : .object(members.compactMap(\.self))
    }
  }

  /// The text of a string; nil for anything else.
  var string: String? {
    if case .scalar(let scalar) = content { scalar.string } else { nil }
  }
}
