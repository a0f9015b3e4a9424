import StreamMap

/// Reads a mapping file's nodes into the model.
struct MappingFileReader {
  /// The version of the format that is read here.
  static let version = "1"
  static let missingVersion =
    "'streammap: \(version)' is missing: it says which version of the format this is"

  private let mistakes: FileMistakes
  private let used: UsedFiles
  /// The texts of its arguments; nil if it is not run.
  private let arguments: GivenArguments?

  init(_ mistakes: FileMistakes, _ used: UsedFiles, arguments: GivenArguments? = nil) {
    self.mistakes = mistakes
    self.used = used
    self.arguments = arguments
  }

  func file(_ root: LocatedNode) -> MappingSpec {
    var file = MappingSpec()
    guard case .map(let entries) = root.content else {
      mistakes.add(
        root.mark, "a mapping file has to be a map with streammap and record; found \(root.kind)")
      return file
    }
    // The text of a file that is not a mapping file is never shown, above all if another file names it.
    let signs = used.isInside ? [FileKey.streammap.name] : FileKey.keys.names
    if !entries.isEmpty, !entries.contains(where: { signs.contains($0.key) }) {
      mistakes.add(root.mark, Self.missingVersion)
      return file
    }
    guard let map = MapReader(root, "a mapping file", FileKey.keys, mistakes) else {
      return file
    }
    checkVersion(map)
    if map[.mappings] != nil {
      mistakes.add(
        map.mark(of: .mappings),
        used.isInside
          ? "a file that others use needs a record, and has several mappings"
          : "the file has several mappings, and one is taken here: only stream-map run, check, explain and ddl take several"
      )
      return file
    }
    file.name = map.string(.name)
    var setting = FieldReader.Setting(
      isInside: used.isInside, used: used, tables: TableFiles(used))
    var collector: String?
    if let node = map[.input] { collector = readInput(node, &file, &setting.keys) }
    if let node = map[.use] { setting.uses = used.objects(node, mistakes) }
    readArguments(map, &setting)
    file.arguments = (Array(setting.names.arguments.keys) + setting.secrets.keys).map(\.text)
    if let node = map[.context] {
      if used.isInside {
        mistakes.add(
          map.mark(of: .context),
          "only the file that is run can have context: a file that it uses does not know the document"
        )
      } else {
        file.context = ContextReader(FieldReader(mistakes, setting)).values(node)
        refuseTwice(file.context, setting.names.arguments, map.mark(of: .context))
        setting.names.context = file.context
      }
    }
    if let node = map[.errors] { readErrors(node, &file) }
    if let node = map[.output] { readOutput(node, &file) }
    let ownUse = FieldReader.OwnUse()
    if case .map? = map[.record]?.content { setting.ownUse = ownUse }
    let fields = FieldReader(mistakes, setting)
    (file.record, file.value) = RecordReader(map, fields, mistakes).record(collector)
    if ownUse.isUsed { file.record.own = OwnRecord(file.record) }
    file.value?.conditionDuplicates = setting.keys.duplicates
    file.names = setting.names
    if let node = map[.where] {
      file.condition = ConditionReader(setting.names, mistakes, of: file.record).condition(node)
    }
    return file
  }

  /// In formulas both have the same names.
  private func refuseTwice(
    _ context: [ContextSpec], _ arguments: [ExactText: JSONValue], _ mark: FileMark
  ) {
    for value in context where arguments[ExactText(value.name)] != nil {
      mistakes.add(
        mark, "context: '\(value.name)' is also the name of an argument; give it another one")
    }
  }

  private func readArguments(_ map: MapReader<FileKey>, _ setting: inout FieldReader.Setting) {
    let reader = ArgumentReader(mistakes, given: arguments)
    guard let node = map[.args] else { return reader.refuseUnknown(among: [], at: map.mark) }
    if used.isInside {
      mistakes.add(
        map.mark(of: .args),
        "only the file that is run can have args: a file that it uses is not given any")
    } else {
      (setting.names.arguments, setting.secrets, setting.names.unread) = reader.values(node)
    }
  }

  private func checkVersion(_ map: MapReader<FileKey>) {
    guard let node = map[.streammap] else {
      return mistakes.add(map.mark, Self.missingVersion)
    }
    guard case .scalar(let scalar) = node.content, case .number(Self.version)? = scalar.value else {
      mistakes.add(
        node.mark,
        "streammap has to be \(Self.version), the version of the format; found \(node.phrase)")
      return
    }
  }

  // MARK: Input

  /// The name of the field that collects unknown keys, if there is one.
  private func readInput(_ node: LocatedNode, _ file: inout MappingSpec, _ keys: inout KeyPolicies)
    -> String?
  {
    guard let map = MapReader(node, "input", InputKey.keys, mistakes) else { return nil }
    if let format = map.choice(.format, InputFormat.self) { file.format = format.format }
    let paths = PathReader(mistakes)
    file.records = map.strings(.records).compactMap { paths.pattern($0.text, at: $0.mark) }
    if let node = map[.limits] { readLimits(node, &file.limits) }
    keys.duplicates = map.choice(.duplicateKeys, DuplicateKeyPolicy.self) ?? keys.duplicates
    return unknownKeys(map, &keys)
  }

  private func unknownKeys(_ map: MapReader<InputKey>, _ keys: inout KeyPolicies) -> String? {
    guard let text = map.string(.unknown), let node = map[.unknown] else { return nil }
    if let policy = UnknownKeyPolicy(rawValue: text) {
      keys.unknown = policy
      return nil
    }
    let prefix = "collect:"
    let field = text.drop { $0 != ":" }.dropFirst().drop { $0 == " " }
    if text.hasPrefix(prefix), !field.isEmpty { return String(field) }
    let words = UnknownKeyPolicy.allCases.map(\.rawValue)
    mistakes.add(
      node.mark,
      "unknown has to be one of \(words.joined(separator: ", ")), collect:<field>; found \(node.phrase)",
      meant: Suggestion.meant(by: text, among: words))
    return nil
  }

  private func readLimits(_ node: LocatedNode, _ limits: inout Limits) {
    guard let map = MapReader(node, "limits", LimitKey.keys, mistakes) else { return }
    for key in LimitKey.keys.keys {
      if let size = map.size(key) { limits[keyPath: key.limit.path] = size }
    }
  }

  // MARK: Output

  private func readErrors(_ node: LocatedNode, _ file: inout MappingSpec) {
    guard let map = MapReader(node, "errors", ErrorsKey.keys, mistakes) else { return }
    var mode = map.choice(.mode, MappingFile.Errors.Mode.self)
    file.errors.rejects = map.string(.rejects)
    // As the flag of that name.
    if file.errors.rejects != nil, map[.mode] == nil { mode = .reject }
    file.errors.mode = mode ?? .fail
    if let count = map.number(.max, in: 0...1e15, "a whole number of records"),
      let node = map[.max]
    {
      file.errors.budget.count = Int(exactly: count)
      if file.errors.budget.count == nil {
        mistakes.add(node.mark, "max has to be a whole number of records; found \(node.phrase)")
      }
    }
    file.errors.resynchronizes = map.bool(.resync) ?? false
    file.errors.budget.ratio = map.number(.maxRatio, in: 0...1, "a share from 0 to 1")
    if mode ?? .fail == .fail, map[.mode] == nil || mode != nil {
      for key in map.present([.max, .maxRatio, .rejects, .resync]) {
        let modes = key == .rejects ? "'mode: reject'" : "'mode: skip' and 'mode: reject'"
        mistakes.add(
          map.mark(of: key),
          "\(key) is for \(modes): 'mode: fail' ends the run at the first failure")
      }
    }
  }

  private func readOutput(_ node: LocatedNode, _ file: inout MappingSpec) {
    guard let map = MapReader(node, "output", OutputKey.keys, mistakes) else { return }
    file.output = OutputReader(mistakes).output(map)
  }
}
