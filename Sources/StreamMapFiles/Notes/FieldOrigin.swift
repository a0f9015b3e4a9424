import StreamMap

/// Where the fields of a mapping were said, for messages about values that do not fit them.
package enum FieldOrigin: Sendable {
  case file(MappingText)
  case arguments([MappingFile.PlainField])
  /// A mapping that a program made, not a person.
  case none

  /// What would take the value that an error is about, and where to say it, as in `; write coerce: string (m.yaml:4)`.
  ///
  /// - Returns: The end of the error's message; empty where nothing is known.
  /// - Complexity: O(n) in the mapping file, which is read again.
  package func hint(for error: MappingError) -> String {
    guard error.code.category == .data, let target = error.target else { return "" }
    switch self {
    case .none: return ""
    case .arguments(let fields):
      guard case .key(let name)? = target.components.first,
        let field = fields.first(where: { $0.name == name })
      else { return "" }
      return FieldFix(of: error).text(for: field).map { "; \($0)" } ?? ""
    case .file(let text):
      guard let (node, line) = text.value(at: target) else { return "" }
      let place = "(\(ShownText.of(text.name)):\(line))"
      guard let fix = FieldFix(of: error).text(for: node) else { return " \(place)" }
      return "; \(fix) \(place)"
    }
  }
}

/// A mapping file's text, kept so that its lines can be named.
package struct MappingText: Sendable {
  let name: String
  let bytes: [UInt8]
  let form: MappingFileLoader.Form?
  /// The mapping's name, if the file has several.
  let member: String?

  /// What a value of the result becomes, and the line where that is said.
  ///
  /// Where the value is made in a way that the path does not tell, it is the nearest one around it.
  fileprivate func value(at target: JSONPath) -> (node: FieldNode, line: Int)? {
    let unheard = FileMistakes(file: name)
    guard var root = MappingFileLoader.root(bytes, unheard, as: form) else { return nil }
    if let member {
      let members = SeveralMappings(root, unheard)?.members ?? []
      guard let own = members.first(where: { $0.name == member }) else { return nil }
      root = own.root
    }
    var place = FieldNode.start(of: root)
    for component in target.components {
      guard let inner = place.inside(component) else { break }
      place = inner
    }
    return place.isRecord ? nil : (place, place.node.mark.line)
  }
}

/// A part of a mapping file that says what a value becomes.
struct FieldNode {
  enum Role {
    /// A map of fields.
    case fields
    /// What a field becomes: a path, or a map.
    case field
    /// What an element or a member becomes: a type, or a map.
    case element
  }

  let node: LocatedNode
  let role: Role
  fileprivate var isRecord = false
  /// Whether it is an element of an array that becomes one text.
  fileprivate var isJoined = false

  fileprivate static func start(of root: LocatedNode) -> FieldNode {
    let file = FieldNode(node: root, role: .element)
    if let record = file.value(of: FileKey.record) {
      return FieldNode(node: record, role: .fields, isRecord: true)
    }
    return FieldNode(
      node: file.value(of: FileKey.value) ?? root, role: .element, isRecord: true)
  }

  func value(of key: some MapKey) -> LocatedNode? {
    guard case .map(let entries) = node.content else { return nil }
    return entries.first { $0.key == key.name }?.value
  }

  /// What a step of the result leads to; nil if the file does not say it here.
  fileprivate func inside(_ step: JSONPath.Component) -> FieldNode? {
    switch step {
    case .key(let key):
      if role == .fields {
        guard case .map(let entries) = node.content else { return nil }
        return entries.first { $0.key == key }.map { FieldNode(node: $0.value, role: .field) }
      }
      if let object = value(of: ValueKey.object) {
        return FieldNode(node: object, role: .fields).inside(step)
      }
      return value(of: ValueKey.map).map { FieldNode(node: $0, role: .element) }
    case .index:
      if role == .fields { return nil }
      return value(of: ValueKey.each).map {
        FieldNode(node: $0, role: .element, isJoined: has(.joined))
      }
    }
  }

  /// The name of its type; nil if it has none.
  var typeName: TypeName? {
    let text =
      role == .element
      ? node.string ?? value(of: ValueKey.type)?.string : value(of: ValueKey.type)?.string
    if text == nil, has(.values) { return .enum }
    return text.flatMap { TypeName(named: $0) }
  }

  /// Whether it is a scalar as far as the file says: it has no key of another kind.
  var isScalar: Bool { ValueKey.containers.allSatisfy { value(of: $0) == nil } }

  func has(_ keys: ValueKey...) -> Bool { keys.contains { value(of: $0) != nil } }
}

/// What takes a value that did not fit.
struct FieldFix {
  private let code: ErrorCode
  private let found: JSONKind?
  /// Whether it was a text that is none of what was expected.
  private let isOtherText: Bool
  /// Whether there was no value.
  private let isAbsent: Bool

  init(of error: MappingError) {
    code = error.code
    found = error.found.flatMap { found in
      JSONKind.allCases.first { kind in
        ["a \(kind.rawValue)", "an \(kind.rawValue)", kind.rawValue].contains { $0 == found }
      }
    }
    isOtherText = error.found == "another string"
    let tried = error.underlying.compactMap { $0 as? MappingError }
    isAbsent =
      Self.isAbsent(error)
      || code == .noAlternative && !tried.isEmpty
        && tried.allSatisfy { Self.isAbsent($0) }
  }

  private static func isAbsent(_ error: MappingError) -> Bool {
    error.code == .missing || error.code == .null
  }

  /// As in `write coerce: string`; nil if nothing is known.
  func text(for field: MappingFile.PlainField) -> String? {
    func option(_ type: String) -> String { "write --field '\(field.text(as: type))'" }
    let type = field.type?.rawValue ?? "any"
    if isAbsent { return option("\(type)?") }
    switch found {
    case .object?, .array?: return option("json")
    case .string?, .number?, .boolean?:
      let takesText = field.type.map { !$0.coercions.isEmpty } ?? false
      return takesText
        ? option("any") + ", which takes any scalar, or coerce in a mapping file" : nil
    case .null?, nil: return code == .numberOutOfRange ? option("number") : nil
    }
  }

  /// As in `write coerce: string`; nil if nothing is known.
  func text(for node: FieldNode) -> String? {
    if isAbsent { return absent(node) }
    if code == .numberOutOfRange { return "write type: number, which takes all numbers" }
    if !node.isScalar { return container(node) }
    if node.has(.template, .join), found == .object || found == .array {
      return "a text is made of single values: write the path of one, as in address.city"
    }
    switch found {
    case .object?:
      return "write type: json to take it as it stands, or object with its fields"
    case .array?:
      return "write type: json to take it as it stands, or each for its elements"
    case .string?, .number?, .boolean?: return coercion(node)
    case .null?: return nil
    case nil: return invalid(node)
    }
  }

  private func absent(_ node: FieldNode) -> String? {
    if node.has(.nullable, .substitute, .optionally) { return nil }
    if node.isJoined {
      return "what is missing cannot be joined: leave it out by where: { from: $, exists: true }"
    }
    return "write nullable: true if it may be missing, or default: and a value"
  }

  private func coercion(_ node: FieldNode) -> String? {
    guard let type = node.typeName, let found else { return nil }
    let coercion: ScalarSpec.Coercion? =
      switch found {
      case .string: .string
      case .number: .number
      case .boolean: .bool
      case .null, .object, .array: nil
      }
    if type == .scalar(.date) {
      return found == .number ? "write format: unix_s for seconds since 1970, or unix_ms" : nil
    }
    guard let coercion, type.coercions.contains(coercion), !node.has(.coerce) else { return nil }
    return "write coerce: \(coercion.rawValue)"
  }

  private static let numberInText =
    "a text is a number as in JSON: without spaces, leading zeros or a plus sign; extract can leave them out"

  /// A value of the right kind that is none of the type.
  private func invalid(_ node: FieldNode) -> String? {
    guard code == .invalidValue else { return nil }
    if node.has(.calc) { return nil }
    switch node.typeName {
    // It takes all numbers, so this is a text.
    case .scalar(.number)? where !node.has(.units):
      return Self.numberInText
    case let type? where type.family == .number && node.has(.coerce) && isOtherText:
      return Self.numberInText
    case let type? where type.family == .number && !node.has(.coerce):
      return "write type: number, which takes all numbers, or round: 0"
    case .scalar(.date)?:
      return node.has(.format)
        ? "format takes a list, with the form of this one, too"
        : "write format: and the form that it has, as in format: yyyy-MM-dd; or only zone: UTC, if its text has no zone"
    case .enum?:
      return node.has(.otherwise) ? nil : "add it to values, or write otherwise: and a value"
    case .scalar?, .json?, nil: return nil
    }
  }

  private func container(_ node: FieldNode) -> String? {
    switch found {
    case .array? where node.has(.object): return "for a list of objects write each: { object: … }"
    case .object? where node.has(.each): return "for an object write object, or map for any keys"
    case .string? where node.has(.each): return "for a text with parts write split"
    case .string?: return "for JSON in a text write parse: json"
    case nil where node.has(.joined):
      return "null cannot be joined: leave it out by where: { from: $, exists: true }"
    case .null?, .boolean?, .number?, .object?, .array?, nil: return nil
    }
  }
}
