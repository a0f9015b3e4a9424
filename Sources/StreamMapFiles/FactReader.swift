import StreamMap

/// Reads a field with `meta`: what the record tells of itself.
struct FactReader {
  private let fields: FieldReader
  private let map: MapReader<ValueKey>
  private let name: String

  init(_ fields: FieldReader, _ map: MapReader<ValueKey>, _ name: String) {
    self.fields = fields
    self.map = map
    self.name = name
  }

  func source() -> FieldSpec.Source? {
    guard let fact = map.choice(.meta, RecordFact.self) else { return nil }
    let others = map.present(ValueKey.field.keys).filter { $0 != .meta }
    // What is made of a text may be an array or an object.
    let isChanged = !map.present(ValueKey.shapes + [.extract]).isEmpty
    let excluded =
      ValueKey.sources + ValueKey.fixed + (isChanged ? [] : ValueKey.containers)
    if map.isTrue(.redact) {
      fields.mistakes.add(map.mark(of: .redact), RecordPlace.meta(fact).cannotBeHidden(in: name))
    }
    for other in others where excluded.contains(other) {
      fields.mistakes.add(
        map.mark(of: other), "a field with meta: \(fact.rawValue) cannot have '\(other)'")
    }
    if others.isEmpty, fact != .key, fact != .index { return .fact(fact) }
    guard var value = ValueReader(fields, map, name).unsourced() else { return nil }
    // A key and a name are always texts, and all else is a number, whatever the type is that they are for.
    if case .scalar(var scalar) = value.kind {
      let coercion: ScalarSpec.Coercion = fact == .key || fact == .file ? .string : .number
      if scalar.type.coercions.contains(coercion) { scalar.coercions.insert(coercion) }
      value.kind = .scalar(scalar)
    }
    return .step(fact, value)
  }
}
