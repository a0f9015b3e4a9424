import StreamMap

/// A mapping that takes every record of a sample.
package struct InferredMapping {
  /// Where the records are; nil if each document or line is one.
  let records: PathPattern?
  /// Whether the records' keys are data.
  private let hasKeys: Bool
  /// The format, where it has to be said.
  let format: String?
  let record: InferredValue
  /// The number of records that it was inferred from.
  let count: Int
  /// Whether there were more records.
  let isSample: Bool
  /// The name of the feed.
  let feed: String
  /// Whether keys that the sample does not have are reported.
  private let reportsUnknown: Bool

  /// The mapping of a sample.
  ///
  /// - Parameters:
  ///   - sample: The sample.
  ///   - format: The format, where it has to be said.
  ///   - feed: The name of the feed.
  ///   - choices: What it tells of the values.
  package init(of sample: FeedSample, format: String?, feed: String, _ choices: InferChoices) {
    records = sample.records
    hasKeys = sample.areMembers
    self.format = format
    record = InferredValue(sample.profile).chosen(choices)
    count = sample.count
    isSample = sample.isCut
    self.feed = feed
    reportsUnknown = false
  }

  /// The same with another record, and a report of keys that it does not have.
  init(_ other: InferredMapping, record: InferredValue) {
    records = other.records
    hasKeys = other.hasKeys
    format = other.format
    self.record = record
    count = other.count
    isSample = other.isSample
    feed = other.feed
    reportsUnknown = true
  }

  /// What it was inferred from, in a sentence.
  var origin: String {
    if count == 0 {
      return "The array of \(ShownText.of(feed)) is empty: nothing is known of its records."
    }
    let records = count == 1 ? "record" : "\(count) records"
    return
      "From the \(isSample ? "first " : count == 1 ? "only " : "")\(records) of \(ShownText.of(feed))."
  }

  // MARK: YAML

  /// The mapping file.
  package var yaml: String {
    var text = Block()
    text.add("# \(origin)")
    text.add("streammap: 1")
    if records != nil || format != nil || reportsUnknown {
      text.add("input:")
      if let format { text.add("  format: \(format)") }
      if let records { text.add("  records: \(YAMLText.quoted(records.description))") }
      if reportsUnknown { text.add("  unknown: report") }
    }
    if case .object(let fields) = record.type, !record.isNullable {
      text.add("record:")
      if hasKeys { text.add("\(Self.keyName(beside: fields)): { meta: key, type: string }", by: 1) }
      Self.add(fields, to: &text, by: 1)
    } else {
      // What is not always an object.
      text.add("value:")
      Self.add(record, to: &text, by: 1)
    }
    return text.text
  }

  private static func add(_ fields: [InferredField], to text: inout Block, by level: Int) {
    for (name, field) in named(fields) {
      let path = ShownPath.relative(to: field.key)
      add(name, path, field.value, field.comment, to: &text, by: level)
    }
  }

  /// The name of the field that has the record's key.
  private static func keyName(beside fields: [InferredField]) -> String {
    let names = named(fields).map(\.name)
    var name = "key"
    while names.contains(name) { name += "_" }
    return name
  }

  /// The fields with their names: a key without characters is none.
  static func named(_ fields: [InferredField]) -> [(name: String, field: InferredField)] {
    let keys = Set(fields.map { ExactText($0.key) })
    return fields.map { field in
      if let name = field.name { return (name, field) }
      var name = field.key
      while name.isEmpty || name != field.key && keys.contains(ExactText(name)) { name += "_" }
      return (name, field)
    }
  }

  private static func add(
    _ name: String, _ path: String, _ value: InferredValue, _ comment: String,
    to text: inout Block, by level: Int
  ) {
    var name = YAMLText.quoted(name) + ":"
    // YAML wants a mark before a longer key.
    if name.utf8.count > YAMLText.longestKey {
      text.add("? \(name.dropLast())", by: level)
      name = ":"
    }
    if value.type.isLong {
      text.add(name, comment, by: level)
      text.add("from: \(YAMLText.quoted(path))", by: level + 1)
      add(value, to: &text, by: level + 1)
    } else {
      let parts = ["from: \(YAMLText.quoted(path))"] + flow(value)
      text.add("\(name) { \(parts.joined(separator: ", ")) }", comment, by: level)
    }
  }

  /// The keys of a value that takes several lines.
  private static func add(_ value: InferredValue, to text: inout Block, by level: Int) {
    if value.isNullable { text.add("nullable: true", by: level) }
    switch value.type {
    case .object(let fields):
      text.add("object:", by: level)
      add(fields, to: &text, by: level + 1)
    case .array(let element):
      text.add("each:", by: level)
      add(element, to: &text, by: level + 1)
    case .dictionary(let element):
      text.add("map:", by: level)
      add(element, to: &text, by: level + 1)
    case .scalar, .date, .unsureDate, .url, .cases, .json:
      for part in flow(InferredValue(value.type)) { text.add(part, by: level) }
    }
  }

  /// The keys of a value that takes one line.
  private static func flow(_ value: InferredValue) -> [String] {
    var parts: [String]
    switch value.type {
    case .scalar(let type): parts = ["type: \(type.rawValue)"]
    case .date(let date): parts = date.keys
    case .unsureDate: parts = ["type: string"]
    case .url(let schemes): parts = ["type: url", "schemes: [\(schemes.joined(separator: ", "))]"]
    case .cases(let texts):
      parts = ["type: enum", "values: [\(texts.map(YAMLText.quoted).joined(separator: ", "))]"]
    case .json: parts = ["type: json"]
    case .array(let element): parts = ["each: { \(flow(element).joined(separator: ", ")) }"]
    case .dictionary(let element): parts = ["map: { \(flow(element).joined(separator: ", ")) }"]
    case .object: parts = []
    }
    if value.isNullable { parts.append("nullable: true") }
    return parts
  }
}

extension InferredValue {
  /// A value that is always there.
  init(_ type: InferredType, isNullable: Bool = false) {
    self.type = type
    self.isNullable = isNullable
  }
}

/// Lines of a text, with comments beside short ones.
private struct Block {
  private static let commentColumn = 56
  private static let longestLine = 130

  private var lines: [String] = []

  var text: String { lines.joined(separator: "\n") + "\n" }

  mutating func add(_ line: String, _ comment: String = "", by level: Int = 0) {
    let indent = String(repeating: "  ", count: level)
    let line = indent + line
    if comment.isEmpty {
      lines.append(line)
    } else if max(line.count, Self.commentColumn) + comment.count + 3 <= Self.longestLine {
      let space = String(repeating: " ", count: max(1, Self.commentColumn - line.count))
      lines.append("\(line)\(space)# \(comment)")
    } else {
      lines.append("\(indent)# \(comment)")
      lines.append(line)
    }
  }
}

/// The path of a member, as a field's `from` has it.
private enum ShownPath {
  static func relative(to key: String) -> String {
    let text = PathPattern([.key(key)]).description.dropFirst()
    return String(text.first == "." ? text.dropFirst() : text)
  }
}

extension String {
  /// Hexadecimal digits as an escape.
  fileprivate var padded: String {
    count <= 4
      ? "\\u" + String(repeating: "0", count: 4 - count) + self
      : "\\U" + String(repeating: "0", count: max(0, 8 - count)) + self
  }
}

/// Texts in YAML.
enum YAMLText {
  /// A text that YAML reads as a string: plain where that is sure, otherwise in double quotes.
  static func quoted(_ text: String) -> String {
    if isPlain(text) { return text }
    var quoted = ""
    for scalar in JSONValue.string(text).description.unicodeScalars {
      // YAML takes these only as escapes.
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned:
        quoted += String(scalar.value, radix: 16).padded
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted
  }

  /// The most bytes of a key in front of its colon, which YAML looks for within 1024 characters.
  static let longestKey = 1000

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, !["true", "false", "null"].contains(text.lowercased()) else {
      return false
    }
    let isLetter = first | 0x20 >= UInt8(ascii: "a") && first | 0x20 <= UInt8(ascii: "z")
    guard isLetter || first == UInt8(ascii: "_") || text == "$" else { return false }
    return text.utf8.allSatisfy { byte in
      (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
        || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || "_$./-".utf8.contains(byte)
    }
  }
}
