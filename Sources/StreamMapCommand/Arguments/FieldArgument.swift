import ArgumentParser
import StreamMap
import StreamMapFiles

/// A field on the command line: `path`, `name=path` or `name:type=path`.
enum FieldArgument {
  static func field(_ text: String) throws -> MappingFile.PlainField {
    var name: String?
    var path = text
    // A path that starts with a bracket may hold = and : in its quotes.
    if !text.hasPrefix("["), !text.hasPrefix("$"), let equals = text.firstIndex(of: "=") {
      name = String(text[..<equals])
      path = String(text[text.index(after: equals)...])
    }
    var type: TypeName?
    let left = name ?? path
    if !left.hasPrefix("["), !left.hasPrefix("$"), let colon = left.lastIndex(of: ":") {
      type = try self.type(left[left.index(after: colon)...], in: text)
      if name == nil { path = String(left[..<colon]) } else { name = String(left[..<colon]) }
    }
    let pattern = try self.path(path, in: text)
    return MappingFile.PlainField(
      name: try name ?? lastKey(of: pattern, in: text), path: path, type: type)
  }

  private static func type(_ name: Substring, in text: String) throws -> TypeName {
    let types = TypeName.allCases.filter { $0 != .enum }
    if let type = types.first(where: { $0.rawValue == name }) { return type }
    let names = types.map(\.rawValue)
    let hint = Suggestion.nearest(to: String(name), among: names).map { Suggestion.hint($0) } ?? ""
    throw ValidationError(
      "--field '\(text)': there is no type '\(name)'\(hint). "
        + "Types: \(names.joined(separator: ", ")).")
  }

  private static func path(_ path: String, in text: String) throws -> PathPattern {
    let pattern: PathPattern
    do throws(PathSyntaxError) {
      pattern = try PathPattern(parsing: path)
    } catch {
      throw ValidationError("--field '\(text)': \(error).")
    }
    if let step = pattern.steps.first(where: \.meansSeveral) {
      throw ValidationError(
        "--field '\(text)': \(step) means several values; arrays need a mapping file.")
    }
    return pattern
  }

  private static func lastKey(of pattern: PathPattern, in text: String) throws -> String {
    for case .key(let key) in pattern.steps.reversed() { return key }
    throw ValidationError("--field '\(text)': a name is missing; write name=\(text).")
  }
}
