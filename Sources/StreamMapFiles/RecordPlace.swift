import StreamMap

/// What tells where a record is: errors and rejected records show it, so it cannot be redacted.
enum RecordPlace {
  case meta(RecordFact)
  /// The key or the index of what the records are in, by the name that `context` gives it.
  case context(String)

  /// The mistake of a field, or of another part, that is to hide it.
  func cannotBeHidden(in name: String) -> String {
    let source =
      switch self {
      case .meta(let fact): "meta: \(fact.rawValue)"
      case .context(let name): "context: \(name)"
      }
    return "\(name): redact cannot hide \(source), for errors say where a record is"
  }
}

extension FieldSpec.Source {
  /// What it tells of the record's place, if it does.
  func place(_ names: OutsideNames) -> RecordPlace? {
    switch self {
    case .fact(let fact), .step(let fact, _): .meta(fact)
    case .context(let number, let name, _), .ofContext(let number, let name, _):
      names.context[number].step == nil ? nil : .context(name)
    case .path, .constant, .calculated, .cases, .unknownKeys: nil
    }
  }
}
