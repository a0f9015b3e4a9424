// Output records that go to columns: a column does not hold every value that a mapping lets through.

extension Definition {
  /// The mapping, in which a value that its column does not hold is an error of its own.
  ///
  /// So what the mapping says of values that do not fit holds for it, and its error has its own address.
  ///
  /// - Parameter column: What becomes of the value.
  /// - Returns: The mapping.
  func fitting(_ column: ColumnLayout.Kind) -> Definition {
    if case .scalar(let type, _) = kind {
      return column.holds(allOf: type) ? self : with(checks: [ColumnCheck(column)])
    }
    // The result of a change is known to be of the column's type, but not how much of it the column holds.
    if case .transform = kind {
      return column.isBounded ? with(checks: [ColumnCheck(column)]) : self
    }
    if case .object(let object) = kind { return with(kind: .object(object.fitting(column))) }
    return mapChildren { role, child in
      switch role {
      case .element: if case .list(let inner) = column { child.fitting(inner.kind) } else { child }
      case .member: if case .map(let inner) = column { child.fitting(inner.kind) } else { child }
      case .then, .forward, .alternative: child.fitting(column)
      // Their values are not written.
      case .original, .source, .reverse, .field: child
      }
    }
  }
}

extension ObjectDefinition {
  fileprivate func fitting(_ column: ColumnLayout.Kind) -> ObjectDefinition {
    var object = self
    if isTransparent {
      object.fields = fields.map { $0.fitting(column) }
    } else if case .object(let members, _) = column {
      // Where alternatives are different objects, the columns are those of all of them.
      object.fields = zip(fields, targets).map { field, target in
        let name = ExactText(target.joined(separator: "."))
        let column = members.first { ExactText($0.name) == name }
        return column.map { field.fitting($0.kind) } ?? field
      }
    }
    return object
  }
}

extension ObjectDefinition.Field {
  fileprivate func fitting(_ column: ColumnLayout.Kind) -> ObjectDefinition.Field {
    map { $0.definition.fitting(column) }
  }
}

/// Requires that a value of an output record is one that its column holds.
final class ColumnCheck: ValueCheck, @unchecked Sendable {
  private let column: ColumnLayout.Kind

  /// - Parameter column: What holds it.
  init(_ column: ColumnLayout.Kind) {
    self.column = column
    super.init(name: "column", mistake: nil)
  }

  override var places: Int? { if case .decimal(let scale) = column { scale } else { nil } }

  override func add(
    failureOf value: UnsafeRawPointer, isOptional: Bool, to failures: inout [RuleFailure]?
  ) {
    let text = value.assumingMemoryBound(to: WrittenValue.self).pointee.text
    if column.holds(text) { return }
    failures = (failures ?? []) + [column.failure]
  }
}

extension ColumnLayout.Kind {
  /// What is wrong with a value that it does not hold.
  fileprivate var failure: RuleFailure {
    switch self {
    case .decimal(let scale):
      RuleFailure(
        ofColumn:
          "a number that its column can hold: 38 digits, \(scale) of them after the point",
        .numberOutOfRange)
    case .timestamp:
      RuleFailure(
        ofColumn: "a time that its column of nanoseconds can hold: from 1677-09-21 to 2262-04-11",
        .invalidValue)
    default: RuleFailure(ofColumn: "a text in base64", .invalidValue)
    }
  }

  /// Whether it holds all values of a type, which is its own or one of fewer values.
  fileprivate func holds(allOf type: ScalarType) -> Bool {
    guard case .decimal(let scale) = self else { return !isBounded }
    return type.facts.integers.map { $0.digits + scale <= 38 } ?? false
  }
}
