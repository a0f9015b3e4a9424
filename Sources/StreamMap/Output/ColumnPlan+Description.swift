extension ColumnPlan: CustomStringConvertible {
  /// The columns, one a line: name, type as Arrow names it, and whether null may be there.
  package var description: String {
    var lines: [String] = []
    for column in record.children { column.add(to: &lines, level: 0) }
    return lines.joined(separator: "\n")
  }

  /// The columns as JSON: each with `name`, `type`, `nullable` and, where it has parts, `children`.
  package var json: JSONValue {
    .object([.init("fields", .array(record.children.map(\.json)))])
  }
}

extension ColumnLayout {
  fileprivate func add(to lines: inout [String], level: Int) {
    let indent = String(repeating: "  ", count: level)
    let null = isNullable ? "" : " not null"
    lines.append("\(indent)\(name): \(typeName)\(null)")
    for child in children { child.add(to: &lines, level: level + 1) }
  }

  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("type", .string(typeName)),
      .init("nullable", .bool(isNullable)),
    ]
    if !children.isEmpty { members.append(.init("children", .array(children.map(\.json)))) }
    return .object(members)
  }

  private var typeName: String {
    switch kind {
    case .bool: "bool"
    case .int8: "int8"
    case .int16: "int16"
    case .int32: "int32"
    case .int64: "int64"
    case .uint8: "uint8"
    case .uint16: "uint16"
    case .uint32: "uint32"
    case .uint64: "uint64"
    case .float: "float"
    case .double: "double"
    case .decimal(let scale): "decimal128(38, \(scale))"
    case .timestamp(let scale): "timestamp[\(scale < 9 ? "us" : "ns"), tz=UTC]"
    case .day: "date32"
    case .string: "utf8"
    case .binary: "binary"
    case .json: "utf8 (arrow.json)"
    case .list: "list"
    case .map: "map"
    case .object: "struct"
    }
  }
}
