import StreamMap
import StreamMapFiles

/// The options of a mapping: a JSON object.
struct Options {
  var arguments: [ExactText: String] = [:]
  var format: FeedFormat?
  var records: [PathPattern]?
  /// How a path of records that does not occur in a whole feed is reported.
  enum UnseenPaths: String {
    case fail, ignore
  }

  /// What columns of times count.
  private enum TimestampUnit: String {
    case us, ns
  }

  var unseenPaths = UnseenPaths.fail
  var errors: MappingFile.Errors.Mode?
  var jobs = 1
  /// Whether rejects are to have the texts of their records.
  var tellsTexts = false
  var size = ColumnBatchSize()
  var scale: Int? = ColumnPlan.decimalScale
  var timeScale = ColumnPlan.timeScale
  var binary: Set<ExactText> = []
  /// The fields that are mapped, if not all.
  private var fields: [String]?
  /// A condition for records, in JSON.
  private var condition: String?
  private var limits: [(name: Limits.Name, value: Int)] = []

  private static let names = [
    "arguments", "batch_bytes", "batch_rows", "binary", "decimal_scale", "errors", "fields",
    "format", "jobs", "limits", "raw", "records", "timestamp_unit", "unseen_paths",
    "where",
  ]

  /// Reads them.
  ///
  /// - Throws: ``BindingError`` if there is no such option, or its value is wrong.
  init(_ text: String?) throws {
    for member in try OptionReading.members(text) { try set(member.key, member.value) }
  }

  private mutating func set(_ name: String, _ value: JSONValue) throws {
    switch name {
    case "arguments":
      for member in try OptionReading.members(name, value, of: " of texts") {
        guard case .string(let text) = member.value else {
          throw OptionReading.wrong(name, "an object of texts")
        }
        arguments[ExactText(member.key)] = text
      }
    case "format": format = try OptionReading.format(name, value).format
    case "records":
      let paths = try OptionReading.texts(name, value).map { try OptionReading.path(name, $0) }
      if paths.isEmpty { throw OptionReading.wrong(name, "an array of at least one path") }
      records = paths
    case "unseen_paths":
      guard case .string(let text) = value, let rule = UnseenPaths(rawValue: text) else {
        throw OptionReading.wrong(name, "fail or ignore")
      }
      unseenPaths = rule
    case "errors":
      guard case .string(let text) = value, let mode = MappingFile.Errors.Mode(rawValue: text)
      else { throw OptionReading.wrong(name, "fail, skip or reject") }
      errors = mode
    case "raw": tellsTexts = try OptionReading.flag(name, value)
    case "jobs": jobs = try OptionReading.number(name, value, 1...64)
    case "batch_rows": size.rows = try OptionReading.number(name, value, 1...(1 << 30))
    case "batch_bytes": size.bytes = try OptionReading.number(name, value, 1...(1 << 30))
    case "decimal_scale":
      scale = value == .null ? nil : try OptionReading.number(name, value, 0...38)
    case "timestamp_unit":
      guard case .string(let text) = value, let unit = TimestampUnit(rawValue: text) else {
        throw OptionReading.wrong(name, "us or ns")
      }
      timeScale = unit == .ns ? 9 : 6
    case "binary": binary = Set(try OptionReading.texts(name, value).map { ExactText($0) })
    case "fields":
      let names = try OptionReading.texts(name, value)
      if names.isEmpty { throw OptionReading.wrong(name, "an array of at least one name") }
      fields = names
    case "where":
      _ = try OptionReading.members(name, value)
      condition = value.description
    case "limits":
      for member in try OptionReading.members(name, value) {
        guard let name = Limits.Name.allCases.first(where: { $0.word == member.key }) else {
          let names = Limits.Name.allCases.map(\.word)
          throw OptionReading.unknown("limit", member.key, among: names)
        }
        limits.append(
          (name, try OptionReading.number("limits.\(member.key)", member.value, 1...Int.max)))
      }
    default: throw OptionReading.unknown("option", name, among: Self.names)
    }
  }

  /// The columns of records.
  func columns(_ record: OutputValue) -> ColumnPlan {
    ColumnPlan(record, scale: scale, timeScale: timeScale, binary: binary)
  }

  /// Checks that what is to be bytes are columns of texts.
  private func checkBinary(_ record: OutputValue) throws {
    let texts = columns(record).texts
    for name in binary.sorted() where !texts.contains(name) {
      let near = Suggestion.nearest(to: name.text, among: texts.map(\.text).sorted())
      throw BindingError(
        "option 'binary': there is no column of texts '\(name)'"
          + (near.map(Suggestion.hint) ?? ""))
    }
  }

  /// Changes what a mapping file says.
  ///
  /// - Throws: ``BindingError`` if a name is that of no column, ``MappingFile/FieldChoiceError``,
  ///   ``MappingFile/Mistakes`` of a condition, `DefinitionError`.
  func apply(to file: inout MappingFile) throws {
    // All columns are known, also those that `fields` leaves out.
    try checkBinary(file.record)
    if let condition { try file.keep(where: condition) }
    if let fields { try file.keep(fields: fields) }
    if let format { file.format = format }
    if let records { file.records = records }
    if let errors { file.errors.mode = errors }
    for (name, value) in limits { file.limits[keyPath: name.path] = value }
  }
}
