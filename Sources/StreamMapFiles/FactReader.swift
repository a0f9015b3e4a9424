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
    let isTyped = fact == .key || fact == .index
    let excluded =
      isTyped ? ValueKey.sources + ValueKey.fixed + ValueKey.containers : others
    for other in others where excluded.contains(other) {
      let owner = isTyped ? "meta: \(fact.rawValue)" : "meta"
      fields.mistakes.add(map.mark(of: other), "a field with \(owner) cannot have '\(other)'")
    }
    guard isTyped else { return .fact(fact) }
    guard var value = ValueReader(fields, map, name).unsourced() else { return nil }
    // A key is always a text, and an index a number, whatever the type is that they are for.
    if case .scalar(var scalar) = value.kind {
      let coercion: ScalarSpec.Coercion = fact == .key ? .string : .number
      if scalar.type.coercions.contains(coercion) { scalar.coercions.insert(coercion) }
      value.kind = .scalar(scalar)
    }
    return .step(fact, value)
  }
}
