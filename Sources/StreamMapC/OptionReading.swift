import StreamMap
import StreamMapFiles

/// Reads options: the members of a JSON object.
enum OptionReading {
  /// The members; none without a text.
  ///
  /// - Throws: ``BindingError`` where it is no object.
  static func members(_ text: String?) throws -> [JSONValue.Member] {
    guard let text, !text.isEmpty else { return [] }
    let value = try Mapper(Mapping<JSONValue>.json).decode(text.utf8).value
    guard let value, case .object = value else {
      throw BindingError("options have to be one JSON object")
    }
    return try members(value) { "option '\($0)' comes twice" } ?? []
  }

  /// The members of an object; an error where one comes twice.
  private static func members(_ value: JSONValue, _ message: (String) -> String) throws
    -> [JSONValue.Member]?
  {
    guard case .object(let members) = value else { return nil }
    var known: Set<[UInt8]> = []
    for member in members where !known.insert(Array(member.key.utf8)).inserted {
      throw BindingError(message(member.key))
    }
    return members
  }

  /// The members of an option that is an object.
  static func members(_ name: String, _ value: JSONValue, of what: String = "") throws
    -> [JSONValue.Member]
  {
    guard let members = try members(value, { "option '\(name)': '\($0)' comes twice" }) else {
      throw wrong(name, "an object\(what)")
    }
    return members
  }

  static func wrong(_ name: String, _ expected: String) -> BindingError {
    BindingError("option '\(name)' has to be \(expected)")
  }

  static func text(_ name: String, _ value: JSONValue) throws -> String {
    guard case .string(let text) = value else { throw wrong(name, "a text") }
    return text
  }

  static func texts(_ name: String, _ value: JSONValue) throws -> [String] {
    guard case .array(let elements) = value else { throw wrong(name, "an array of texts") }
    return try elements.map {
      guard case .string(let text) = $0 else { throw wrong(name, "an array of texts") }
      return text
    }
  }

  static func number(_ name: String, _ value: JSONValue, _ range: ClosedRange<Int>) throws -> Int {
    guard case .number(let text) = value, let number = Int(text), range.contains(number) else {
      throw wrong(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  static func format(_ name: String, _ value: JSONValue) throws -> InputFormat {
    guard case .string(let text) = value, let format = InputFormat(rawValue: text) else {
      throw wrong(name, "auto, json, ndjson, concat or seq")
    }
    return format
  }

  static func path(_ name: String, _ text: String) throws -> PathPattern {
    do throws(PathSyntaxError) {
      return try PathPattern(parsing: text)
    } catch {
      throw BindingError("option '\(name)': \(error)")
    }
  }
}
