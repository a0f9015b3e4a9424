/// A rejected record as one line of JSON.
package enum RejectLine {
  /// The line, with the record's text if it is to be shown; `worded` changes what it says to whoever reads it.
  package static func text(
    _ error: MappingError, of record: Record<Void>, file: String?, raw: String?,
    worded: (String) -> String = { $0 }
  ) -> String {
    var members = file.map { [JSONValue.Member("file", .string($0))] } ?? []
    if record.number > 0 { members.append(.init("record", .number("\(record.number)"))) }
    members += address(error.position ?? record.position)
    members += details(error, worded)
    let several = error.underlying.compactMap { $0 as? MappingError }
    if !several.isEmpty {
      members.append(
        .init(
          "errors",
          .array(
            several.map {
              .object(address($0.position ?? record.position) + details($0, worded))
            })))
    }
    if error.omittedCount > 0 { members.append(.init("omitted", .number("\(error.omittedCount)"))) }
    if let raw { members.append(.init("raw", .string(raw))) }
    return JSONValue.object(members).description
  }

  private static func address(_ position: SourcePosition?) -> [JSONValue.Member] {
    guard let position else { return [] }
    var members: [JSONValue.Member] = [
      .init("offset", .number("\(position.bytes.lowerBound)")),
      .init("end", .number("\(position.bytes.upperBound)")),
    ]
    // A part of a feed without an index does not know its lines.
    if position.line > 0 { members.append(.init("line", .number("\(position.line)"))) }
    members.append(.init("column", .number("\(position.column)")))
    return members
  }

  private static func details(_ error: MappingError, _ worded: (String) -> String)
    -> [JSONValue.Member]
  {
    var members: [JSONValue.Member] = [.init("path", .string(error.path.description))]
    if let target = error.target, !target.components.isEmpty {
      members.append(.init("target", .string(target.relativeDescription)))
    }
    if let rule = error.rule { members.append(.init("rule", .string(rule))) }
    members.append(.init("code", .string(error.code.rawValue)))
    if let expected = error.expected {
      members.append(.init("expected", .string(worded(expected))))
    }
    if let found = error.found { members.append(.init("found", .string(found))) }
    members.append(.init("message", .string(worded(error.message))))
    return members
  }
}
