import ArgumentParser

/// A value for an argument of the mapping file on the command line: `name=value`.
enum SetArgument {
  /// The values by their names.
  ///
  /// - Throws: `ValidationError` for a text without a name, and for a name that comes twice.
  static func values(_ texts: [String]) throws -> [String: String] {
    var values: [String: String] = [:]
    for text in texts {
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
        throw ValidationError("--set '\(text)': write --set name=value.")
      }
      let name = String(text[..<equals])
      guard values.updateValue(String(text[text.index(after: equals)...]), forKey: name) == nil
      else { throw ValidationError("--set gives '\(name)' two values; keep one of them.") }
    }
    return values
  }
}
