import StreamMap

/// Where the fields of a mapping were said, for messages about values that do not fit them.
package enum FieldOrigin: Sendable {
  case file(MappingText)
  case arguments([MappingFile.PlainField])
  /// A mapping that a program made, not a person, with what a person can do.
  case made(String)
  /// A mapping that says nothing of single fields.
  case none

  /// What would take the value that an error is about, and where to say it, as in `; write coerce: string (m.yaml:4)`.
  ///
  /// - Returns: The end of the error's message; empty where nothing is known.
  /// - Complexity: O(n) in the mapping file, which is read again.
  package func hint(for error: MappingError) -> String {
    guard error.code.category == .data else { return "" }
    switch self {
    case .none: return ""
    case .made(let advice): return error.target == nil ? "" : "; \(advice)"
    case .arguments(let fields):
      guard case .key(let name)? = error.target?.components.first,
        let field = fields.first(where: { $0.name == name })
      else { return "" }
      return FieldFix(of: error).text(for: field).map { "; \($0)" } ?? ""
    case .file(let text):
      guard let (node, line) = text.value(of: error) else { return "" }
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

  /// What the value that an error is about becomes, and the line where that is said.
  ///
  /// Where the value is made in a way that the path does not tell, it is the nearest one around it.
  fileprivate func value(of error: MappingError) -> (node: FieldNode, line: Int)? {
    let unheard = FileMistakes(file: name)
    guard var root = MappingFileLoader.root(bytes, unheard, as: form) else { return nil }
    if let member {
      let members = SeveralMappings(root, unheard)?.members ?? []
      guard let own = members.first(where: { $0.name == member }) else { return nil }
      root = own.root
    }
    // The path of an error in a value of the context is from that value on, as if it were the record.
    var place =
      FieldNode.contextValue(at: error.path, in: root) ?? FieldNode.start(of: root)
    for component in error.target?.components ?? [] {
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
  fileprivate(set) var isJoined = false

  fileprivate static func start(of root: LocatedNode) -> FieldNode {
    let file = FieldNode(node: root, role: .element)
    if let record = file.value(of: FileKey.record) {
      return FieldNode(node: record, role: .fields, isRecord: true)
    }
    return FieldNode(
      node: file.value(of: FileKey.value) ?? root, role: .element, isRecord: true)
  }

  /// The value of the context at a path of the document; nil if there is none.
  ///
  /// Such a value lies in no record, and no record lies in it.
  fileprivate static func contextValue(at path: JSONPath, in root: LocatedNode) -> FieldNode? {
    let file = FieldNode(node: root, role: .element)
    guard case .map(let entries)? = file.value(of: FileKey.context)?.content else { return nil }
    return entries.lazy.map { FieldNode(node: $0.value, role: .field) }.first { value in
      guard !value.has(.meta), let steps = value.path?.steps,
        steps.count <= path.components.count
      else { return false }
      return zip(steps, path.components).allSatisfy { $0.leads(to: $1) }
    }
  }

  /// The path of its source; nil if it has none, or several.
  var path: PathPattern? {
    let text =
      role == .field
      ? node.string ?? value(of: ValueKey.from)?.string : value(of: ValueKey.from)?.string
    return text.flatMap { try? PathPattern(parsing: $0) }
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

  /// The type as it is written; nil if none is.
  private var typeText: String? {
    role == .element
      ? node.string ?? value(of: ValueKey.type)?.string : value(of: ValueKey.type)?.string
  }

  /// The type; nil if nothing says one.
  var type: TypeName? {
    if let text = typeText {
      return TypeName(named: text.hasSuffix("?") ? String(text.dropLast()) : text)
    }
    if has(.values) { return .enum }
    if has(.text, .extract, .lookup) { return .scalar(.string) }
    return has(.scale, .round, .units) ? .scalar(.number) : nil
  }

  /// Whether a question mark after the type takes null.
  var isNullableType: Bool { typeText?.hasSuffix("?") ?? false }

  /// Whether it is a scalar as far as the file says: it has no key of another kind.
  var isScalar: Bool { ValueKey.containers.allSatisfy { value(of: $0) == nil } }

  func has(_ keys: ValueKey...) -> Bool { !present(keys).isEmpty }

  /// Those of some keys that it has.
  func present(_ keys: [ValueKey]) -> [ValueKey] { keys.filter { value(of: $0) != nil } }

  /// The texts under a key: of one, or of a list.
  func texts(of key: ValueKey) -> [String] {
    switch value(of: key)?.content {
    case .scalar(let scalar)?: [scalar.text]
    case .list(let elements)?: elements.compactMap(\.string)
    case .map?, nil: []
    }
  }
}
