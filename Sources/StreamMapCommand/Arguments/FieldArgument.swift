import ArgumentParser
import StreamMap
import StreamMapFiles
import StreamMapPlatform

/// A field on the command line: `path`, `name=path`, `name:type=path`, or with `type?` for one that may be missing; or several between
/// commas.
enum FieldArgument {
  static func fields(_ text: String) throws -> [MappingFile.PlainField] {
    let parts = parts(of: text)
    guard parts.count > 1 else { return [try field(text)] }
    return try parts.map { part in
      let end = part.lastIndex { !$0.isWhitespace }.map { part.index(after: $0) }
      let plain = part[..<(end ?? part.startIndex)].drop(while: \.isWhitespace)
      if plain.isEmpty {
        throw ValidationError("--field '\(text)': a field is missing beside a comma.")
      }
      return try field(String(plain))
    }
  }

  /// What stands between the commas.
  ///
  /// In brackets and their quotes a comma belongs to a key.
  private static func parts(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var (isInside, isEscaped) = (false, false)
    var quote: Character?
    for index in text.indices {
      let character = text[index]
      if isEscaped {
        isEscaped = false
      } else if let open = quote {
        if character == "\\" { isEscaped = true } else if character == open { quote = nil }
      } else if isInside {
        if character == "]" { isInside = false }
        if character == "'" || character == "\"" { quote = character }
      } else if character == "[" {
        isInside = true
      } else if character == "," {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
    }
    return parts + [text[start...]]
  }

  private static func field(_ text: String) throws -> MappingFile.PlainField {
    var name: String?
    var path = text
    // A path that starts with a bracket may hold = and : in its quotes.
    let beforeBrackets = text.prefix { $0 != "[" }
    if !text.hasPrefix("$"), let equals = beforeBrackets.firstIndex(of: "=") {
      name = String(text[..<equals])
      path = String(text[text.index(after: equals)...])
    }
    try refuseMistaken(name, path, in: text)
    var type: TypeName?
    var isNullable = false
    let left = name ?? path
    if !left.hasPrefix("["), !left.hasPrefix("$"), let colon = left.lastIndex(of: ":"),
      !left[colon...].contains("]")
    {
      var typeName = String(left[left.index(after: colon)...])
      if typeName.hasSuffix("?") {
        isNullable = true
        typeName.removeLast()
      }
      type = try self.type(typeName, in: text)
      if name == nil { path = String(left[..<colon]) } else { name = String(left[..<colon]) }
    }
    let pattern = try self.path(path, in: text)
    let target = try name ?? lastKey(of: pattern, in: text)
    if let type, type != .json, pattern.steps.contains(where: \.meansSeveral) {
      let list = "\(target):json=\(path)"
      throw ValidationError(
        "--field '\(text)': the path may select several values, and they are a list; write --field \(ShellWord(list)), or each in a mapping file."
      )
    }
    return MappingFile.PlainField(
      name: target, path: path, pattern, type: type, isNullable: isNullable)
  }

  /// Refuses a path whose key is surely a mistake; such a key can be quoted.
  private static func refuseMistaken(_ name: String?, _ path: String, in text: String) throws {
    if path.contains("[") { return }
    guard let name, let colon = path.lastIndex(of: ":") else { return }
    let (before, after) = (path[..<colon], path[path.index(after: colon)...])
    if String(before) == "const" {
      throw ValidationError(
        "--field '\(text)': a constant needs a mapping file: record: { \(name): { const: \(after) } }."
      )
    }
    if TypeName(named: String(after)) != nil {
      throw ValidationError(
        "--field '\(text)': the type is on the left; write --field \(ShellWord("\(name):\(after)=\(before)"))."
      )
    }
  }

  private static func type(_ name: String, in text: String) throws -> TypeName {
    if let type = TypeName(named: name), type != .enum { return type }
    let (message, suggestion) = TypeName.mistake(about: name)
    let hint = suggestion.map { Suggestion.hint($0) } ?? ""
    let path = text.contains("=") ? "" : "; a path comes after =, as in name=path"
    throw ValidationError("--field '\(text)': \(message)\(hint)\(suggestion == nil ? path : "")")
  }

  private static func path(_ path: String, in text: String) throws -> PathPattern {
    if let mistake = UnlikelyPath.mistake(in: path) {
      throw ValidationError("--field '\(text)': \(mistake).")
    }
    let pattern: PathPattern
    do throws(PathSyntaxError) {
      pattern = try PathPattern(reading: path)
    } catch {
      throw ValidationError("--field '\(text)': \(error).")
    }
    if path == "*" {
      throw ValidationError(
        "--field '\(text)': all members come with --to and no field, or with rest: keep in a mapping file."
      )
    }
    if let mistake = pattern.steps.lazy.compactMap(\.refusalInRecord).first {
      throw ValidationError("--field '\(text)': \(mistake).")
    }
    return pattern
  }

  private static func lastKey(of pattern: PathPattern, in text: String) throws -> String {
    for case .key(let key) in pattern.steps.reversed() { return key }
    throw ValidationError("--field '\(text)': a name is missing; write name=\(text).")
  }
}
