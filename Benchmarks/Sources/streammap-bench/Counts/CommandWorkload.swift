import Foundation

/// Small work of the command whose instructions and allocations are counted.
///
/// The counts exclude those of the same command over an empty feed, or over a mapping file of one field.
enum CommandWorkload: String, CaseIterable {
  /// Nearly all of a log's members.
  case logs
  /// The same as the elements of one document, each on many lines.
  case logsIndented = "logs-indented"
  /// Seven of them, without rules.
  case logsFew = "logs-few"
  /// The same as the elements of one document; where a filter finds them; where they may be anywhere.
  case logsDocument = "logs-document"
  case logsFilter = "logs-filter"
  case logsDescent = "logs-descent"
  /// The same where each line is a list of the values.
  case logsLists = "logs-lists"
  /// With a rule on a number.
  case validate
  /// With a condition on a number, which all records meet.
  case `where`
  /// With steps on a text.
  case logsText = "logs-text"
  /// With a part of a text by a pattern.
  case logsExtract = "logs-extract"
  /// With a field that a formula calculates.
  case logsCalc = "logs-calc"
  /// All of them, to rows of cells and to indented JSON.
  case logsCSV = "logs-csv"
  case logsTSV = "logs-tsv"
  case logsCopy = "logs-copy"
  case logsPretty = "logs-pretty"
  /// A mapping file of many fields is read, which is one line of JSON.
  case mappingJSON = "mapping-json"
  case mappingYAML = "mapping-yaml"

  private static let fields = 2000

  /// The arguments for the work, and for the same command over nearly nothing.
  func arguments(_ directory: String) throws -> (work: [String], start: [String]) {
    switch self {
    case .logs: try run("logs.map.yaml", directory)
    case .logsIndented: try runIndented("logs.map.yaml", directory)
    case .logsFew: try run("logs-few.map.yaml", directory)
    case .logsDocument: try runDocument("$.statuses[*]", directory)
    case .logsFilter: try runDocument("$.statuses[?@.user_id > 0]", directory)
    case .logsDescent: try runDocument("$..statuses[*]", directory)
    case .logsLists: try runLists(directory)
    case .validate: try run("logs-validate.map.yaml", directory)
    case .where: try run("logs-where.map.yaml", directory)
    case .logsText: try run("logs-text.map.yaml", directory)
    case .logsExtract: try run("logs-extract.map.yaml", directory)
    case .logsCalc: try run("logs-calc.map.yaml", directory)
    case .logsCSV: try run("logs.map.yaml", directory, to: "csv")
    case .logsTSV: try run("logs.map.yaml", directory, to: "tsv")
    case .logsCopy: try run("logs.map.yaml", directory, to: "pgcopy")
    case .logsPretty: try run("logs.map.yaml", directory, to: "pretty")
    case .mappingJSON: try check("json", directory, Self.json)
    case .mappingYAML: try check("yaml", directory, Self.yaml)
    }
  }

  private func run(_ mapping: String, _ directory: String, to form: String = "ndjson") throws
    -> ([String], [String])
  {
    let nothing = "\(directory)/nothing.ndjson"
    try Data().write(to: URL(filePath: nothing))
    let run = ["run", "-m", "\(Workbench.home)/Mappings/\(mapping)", "--jobs", "1", "--to", form]
    return (run + ["\(directory)/\(LogFeed.feed)"], run + [nothing])
  }

  private func runIndented(_ mapping: String, _ directory: String) throws -> ([String], [String]) {
    let (feed, nothing) = ("\(directory)/logs-indented.json", "\(directory)/nothing.json")
    try IndentedFeed.write(linesAt: "\(directory)/\(LogFeed.feed)", to: feed)
    try Data("[]".utf8).write(to: URL(filePath: nothing))
    let run = [
      "run", "-m", "\(Workbench.home)/Mappings/\(mapping)", "--jobs", "1", "--records", "$[*]",
    ]
    return (run + [feed], run + [nothing])
  }

  private func runDocument(_ path: String, _ directory: String) throws -> ([String], [String]) {
    let (feed, nothing) = ("\(directory)/logs-document.json", "\(directory)/nothing.json")
    try DocumentFeed.write(linesAt: "\(directory)/\(LogFeed.feed)", to: feed)
    try Data(#"{"statuses":[]}"#.utf8).write(to: URL(filePath: nothing))
    let run = [
      "run", "-m", "\(Workbench.home)/Mappings/logs-few.map.yaml", "--jobs", "1", "--records", path,
    ]
    return (run + [feed], run + [nothing])
  }

  private func runLists(_ directory: String) throws -> ([String], [String]) {
    let (feed, nothing) = ("\(directory)/logs-lists.ndjson", "\(directory)/nothing.ndjson")
    try ListFeed.write(linesAt: "\(directory)/\(LogFeed.feed)", to: feed)
    try Data().write(to: URL(filePath: nothing))
    let run = ["run", "-m", "\(Workbench.home)/Mappings/logs-lists.map.yaml", "--jobs", "1"]
    return (run + [feed], run + [nothing])
  }

  private func check(_ kind: String, _ directory: String, _ mapping: (Int) -> String) throws
    -> ([String], [String])
  {
    let arguments = try [Self.fields, 1].map { count in
      let file = "\(directory)/fields-\(count).map.\(kind)"
      try Data(mapping(count).utf8).write(to: URL(filePath: file))
      return ["check", file]
    }
    return (arguments[0], arguments[1])
  }

  private static func json(fields: Int) -> String {
    let fields = (0..<fields).map {
      "\"field_\($0)\":{\"from\":\"data.key_\($0)\",\"type\":\"int64\",\"nullable\":true}"
    }
    return "{\"streammap\":1,\"record\":{\(fields.joined(separator: ","))}}"
  }

  private static func yaml(fields: Int) -> String {
    let fields = (0..<fields).map {
      "  field_\($0): { from: data.key_\($0), type: int64, nullable: true }\n"
    }
    return "streammap: 1\nrecord:\n\(fields.joined())"
  }

  // MARK: Comparison with each other

  /// The share of a plain run that rules and conditions on a number may cost: `CScan/row_writer.c` decides them.
  private static let share = 0.05
  /// The share that a calculated field, steps on a text, or a pattern may cost; the aim is 30 %.
  ///
  /// The program calls Swift for such a value. Lower this with what that costs. What is counted is built as the tests are, where such code costs
  /// more than in a release.
  private static let fieldShare = 1.0
  /// The share that rows of cells may cost, where the aim is 25 %; and the share of indented JSON.
  private static let (rowShare, indentedShare) = (0.32, 0.2)
  /// The shares that a filter, and a path that may find records in records, may cost.
  private static let (filterShare, descentShare) = (0.6, 0.55)

  /// What the work of each may cost of the same run without it.
  private static let shares: [(of: Self, over: Self, share: Double, name: String)] = [
    (validate, logsFew, share, "a rule on a number"),
    (`where`, logsFew, share, "a condition on a number"),
    (logsCalc, logsFew, fieldShare, "a formula"),
    (logsText, logsFew, fieldShare, "a list of steps on a text"),
    (logsExtract, logsFew, fieldShare, "a pattern that takes a part of a text"),
    (logsCSV, logs, rowShare, "CSV"),
    (logsTSV, logs, rowShare, "TSV"),
    (logsCopy, logs, rowShare, "COPY"),
    (logsPretty, logs, indentedShare, "indented JSON"),
    (logsFilter, logsDocument, filterShare, "a filter"),
    (logsDescent, logsDocument, descentShare, "a path with .."),
  ]

  /// Whether they cost no more than that; reports it if they do.
  static func judge(_ counts: [String: Baselines.Count]) -> Bool {
    var isWithin = true
    for (workload, plain, share, name) in shares {
      guard let count = counts[workload.rawValue], let without = counts[plain.rawValue] else {
        continue
      }
      let more = Double(count.instructions) / Double(without.instructions) - 1
      print("  \(workload.rawValue): \(Table.number(more * 100, 1)) % more than \(plain.rawValue)")
      if more > share {
        print("counts: \(name) costs more than \(Int(share * 100)) % of the run without it")
        isWithin = false
      }
    }
    return isWithin
  }
}
