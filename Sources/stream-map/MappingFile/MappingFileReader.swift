import StreamMap

/// Reads a mapping file's nodes into the model.
struct MappingFileReader {
  /// The version of the format that this command reads.
  static let version = "1"

  private let mistakes: FileMistakes

  init(_ mistakes: FileMistakes) {
    self.mistakes = mistakes
  }

  func file(_ root: LocatedNode) -> MappingFile {
    var file = MappingFile()
    guard
      let map = MapReader(
        root, "a mapping file", keys: ["streammap", "name", "input", "record", "errors", "output"],
        later: ["context", "where", "use"], mistakes)
    else { return file }
    checkVersion(map)
    file.name = map.string("name")
    if let node = map["input"] { readInput(node, &file) }
    if let node = map["errors"] { readErrors(node, &file) }
    if let node = map["output"] { readOutput(node, &file) }
    if let node = map["record"] {
      file.fields = FieldReader(mistakes).fields(node, "record")
    } else {
      mistakes.add(map.mark, "record is missing: it says what becomes of each record")
    }
    return file
  }

  private func checkVersion(_ map: MapReader) {
    guard let node = map["streammap"] else {
      let line = "streammap: \(Self.version)"
      mistakes.add(map.mark, "'\(line)' is missing: it says which version of the format this is")
      return
    }
    guard case .scalar(let scalar) = node.content, case .number(Self.version)? = scalar.value else {
      mistakes.add(
        node.mark,
        "streammap has to be \(Self.version), the version of the format; found \(node.phrase)")
      return
    }
  }

  private func readInput(_ node: LocatedNode, _ file: inout MappingFile) {
    guard
      let map = MapReader(
        node, "input", keys: ["format", "records", "limits"], later: ["duplicate_keys", "unknown"],
        mistakes)
    else { return }
    if let format = map.choice("format", InputFormat.self) { file.format = format.format }
    let paths = PathReader(mistakes)
    file.records = map.strings("records").compactMap { paths.pattern($0.text, at: $0.mark) }
    if let node = map["limits"] { readLimits(node, &file.limits) }
  }

  private func readLimits(_ node: LocatedNode, _ limits: inout Limits) {
    guard
      let map = MapReader(
        node, "limits", keys: ["depth", "string", "number", "key", "captured"], later: ["record"],
        mistakes)
    else { return }
    limits.depth = map.size("depth") ?? limits.depth
    limits.string = map.size("string") ?? limits.string
    limits.number = map.size("number") ?? limits.number
    limits.key = map.size("key") ?? limits.key
    limits.capturedValue = map.size("captured") ?? limits.capturedValue
  }

  private func readErrors(_ node: LocatedNode, _ file: inout MappingFile) {
    guard
      let map = MapReader(
        node, "errors", keys: ["mode", "rejects"], later: ["max", "max_ratio"], mistakes)
    else { return }
    file.errors = map.choice("mode", ErrorMode.self)
    file.rejects = map.string("rejects")
  }

  private func readOutput(_ node: LocatedNode, _ file: inout MappingFile) {
    guard let map = MapReader(node, "output", keys: ["format", "nulls"], mistakes) else { return }
    let later = ["csv", "tsv", "sqlite", "pgcopy"]
    if let format = map.choice("format", OutputFormat.self, later: later) {
      file.layout = format.layout
    }
    if let nulls = map.choice("nulls", Nulls.self) { file.omitsNulls = nulls == .omit }
  }

  private enum Nulls: String, CaseIterable {
    case keep, omit
  }
}
