import Foundation

/// A class as its source has it: what it declares that a subclass may override, and what it overrides.
struct ClassSource {
  struct Member {
    /// As `append(_:count:as:to:)` or `scratchSize`; of a function with one parameter with its type, as `key(_:PreparedKey)`.
    let name: String
    /// The last `// MARK:` before it.
    let section: String
    let isOverride: Bool
    let isFinal: Bool
  }

  let name: String
  let superclass: String?
  let members: [Member]

  /// The classes of the engine, by their names; they are read once.
  static let engine = Result { try readEngine() }

  private static func readEngine() throws -> [String: ClassSource] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/StreamMap")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var classes: [String: ClassSource] = [:]
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      for found in read(try String(contentsOf: file, encoding: .utf8)) {
        classes[found.name] = found
      }
    }
    return classes
  }

  /// Reads a file that is laid out as `scripts/check format` wants it: what is in a class is indented by two more spaces.
  static func read(_ text: String) -> [ClassSource] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let head =
      /( *)(?:(?:@\w+|public|package|private|final) )*class (\w+)(?:<[^>]*>)?(?:: (\w+))?.*/
    return lines.indices.compactMap { number in
      guard let match = lines[number].wholeMatch(of: head) else { return nil }
      let body = lines[(number + 1)...].prefix { $0 != match.1 + "}" }
        .map { $0.dropFirst(match.1.count + 2) }.joined(separator: "\n")
      return ClassSource(
        name: String(match.2), superclass: match.3.map(String.init), members: members(of: body))
    }
  }

  private static func members(of body: String) -> [Member] {
    let start =
      /(?m)^(?:\/\/ MARK: ([^,\n]*)|((?:@\w+(?:\([^)]*\))?\s|[a-z]+(?:\(set\))? )*)(?:func|var) (\w+)(\(?))/
    var section = ""
    return body.matches(of: start).compactMap { match in
      if let mark = match.1 { section = String(mark) }
      guard let name = match.3, let modifiers = match.2?.split(whereSeparator: \.isWhitespace),
        !modifiers.contains(where: { $0 == "static" || $0 == "private" })
      else { return nil }
      let isFunction = match.4?.isEmpty == false
      return Member(
        name: name + (isFunction ? "(\(labels(body[match.range.upperBound...])))" : ""),
        section: section, isOverride: modifiers.contains("override"),
        isFinal: modifiers.contains("final"))
    }
  }

  /// The labels of the parameters that a text starts with.
  private static func labels(_ text: Substring) -> String {
    var (depth, parameters) = (1, [""])
    for character in text {
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      if depth == 0 { break }
      if depth == 1, character == "," {
        parameters.append("")
      } else {
        parameters[parameters.count - 1].append(character)
      }
    }
    let named = parameters.map { $0.split(separator: ":", maxSplits: 1) }.filter { $0.count == 2 }
    let labels = named.map { $0[0].split(whereSeparator: \.isWhitespace)[0] + ":" }.joined()
    guard named.count == 1 else { return labels }
    return labels + named[0][1].filter { !$0.isWhitespace }
  }
}
