import StreamMap
import StreamMapFiles

/// The options of a mapping: a JSON object.
struct Options {
  var arguments: [String: String] = [:]
  var format: FeedFormat?
  var records: [PathPattern]?
  var errors: MappingFile.Errors.Mode?
  var jobs = 1
  var size = ColumnBatchSize()
  var scale: Int? = ColumnPlan.decimalScale
  var binary: Set<String> = []
  private var limits: [(WritableKeyPath<Limits, Int>, Int)] = []

  /// Reads them.
  ///
  /// - Throws: ``BindingError`` where there is no such option, or its value is wrong.
  init(_ text: String?) throws {
    guard let text, !text.isEmpty else { return }
    let value = try Mapper(Mapping<JSONValue>.json).decode(text.utf8).value
    guard case .object(let members)? = value else {
      throw BindingError("options have to be one JSON object")
    }
    for member in members { try set(member.key, member.value) }
  }

  private mutating func set(_ name: String, _ value: JSONValue) throws {
    switch name {
    case "arguments":
      guard case .object(let members) = value else { throw Self.wrong(name, "an object of texts") }
      for member in members {
        guard case .string(let text) = member.value else {
          throw Self.wrong(name, "an object of texts")
        }
        arguments[member.key] = text
      }
    case "format":
      guard case .string(let text) = value, let format = InputFormat(rawValue: text) else {
        throw Self.wrong(name, "auto, json, ndjson, concat or seq")
      }
      self.format = format.format
    case "records":
      do {
        records = try Self.texts(name, value).map { try PathPattern(parsing: $0) }
      } catch let error as PathSyntaxError {
        throw BindingError("option 'records': \(error)")
      }
    case "errors":
      guard case .string(let text) = value, let mode = MappingFile.Errors.Mode(rawValue: text)
      else { throw Self.wrong(name, "fail, skip or reject") }
      errors = mode
    case "jobs": jobs = try Self.number(name, value, 1...64)
    case "batch_rows": size.rows = try Self.number(name, value, 1...(1 << 30))
    case "batch_bytes": size.bytes = try Self.number(name, value, 1...(1 << 30))
    case "decimal_scale": scale = value == .null ? nil : try Self.number(name, value, 0...38)
    case "binary": binary = Set(try Self.texts(name, value))
    case "limits":
      guard case .object(let members) = value else { throw Self.wrong(name, "an object") }
      for member in members {
        guard let path = Self.limits[member.key] else {
          throw BindingError("there is no limit '\(member.key)'")
        }
        limits.append((path, try Self.number("limits.\(member.key)", member.value, 1...Int.max)))
      }
    default: throw BindingError("there is no option '\(name)'")
    }
  }

  private static let limits: [String: WritableKeyPath<Limits, Int> & Sendable] = [
    "depth": \.depth, "string": \.string, "number": \.number, "key": \.key, "members": \.members,
    "elements": \.elements, "errors": \.errorsPerRecord, "captured": \.capturedValue,
    "replayed": \.replayed, "record": \.record,
  ]

  private static func wrong(_ name: String, _ expected: String) -> BindingError {
    BindingError("option '\(name)' has to be \(expected)")
  }

  private static func texts(_ name: String, _ value: JSONValue) throws -> [String] {
    guard case .array(let elements) = value else { throw wrong(name, "an array of texts") }
    return try elements.map {
      guard case .string(let text) = $0 else { throw wrong(name, "an array of texts") }
      return text
    }
  }

  private static func number(_ name: String, _ value: JSONValue, _ range: ClosedRange<Int>) throws
    -> Int
  {
    guard case .number(let text) = value, let number = Int(text), range.contains(number) else {
      throw wrong(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Changes what a mapping file says.
  func apply(to file: inout MappingFile) {
    if let format { file.format = format }
    if let records { file.records = records }
    if let errors { file.errors.mode = errors }
    for (path, value) in limits { file.limits[keyPath: path] = value }
  }
}
