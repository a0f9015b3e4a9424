import StreamMap

extension KeyForm {
  /// Whether what a file has may stand here, as far as its kind tells: for the names that are suggested, where one too many does no harm.
  func mayHold(_ node: LocatedNode) -> Bool {
    switch self {
    case .text, .pattern: return node.string != nil
    case .flag:
      if case .bool? = node.scalar { return true }
      return false
    case .values(let values): return node.scalar.map { values().contains($0) } ?? false
    case .scalar: return node.scalar != nil
    case .number, .whole:
      if case .number? = node.scalar { return true }
      return false
    case .any: return true
    case .notNull: return node.scalar != .null
    case .list(let element, _, _):
      guard case .list(let elements) = node.content else { return false }
      return elements.allSatisfy(element.mayHold)
    case .tuple(let forms):
      guard case .list(let elements) = node.content else { return false }
      return elements.count == forms.count
        && zip(forms, elements).allSatisfy { $0.mayHold($1) }
    case .oneOrList(let element, _):
      if case .list(let elements) = node.content { return elements.allSatisfy(element.mayHold) }
      return element.mayHold(node)
    case .map:
      if case .map = node.content { return true }
      return false
    case .either(let forms): return forms.contains { $0.mayHold(node) }
    case .part(let part):
      if case .form(let form) = part.content { return form.mayHold(node) }
      if case .map = node.content { return true }
      return false
    }
  }
}

extension LocatedNode {
  /// The value of a scalar; nil for a list, a map, and a number that JSON cannot write.
  var scalar: JSONValue? {
    if case .scalar(let scalar) = content { scalar.value } else { nil }
  }
}
