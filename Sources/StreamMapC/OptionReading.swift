import StreamMap
import StreamMapFiles

/// Reads options: the members of a JSON object.
enum OptionReading {
  /// The members; none without a text.
  ///
  /// - Throws: ``BindingError`` if it is not an object, or a member comes twice, also in an object inside.
  static func members(_ text: String?) throws -> [JSONValue.Member] {
    guard let text, !text.isEmpty else { return [] }
    return try raw(text.utf8, "options", "one JSON object").map { name, raw in
      let value = try Mapper(Mapping<JSONValue>.json).decode(raw.bytes).get()
      if case .object = value { _ = try Self.raw(raw.bytes, "option '\(name)'", "an object") }
      return JSONValue.Member(name, value)
    }
  }

  private static func raw(_ text: some Sequence<UInt8>, _ what: String, _ expected: String) throws
    -> [String: RawJSON]
  {
    let mapping = Mapping<[String: RawJSON]>.dictionary(of: .raw).duplicateKeys(.fail)
    let record = try Mapper(mapping).decode(Array(text))
    if let members = record.value { return members }
    guard let error = record.error, error.code == .duplicateKey,
      case .key(let key)? = error.path.components.last
    else { throw BindingError("\(what) have to be \(expected)") }
    throw BindingError("\(what): '\(key)' comes twice")
  }

  /// The members of an option that is an object.
  static func members(_ name: String, _ value: JSONValue, of what: String = "") throws
    -> [JSONValue.Member]
  {
    guard case .object(let members) = value else { throw wrong(name, "an object\(what)") }
    return members
  }

  static func wrong(_ name: String, _ expected: String) -> BindingError {
    BindingError("option '\(name)' has to be \(expected)")
  }

  /// There is no option or limit of a name.
  static func unknown(_ what: String, _ name: String, among names: [String]) -> BindingError {
    let near = Suggestion.nearest(to: name, among: names)
    return BindingError("there is no \(what) '\(name)'" + (near.map(Suggestion.hint) ?? ""))
  }

  static func flag(_ name: String, _ value: JSONValue) throws -> Bool {
    guard case .bool(let flag) = value else { throw wrong(name, "true or false") }
    return flag
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
      return try PathPattern(reading: text)
    } catch {
      throw BindingError("option '\(name)': \(error)")
    }
  }
}
