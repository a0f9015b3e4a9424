import StreamMap

/// Reads the step `hmac`, whose key does not stand in the mapping file.
struct SecretReader {
  /// The most bytes that a file with a secret may have.
  static let mostBytes = 4096

  private let fields: FieldReader

  private var mistakes: FileMistakes { fields.mistakes }

  init(_ fields: FieldReader) {
    self.fields = fields
  }

  /// The step; nil after a mistake.
  func step(_ map: MapReader<StepKey>) -> TextStep? {
    guard let hash = map.choice(.hmac, SecureHash.self) else { return nil }
    guard let node = map[.key] else {
      if !map.hasUnknown {
        mistakes.add(
          map.mark(of: .hmac), "the step 'hmac' needs a key: { arg: NAME } or { file: ./NAME }")
      }
      return nil
    }
    if case .scalar = node.content {
      mistakes.add(
        node.mark,
        "the key of hmac does not stand in the mapping file: write { arg: NAME } or { file: ./NAME }"
      )
      return nil
    }
    guard let secret = MapReader(node, "key", SecretKey.keys, mistakes) else { return nil }
    switch secret.present {
    case [.arg]: return argument(secret).map { hash.step(key: $0.bytes, named: $0.name) }
    case [.file]: return file(secret).map { hash.step(key: $0.bytes, named: $0.name) }
    default:
      if !secret.hasUnknown { mistakes.add(node.mark, "key has to have either arg or file") }
      return nil
    }
  }

  private func argument(_ map: MapReader<SecretKey>) -> (bytes: [UInt8], name: String)? {
    guard let name = map.string(.arg), let mark = map[.arg]?.mark else { return nil }
    if let text = fields.setting.secrets[ExactText(name)] {
      return checked(Array(text.utf8), "the argument '\(name)'", mark)
    }
    if fields.setting.names.arguments[ExactText(name)] != nil {
      mistakes.add(
        mark, "key: the argument '\(name)' has to have redact: true, so that nothing shows it")
    } else {
      mistakes.add(
        mark, "key: there is no argument named '\(name)' under the file's 'args'",
        suggestion: Suggestion.nearest(
          to: name, among: fields.setting.secrets.keys.map(\.text).sorted()))
    }
    return nil
  }

  private func file(_ map: MapReader<SecretKey>) -> (bytes: [UInt8], name: String)? {
    guard let file = map.string(.file), let mark = map[.file]?.mark,
      let used = fields.setting.used
    else { return nil }
    do throws(UnreadableFile) {
      var (name, bytes) = try used.secret(file, relativeTo: mistakes.file)
      if bytes.last == UInt8(ascii: "\n") {
        bytes.removeLast()
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
      }
      return checked(bytes, "the key in \(name)", mark)
    } catch {
      let isTooLarge = error.reason.hasSuffix("File too large")
      let bound = isTooLarge ? " (a key has at most \(Self.mostBytes) bytes)" : ""
      mistakes.add(mark, "key: \(error.reason)\(bound)")
      return nil
    }
  }

  private func checked(_ key: [UInt8], _ name: String, _ mark: FileMark) -> (
    bytes: [UInt8], name: String
  )? {
    if !key.isEmpty { return (key, name) }
    mistakes.add(mark, "key: \(name) is empty")
    return nil
  }
}
