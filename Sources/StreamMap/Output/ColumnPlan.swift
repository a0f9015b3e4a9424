/// The columns of a mapping's output records, by Apache Arrow's types, and how many records a batch has.
///
/// | Output | Column |
/// |---|---|
/// | `bool`, `int8` … `uint64` | the same |
/// | `float`, `double` | float32, float64 |
/// | `decimal` | decimal128(38, `scale`); a number with more digits is an error of its record |
/// | `date` | timestamp in microseconds or, if asked for, nanoseconds, UTC; finer digits are cut off |
/// | a day (`as: yyyy-MM-dd`) | date32 |
/// | `string`, `url`, `uuid`, `enum` | utf8 |
/// | `each` | list |
/// | `object` | struct; with `rest: keep` its last member has the others, as a JSON object |
/// | `map` | map of utf8 |
/// | `json`, `any`, `number`, mixed types | utf8: JSON text (`arrow.json`) |
package struct ColumnPlan: Sendable, Hashable {
  /// Digits after the point in columns of decimals.
  package static let decimalScale = 10
  /// Digits of a second in columns of times.
  package static let timeScale = 6
  /// What the column is called that has the members no field takes.
  package static let restName = "rest"

  /// The record: an object.
  package let record: ColumnLayout
  /// Whether records are no objects, and are in one column.
  package let isValue: Bool
  /// Digits after the point in columns of decimals, if there are such columns.
  let scale: Int?

  /// The columns of records.
  ///
  /// - Parameters:
  ///   - value: What records are.
  ///   - scale: Digits after the point in columns of decimals, 0 to 38; nil makes them texts.
  ///   - timeScale: Digits of a second in columns of times, 6 or 9.
  ///   - binary: The columns, by their names or paths (`a.b`), whose strings are bytes in base64.
  package init(
    _ value: OutputValue, scale: Int? = ColumnPlan.decimalScale,
    timeScale: Int = ColumnPlan.timeScale, binary: Set<ExactText> = []
  ) {
    let scale = scale.map { min(max($0, 0), 38) }
    let maker = Maker(scale: scale, timeScale: timeScale, binary: binary)
    self.scale = scale
    if case .object(let object) = value.type, !value.isNullable, let kind = maker.kind(object, "") {
      record = ColumnLayout("", kind)
      isValue = false
    } else {
      let name = OutputColumns.valueName
      record = ColumnLayout("", .object([maker.column(name, value, name)], isOpen: false))
      isValue = true
    }
  }

  /// The columns of texts, those that are bytes in base64 too, by their names or paths (`a.b`).
  package var texts: Set<ExactText> {
    func texts(in layout: ColumnLayout, _ path: String) -> [String] {
      switch layout.kind {
      case .string, .binary: [path]
      default:
        layout.children.flatMap {
          texts(in: $0, path.isEmpty ? $0.name : "\(path).\($0.name)")
        }
      }
    }
    return Set(texts(in: record, "").map { ExactText($0) })
  }

  /// Empty columns.
  ///
  /// - Parameter most: How many bytes of strings, or elements of lists, a column has at most: 2 GiB, but for tests.
  /// - Returns: The columns.
  /// - Throws: ``MappingError`` if memory runs out.
  package func makeColumns(most: Int = .max) throws(MappingError) -> RecordColumns {
    try RecordColumns(record, isValue: isValue, most: most, key: JSONText.key)
  }

  private struct Maker {
    let scale: Int?
    let timeScale: Int
    let binary: Set<ExactText>

    func column(_ name: String, _ value: OutputValue, _ path: String) -> ColumnLayout {
      ColumnLayout(name, kind(value, path), isNullable: value.isNullable)
    }

    private func kind(_ value: OutputValue, _ path: String) -> ColumnLayout.Kind {
      switch value.type {
      case .day: return .day
      case .array(let element): return .list(column("item", element, "\(path).item"))
      case .dictionary(let member): return .map(column("value", member, "\(path).value"))
      case .object(let object): return kind(object, path) ?? .json
      case .json: return .json
      case .oneOf, .scalar:
        return value.type.scalar.map { kind($0, path) } ?? .json
      }
    }

    private func kind(_ type: ScalarType, _ path: String) -> ColumnLayout.Kind {
      // Only a string may be anything, and so the base64 of bytes.
      if type == .string, binary.contains(ExactText(path)) { return .binary }
      switch type.facts.column {
      case .kind(let kind): return kind
      case .decimal: return scale.map { .decimal(scale: $0) } ?? .json
      case .timestamp: return .timestamp(scale: timeScale)
      }
    }

    /// Nil for an object without members, which not all readers of Arrow take.
    func kind(_ object: OutputObject, _ path: String) -> ColumnLayout.Kind? {
      if object.members.isEmpty { return nil }
      var members = object.members.map { member in
        var column = column(
          member.name, member.value, path.isEmpty ? member.name : "\(path).\(member.name)")
        if member.isOptional { column.isNullable = true }
        return column
      }
      if object.isOpen {
        var name = ColumnPlan.restName
        while members.contains(where: { $0.name == name }) { name += "_" }
        members.append(ColumnLayout(name, .json, isNullable: true))
      }
      return .object(members, isOpen: object.isOpen)
    }
  }
}

/// How many records a batch of columns has: it is full with the first bound that is reached.
package struct ColumnBatchSize: Sendable, Hashable {
  package var rows = 65_536
  /// Bytes of the values.
  package var bytes = 16 << 20

  package init() {}

  /// Whether columns have that much.
  func isReached(by columns: RecordColumns) -> Bool {
    columns.rows >= rows || columns.bytes >= bytes
  }
}
