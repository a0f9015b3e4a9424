import StreamMap
import StreamMapPlatform

/// Reads the mapping files that others use.
final class UsedFiles {
  private let readFile: MappingFileLoader.Reading
  /// The files that are open, from the one that is run inwards: as written, and as they are told apart.
  private var open: [(name: String, path: String)]
  /// Those that were read; nil after a mistake.
  private var known: [ExactText: ObjectSpec?] = [:]

  /// Those that were read, in that order.
  private(set) var names: [String] = []
  /// The digest of their bytes, in that order.
  private(set) var digest: Digest

  /// How many fields there are of all records that were put into others.
  private var fieldCount = 0

  /// What fields use the record of their own file by.
  static let ownName = "record"

  private static let mostLevels = 100
  /// The most fields that come from other files: each use of a file brings all that it uses, too.
  private static let mostFields = 20_000

  /// A record that is put into another; nil once there are too many fields.
  func put(_ object: ObjectSpec, _ mark: FileMark, _ mistakes: FileMistakes) -> ObjectSpec? {
    if fieldCount > Self.mostFields { return nil }
    fieldCount += object.fieldCount
    if fieldCount <= Self.mostFields { return object }
    mistakes.add(
      mark,
      "use: the files that are used have more than \(Self.mostFields) fields, each counted as often as it is used"
    )
    return nil
  }

  /// None yet: they are used in a file with these bytes, and read by a function.
  init(
    in file: String, _ bytes: [UInt8], reading read: @escaping MappingFileLoader.Reading
  ) {
    readFile = read
    digest = Digest()
    digest.add(part: bytes)
    open = [(file, Self.identity(file))]
  }

  /// Whether the file that is being read is used by another one.
  var isInside: Bool { open.count > 1 }

  /// The records of the files that a map names.
  func objects(_ node: LocatedNode, _ mistakes: FileMistakes) -> [ExactText: ObjectSpec?] {
    guard case .map(let entries) = node.content else {
      mistakes.add(
        node.mark,
        "use has to be a map of names and files, as in { address: ./address.map.yaml }; "
          + "found \(node.phrase)")
      return [:]
    }
    var objects: [ExactText: ObjectSpec?] = [:]
    for entry in entries.unique(mistakes) {
      if entry.key == Self.ownName {
        mistakes.add(
          entry.mark, "use: 'record' is the record of this file itself; give the file another name")
      }
      guard let file = entry.value.string else {
        mistakes.add(
          entry.value.mark, "'\(entry.key)' has to be a file; found \(entry.value.phrase)")
        objects[ExactText(entry.key)] = .some(nil)
        continue
      }
      objects[ExactText(entry.key)] = .some(object(file, entry.value.mark, mistakes))
    }
    return objects
  }

  private func object(_ file: String, _ mark: FileMark, _ mistakes: FileMistakes) -> ObjectSpec? {
    let name = Self.name(file, relativeTo: mistakes.file)
    let path = Self.identity(name)
    if let start = open.firstIndex(where: { $0.path == path }) {
      let circle = (open[start...].map(\.name) + [name]).joined(separator: " → ")
      mistakes.add(mark, "use: the file leads back to itself: \(circle)")
      return nil
    }
    if let known = known[ExactText(path)] { return known }
    if open.count > Self.mostLevels {
      mistakes.add(mark, "use: files use each other more than \(Self.mostLevels) levels deep")
      return nil
    }
    open.append((name, path))
    defer { open.removeLast() }
    let object = read(name, mark, mistakes)
    known[ExactText(path)] = .some(object)
    return object
  }

  private func read(_ name: String, _ mark: FileMark, _ mistakes: FileMistakes) -> ObjectSpec? {
    let bytes: [UInt8]
    do throws(UnreadableFile) {
      bytes = try readFile(name, MappingFile.mostBytes)
    } catch {
      mistakes.add(mark, "use: \(error.reason)")
      return nil
    }
    note(name, bytes)
    let inner = FileMistakes(file: name, usedIn: mistakes)
    return MappingFileLoader.root(bytes, inner).map { root in
      MappingFileReader(inner, self).file(root).record
    }
  }

  /// The bytes of a table, and its path; the path as it is given is relative to a mapping file.
  func table(_ file: String, relativeTo other: String) throws(UnreadableFile) -> (
    name: String, bytes: [UInt8]
  ) {
    let name = Self.name(file, relativeTo: other)
    let bytes = try readFile(name, LookupTable.mostBytes)
    note(name, bytes)
    return (name, bytes)
  }

  /// A secret, and the path of its file; only the secret's hash is in the digest.
  func secret(_ file: String, relativeTo other: String) throws(UnreadableFile) -> (
    name: String, bytes: [UInt8]
  ) {
    let name = Self.name(file, relativeTo: other)
    let bytes = try readFile(name, SecretReader.mostBytes)
    note(name, Array(SecureHash.sha256.digits(of: bytes).utf8))
    return (name, bytes)
  }

  private func note(_ name: String, _ bytes: [UInt8]) {
    names.append(name)
    digest.add(part: bytes)
  }

  private static func name(_ file: String, relativeTo other: String) -> String {
    if file == "-" || file.hasPrefix("/") { return file }
    let folder = other.lastIndex(of: "/").map { other[...$0] } ?? ""
    return String(folder + (file.hasPrefix("./") ? file.dropFirst(2) : file[...]))
  }

  /// The same for two ways to write the same file.
  private static func identity(_ name: String) -> String {
    URL(fileURLWithPath: name).resolvingSymlinksInPath().standardizedFileURL.path
  }
}
