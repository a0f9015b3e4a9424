import StreamMap
import StreamMapPlatform

extension MappingFile {
  /// The most bytes that a mapping file may have: far more than any, so what is larger was not meant to be one.
  package static let mostBytes = 16 << 20

  /// Reads a mapping file, YAML or JSON, and the files that it uses, and compiles it.
  ///
  /// The name's ending says what the file is. If it says nothing, a text that is JSON is read as JSON.
  ///
  /// - Parameters:
  ///   - path: The file's path. The paths of files that it uses are relative to its folder.
  ///   - arguments: The texts of its arguments (`args`), by their names.
  /// - Throws: ``Mistakes``, all of them together; one alone if the file cannot be read.
  public init(contentsOf path: String, arguments: [String: String] = [:]) throws(Mistakes) {
    try self.init(contentsOf: path, exactly: ExactText.keys(of: arguments))
  }

  package init(contentsOf path: String, exactly arguments: [ExactText: String]) throws(Mistakes) {
    let bytes: [UInt8]
    do throws(UnreadableFile) {
      bytes = try MappingFileLoader.bytes(of: path, upTo: Self.mostBytes)
    } catch {
      let mistake = Mistake(
        file: path, line: 1, column: 1, keys: [], message: error.reason, suggestion: nil,
        note: nil, excerpt: nil)
      throw Mistakes(path, [mistake], isUnreadable: true)
    }
    try self.init(
      bytes, named: path, arguments: arguments, reading: MappingFileLoader.bytes(of:upTo:))
  }

  /// Reads a mapping from YAML in memory, and compiles it.
  ///
  /// It uses no other files: a text from elsewhere cannot have files opened.
  ///
  /// - Parameters:
  ///   - text: The contents of a mapping file.
  ///   - name: The name of the text in mistakes.
  ///   - arguments: The texts of its arguments (`args`), by their names.
  /// - Throws: ``Mistakes``, all of them together.
  public init(
    yaml text: String, named name: String = "mapping.yaml", arguments: [String: String] = [:]
  ) throws(Mistakes) {
    try self.init(text, .yaml, named: name, ExactText.keys(of: arguments))
  }

  /// Reads a mapping from JSON in memory, and compiles it.
  ///
  /// It uses no other files: a text from elsewhere cannot have files opened.
  ///
  /// - Parameters:
  ///   - text: The contents of a mapping file.
  ///   - name: The name of the text in mistakes.
  ///   - arguments: The texts of its arguments (`args`), by their names.
  /// - Throws: ``Mistakes``, all of them together.
  public init(
    json text: String, named name: String = "mapping.json", arguments: [String: String] = [:]
  ) throws(Mistakes) {
    try self.init(text, .json, named: name, ExactText.keys(of: arguments))
  }

  /// Reads a mapping that a program made, in YAML.
  ///
  /// - Parameters:
  ///   - text: The mapping.
  ///   - origin: Where a person can change it.
  /// - Throws: ``Mistakes``.
  package init(made text: String, origin: FieldOrigin) throws(Mistakes) {
    try self.init(text, .yaml, named: "mapping.yaml", [:], origin: origin)
  }

  /// Reads a mapping from a text whose form is known.
  package init(_ text: String, isJSON: Bool, exactly arguments: [ExactText: String])
    throws(Mistakes)
  {
    let form = isJSON ? MappingFileLoader.Form.json : .yaml
    try self.init(text, form, named: "mapping.\(form)", arguments)
  }

  private init(
    _ text: String, _ form: MappingFileLoader.Form, named name: String,
    _ arguments: [ExactText: String], origin: FieldOrigin? = nil
  ) throws(Mistakes) {
    let loader = MappingFileLoader(arguments: GivenArguments(texts: arguments), origin: origin) {
      _, _ throws(UnreadableFile) in
      throw UnreadableFile("a mapping that is given as text cannot use files")
    }
    self = try loader.load(Array(text.utf8), named: name, as: form, files: [])
  }

  /// Reads a mapping file whose bytes are there already.
  ///
  /// - Parameters:
  ///   - bytes: The file's.
  ///   - path: The file's path.
  ///   - arguments: The texts of its arguments; nil if it is not run, so that they need none.
  ///   - check: Finds what else is wrong with the file, once it is compiled.
  ///   - read: Reads the files that it uses, each up to a number of bytes.
  /// - Throws: ``Mistakes``, all of them together.
  package init(
    _ bytes: [UInt8], named path: String, arguments: [ExactText: String]? = [:],
    checking check: @escaping (MappingFile) -> [FieldProblem] = { _ in [] },
    reading read: @escaping (String, _ most: Int) throws(UnreadableFile) -> [UInt8]
  ) throws(Mistakes) {
    self = try MappingFileLoader(
      arguments: arguments.map { GivenArguments(texts: $0) }, check: check, read: read
    ).load(bytes, named: path, as: nil, files: [path])
  }

  /// Reads all mappings of a file whose bytes are there already: one, or those that it has by names.
  ///
  /// If there are several, each takes the arguments that it has: the caller looks for names that none has.
  ///
  /// - Parameters:
  ///   - bytes: The file's.
  ///   - path: The file's path.
  ///   - arguments: The texts of the arguments; nil if the file is not run.
  ///   - isAlone: Whether all arguments are for this file.
  ///   - check: Finds what else is wrong with a mapping, once it is compiled.
  ///   - read: Reads the files that it uses, each up to a number of bytes.
  /// - Returns: The mappings, in the order of the file.
  /// - Throws: ``Mistakes``, those of all mappings together.
  package static func all(
    _ bytes: [UInt8], named path: String, arguments: [ExactText: String]?, isAlone: Bool,
    checking check: @escaping (MappingFile) -> [FieldProblem],
    reading read: @escaping (String, _ most: Int) throws(UnreadableFile) -> [UInt8]
  ) throws(Mistakes) -> [MappingFile] {
    try MappingFileLoader(
      arguments: arguments.map { GivenArguments(texts: $0, areAllKnown: isAlone) }, check: check,
      read: read
    ).loadAll(bytes, named: path, files: [path])
  }
}

/// What is wrong with a field for a purpose of a program's own.
package struct FieldProblem: Sendable {
  /// The names of the fields that lead to it from the record on; empty for the record as a whole.
  package let keys: [String]
  package let reason: String

  package init(keys: [String], reason: String) {
    self.keys = keys
    self.reason = reason
  }
}

/// Why a mapping file could not be read, as in “cannot open a.yaml: No such file or directory”.
package struct UnreadableFile: Error {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}

/// Makes mapping files of bytes.
struct MappingFileLoader {
  /// What a mapping file is written in.
  enum Form {
    case yaml, json
  }

  /// Reads a file of at most so many bytes.
  typealias Reading = (String, _ most: Int) throws(UnreadableFile) -> [UInt8]

  /// The texts of the file's arguments; nil if it is not run.
  var arguments: GivenArguments?
  /// Where its fields can be changed, if that is not the file itself.
  var origin: FieldOrigin?
  /// Finds what else is wrong with a file.
  var check: (MappingFile) -> [FieldProblem] = { _ in [] }
  /// Reads the files that others use.
  let read: Reading

  /// Reads a file whole.
  static func bytes(of path: String, upTo most: Int) throws(UnreadableFile) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(MappingError) {
      bytes = try FileInput(path: path).contents(upTo: most)
    } catch {
      throw UnreadableFile(error.found ?? "cannot read \(path)")
    }
    guard let bytes else { throw UnreadableFile("cannot read \(path): File too large") }
    return bytes
  }

  /// A mapping before it is compiled.
  private struct Part {
    let text: MappingText
    let root: LocatedNode
    let spec: MappingSpec
  }

  /// The file, compiled; without a form, the file's name or its text says which form it has.
  func load(_ bytes: [UInt8], named file: String, as form: Form?, files: [String])
    throws(MappingFile.Mistakes) -> MappingFile
  {
    let mistakes = FileMistakes(file: file)
    guard let root = Self.root(bytes, mistakes, as: form) else { throw mistakes.found }
    let used = UsedFiles(in: file, bytes, reading: read)
    let text = MappingText(name: file, bytes: bytes, form: form, member: nil)
    let part = part(root, text, used, mistakes)
    guard mistakes.isEmpty, let file = compiled(part, used, files, mistakes) else {
      throw mistakes.found
    }
    return file
  }

  /// All mappings of the file, compiled.
  func loadAll(_ bytes: [UInt8], named file: String, files: [String])
    throws(MappingFile.Mistakes) -> [MappingFile]
  {
    let mistakes = FileMistakes(file: file)
    guard let root = Self.root(bytes, mistakes) else { throw mistakes.found }
    let used = UsedFiles(in: file, bytes, reading: read)
    func part(_ root: LocatedNode, _ member: String?) -> Part {
      var loader = self
      if member != nil { loader.arguments?.areAllKnown = false }
      let text = MappingText(name: file, bytes: bytes, form: nil, member: member)
      return loader.part(root, text, used, mistakes)
    }
    let parts =
      SeveralMappings(root, mistakes)?.members.map { part($0.root, $0.name) } ?? [part(root, nil)]
    guard mistakes.isEmpty else { throw mistakes.found }
    let all = parts.compactMap { compiled($0, used, files, mistakes) }
    guard mistakes.isEmpty else { throw mistakes.found }
    return all
  }

  private func part(
    _ root: LocatedNode, _ text: MappingText, _ used: UsedFiles, _ mistakes: FileMistakes
  ) -> Part {
    let spec = MappingFileReader(mistakes, used, arguments: arguments).file(root)
    return Part(text: text, root: root, spec: spec)
  }

  /// A mapping, compiled; nil after a mistake.
  private func compiled(
    _ part: Part, _ used: UsedFiles, _ files: [String], _ mistakes: FileMistakes
  ) -> MappingFile? {
    var digest = used.digest
    if let member = part.text.member { digest.add(member) }
    var compiled: MappingFile
    do throws(DefinitionError) {
      compiled = try MappingFile(
        part.spec, files: files + used.names, digest: digest.text,
        origin: origin ?? .file(part.text),
        member: part.text.member)
    } catch {
      let finder = PartFinder(part.root)
      for mistake in error.mistakes {
        mistakes.add(finder.mark(of: mistake.path), "\(mistake)")
      }
      return nil
    }
    do throws(DefinitionError) {
      try compiled.makeRows()
      if let format = compiled.output.format {
        _ = try compiled.layout(of: compiled.plan(), as: format)
      }
    } catch {
      for mistake in error.mistakes {
        mistakes.add(part.root.mark(ofKey: "output"), mistake.reason)
      }
      return nil
    }
    let problems = check(compiled)
    if problems.isEmpty { return compiled }
    let finder = PartFinder(part.root)
    for problem in problems {
      let path = problem.keys.flatMap {
        [.object(""), .field(0, $0)] as [DefinitionError.Mistake.Step]
      }
      mistakes.add(
        path.isEmpty ? part.root.mark(ofKey: "output") : finder.mark(of: path), problem.reason)
    }
    return nil
  }

  /// A file's root; nil after a mistake that leaves nothing to look at.
  static func root(_ bytes: [UInt8], _ mistakes: FileMistakes, as form: Form? = nil) -> LocatedNode?
  {
    guard var text = String(validating: bytes, as: UTF8.self) else {
      let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      mistakes.add(
        FileMark(after: bytes.prefix(Self.validCount(of: bytes))),
        isUTF16
          ? "the file is UTF-16, and has to be UTF-8; convert it with iconv -f UTF-16 -t UTF-8"
          : "not UTF-8")
      return nil
    }
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    mistakes.note(text: text)
    do throws(DefinitionError) {
      return try root(text, mistakes, form ?? Self.form(of: mistakes.file))?.withTrails()
    } catch {
      mistakes.add(.start, "\(error)")
      return nil
    }
  }

  /// How many of the first bytes are UTF-8.
  private static func validCount(of bytes: [UInt8]) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var count = 0
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { count += scalar.count }
    return count
  }

  /// What a file is written in, by its name; nil if that does not say.
  private static func form(of file: String) -> Form? {
    switch URL(fileURLWithPath: file).pathExtension.lowercased() {
    case "json": .json
    case "yaml", "yml": .yaml
    default: nil
    }
  }

  private static func root(_ text: String, _ mistakes: FileMistakes, _ form: Form?)
    throws(DefinitionError) -> LocatedNode?
  {
    switch form {
    case .json: return try JSONNodes.read(Array(text.utf8), mistakes)
    case .yaml: return YAMLNodes.read(text, mistakes)
    case nil:
      let unheard = FileMistakes(file: mistakes.file)
      return try JSONNodes.read(Array(text.utf8), unheard) ?? YAMLNodes.read(text, mistakes)
    }
  }
}
