import StreamMap

/// What takes a value that did not fit.
///
/// Whatever it says to write can be written there, and takes the value: a wrong advice is worse than none.
struct FieldFix {
  private let code: ErrorCode
  private let path: [JSONPath.Component]
  private let expected: String
  private let found: JSONKind?
  /// Whether it was a text that is none of what was expected.
  private let isOtherText: Bool
  /// Whether there was no value.
  private let isAbsent: Bool
  /// What was wrong with the first alternative that was there.
  private let alternative: MappingError?

  init(of error: MappingError) {
    code = error.code
    path = error.path.components
    expected = error.expected ?? ""
    found = error.found.flatMap { found in
      JSONKind.allCases.first { kind in
        ["a \(kind.rawValue)", "an \(kind.rawValue)", kind.rawValue].contains { $0 == found }
      }
    }
    isOtherText = error.found == "another string"
    let tried = error.underlying.compactMap { $0 as? MappingError }
    alternative = code == .noAlternative ? tried.first { !Self.isAbsent($0) } : nil
    isAbsent =
      Self.isAbsent(error) || code == .noAlternative && !tried.isEmpty && alternative == nil
  }

  private static func isAbsent(_ error: MappingError) -> Bool {
    error.code == .missing || error.code == .null
  }

  /// How much of a path leads to the value that the error is about; nil if that is the path's own value.
  ///
  /// It is something else than the object or the array that the next step of the path looks into.
  private func way(along pattern: PathPattern?) -> PathPattern? {
    guard code == .wrongType, expected == "an object" || expected == "an array",
      let steps = pattern?.steps
    else { return nil }
    // The path of the error begins at the document. The longest part that leads there is the one.
    let count = (0...steps.count).reversed().first { count in
      count <= path.count && zip(steps, path.suffix(count)).allSatisfy { $0.leads(to: $1) }
    }
    return count.flatMap { $0 < steps.count ? PathPattern(Array(steps[..<$0])) : nil }
  }

  // MARK: Arguments

  /// As in `write --field 'a:any'`; nil if nothing is known.
  func text(for field: MappingFile.PlainField) -> String? {
    // Without a type, null and nothing are taken, too.
    let mark = field.isNullable || field.type == nil ? "?" : ""
    func option(_ type: String) -> String { "write --field '\(field.text(as: type + mark))'" }
    if isAbsent {
      return "write --field '\(field.text(as: (field.type?.rawValue ?? "any") + "?"))'"
    }
    if let way = way(along: (try? PathPattern(parsing: field.path))) {
      let path = ShownText.relative(way)
      let type = found == .object || found == .array ? "json" : "any"
      return
        "\(path) has no such part; for all of it write --field '\(field.name):\(type)\(mark)=\(path)'"
    }
    switch found {
    case .object?, .array?: return option("json")
    case .string?, .number?, .boolean?:
      return option("any") + ", which takes any scalar, or coerce in a mapping file"
    case .null?: return nil
    case nil:
      if code == .numberOutOfRange { return option("number") + Self.allNumbers }
      guard code == .invalidValue else { return nil }
      return field.type?.family == .number && !isOtherText
        ? option("number") + Self.allNumbers : option("any") + ", which takes any scalar"
    }
  }

  // MARK: Mapping files

  /// As in `write coerce: string`; nil if nothing is known.
  func text(for node: FieldNode) -> String? {
    if isAbsent { return absent(node) }
    if let alternative {
      // An alternative may say its own type.
      return node.type == nil ? nil : FieldFix(of: alternative).text(for: node)
    }
    if let way = way(along: node.path) { return onTheWay(way) }
    if node.has(.calc) { return calculated(node) }
    if !node.isScalar { return container(node) }
    if node.has(.split) { return isOtherText ? invalid(node) : nil }
    if expected == "a string", node.has(.parse) { return parsed(node) }
    switch found {
    case .object?, .array?: return whole(node)
    case .string?, .number?, .boolean?: return coercion(node)
    case .null?: return nil
    case nil: return invalid(node)
    }
  }

  private func absent(_ node: FieldNode) -> String? {
    if node.has(.nullable, .substitute, .optionally) || node.isNullableType { return nil }
    if node.isJoined {
      return "what is missing cannot be joined: leave it out by where: { from: $, exists: true }"
    }
    let instead = node.has(.required) ? " instead of required" : ""
    return "write nullable: true\(instead) if it may be missing, or default: and a value"
  }

  private func onTheWay(_ way: PathPattern) -> String {
    let place = way.steps.isEmpty ? "the element" : ShownText.relative(way)
    return "\(place) has no such part; write optionally: null if that may be"
  }

  /// An object or an array where a scalar was expected.
  private func whole(_ node: FieldNode) -> String? {
    // What makes a value of others, or changes it, asks for what it can use.
    let makers: [ValueKey] = [.join, .template, .zip, .cases, .meta] + TextReader.keys
    if !node.present(makers + ValueKey.shapes.filter { $0 != .parse }).isEmpty { return nil }
    let others = node.present(Self.companions).map(\.name)
    let without = others.isEmpty ? "" : " without \(others.joined(separator: " and "))"
    let parts = found == .object ? "object with its fields" : "each for its elements"
    return "write type: json\(mark(of: node))\(without) to take it as it stands, or \(parts)"
  }

  /// What goes with a type, and not with `json`.
  private static let companions: [ValueKey] = [
    .schemes, .format, .zone, .values, .coerce, .otherwise, .units, .scale, .round, .as, .asZone,
    .validate,
  ]

  /// What stands after another type, so that it takes what the first one takes.
  private func mark(of node: FieldNode) -> String { node.isNullableType ? "?" : "" }

  private func coercion(_ node: FieldNode) -> String? {
    guard let type = node.type, let found else { return nil }
    let coercion: ScalarSpec.Coercion? =
      switch found {
      case .string: .string
      case .number: .number
      case .boolean: .bool
      case .null, .object, .array: nil
      }
    if type == .scalar(.date), found == .number, !node.has(.text, .extract, .lookup) {
      let formats = node.texts(of: .format).map(YAMLText.quoted)
      return formats.isEmpty
        ? "write format: unix_s for seconds since 1970, or unix_ms"
        : "write format: [\(formats.joined(separator: ", ")), unix_s] for seconds since 1970, or unix_ms"
    }
    let isOfText = node.has(.text, .extract, .lookup)
    let possible = isOfText ? [.number, .bool] : type.coercions
    guard let coercion, possible.contains(coercion) else { return nil }
    if coercion == .bool, !isOfText, node.has(.scale, .round) { return nil }
    let others = node.texts(of: .coerce)
    if others.contains(coercion.rawValue) { return nil }
    return others.isEmpty
      ? "write coerce: \(coercion.rawValue)"
      : "write coerce: [\((others + [coercion.rawValue]).joined(separator: ", "))]"
  }

  private static let numberInText =
    "a text is a number as in JSON: without spaces, leading zeros or a plus sign; extract can leave them out"
  private static let allNumbers = ", which takes all numbers"

  /// A value of the right kind that is none of the type.
  private func invalid(_ node: FieldNode) -> String? {
    guard let type = node.type else { return nil }
    if code == .numberOutOfRange {
      return type.family == .number
        ? "write type: number\(mark(of: node))\(Self.allNumbers)" : nil
    }
    guard code == .invalidValue else { return nil }
    switch type {
    case .enum:
      return node.has(.otherwise) ? nil : "add it to values, or write otherwise: and a value"
    case .scalar(.date): return date(node)
    case .scalar where type.family == .number:
      // A list of other values than numbers, or a text without a number.
      if node.has(.list) || expected.hasPrefix("a text that is a number, with a unit") {
        return nil
      }
      if isOtherText, !node.has(.units) { return Self.numberInText }
      if type == .scalar(.number) { return nil }
      let round = node.has(.round) ? "" : ", or round: 0"
      return "write type: number\(mark(of: node))\(Self.allNumbers)\(round)"
    case .scalar, .json: return nil
    }
  }

  private func date(_ node: FieldNode) -> String? {
    if expected == ConversionFailure.outOfYears.expected { return nil }
    if expected == ConversionFailure.neverShown.expected {
      return "for clocks that are never set write an offset, as in zone: +01:00"
    }
    if node.has(.format) { return "format takes a list, with the form of this one, too" }
    let zone = node.has(.zone) ? "" : "; or only zone: UTC, if its text has no zone"
    return "write format: and the form that it has, as in format: yyyy-MM-dd\(zone)"
  }

  private func calculated(_ node: FieldNode) -> String? {
    // Errors of the formula itself name a place in it.
    guard expected.contains(" at column ") else {
      return found == nil ? invalid(node) : coercion(node)
    }
    return found == .string ? "write number(…) around a text that is a number" : nil
  }

  /// Something else than a text with JSON.
  private func parsed(_ node: FieldNode) -> String? {
    let leave = "leave out parse, which is for JSON in a text"
    switch found {
    case .object?, .array?:
      switch node.type {
      case .json?: return leave
      case nil: return "write type: json instead of parse: json"
      case .scalar?, .enum?: return nil
      }
    case .number?: return node.type?.family == .number ? leave : nil
    case .boolean?: return node.type?.family == .bool ? leave : nil
    case .string?, .null?, nil: return nil
    }
  }

  private func container(_ node: FieldNode) -> String? {
    if expected == "a string", node.has(.parse) {
      let fits =
        found == .array ? node.has(.each) : found == .object && node.has(.object, .map)
      return fits ? "leave out parse, which is for JSON in a text" : nil
    }
    switch found {
    case .array? where node.has(.object): return "for a list of objects write each: { object: … }"
    case .object? where node.has(.each): return "for an object write object, or map for any keys"
    case .string? where node.has(.each): return "for a text with parts write split"
    case .string? where node.has(.object, .map, .use):
      return "for JSON in a text write parse: json"
    case nil where node.has(.joined):
      return "null cannot be joined: leave it out by where: { from: $, exists: true }"
    case .null?, .boolean?, .number?, .object?, .array?, .string?, nil: return nil
    }
  }
}
