import CScan

/// What a column of records holds, as Apache Arrow has it.
package struct ColumnLayout: Sendable, Hashable {
  package indirect enum Kind: Sendable, Hashable {
    case bool
    case int8
    case int16
    case int32
    case int64
    case uint8
    case uint16
    case uint32
    case uint64
    case float
    case double
    /// 128 bits, 38 digits, so many of them after the point.
    case decimal(scale: Int)
    /// Since 1970, in UTC, with so many digits of a second: 6 or 9.
    case timestamp(scale: Int)
    /// Days since 1970.
    case day
    case string
    /// The bytes of a string in base64.
    case binary
    /// Any value, as its JSON text.
    case json
    case list(ColumnLayout)
    case map(ColumnLayout)
    /// The members; where it is open, the last column takes all others as one JSON object.
    case object([ColumnLayout], isOpen: Bool)
  }

  package var name: String
  package var kind: Kind
  package var isNullable: Bool

  package init(_ name: String, _ kind: Kind, isNullable: Bool = false) {
    self.name = name
    self.kind = kind
    self.isNullable = isNullable
  }

  /// The columns inside, in their order.
  package var children: [ColumnLayout] {
    switch kind {
    case .list(let element): [element]
    case .map(let value): [ColumnLayout("key", .string), value]
    case .object(let members, _): members
    case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double,
      .decimal, .timestamp,
      .day, .string, .binary, .json:
      []
    }
  }

  /// Whether a column is in it that does not hold all values of its type.
  var holdsLess: Bool { kind.isBounded || children.contains(where: \.holdsLess) }

  /// A table of specs for C: this layout first, and children after their parent.
  struct Specs {
    var specs: [sm_column_spec] = []
    var texts: [UInt8] = []
    /// By column: where it is, as in `lines.price`.
    var names: [String] = []

    /// A table of a record's columns; `key` gives the text of a member's key, with quotes and colon.
    init(_ record: ColumnLayout, key: (String) -> [UInt8]) {
      var layouts = [(layout: record, path: "")]
      var next = 0
      while next < layouts.count {
        let (layout, path) = layouts[next]
        next += 1
        let children = layout.children
        var spec = layout.spec
        spec.name = add(Array(layout.name.utf8) + [0])
        let text = key(layout.name)
        spec.key = add(text)
        spec.key_length = UInt32(text.count)
        spec.first_child = UInt32(layouts.count)
        spec.child_count = UInt32(children.count)
        specs.append(spec)
        names.append(path)
        layouts += children.map { ($0, path.isEmpty ? $0.name : "\(path).\($0.name)") }
      }
    }

    private mutating func add(_ bytes: [UInt8]) -> UInt32 {
      defer { texts += bytes }
      return UInt32(texts.count)
    }
  }

  fileprivate var spec: sm_column_spec {
    var spec = sm_column_spec()
    spec.is_nullable = isNullable
    if case .decimal(let scale) = kind { spec.scale = UInt8(clamping: min(max(scale, 0), 38)) }
    if case .timestamp(let scale) = kind { spec.scale = scale < 9 ? 6 : 9 }
    if case .object(_, let isOpen) = kind { spec.is_open = isOpen }
    spec.kind = UInt8(kind.column.rawValue)
    return spec
  }
}

extension ColumnLayout.Kind {
  /// Whether it does not hold all values of its type.
  var isBounded: Bool {
    switch self {
    case .decimal, .binary: true
    // All years up to 9999 are microseconds.
    case .timestamp(let scale): scale > 6
    case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double,
      .day, .string, .json, .list, .map, .object:
      false
    }
  }

  /// Whether it holds a value, given by its JSON text as it is written: not null, and of the column's type.
  func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard isBounded else { return true }
    let spec = ColumnLayout("", self).spec
    return sm_column_holds(spec.kind, spec.scale, text.baseAddress, text.count)
  }

  fileprivate var column: sm_column_kind {
    switch self {
    case .bool: SM_COLUMN_BOOL
    case .int8: SM_COLUMN_INT8
    case .int16: SM_COLUMN_INT16
    case .int32: SM_COLUMN_INT32
    case .int64: SM_COLUMN_INT64
    case .uint8: SM_COLUMN_UINT8
    case .uint16: SM_COLUMN_UINT16
    case .uint32: SM_COLUMN_UINT32
    case .uint64: SM_COLUMN_UINT64
    case .float: SM_COLUMN_FLOAT
    case .double: SM_COLUMN_DOUBLE
    case .decimal: SM_COLUMN_DECIMAL
    case .timestamp: SM_COLUMN_TIMESTAMP
    case .day: SM_COLUMN_DAY
    case .string: SM_COLUMN_STRING
    case .binary: SM_COLUMN_BINARY
    case .json: SM_COLUMN_JSON
    case .list: SM_COLUMN_LIST
    case .map: SM_COLUMN_MAP
    case .object: SM_COLUMN_STRUCT
    }
  }
}
