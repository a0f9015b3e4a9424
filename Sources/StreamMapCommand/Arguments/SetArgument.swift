import ArgumentParser
import StreamMap
import StreamMapFiles

/// A value for an argument of the mapping file on the command line: `name=value`.
enum SetArgument {
  /// The values by their names.
  ///
  /// - Throws: `ValidationError` for a text without a name, and for a name that comes twice.
  static func values(_ texts: [String]) throws -> [ExactText: String] {
    var values: [ExactText: String] = [:]
    for text in texts {
      let scalars = text.unicodeScalars
      guard let equals = scalars.firstIndex(of: "="), equals > text.startIndex else {
        throw ValidationError("--set '\(text)': write --set name=value.")
      }
      let name = String(scalars[..<equals])
      let value = String(scalars[scalars.index(after: equals)...])
      guard values.updateValue(value, forKey: ExactText(name)) == nil else {
        throw ValidationError("--set gives '\(name)' two values; keep one of them.")
      }
    }
    return values
  }

  /// Refuses a name that none of several mappings has; if there is one, reading it has refused the name.
  static func check(_ values: [ExactText: String], _ mappings: [MappingFile]) throws {
    let names = mappings.flatMap(\.arguments)
    for name in values.keys.map(\.text).sorted()
    where !names.contains(where: { ExactText($0) == ExactText(name) }) {
      throw ValidationError("--set: none of the mappings has an argument '\(name)'.")
    }
  }
}
